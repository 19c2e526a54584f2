package simulate

import (
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// byMetric counts a rank's points by metric.
func byMetric(got *sent, rank int) map[string]int {
	n := map[string]int{}
	for _, p := range got.points {
		if p.rank == rank {
			n[p.metric.Name]++
		}
	}
	return n
}

func TestMetricNames(t *testing.T) {
	c := Config{DP: 2, Iterations: 12, MetricEvery: 5 * time.Second}
	// 12 steps after a start-up of 2 s, the first one slow: rank 1 reads at 5, 10
	// and 15 s, rank 0 at 2.5 s, before any step is over, at 7.5 and 12.5 s. Both
	// flush at the end.
	if d := cmp.Diff(map[string]int{
		"dl.loss": 4, "dl.grad_norm": 4, "dl.learning_rate": 4, "dl.throughput_tokens_per_sec": 4, "dl.throughput_tflops": 4,
		"megatron.training.step_duration_ms": 4, "megatron.training.skipped_iters": 4, "megatron.training.memory_allocated_gb": 4,
		"nv.dl.training.tokens.processed": 4,
	}, byMetric(collect(t, stream(t, c)), 1)); d != "" {
		t.Errorf("newest (-want +got):\n%s", d)
	}
	c.Naming = Older
	if d := cmp.Diff(map[string]int{
		"megatron.training.loss": 3, "megatron.training.grad_norm": 3, "megatron.training.learning_rate": 3,
		"megatron.training.tokens_per_sec": 3, "megatron.training.throughput_tflops": 3,
		"megatron.training.step_duration_ms": 3, "megatron.training.skipped_iters": 3, "megatron.training.memory_allocated_gb": 3,
	}, byMetric(collect(t, stream(t, c)), 0)); d != "" {
		t.Errorf("older (-want +got):\n%s", d)
	}
}

// The last points agree with the spans of the run.
func TestMetricsAgreeWithTheSpans(t *testing.T) {
	c := Config{DP: 2, Iterations: 12, NaNEvery: 4}
	got := collect(t, stream(t, c))
	var sum float64
	for _, s := range got.named(stepName) {
		if s.rank == 0 {
			sum += float64(duration(s)) / 1e6
		}
	}
	last := map[string]sentPoint{}
	for _, p := range got.points {
		if p.rank == 0 {
			last[p.metric.Name] = p
		}
	}
	h := last[stepDuration].hist
	var inBuckets uint64
	for _, n := range h.BucketCounts {
		inBuckets += n
	}
	if h.Count != 12 || inBuckets != 12 || len(h.BucketCounts) != len(h.ExplicitBounds)+1 || math.Abs(h.GetSum()-sum) > 0.1 {
		t.Errorf("histogram of %d steps (%d in buckets), sum %g ms, spans say 12 and %g", h.Count, inBuckets, h.GetSum(), sum)
	}
	if h.GetMin() > h.GetMax() || h.GetMax() < 1500 {
		t.Errorf("min %g, max %g: the first step is slow", h.GetMin(), h.GetMax())
	}
	if n := last[skippedSteps].number.GetAsInt(); n != 3 {
		t.Errorf("%d steps skipped, want 3", n)
	}
	if n := last[tokensProcessed].number.GetAsInt(); n != 9*8*2*sequenceLength {
		t.Errorf("%d tokens, want those of the 9 updates", n)
	}
	if !math.IsNaN(last[semconv.DLGradNorm].number.GetAsDouble()) {
		t.Error("the gradient norm of the last iteration is a number")
	}
	if v := last[semconv.DLLoss].number.GetAsDouble(); v < 5 || v > firstLoss*1.05 {
		t.Errorf("loss %g", v)
	}
}

func TestCumulativeMetricsOnlyGrow(t *testing.T) {
	before := map[string]int64{}
	c := small(Explosion{PerSecond: 3})
	c.MetricEvery = time.Second
	for _, p := range collect(t, stream(t, c)).points {
		sum := p.metric.GetSum()
		if sum == nil || sum.AggregationTemporality != metrics.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE {
			continue
		}
		key := p.metric.Name + string(rune(p.rank+1))
		if m, ok := attr(p.number.Attributes, semconv.GenAIRequestModel); ok {
			key += m.GetStringValue()
		}
		if !sum.IsMonotonic || p.number.GetAsInt() < before[key] {
			t.Fatalf("%s of rank %d fell from %d to %d", p.metric.Name, p.rank, before[key], p.number.GetAsInt())
		}
		before[key] = p.number.GetAsInt()
	}
}

func TestExplosion(t *testing.T) {
	c := small(Explosion{PerSecond: 1000})
	c.MetricEvery = 2 * time.Second
	s := stream(t, c)
	got := collect(t, s)
	sessions, models := map[string]int{}, map[string]bool{}
	for _, p := range got.points {
		if v, ok := attr(p.number.GetAttributes(), sessionKey); ok {
			sessions[v.GetStringValue()]++
			if p.metric.Name != sessionMetric || p.rank != -1 {
				t.Fatalf("a session on %s of rank %d", p.metric.Name, p.rank)
			}
			if p.number.StartTimeUnixNano >= p.number.TimeUnixNano {
				t.Fatalf("a delta from %d to %d", p.number.StartTimeUnixNano, p.number.TimeUnixNano)
			}
		}
		if v, ok := attr(p.number.GetAttributes(), semconv.GenAIRequestModel); ok {
			models[v.GetStringValue()] = true
		}
	}
	if want := int(float64(s.endAt) / 1e6); len(sessions) < want-1 || len(sessions) > want {
		t.Errorf("%d sessions, want %d", len(sessions), want)
	}
	for id, n := range sessions {
		if n != 1 {
			t.Fatalf("session %s %d times", id, n)
		}
	}
	if len(models) != 5 {
		t.Errorf("models %v, want 5", models)
	}
}

// Without the fault the gateway, if there is one, has its five models only.
func TestGatewayAlone(t *testing.T) {
	c := small()
	if n := byMetric(collect(t, stream(t, c)), -1); len(n) != 0 {
		t.Errorf("a run without a gateway sends %v", n)
	}
	c.Gateway, c.MetricEvery = true, 5*time.Second // one tick and the flush at the end
	if n := byMetric(collect(t, stream(t, c)), -1); len(n) != 1 || n[modelMetric] != 10 {
		t.Errorf("the gateway sends %v, want 2 × 5 models", n)
	}
}
