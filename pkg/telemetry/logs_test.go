package telemetry_test

import (
	"context"
	"errors"
	"log/slog"
	"testing"

	sdklog "go.opentelemetry.io/otel/sdk/log"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// TestLogs: records come with the span of their context, their level and attributes.
func TestLogs(t *testing.T) {
	b, cfg := newBackend(t), enabled()
	cfg.LogsEnabled = true
	h := newHandle(t, b, cfg)
	ctx, s := h.Start(t.Context(), telemetry.Job, "job")
	h.Logger().WarnContext(ctx, "loss is odd", "loss", 2.5, slog.Group("g", "n", 1))
	slog.New(h.LogHandler("own")).Error("alone", "err", errors.New("x"))
	s.End()
	end(t, h)
	if len(b.logs) != 2 {
		t.Fatalf("%d records", len(b.logs))
	}
	within, alone := b.logs[0], b.logs[1]
	job := b.span(t, "job")
	if string(within.TraceId) != string(job.TraceId) || string(within.SpanId) != string(job.SpanId) || alone.TraceId != nil {
		t.Errorf("spans %x and %x", within.SpanId, alone.SpanId)
	}
	if within.SeverityNumber != logspb.SeverityNumber_SEVERITY_NUMBER_WARN || within.Body.GetStringValue() != "loss is odd" || attributes(within.Attributes)["loss"] != 2.5 {
		t.Errorf("%v", within)
	}
	if alone.SeverityNumber != logspb.SeverityNumber_SEVERITY_NUMBER_ERROR || b.resource(t)["nemo.run.id"] != "r" {
		t.Errorf("%v", alone)
	}
}

// TestLogsOff: off by default, and then no record is even made.
func TestLogsOff(t *testing.T) {
	h := newHandle(t, newBackend(t), enabled())
	if h.Logger().Enabled(t.Context(), slog.LevelError) {
		t.Error("on")
	}
}

// recordExporter keeps records.
type recordExporter struct{ bodies []string }

func (e *recordExporter) Export(_ context.Context, records []sdklog.Record) error {
	for _, r := range records {
		e.bodies = append(e.bodies, r.Body().AsString())
	}
	return nil
}
func (*recordExporter) Shutdown(context.Context) error   { return nil }
func (*recordExporter) ForceFlush(context.Context) error { return nil }

// TestLogExporter: one of the program's own, with variables of the queue.
func TestLogExporter(t *testing.T) {
	e, cfg, w := &recordExporter{}, enabled(), told{}
	cfg.LogsEnabled, cfg.MetricsEnabled, cfg.TracesEnabled = true, false, false
	h, err := telemetry.New(t.Context(), cfg, telemetry.WithLogExporter(e), w.option(),
		telemetry.WithEnv(env("OTEL_BLRP_MAX_QUEUE_SIZE=2", "OTEL_BLRP_MAX_EXPORT_BATCH_SIZE=9", "OTEL_BLRP_SCHEDULE_DELAY=soon")))
	if err != nil {
		t.Fatal(err)
	}
	h.Logger().Info("one")
	h.Logger().Info("two")
	if err := h.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	if len(e.bodies) != 2 || h.Stats().Logs.Delivered != 2 {
		t.Errorf("%v, %+v", e.bodies, h.Stats())
	}
	if w.with("OTEL_BLRP_SCHEDULE_DELAY", "1000 is used") != 1 || w.with("OTEL_BLRP_MAX_EXPORT_BATCH_SIZE") != 1 {
		t.Errorf("warnings %v", w.texts())
	}
}
