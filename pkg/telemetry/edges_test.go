package telemetry_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// TestRandomTrees: whatever is open, children end before or with their parents, are
// exported before them, and what had ended is not touched.
func TestRandomTrees(t *testing.T) {
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		trunc, tp, rec := ownProvider()
		tr := tp.Tracer("x")
		contexts, ended := []context.Context{t.Context()}, map[trace.SpanID]bool{}
		for i := range 60 {
			parent := contexts[r.IntN(len(contexts))]
			ctx, s := tr.Start(parent, fmt.Sprint(i), trace.WithTimestamp(time.Now().Add(time.Duration(r.IntN(2000)-1000)*time.Second)))
			contexts = append(contexts, ctx)
			if r.IntN(3) == 0 {
				s.End()
				ended[s.SpanContext().SpanID()] = true
			}
		}
		trunc.Close()
		checkTree(t, seed, rec.Ended(), ended)
	}
}

func checkTree(t *testing.T, seed uint64, spans []sdktrace.ReadOnlySpan, ended map[trace.SpanID]bool) {
	t.Helper()
	order := map[trace.SpanID]int{}
	for i, s := range spans {
		order[s.SpanContext().SpanID()] = i
		if marked := len(s.Events()) == 1; marked == ended[s.SpanContext().SpanID()] {
			t.Errorf("seed %d: span %s: marked %t", seed, s.Name(), marked)
		}
	}
	for i, s := range spans {
		p, ok := order[s.Parent().SpanID()]
		if !ok || ended[s.SpanContext().SpanID()] || ended[s.Parent().SpanID()] {
			continue
		}
		if p < i || s.EndTime().After(spans[p].EndTime()) {
			t.Errorf("seed %d: span %s ends after its parent %s", seed, s.Name(), spans[p].Name())
		}
	}
	if len(spans) != 60 {
		t.Errorf("seed %d: %d spans", seed, len(spans))
	}
}

// TestWarningsGoToSlog without an option, each text once, and are bounded.
func TestWarningsGoToSlog(t *testing.T) {
	var out bytes.Buffer
	before := slog.Default()
	slog.SetDefault(slog.New(slog.NewTextHandler(&out, &slog.HandlerOptions{Level: slog.LevelWarn})))
	t.Cleanup(func() { slog.SetDefault(before) })
	cfg := enabled()
	cfg.TracesEnabled = false
	h, err := telemetry.New(t.Context(), cfg, telemetry.WithEnv(env()), telemetry.WithMetricReader(sdkmetric.NewManualReader()))
	if err != nil {
		t.Fatal(err)
	}
	defer end(t, h)
	g, err := h.MetricGroup("g", telemetry.Metric{Key: "k", Name: "n"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 1000 {
		g.Set(t.Context(), fmt.Sprint("typo", i%500), 1)
	}
	lines := strings.Count(out.String(), "\n")
	if lines != len(h.Warnings()) || lines < 100 || lines > 300 || !strings.Contains(out.String(), "typo0") {
		t.Errorf("%d lines, %d warnings", lines, len(h.Warnings()))
	}
	if w := h.Warnings()[0]; w.Error() != w.Text || w.Key != "typo0" || w.Level != slog.LevelWarn {
		t.Errorf("%+v", w)
	}
}

// TestFlushByProviders: a program that knows only OpenTelemetry can flush, too.
func TestFlushByProviders(t *testing.T) {
	b, cfg := newBackend(t), enabled()
	cfg.LogsEnabled = true
	h := newHandle(t, b, cfg)
	_, s := h.Start(t.Context(), telemetry.Job, "job")
	s.End()
	h.Logger().Info("x")
	h.Logger().Debug("not from here on")
	err := errors.Join(h.TracerProvider().(*sdktrace.TracerProvider).ForceFlush(t.Context()), h.LoggerProvider().(*sdklog.LoggerProvider).ForceFlush(t.Context()))
	if err != nil || len(b.names()) != 1 || len(b.logs) != 1 {
		t.Errorf("%v, %d logs, %v", b.names(), len(b.logs), err)
	}
}

func TestLogLevel(t *testing.T) {
	b, cfg := newBackend(t), enabled()
	cfg.LogsEnabled = true
	h := newHandle(t, b, cfg, telemetry.WithLogLevel(slog.LevelDebug))
	log := h.Logger().With("a", 1).WithGroup("g").With("b", 2)
	log.Debug("x", "c", 3)
	log.Log(t.Context(), slog.LevelDebug-1, "below")
	end(t, h)
	if len(b.logs) != 1 || attributes(b.logs[0].Attributes)["a"] != int64(1) {
		t.Errorf("%v", b.logs)
	}
}

// TestFlushOfAnEndedOne: after Shutdown a flush says so, or has nothing to do.
func TestFlushOfAnEndedOne(t *testing.T) {
	h := newHandle(t, newBackend(t), enabled())
	end(t, h)
	if err := h.ForceFlush(t.Context()); err == nil {
		t.Error("flushed")
	}
	if err := h.SetSpanGroups("all"); err != nil || h.On(telemetry.Job) {
		t.Errorf("on again: %v", err)
	}
}

// stuck is a metric exporter that does not come back.
type stuck struct {
	metricExporter
	entered chan struct{}
	release chan struct{}
}

func (s *stuck) Export(context.Context, *metricdata.ResourceMetrics) error {
	s.entered <- struct{}{}
	<-s.release
	return nil
}

// TestStuckMetrics: its points are counted as lost, once, and a flush gives up with
// its context.
func TestStuckMetrics(t *testing.T) {
	e := &stuck{entered: make(chan struct{}, 1), release: make(chan struct{})}
	cfg := enabled()
	cfg.TracesEnabled = false
	h, err := telemetry.New(t.Context(), cfg, telemetry.WithMetricExporter(e), telemetry.WithEnv(env()))
	if err != nil {
		t.Fatal(err)
	}
	counter, _ := h.Meter().Int64Counter("n")
	for i := range 3 {
		counter.Add(t.Context(), 1, metric.WithAttributes(attribute.Int("i", i)))
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-e.entered
		cancel()
	}()
	if err := h.ForceFlush(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("flush: %v", err)
	}
	if err := h.ForceFlush(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("second flush: %v", err)
	}
	late, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	var lost *telemetry.LostError
	if err := h.Shutdown(late); !errors.As(err, &lost) || lost.Points != 3 {
		t.Errorf("the end: %v", err)
	}
	close(e.release)
	if s := h.Stats().Points; s.Failed != 3 || s.Delivered != 0 {
		t.Errorf("%+v", s)
	}
}

// TestSeriesOfEveryKind: the guard counts the series of each kind of metric.
func TestSeriesOfEveryKind(t *testing.T) {
	for kind := range 2 {
		var w told
		vars := []string{"", "OTEL_EXPORTER_OTLP_METRICS_DEFAULT_HISTOGRAM_AGGREGATION=base2_exponential_bucket_histogram"}[kind]
		h := newHandle(t, newBackend(t), enabled(), w.option(), telemetry.WithSeriesLimit(10), telemetry.WithEnv(env(vars)))
		g, err := h.MetricGroup("all", kindsOfMetrics()...)
		if err != nil {
			t.Fatal(err)
		}
		for i := range 9 {
			for _, m := range kindsOfMetrics() {
				g.Set(t.Context(), m.Key, 1, attribute.Int("a", i%3), attribute.Int("b", i/3))
			}
		}
		if err := h.ForceFlush(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, m := range kindsOfMetrics() {
			if w.with("metric "+m.Name+" ", "9 series", "values of a") != 1 {
				t.Errorf("%s: warnings %v", m.Name, w.texts())
			}
		}
	}
}

// TestOneLost is one.
func TestOneLost(t *testing.T) {
	for want, e := range map[string]*telemetry.LostError{
		"telemetry was lost: 1 span":                                 {Spans: 1},
		"telemetry was lost: 2 metric points, 1 log record: no":      {Points: 2, Logs: 1, Err: errors.New("no")},
		"telemetry was lost: 2 spans, 1 metric point, 3 log records": {Spans: 2, Points: 1, Logs: 3},
	} {
		if e.Error() != want {
			t.Errorf("%q, want %q", e.Error(), want)
		}
	}
}

// TestRefusedSpans: what the collector would not have is lost, too.
func TestRefusedSpans(t *testing.T) {
	b := newBackend(t)
	b.refuse = 1
	h, err := telemetry.New(t.Context(), enabled(), telemetry.WithEnv(env()), telemetry.WithEndpoint(b.endpoint))
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		_, s := h.Start(t.Context(), telemetry.Job, "job")
		s.End()
	}
	var lost *telemetry.LostError
	if err := h.Shutdown(t.Context()); !errors.As(err, &lost) || lost.Spans != 1 {
		t.Errorf("error %v", err)
	}
}

func FuzzGroups(f *testing.F) {
	f.Add("default, step")
	f.Add("all,,nonsense")
	f.Fuzz(func(t *testing.T, list string) {
		set, err := telemetry.NewGroups().Resolve(list)
		if err == nil && set >= 1<<8 {
			t.Errorf("%q: groups %b", list, set)
		}
		if again, err2 := telemetry.NewGroups().Resolve(list + "," + list); set != again || (err == nil) != (err2 == nil) {
			t.Errorf("%q twice is %b, %v", list, again, err2)
		}
	})
}

func FuzzConfig(f *testing.F) {
	f.Add("1", "0.5", "-1")
	f.Fuzz(func(t *testing.T, on, rate, rank string) {
		c, err := telemetry.ConfigFromLookup(env("NEMO_LENS_ENABLED="+on, "NEMO_LENS_EXPORT_SAMPLE_RATE="+rate, "NEMO_LENS_EXPORT_RANK="+rank))
		if !(c.ExportSampleRate >= 0 && c.ExportSampleRate <= 1) || c.ExportRank < -1 || err != nil && c.Enabled {
			t.Errorf("%+v, %v", c, err)
		}
	})
}
