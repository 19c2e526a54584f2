package telemetry_test

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/beamline-hpc/lensview/pkg/semconv"
	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// TestOpenAtShutdown is the case of CASES: job over step over op, some started
// through this package and some not.
func TestOpenAtShutdown(t *testing.T) {
	for name, start := range map[string]func(context.Context, *telemetry.Handle, string) (context.Context, interface{ End() }){
		"ours": func(ctx context.Context, h *telemetry.Handle, name string) (context.Context, interface{ End() }) {
			ctx, s := h.Start(ctx, telemetry.Job, name)
			return ctx, s.Int("set", 1)
		},
		"theirs": func(ctx context.Context, h *telemetry.Handle, name string) (context.Context, interface{ End() }) {
			ctx, s := h.Tracer().Start(ctx, name, trace.WithAttributes(attribute.Int("set", 1)))
			return ctx, ender{s}
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBackend(t)
			h := newHandle(t, b, enabled())
			ctx, _ := start(t.Context(), h, "job")
			ctx, _ = start(ctx, h, "step")
			ctx, op := start(ctx, h, "op")
			if err := h.ForceFlush(t.Context()); err != nil || len(b.names()) != 0 {
				t.Fatalf("after the flush: %v, %v", b.names(), err)
			}
			end(t, h)
			op.End()
			_, late := start(ctx, h, "late")
			late.End()
			end(t, h)
			if got := b.names(); !slices.Equal(got, []string{"op", "step", "job"}) {
				t.Errorf("exported %v", got)
			}
			var inner uint64
			for _, name := range []string{"op", "step", "job"} {
				s := b.span(t, name)
				checkTruncated(t, s)
				if s.EndTimeUnixNano < inner {
					t.Errorf("%s ends before its child", name)
				}
				inner = s.EndTimeUnixNano
			}
		})
	}
}

type ender struct{ trace.Span }

func (e ender) End() { e.Span.End() }

func checkTruncated(t *testing.T, s *tracepb.Span) {
	t.Helper()
	attrs := attributes(s.Attributes)
	if attrs[semconv.NemoSpanTruncated] != true || attrs["set"] != int64(1) {
		t.Errorf("%s: attributes %v", s.Name, attrs)
	}
	if len(s.Events) != 1 || s.Events[0].Name != semconv.NemoSpanTruncated || s.Events[0].TimeUnixNano != s.EndTimeUnixNano {
		t.Errorf("%s: events %v", s.Name, s.Events)
	}
	if s.Status.GetCode() != tracepb.Status_STATUS_CODE_UNSET {
		t.Errorf("%s: status %v", s.Name, s.Status)
	}
}

// ownProvider is a provider that the program has made itself.
func ownProvider() (*telemetry.Truncator, *sdktrace.TracerProvider, *tracetest.SpanRecorder) {
	trunc, rec := telemetry.NewTruncator(), tracetest.NewSpanRecorder()
	return trunc, sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(trunc), sdktrace.WithSpanProcessor(rec)), rec
}

// TestTruncatorOfOthers: a provider of the program's own is served by its Shutdown,
// and by Close.
func TestTruncatorOfOthers(t *testing.T) {
	_, tp, rec := ownProvider()
	_, s := tp.Tracer("x").Start(t.Context(), "open")
	if err := tp.ForceFlush(t.Context()); err != nil || len(rec.Ended()) != 0 {
		t.Fatal("flush ended a span", err)
	}
	if err := tp.Shutdown(t.Context()); err != nil || len(rec.Ended()) != 1 || s.IsRecording() {
		t.Errorf("%d ended, %v", len(rec.Ended()), err)
	}
	trunc, tp, rec := ownProvider()
	for range 3 {
		tp.Tracer("x").Start(t.Context(), "open")
	}
	if n, again := trunc.Close(), trunc.Close(); n != 3 || again != 0 || len(rec.Ended()) != 3 {
		t.Errorf("closed %d, then %d", n, again)
	}
	_, s = tp.Tracer("x").Start(t.Context(), "after")
	s.End()
	if len(rec.Ended()) != 4 {
		t.Error("a span after Close is not the program's any more")
	}
}

// TestEndsOfChildren: a child whose start is given and lies ahead pulls the ends of
// its parents after it.
func TestEndsOfChildren(t *testing.T) {
	trunc, tp, rec := ownProvider()
	tr := tp.Tracer("x")
	ahead := time.Now().Add(time.Hour)
	ctx, _ := tr.Start(t.Context(), "parent")
	ctx, middle := tr.Start(ctx, "ended")
	tr.Start(ctx, "child", trace.WithTimestamp(ahead))
	middle.End()
	ctx, _ = tr.Start(trace.ContextWithSpan(t.Context(), spanNamed(rec.Started(), "parent")), "sibling", trace.WithTimestamp(ahead.Add(time.Minute)))
	_ = ctx
	trunc.Close()
	for _, s := range rec.Ended() {
		if s.EndTime().Before(s.StartTime()) {
			t.Errorf("%s ends before it starts", s.Name())
		}
		for _, c := range rec.Ended() {
			if c.Parent().SpanID() == s.SpanContext().SpanID() && s.Name() != "ended" && c.EndTime().After(s.EndTime()) {
				t.Errorf("%s ends after %s", c.Name(), s.Name())
			}
		}
	}
}

func spanNamed(spans []sdktrace.ReadWriteSpan, name string) trace.Span {
	for _, s := range spans {
		if s.Name() == name {
			return s
		}
	}
	return nil
}

// sameIDs gives every span the same id, as a seeded generator might.
type sameIDs struct{}

func (sameIDs) NewIDs(context.Context) (trace.TraceID, trace.SpanID) {
	return trace.TraceID{1}, trace.SpanID{1}
}
func (sameIDs) NewSpanID(context.Context, trace.TraceID) trace.SpanID { return trace.SpanID{1} }

// TestIdsInACircle end all the same.
func TestIdsInACircle(t *testing.T) {
	trunc := telemetry.NewTruncator()
	rec := tracetest.NewSpanRecorder()
	tp := sdktrace.NewTracerProvider(sdktrace.WithIDGenerator(sameIDs{}), sdktrace.WithSpanProcessor(trunc), sdktrace.WithSpanProcessor(rec))
	ctx, _ := tp.Tracer("x").Start(t.Context(), "a")
	tp.Tracer("x").Start(ctx, "b")
	if n := trunc.Close(); n != 2 || len(rec.Ended()) != 2 {
		t.Errorf("closed %d, ended %d", n, len(rec.Ended()))
	}
}

// TestDeep: a long chain, and many that have ended, are no trouble.
func TestDeep(t *testing.T) {
	trunc, tp, rec := ownProvider()
	ctx := t.Context()
	for i := range 2000 {
		ctx, _ = tp.Tracer("x").Start(ctx, fmt.Sprint(i))
		_, s := tp.Tracer("x").Start(ctx, "short")
		s.End()
	}
	rec.Reset()
	if n := trunc.Close(); n != 2000 {
		t.Fatalf("closed %d", n)
	}
	for i, s := range rec.Ended() {
		if s.Name() != fmt.Sprint(1999-i) {
			t.Fatalf("%d is %s", i, s.Name())
		}
	}
}

// TestEndWhileClosing: each span ends once, whoever is first, and one that ended by
// itself is not marked.
func TestEndWhileClosing(t *testing.T) {
	b, cfg := newBackend(t), enabled()
	h := newHandle(t, b, cfg)
	var spans []*telemetry.Span
	for i := range 300 {
		_, s := h.Start(t.Context(), telemetry.Job, fmt.Sprint(i))
		spans = append(spans, s)
	}
	var wg sync.WaitGroup
	for part := range slices.Chunk(spans, 100) {
		wg.Go(func() {
			for _, s := range part {
				s.Int("set", 1).End()
			}
		})
	}
	wg.Go(func() { end(t, h) })
	wg.Wait()
	if n := len(slices.Compact(slices.Sorted(slices.Values(b.names())))); n != len(b.names()) {
		t.Errorf("%d spans, %d names", len(b.names()), n)
	}
	if s := h.Stats().Spans; s.Delivered+s.Lost() != s.Recorded || int(s.Delivered) != len(b.names()) {
		t.Errorf("%+v, %d came", s, len(b.names()))
	}
}
