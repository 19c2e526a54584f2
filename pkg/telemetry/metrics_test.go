package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// measured is a set-up whose metrics are read by the test.
func measured(t *testing.T, opts ...telemetry.Option) (*telemetry.Handle, func() map[string]metricdata.Aggregation) {
	t.Helper()
	reader := sdkmetric.NewManualReader()
	cfg := enabled()
	cfg.TracesEnabled = false
	h := newHandle(t, nil, cfg, append(opts, telemetry.WithMetricReader(reader))...)
	return h, func() map[string]metricdata.Aggregation {
		t.Helper()
		var rm metricdata.ResourceMetrics
		if err := reader.Collect(t.Context(), &rm); err != nil {
			t.Fatal(err)
		}
		all := map[string]metricdata.Aggregation{}
		for _, sm := range rm.ScopeMetrics {
			for _, m := range sm.Metrics {
				all[m.Name] = m.Data
			}
		}
		return all
	}
}

// TestMetricGroup: every kind, recorded as one has them.
func TestMetricGroup(t *testing.T) {
	var w told
	h, collect := measured(t, w.option())
	g, err := h.MetricGroup("all", kindsOfMetrics()...)
	if err != nil {
		t.Fatal(err)
	}
	at := attribute.String("k", "v")
	g.Record(t.Context(), map[string]float64{"gf": math.NaN(), "cf": 1.5, "hf": 2, "uf": -1}, at)
	g.Record(t.Context(), map[string]float64{"gi": 3, "ci": 4, "hi": 5, "ui": -6})
	g.Set(t.Context(), "ci", 1)
	got := map[string]string{}
	for name, data := range collect() {
		got[name] = oneValue(data)
	}
	want := map[string]string{"gf": "NaN k=v", "cf": "1.5 k=v", "hf": "1×2 k=v", "uf": "-1 k=v", "gi": "3 ", "ci": "5 ", "hi": "1×5 ", "ui": "-6 "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if len(w.texts()) != 0 {
		t.Errorf("warnings %v", w.texts())
	}
}

func kindsOfMetrics() []telemetry.Metric {
	var all []telemetry.Metric
	for letter, kind := range map[string]telemetry.MetricKind{"g": telemetry.Gauge, "c": telemetry.Counter, "u": telemetry.UpDownCounter, "h": telemetry.Histogram} {
		all = append(all,
			telemetry.Metric{Key: letter + "f", Name: letter + "f", Kind: kind, Buckets: []float64{1, 2}},
			telemetry.Metric{Key: letter + "i", Name: letter + "i", Kind: kind, Whole: true, Buckets: []float64{1, 2}})
	}
	return all
}

// oneValue is the value of the only point.
func oneValue(data metricdata.Aggregation) string {
	switch d := data.(type) {
	case metricdata.Gauge[float64]:
		return number(d.DataPoints)
	case metricdata.Gauge[int64]:
		return number(d.DataPoints)
	case metricdata.Sum[float64]:
		return number(d.DataPoints)
	case metricdata.Sum[int64]:
		return number(d.DataPoints)
	case metricdata.Histogram[float64]:
		return fmt.Sprintf("%d×%v %s", d.DataPoints[0].Count, d.DataPoints[0].Sum, d.DataPoints[0].Attributes.Encoded(attribute.DefaultEncoder()))
	case metricdata.Histogram[int64]:
		return fmt.Sprintf("%d×%v %s", d.DataPoints[0].Count, d.DataPoints[0].Sum, d.DataPoints[0].Attributes.Encoded(attribute.DefaultEncoder()))
	}
	return fmt.Sprintf("%T", data)
}

func number[N int64 | float64](points []metricdata.DataPoint[N]) string {
	return fmt.Sprintf("%v %s", points[0].Value, points[0].Attributes.Encoded(attribute.DefaultEncoder()))
}

// TestMetricGroupForgives: an unknown key and an impossible value are one warning
// each, and the others are recorded.
func TestMetricGroupForgives(t *testing.T) {
	var w told
	h, collect := measured(t, w.option())
	g, err := h.MetricGroup("mine",
		telemetry.Metric{Key: "loss", Name: "my.loss"}, telemetry.Metric{Key: "n", Name: "my.n", Kind: telemetry.Counter, Whole: true},
		telemetry.Metric{Key: "h", Name: "my.h", Kind: telemetry.Histogram})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		g.Record(t.Context(), map[string]float64{"loss": 1, "los": 2})
		g.Record(t.Context(), map[string]float64{"n": -1})
		g.Record(t.Context(), map[string]float64{"h": math.Inf(1)})
	}
	g.Set(t.Context(), "n", 1.5)
	if w.with("mine", `"los"`, "h, loss, n") != 1 || w.with("n was negative") != 1 || w.with("h was not a finite") != 1 || w.with("n was not a whole") != 1 {
		t.Errorf("warnings %v", w.texts())
	}
	if got := collect(); len(got) != 1 || oneValue(got["my.loss"]) != "1 " {
		t.Errorf("%v", got)
	}
}

// TestDeclarations: what two instruments would write into is refused.
func TestDeclarations(t *testing.T) {
	m := func(key, name string) telemetry.Metric { return telemetry.Metric{Key: key, Name: name} }
	tests := []struct {
		name    string
		metrics []telemetry.Metric
		want    string
	}{
		{"declared already", []telemetry.Metric{m("x", "taken")}, "by the group first"},
		{"other case", []telemetry.Metric{m("x", "Taken")}, "by the group first"},
		{"twice", []telemetry.Metric{m("x", "new"), m("y", "new")}, "twice"},
		{"key twice", []telemetry.Metric{m("x", "new"), m("x", "newer")}, `"x" is there twice`},
		{"no name", []telemetry.Metric{m("x", "")}, "must be given"},
		{"no key", []telemetry.Metric{m("", "new")}, "must be given"},
		{"no kind", []telemetry.Metric{{Key: "x", Name: "new", Kind: 9}}, "no kind"},
		{"no kind, whole", []telemetry.Metric{{Key: "x", Name: "new", Kind: 9, Whole: true}}, "no kind"},
		{"bad name", []telemetry.Metric{m("x", "new"), m("y", "1 bad")}, "1 bad"},
	}
	h, _ := measured(t)
	if _, err := h.MetricGroup("first", m("x", "taken")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		g, err := h.MetricGroup("second", tt.metrics...)
		if err == nil || g != nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "second") {
			t.Errorf("%s: %v", tt.name, err)
		}
	}
	if _, err := h.MetricGroup("second", m("x", "new")); err != nil {
		t.Errorf("a refused group has kept a name: %v", err)
	}
}

// TestInferenceAndGym: names, units and attributes of the Python library.
func TestInferenceAndGym(t *testing.T) {
	h, collect := measured(t)
	inference, err1 := telemetry.NewInference(h)
	gym, err2 := telemetry.NewGym(h)
	training, err3 := h.MetricGroup("training", telemetry.TrainingMetrics()...)
	if err := errors.Join(err1, err2, err3); err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	inference.Record(ctx, telemetry.InferenceRequest{Duration: 250 * time.Millisecond, Model: "m", InputTokens: 10, OutputTokens: 20})
	inference.Record(ctx, telemetry.InferenceRequest{})
	gym.Request(ctx, time.Millisecond)
	gym.Rollout(ctx, 2*time.Millisecond)
	gym.Verify(ctx, 1500*time.Microsecond)
	gym.SuccessRate(ctx, 0.75)
	gym.Active(ctx, 4)
	training.Record(ctx, map[string]float64{"loss": 2, "grad_norm": 1, "learning_rate": 1e-4, "throughput_tflops": 400, "throughput_tokens_per_sec": 1e5})
	got := collect()
	tokens := got["gen_ai.client.token.usage"].(metricdata.Histogram[int64])
	if len(tokens.DataPoints) != 2 || tokens.DataPoints[0].Bounds[1] != 4 {
		t.Errorf("tokens %v", tokens)
	}
	delete(got, "gen_ai.client.token.usage")
	values := map[string]string{}
	for name, data := range got {
		values[name] = strings.TrimSpace(oneValue(data))
	}
	want := map[string]string{
		"gen_ai.server.request.duration": "1×0.25 gen_ai.operation.name=text_completion,gen_ai.provider.name=nemo,gen_ai.request.model=m",
		"gym.server.request_duration_ms": "1×1", "gym.rollout.duration_ms": "1×2", "gym.verify.duration_ms": "1×1.5",
		"gym.verify.success_rate": "0.75", "gym.servers.active": "4",
		"dl.loss": "2", "dl.grad_norm": "1", "dl.learning_rate": "0.0001", "dl.throughput_tflops": "400", "dl.throughput_tokens_per_sec": "100000",
	}
	if diff := cmp.Diff(want, values); diff != "" {
		t.Error(diff)
	}
	if _, err := telemetry.NewGym(h); err == nil {
		t.Error("declared twice")
	}
}

// TestTooManySeries is the case of CASES: 4,096 values of dl.rank in one counter.
// The warning comes once, with instrument and key, before anything is folded, and
// the total stays right.
func TestTooManySeries(t *testing.T) {
	var w told
	h, collect := measured(t, w.option())
	counter, _ := h.Meter().Int64Counter("steps")
	for rank := range 4096 {
		if rank == 2000 && w.with("steps", "dl.rank", "2000") != 1 {
			t.Errorf("before the limit: %v", w.texts())
		}
		counter.Add(t.Context(), 1, metric.WithAttributes(attribute.Int("dl.rank", rank), attribute.String("few", "x")))
	}
	if len(w.texts()) != 1 {
		t.Errorf("warnings %v", w.texts())
	}
	sum, overflow := int64(0), false
	for _, p := range collect()["steps"].(metricdata.Sum[int64]).DataPoints {
		sum += p.Value
		overflow = overflow || p.Attributes.HasValue("otel.metric.overflow")
	}
	if sum != 4096 || !overflow {
		t.Errorf("sum %d, folded %t", sum, overflow)
	}
}

// TestSeriesOfManyKeys: no key alone has many values, all together have.
func TestSeriesOfManyKeys(t *testing.T) {
	var w told
	b, cfg := newBackend(t), enabled()
	cfg.TracesEnabled = false
	h := newHandle(t, b, cfg, w.option(), telemetry.WithSeriesLimit(100), telemetry.WithViews(
		sdkmetric.NewView(sdkmetric.Instrument{Name: "seen"}, sdkmetric.Stream{Name: "seen.renamed", AttributeFilter: attribute.NewDenyKeysFilter("secret")})))
	seen, _ := h.Meter().Float64Counter("seen")
	plain, _ := h.Meter().Float64Counter("plain")
	for i := range 90 {
		at := metric.WithAttributes(attribute.Int("a", i%9), attribute.Bool("b", i%2 == 0), attribute.Float64("c", float64(i/9)), attribute.String("secret", "x"))
		seen.Add(t.Context(), 1, at)
		plain.Add(t.Context(), 1, at)
	}
	if err := h.ForceFlush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if w.with("plain", "90 series", "values of c") != 1 || w.with("seen.renamed", "90 series", "values of c") != 1 || len(w.texts()) != 2 {
		t.Errorf("warnings %v", w.texts())
	}
	names := map[string]int{}
	for _, m := range b.metrics {
		for _, p := range m.GetSum().DataPoints {
			names[m.Name]++
			if m.Name == "seen.renamed" && attributes(p.Attributes)["secret"] != nil {
				t.Fatal("the program's filter is lost")
			}
		}
	}
	if diff := cmp.Diff(map[string]int{"plain": 90, "seen.renamed": 90}, names); diff != "" {
		t.Error(diff)
	}
}

// TestIntervals: metrics go out by themselves at the interval of the variable.
func TestIntervals(t *testing.T) {
	e := &metricExporter{got: make(chan int, 1)}
	var w told
	h := newHandle(t, newBackend(t), enabled(), telemetry.WithMetricExporter(e), w.option(),
		telemetry.WithEnv(env("OTEL_METRIC_EXPORT_INTERVAL=1", "OTEL_METRIC_EXPORT_TIMEOUT=30s")))
	counter, _ := h.Meter().Int64Counter("n")
	counter.Add(t.Context(), 1)
	if n := <-e.got; n != 1 {
		t.Errorf("%d points", n)
	}
	if w.with("OTEL_METRIC_EXPORT_TIMEOUT", "30000 is used") != 1 {
		t.Errorf("warnings %v", w.texts())
	}
}

// metricExporter tells of each export.
type metricExporter struct{ got chan int }

func (*metricExporter) Temporality(sdkmetric.InstrumentKind) metricdata.Temporality {
	return metricdata.DeltaTemporality
}
func (*metricExporter) Aggregation(k sdkmetric.InstrumentKind) sdkmetric.Aggregation {
	return sdkmetric.DefaultAggregationSelector(k)
}
func (e *metricExporter) Export(_ context.Context, rm *metricdata.ResourceMetrics) error {
	select {
	case e.got <- len(rm.ScopeMetrics[0].Metrics):
	default:
	}
	return nil
}
func (*metricExporter) ForceFlush(context.Context) error { return nil }
func (*metricExporter) Shutdown(context.Context) error   { return nil }
