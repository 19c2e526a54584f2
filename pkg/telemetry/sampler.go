package telemetry

import (
	"fmt"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// NewRankSampler returns a sampler that drops all spans of a rank outside the
// sample (InSample) and asks base about the others; a nil base keeps them all. It
// serves a provider of the program's own too.
func NewRankSampler(rank int, rate float64, base sdktrace.Sampler) sdktrace.Sampler {
	if base == nil {
		base = sdktrace.AlwaysSample()
	}
	return rankSampler{rank: rank, rate: rate, in: InSample(rank, rate), base: base}
}

type rankSampler struct {
	rank int
	rate float64
	in   bool
	base sdktrace.Sampler
}

// ShouldSample implements sdktrace.Sampler.
func (s rankSampler) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	if s.in {
		return s.base.ShouldSample(p)
	}
	return sdktrace.SamplingResult{
		Decision:   sdktrace.Drop,
		Tracestate: trace.SpanContextFromContext(p.ParentContext).TraceState(),
	}
}

// Description implements sdktrace.Sampler.
func (s rankSampler) Description() string {
	return fmt.Sprintf("RankSampler{rank=%d,rate=%g,%s}", s.rank, s.rate, s.base.Description())
}
