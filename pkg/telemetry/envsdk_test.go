package telemetry_test

import (
	"strings"
	"testing"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// all three signals through a set-up with these variables; what came is in backend.
func withVariables(t *testing.T, cfg telemetry.Config, w *told, vars ...string) *backend {
	t.Helper()
	b := newBackend(t)
	cfg.LogsEnabled = true
	h := newHandle(t, b, cfg, w.option(), telemetry.WithConsole(discardWriter{}), telemetry.WithEnv(env(vars...)))
	_, s := h.Start(t.Context(), telemetry.Job, "job")
	s.End()
	counter, _ := h.Meter().Int64Counter("n")
	counter.Add(t.Context(), 1)
	histogram, _ := h.Meter().Float64Histogram("h")
	histogram.Record(t.Context(), 1)
	h.Logger().Info("x")
	end(t, h)
	return b
}

type discardWriter struct{}

func (discardWriter) Write(p []byte) (int, error) { return len(p), nil }

// TestSelectors: the standard selectors of exporters, signal by signal.
func TestSelectors(t *testing.T) {
	tests := []struct {
		name       string
		env        []string
		exporter   string
		came       string // signals by their first letter
		configures string
		warned     bool
	}{
		{name: "nothing", came: "tml"},
		{name: "none", env: []string{"OTEL_TRACES_EXPORTER=none"}, came: "ml"},
		{name: "console", env: []string{"OTEL_METRICS_EXPORTER= Console "}, came: "tl"},
		{name: "otlp", env: []string{"OTEL_LOGS_EXPORTER=otlp"}, came: "tml"},
		{name: "unknown", env: []string{"OTEL_METRICS_EXPORTER=prometheus"}, came: "tml", warned: true},
		{name: "configuration before selector", env: []string{"OTEL_TRACES_EXPORTER=console"}, exporter: "otlp", came: "tml"},
		{name: "none before configuration", env: []string{"OTEL_TRACES_EXPORTER=none"}, exporter: "otlp", came: "ml"},
		{name: "console by configuration", exporter: "console", came: ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var w told
			cfg := enabled()
			cfg.Exporter = tt.exporter
			b := withVariables(t, cfg, &w, tt.env...)
			came := strings.Repeat("t", min(1, len(b.spans))) + strings.Repeat("m", min(1, len(b.metrics))) + strings.Repeat("l", min(1, len(b.logs)))
			if came != tt.came || (len(w.texts()) == 1) != tt.warned {
				t.Errorf("came %q, warnings %v", came, w.texts())
			}
		})
	}
}

// TestSignalsOff by the configuration.
func TestSignalsOff(t *testing.T) {
	var w told
	cfg := enabled()
	cfg.TracesEnabled, cfg.MetricsEnabled = false, false
	if b := withVariables(t, cfg, &w); len(b.spans)+len(b.metrics) != 0 || len(b.logs) != 1 {
		t.Errorf("%d spans, %d metrics, %d logs", len(b.spans), len(b.metrics), len(b.logs))
	}
}

// TestMetricVariables: temporality and the kind of histograms.
func TestMetricVariables(t *testing.T) {
	const preference, kind = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE=", "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION="
	cumulative, delta := metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE, metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA
	tests := []struct {
		preference, kind string
		want             metricspb.AggregationTemporality
		exponential      bool
		warnings         int
	}{
		{"", "", cumulative, false, 0},
		{"Delta", "explicit_bucket_histogram", delta, false, 0},
		{"lowmemory", "base2_exponential_bucket_histogram", delta, true, 0},
		{"sometimes", "round", cumulative, false, 2},
	}
	for _, tt := range tests {
		var w told
		b := withVariables(t, enabled(), &w, preference+tt.preference, kind+tt.kind)
		for _, m := range b.metrics {
			if s := m.GetSum(); s != nil && s.AggregationTemporality != tt.want {
				t.Errorf("%+v: %v", tt, s.AggregationTemporality)
			}
			if m.Name == "h" && (m.GetExponentialHistogram() != nil) != tt.exponential {
				t.Errorf("%+v: %v", tt, m)
			}
		}
		if len(w.texts()) != tt.warnings {
			t.Errorf("%+v: warnings %v", tt, w.texts())
		}
	}
}

// TestSampler is the standard variable; a parent that is not sampled is followed by
// default.
func TestSampler(t *testing.T) {
	unsampled := trace.ContextWithRemoteSpanContext(t.Context(), trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}}))
	tests := []struct {
		sampler, arg string
		root, child  int
		warnings     int
	}{
		{"", "", 1, 0, 0}, {"always_on", "", 1, 1, 0}, {"always_off", "", 0, 0, 0}, {"parentbased_always_off", "", 0, 0, 0},
		{"traceidratio", "0", 0, 0, 0}, {"TraceIDRatio", "1", 1, 1, 0}, {"traceidratio", "", 1, 1, 0}, {"traceidratio", "NaN", 1, 1, 1},
		{"parentbased_traceidratio", "1", 1, 0, 0}, {"jaeger_remote", "", 1, 0, 1},
	}
	for _, tt := range tests {
		b, w := newBackend(t), told{}
		h := newHandle(t, b, enabled(), w.option(), telemetry.WithEnv(env("OTEL_TRACES_SAMPLER="+tt.sampler, "OTEL_TRACES_SAMPLER_ARG="+tt.arg)))
		_, s := h.Start(t.Context(), telemetry.Job, "root")
		s.End()
		_, s = h.Start(unsampled, telemetry.Job, "child")
		s.End()
		end(t, h)
		names := strings.Join(b.names(), " ")
		if strings.Count(names, "root") != tt.root || strings.Count(names, "child") != tt.child || len(w.texts()) != tt.warnings {
			t.Errorf("%+v: %s, warnings %v", tt, names, w.texts())
		}
	}
}

// TestQueueVariables keep their defaults where they cannot be read, each with one
// warning, and the general timeout is one warning for three signals.
func TestQueueVariables(t *testing.T) {
	var w told
	withVariables(t, enabled(), &w, "OTEL_BSP_MAX_QUEUE_SIZE=0", "OTEL_BSP_SCHEDULE_DELAY=1e3", "OTEL_METRIC_EXPORT_INTERVAL=10s",
		"OTEL_EXPORTER_OTLP_TIMEOUT=30s", "OTEL_EXPORTER_OTLP_HEADERS=a=hunter2%ZZ")
	for _, name := range []string{"OTEL_BSP_MAX_QUEUE_SIZE", "OTEL_BSP_SCHEDULE_DELAY", "OTEL_METRIC_EXPORT_INTERVAL", "OTEL_EXPORTER_OTLP_TIMEOUT", "OTEL_EXPORTER_OTLP_HEADERS"} {
		if w.with(name) != 1 {
			t.Errorf("%s: warnings %v", name, w.texts())
		}
	}
	if w.with("OTEL_METRIC_EXPORT_INTERVAL", "10000 is used") != 1 { // ten seconds, as in the Python library
		t.Errorf("warnings %v", w.texts())
	}
	if w.with("hunter2") != 0 {
		t.Errorf("a secret in %v", w.texts())
	}
}

// TestOwnSamplerAndIDs: a sampler and ids that the program brings.
func TestOwnSamplerAndIDs(t *testing.T) {
	b := newBackend(t)
	h := newHandle(t, b, enabled(), telemetry.WithSampler(sdktrace.AlwaysSample()), telemetry.WithIDGenerator(sameIDs{}),
		telemetry.WithTLS(nil), telemetry.WithHeaders(map[string]string{"x-token": "t"}), telemetry.WithGPU(),
		telemetry.WithResourceAttributes(telemetry.Server{Name: "s", Type: "model"}.Attributes()...),
		telemetry.WithResourceAttributes(telemetry.Position{TP: 1, DP: 3}.Attributes()...),
		telemetry.WithResourceAttributes(telemetry.Training{Framework: "mcore", TP: 2, Optimizer: "adam", TrainIters: 100, Torch: "2.9"}.Attributes()...))
	_, s := h.Start(t.Context(), telemetry.Job, "job")
	s.Attr(attribute.Int("k", 1)).End()
	end(t, h)
	if id := b.span(t, "job").SpanId; id[0] != 1 || id[7] != 0 {
		t.Errorf("id %x", id)
	}
	got := b.resource(t)
	for key, want := range map[string]any{
		"gym.server.name": "s", "gym.server.type": "model", "dl.tensor_parallel.rank": int64(1), "dl.pipeline_parallel.rank": int64(0), "dl.data_parallel.rank": int64(3),
		"nv.dl.provider.name": "mcore", "nv.dl.topology.size.tp": int64(2), "nv.dl.training.config.optimizer": "adam", "nv.dl.training.target.train_iters": int64(100),
		"nv.dl.software.torch": "2.9", "nv.dl.topology.size.pp": nil,
	} {
		if got[key] != want {
			t.Errorf("%s is %v, want %v", key, got[key], want)
		}
	}
}
