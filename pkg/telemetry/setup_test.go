package telemetry_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// setup is a set-up with globals that ends with the test.
func setup(t *testing.T, b *backend, cfg telemetry.Config, opts ...telemetry.Option) *telemetry.Handle {
	t.Helper()
	var w told
	all := []telemetry.Option{telemetry.WithEnv(env()), w.option(), telemetry.WithEndpoint(b.endpoint)}
	h, err := telemetry.Setup(t.Context(), cfg, append(all, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(t, h) })
	return h
}

// TestSetupInstalls: globals and the functions of the package use the set-up, and
// let it go again.
func TestSetupInstalls(t *testing.T) {
	b := newBackend(t)
	cfg := enabled()
	cfg.LogsEnabled = true
	if telemetry.Active() != nil || telemetry.On(telemetry.Job) {
		t.Fatal("something is active")
	}
	h := setup(t, b, cfg)
	if telemetry.Active() != h || !telemetry.On(telemetry.Job) || telemetry.On(telemetry.Step) {
		t.Error("not active")
	}
	_, s := telemetry.Start(t.Context(), telemetry.Job, "ours")
	s.End()
	_, theirs := otel.Tracer("lib").Start(t.Context(), "theirs")
	theirs.End()
	counter, _ := otel.Meter("lib").Int64Counter("n")
	counter.Add(t.Context(), 1)
	if otel.GetLoggerProvider() != h.LoggerProvider() {
		t.Error("logs are not global")
	}
	if f := otel.GetTextMapPropagator().Fields(); len(f) != 3 {
		t.Errorf("propagated fields %v", f)
	}
	end(t, h)
	if n := b.names(); len(n) != 2 || len(b.metrics) != 1 {
		t.Errorf("spans %v, %d metrics", n, len(b.metrics))
	}
	if telemetry.Active() != nil || otel.GetTracerProvider() == h.TracerProvider() || otel.GetMeterProvider() == h.MeterProvider() {
		t.Error("still installed")
	}
	if _, s := telemetry.Start(t.Context(), telemetry.Job, "late"); s != nil {
		t.Error("a span after the end")
	}
}

// TestErrorsOfOpenTelemetry come to the same place as warnings.
func TestErrorsOfOpenTelemetry(t *testing.T) {
	var w told
	setup(t, newBackend(t), enabled(), w.option())
	for range 3 {
		otel.Handle(errors.New("something odd"))
	}
	if w.with("something odd") != 1 {
		t.Errorf("warnings %v", w.texts())
	}
}

// TestOnce: the second set-up is refused and the first works on; after Shutdown
// another one is welcome.
func TestOnce(t *testing.T) {
	b := newBackend(t)
	h := setup(t, b, enabled())
	second, err := telemetry.Setup(t.Context(), enabled(), telemetry.WithEnv(env()))
	if !errors.Is(err, telemetry.ErrActive) || second != nil {
		t.Errorf("second: %v, %v", second, err)
	}
	_, s := telemetry.Start(t.Context(), telemetry.Job, "still works")
	s.End()
	off, err := telemetry.Setup(t.Context(), telemetry.DefaultConfig(), telemetry.WithEnv(env()))
	if err != nil || off.Enabled() || telemetry.Active() != h {
		t.Errorf("a disabled one beside it: %v", err)
	}
	end(t, off)
	if telemetry.Active() != h {
		t.Error("the end of a disabled one ended the other")
	}
	end(t, h)
	again := setup(t, b, enabled())
	if telemetry.Active() != again {
		t.Error("the third is not active")
	}
	end(t, h) // once more, and nothing happens to the third
	if telemetry.Active() != again {
		t.Error("a second end of the first ended the third")
	}
	if n := b.names(); len(n) != 1 || n[0] != "still works" {
		t.Errorf("spans %v", n)
	}
}

func TestDisabledDoesNotCount(t *testing.T) {
	for range 2 {
		h, err := telemetry.Setup(t.Context(), telemetry.DefaultConfig(), telemetry.WithEnv(env()))
		if err != nil || h.Enabled() || h.Exporting() || telemetry.Active() != nil {
			t.Fatal(err)
		}
	}
	off := env("OTEL_SDK_DISABLED=TRUE", "OTEL_EXPORTER_OTLP_ENDPOINT=grpc://nonsense")
	h, err := telemetry.Setup(t.Context(), enabled(), telemetry.WithEnv(off))
	if err != nil || h.Enabled() || telemetry.Active() != nil {
		t.Errorf("OTEL_SDK_DISABLED: %v", err)
	}
	setup(t, newBackend(t), enabled())
}

// TestSixteenAtOnce: exactly one succeeds.
func TestSixteenAtOnce(t *testing.T) {
	b := newBackend(t)
	var won atomic.Pointer[telemetry.Handle]
	var wins, refused atomic.Int64
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			h, err := telemetry.Setup(t.Context(), enabled(), telemetry.WithEnv(env()), telemetry.WithEndpoint(b.endpoint))
			switch {
			case err == nil:
				wins.Add(1)
				won.Store(h)
			case errors.Is(err, telemetry.ErrActive):
				refused.Add(1)
			}
			telemetry.On(telemetry.Job)
		})
	}
	wg.Wait()
	if wins.Load() != 1 || refused.Load() != 15 {
		t.Errorf("%d won, %d were refused", wins.Load(), refused.Load())
	}
	end(t, won.Load())
}

// TestFailedLeavesNothing: no guard, no globals, and (by the leak check) no
// goroutine; the second one works.
func TestFailedLeavesNothing(t *testing.T) {
	before := otel.GetTracerProvider()
	for name, opt := range map[string][]string{
		"endpoint":    {"OTEL_EXPORTER_OTLP_METRICS_ENDPOINT=grpc://nonsense"},
		"logs":        {"OTEL_EXPORTER_OTLP_LOGS_ENDPOINT=grpc://nonsense"},
		"certificate": {"OTEL_EXPORTER_OTLP_ENDPOINT=https://c:1", "OTEL_EXPORTER_OTLP_CERTIFICATE=/nonsense"},
	} {
		cfg := enabled()
		cfg.LogsEnabled = true
		h, err := telemetry.Setup(t.Context(), cfg, telemetry.WithEnv(env(opt...)))
		if err == nil || h != nil || !strings.Contains(err.Error(), strings.SplitN(opt[len(opt)-1], "=", 2)[0]) {
			t.Errorf("%s: %v", name, err)
		}
		if telemetry.Active() != nil || otel.GetTracerProvider() != before {
			t.Errorf("%s: something is left", name)
		}
	}
	setup(t, newBackend(t), enabled())
}

// TestNil: a program that goes on after an error has a handle for everything.
func TestNil(t *testing.T) {
	var h *telemetry.Handle
	ctx, s := h.Start(t.Context(), telemetry.Job, "x")
	if ctx != t.Context() || s != nil {
		t.Error("a span of nothing")
	}
	s.Int("i", 1).Int64("i", 1).Str("s", "").Float("f", 1).Bool("b", true).Attr(attribute.Int("k", 1)).Set("x", 1).
		SetAll(map[string]any{"y": 1}).Event("e").Error(errors.New("e")).Iteration(1).Model("", "", "").End()
	if s.OTel().IsRecording() || s.Identity().IsValid() {
		t.Error("nil records")
	}
	_, s = h.StartLinked(t.Context(), telemetry.Job, "x")
	s.End()
	if h.Enabled() || h.Exporting() || h.RunID() != "" || h.Warnings() != nil || h.Resource().Len() != 0 || h.Stats() != (telemetry.Stats{}) {
		t.Error("nil knows something")
	}
	h.Tracer()
	h.Meter()
	h.Logger().Info("nowhere")
	h.ShutdownOnSignal(0)()
	g, err := h.MetricGroup("g", telemetry.Metric{Key: "k", Name: "n"})
	g.Record(t.Context(), map[string]float64{"k": 1})
	g.Set(t.Context(), "k", 1)
	i, err2 := telemetry.NewInference(h)
	i.Record(t.Context(), telemetry.InferenceRequest{Duration: 1})
	if err := errors.Join(err, err2, h.SetSpanGroups("x"), h.ForceFlush(t.Context()), h.Shutdown(t.Context())); err != nil {
		t.Error(err)
	}
	if err := h.Do(t.Context(), telemetry.Job, "x", func(context.Context) error { return nil }); err != nil {
		t.Error(err)
	}
}

// TestDisabledIsQuiet: the same of a handle that is off, and of a rank that does not
// export.
func TestDisabledIsQuiet(t *testing.T) {
	off := newHandle(t, nil, telemetry.DefaultConfig())
	other := newHandle(t, nil, enabled(), telemetry.WithRank(0, 2))
	for name, h := range map[string]*telemetry.Handle{"disabled": off, "other rank": other} {
		if h.On(telemetry.Job) || h.Exporting() || h.Resource().Len() != 0 {
			t.Errorf("%s: on", name)
		}
		if _, ok := h.TracerProvider().(*sdktrace.TracerProvider); ok {
			t.Errorf("%s: a real provider", name)
		}
		g, err := h.MetricGroup("g", telemetry.TrainingMetrics()...)
		if err != nil {
			t.Error(err)
		}
		g.Record(t.Context(), map[string]float64{"loss": 1})
		if _, err := h.MetricGroup("h", telemetry.TrainingMetrics()...); err == nil {
			t.Errorf("%s: a declaration twice", name)
		}
	}
}
