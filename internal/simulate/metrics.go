package simulate

import (
	"bytes"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// metricNames are the metrics of one generation of names; those of the last
// group are Megatron's own in both.
type metricNames struct{ loss, gradNorm, rate, tokensPerSec, tflops string }

const (
	stepDuration    = "megatron.training.step_duration_ms"
	skippedSteps    = "megatron.training.skipped_iters"
	memoryAllocated = "megatron.training.memory_allocated_gb"
	tokensProcessed = "nv.dl.training.tokens.processed" // global, the same on every rank
)

func (c *Config) metricNames() metricNames {
	if c.Naming == Older {
		return metricNames{
			"megatron.training.loss", "megatron.training.grad_norm", "megatron.training.learning_rate",
			"megatron.training.tokens_per_sec", "megatron.training.throughput_tflops",
		}
	}
	return metricNames{
		semconv.DLLoss, semconv.DLGradNorm, semconv.DLLearningRate,
		semconv.DLThroughputTokensPerSec, semconv.DLThroughputTFLOPS,
	}
}

// metricWriter sends what a rank's metric reader collects.
type metricWriter struct {
	m      *model
	names  metricNames
	res    *resources
	build  builder
	scope  run.Scope
	bounds [stepBuckets]float64
	point  otlp.DataPoint
	count  int
	emit   func(rank int, body []byte, items int)
}

func newMetricWriter(m *model, res *resources, emit func(int, []byte, int)) *metricWriter {
	return &metricWriter{
		m: m, names: m.metricNames(), res: res, build: otlp.NewBuilder(run.Metrics), emit: emit,
		scope: run.Scope{Name: "megatron.training", Version: "0.15.0"}, bounds: m.stepBounds(),
	}
}

// write sends the metrics of a rank at a moment at which s was its last
// finished step.
func (w *metricWriter) write(rank int, at int64, s *slot) {
	w.open(rank, at)
	v := w.m.values(s)
	w.gauge(w.names.loss, "", v.loss)
	w.gauge(w.names.gradNorm, "", v.gradNorm)
	w.gauge(w.names.rate, "", v.rate)
	w.gauge(w.names.tokensPerSec, "{token}/s", v.tokensPerSec)
	w.gauge(w.names.tflops, "TFLOP/s", v.tflops)
	w.gauge(memoryAllocated, "GBy", w.memory(rank))
	w.counter(skippedSteps, "{iteration}", int64(s.totals.skipped))
	if w.m.Naming == Newest {
		w.counter(tokensProcessed, "{token}", s.totals.tokens)
	}
	w.histogram(&s.totals)
	w.emit(rank, bytes.Clone(w.build.Bytes()), w.count)
}

// open begins the request of a rank.
func (w *metricWriter) open(rank int, at int64) {
	w.count = 0
	w.build.Reset(run.Metrics)
	w.build.Resource(w.res.trainer(rank), 0, "")
	w.build.Scope(w.scope)
	start := w.m.Start.UnixNano() + w.m.clock(rank)
	w.point = otlp.DataPoint{Start: uint64(start + w.res.born), Time: uint64(start + at)}
}

// memory differs from stage to stage and a little from rank to rank.
func (w *metricWriter) memory(rank int) float64 {
	at := w.m.lay.coord(rank)
	part := float64(w.m.PP-at.PP) / float64(w.m.PP)
	return 38 + 24*part + float64(mix(w.m.Seed^uint64(rank))%1000)/1000
}

func (w *metricWriter) add(info otlp.MetricInfo) {
	w.build.Metric(info)
	w.build.Point(&w.point)
	w.count++
}

func (w *metricWriter) gauge(name, unit string, v float64) {
	w.point.Value = run.DoubleValue(v)
	w.add(otlp.MetricInfo{Name: name, Unit: unit, Kind: otlp.Gauge})
}

func (w *metricWriter) counter(name, unit string, v int64) {
	w.point.Value = run.IntValue(v)
	w.add(otlp.MetricInfo{Name: name, Unit: unit, Kind: otlp.Sum, Temporality: otlp.Cumulative, Monotonic: true})
}

func (w *metricWriter) histogram(t *totals) {
	p := &w.point
	p.Value = run.Value{}
	p.Count, p.Sum, p.Min, p.Max = uint64(t.steps), t.sum, t.least, t.most
	p.HasSum, p.HasMin, p.HasMax = true, true, true
	p.Buckets = otlp.Buckets{Bounds: w.bounds[:], Counts: t.buckets[:]}
	w.add(otlp.MetricInfo{Name: stepDuration, Unit: "ms", Kind: otlp.Histogram, Temporality: otlp.Cumulative})
}
