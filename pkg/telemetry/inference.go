package telemetry

import (
	"context"
	"time"

	"go.opentelemetry.io/otel/attribute"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// Inference records the requests of a model server as gen_ai.server.request.duration
// and gen_ai.client.token.usage. A nil one does nothing.
type Inference struct{ group *MetricGroup }

// InferenceRequest is one request. What is zero or empty is not recorded.
type InferenceRequest struct {
	Duration     time.Duration
	Model        string
	InputTokens  int
	OutputTokens int
	Provider     string // "nemo" when empty
	Operation    string // "text_completion" when empty
}

// NewInference declares the metrics, once per handle.
func NewInference(h *Handle) (*Inference, error) {
	g, err := h.MetricGroup("inference",
		Metric{Key: "duration", Name: "gen_ai.server.request.duration", Kind: Histogram, Unit: "s",
			Doc: "GenAI server request duration.", Buckets: durationBuckets()},
		Metric{Key: "tokens", Name: "gen_ai.client.token.usage", Kind: Histogram, Unit: "{token}", Whole: true,
			Doc: "Number of input and output tokens used.", Buckets: tokenBuckets()})
	return &Inference{g}, err
}

// Record records a request.
func (i *Inference) Record(ctx context.Context, r InferenceRequest) {
	if i == nil {
		return
	}
	kvs := []attribute.KeyValue{
		attribute.String(semconv.GenAIOperationName, first(r.Operation, "text_completion")),
		attribute.String(semconv.GenAIProviderName, first(r.Provider, "nemo")),
	}
	if r.Model != "" {
		kvs = append(kvs, attribute.String(semconv.GenAIRequestModel, r.Model))
	}
	if r.Duration > 0 {
		i.group.Set(ctx, "duration", r.Duration.Seconds(), kvs...)
	}
	for kind, n := range map[string]int{"input": r.InputTokens, "output": r.OutputTokens} {
		if n > 0 {
			i.group.Set(ctx, "tokens", float64(n), append(kvs[:len(kvs):len(kvs)], attribute.String(semconv.GenAITokenType, kind))...)
		}
	}
}

// durationBuckets is upstream's advice for durations of GenAI in seconds.
func durationBuckets() []float64 {
	return []float64{0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92}
}

// tokenBuckets is upstream's advice for numbers of tokens.
func tokenBuckets() []float64 {
	var b []float64
	for n := 1.0; n <= 1<<26; n *= 4 {
		b = append(b, n)
	}
	return b
}

// Gym records what an environment server does (gym.*). A nil one does nothing.
type Gym struct{ group *MetricGroup }

// NewGym declares the metrics, once per handle.
func NewGym(h *Handle) (*Gym, error) {
	g, err := h.MetricGroup("gym",
		Metric{Key: "request", Name: "gym.server.request_duration_ms", Kind: Histogram, Unit: "ms", Doc: "Gym server request duration."},
		Metric{Key: "rollout", Name: "gym.rollout.duration_ms", Kind: Histogram, Unit: "ms", Doc: "Rollout collection duration."},
		Metric{Key: "verify", Name: "gym.verify.duration_ms", Kind: Histogram, Unit: "ms", Doc: "Verification endpoint duration."},
		Metric{Key: "success", Name: semconv.GymVerifySuccessRate, Doc: "Fraction of successful verifications."},
		Metric{Key: "active", Name: "gym.servers.active", Whole: true, Doc: "Number of active Gym servers."})
	return &Gym{g}, err
}

// Request records the duration of a request.
func (g *Gym) Request(ctx context.Context, d time.Duration) { g.set(ctx, "request", millis(d)) }

// Rollout records the duration of collecting a rollout.
func (g *Gym) Rollout(ctx context.Context, d time.Duration) { g.set(ctx, "rollout", millis(d)) }

// Verify records the duration of a verification.
func (g *Gym) Verify(ctx context.Context, d time.Duration) { g.set(ctx, "verify", millis(d)) }

// SuccessRate records the share of verifications that succeed, from 0 to 1.
func (g *Gym) SuccessRate(ctx context.Context, share float64) { g.set(ctx, "success", share) }

// Active records the number of servers that run.
func (g *Gym) Active(ctx context.Context, n int) { g.set(ctx, "active", float64(n)) }

func (g *Gym) set(ctx context.Context, key string, v float64) {
	if g != nil {
		g.group.Set(ctx, key, v)
	}
}

func millis(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
