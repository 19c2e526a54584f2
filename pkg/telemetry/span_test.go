package telemetry_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// exportedBy runs f with a handle whose groups are all on, and returns what came.
func exportedBy(t *testing.T, f func(context.Context, *telemetry.Handle), opts ...telemetry.Option) *backend {
	t.Helper()
	b, cfg := newBackend(t), enabled()
	cfg.SpanGroups = "all"
	h := newHandle(t, b, cfg, opts...)
	f(t.Context(), h)
	end(t, h)
	return b
}

func TestSpanAttributes(t *testing.T) {
	b := exportedBy(t, func(ctx context.Context, h *telemetry.Handle) {
		_, s := h.Start(ctx, telemetry.Step, "step")
		s.Int("i", -1).Int64("i64", 1<<53+1).Float("f", 0.5).Bool("b", true).Str("s", "x").
			Attr(attribute.StringSlice("list", []string{"a"})).Iteration(12).Microbatch(3).Batch(8, 4096).
			Rollouts("grpo", "vllm", 16).Reward(0.25).GymBatch(2, 4).Model("chat", "m", "nemo").Event("e", attribute.Int("n", 1))
		s.End()
		s.Int("late", 1).End()
	})
	s := b.span(t, "step")
	want := map[string]any{
		"i": int64(-1), "i64": int64(1<<53 + 1), "f": 0.5, "b": true, "s": "x", "list": attributes(s.Attributes)["list"],
		"dl.iteration": int64(12), "dl.microbatch_id": int64(3), "dl.batch_size": int64(8), "dl.sequence_length": int64(4096),
		"rl.algorithm": "grpo", "rl.generation.backend": "vllm", "rl.num_rollouts": int64(16), "rl.reward": 0.25,
		"gym.num_servers": int64(2), "gym.rollout.batch_size": int64(4),
		"gen_ai.operation.name": "chat", "gen_ai.request.model": "m", "gen_ai.provider.name": "nemo",
	}
	if diff := cmp.Diff(want, attributes(s.Attributes)); diff != "" || want["list"] == nil {
		t.Error(diff)
	}
	if len(s.Events) != 1 || s.Events[0].Name != "e" || len(b.names()) != 1 {
		t.Errorf("events %v, spans %v", s.Events, b.names())
	}
}

// TestManyAttributes fills the room for attributes several times, from several
// goroutines, and none is lost.
func TestManyAttributes(t *testing.T) {
	b := exportedBy(t, func(ctx context.Context, h *telemetry.Handle) {
		_, s := h.Start(ctx, telemetry.Step, "step")
		var wg sync.WaitGroup
		for g := range 4 {
			wg.Go(func() {
				for i := range 25 {
					s.Int(fmt.Sprintf("%d.%d", g, i), i)
				}
			})
		}
		wg.Wait()
		s.End()
	})
	if n := len(b.span(t, "step").Attributes); n != 100 {
		t.Errorf("%d attributes", n)
	}
}

// TestNesting: spans are children of the context's, and share its trace.
func TestNesting(t *testing.T) {
	b := exportedBy(t, func(ctx context.Context, h *telemetry.Handle) {
		ctx, outer := h.Start(ctx, telemetry.Job, "outer")
		_, inner := h.Tracer().Start(ctx, "inner")
		inner.End()
		if !outer.OTel().SpanContext().Equal(outer.Identity()) {
			t.Error("two identities")
		}
		outer.End()
		_, other := h.Start(nil, telemetry.Job, "other") //nolint:staticcheck // a nil context is survived
		other.End()
	})
	outer, inner := b.span(t, "outer"), b.span(t, "inner")
	if string(inner.ParentSpanId) != string(outer.SpanId) || string(inner.TraceId) != string(outer.TraceId) {
		t.Errorf("inner %v, outer %v", inner, outer)
	}
}

func TestErrorsAndPanics(t *testing.T) {
	failure := errors.New("no space left")
	b := exportedBy(t, func(ctx context.Context, h *telemetry.Handle) {
		if err := h.Do(ctx, telemetry.Step, "fails", func(context.Context) error { return failure }); !errors.Is(err, failure) {
			t.Errorf("error %v", err)
		}
		if err := h.Do(ctx, telemetry.Step, "fine", func(ctx context.Context) error {
			_, s := h.Start(ctx, telemetry.Step, "within")
			s.Error(nil).End()
			return nil
		}); err != nil {
			t.Error(err)
		}
		func() {
			defer func() {
				if r := recover(); r != "boom" {
					t.Errorf("recovered %v", r)
				}
			}()
			_ = h.Do(ctx, telemetry.Step, "panics", func(context.Context) error { panic("boom") })
		}()
	})
	for name, want := range map[string]struct {
		code    tracepb.Status_StatusCode
		message string
		events  int
	}{
		"fails":  {tracepb.Status_STATUS_CODE_ERROR, "no space left", 1},
		"fine":   {tracepb.Status_STATUS_CODE_UNSET, "", 0},
		"within": {tracepb.Status_STATUS_CODE_UNSET, "", 0},
		"panics": {tracepb.Status_STATUS_CODE_ERROR, "did not return", 0},
	} {
		s := b.span(t, name)
		if s.Status.GetCode() != want.code || !strings.Contains(s.Status.GetMessage(), want.message) || len(s.Events) != want.events {
			t.Errorf("%s: %v, events %v", name, s.Status, s.Events)
		}
	}
	if string(b.span(t, "within").ParentSpanId) != string(b.span(t, "fine").SpanId) {
		t.Error("within is not within")
	}
}

// TestActiveFunctions: the functions of the package, on and off.
func TestActiveFunctions(t *testing.T) {
	b, cfg := newBackend(t), enabled()
	cfg.SpanGroups = "step"
	h := setup(t, b, cfg)
	for _, g := range []telemetry.Group{telemetry.Step, telemetry.Job} {
		name := fmt.Sprint("group ", g)
		ctx, s := telemetry.Start(t.Context(), g, name+" start")
		s.End()
		if err := telemetry.Do(ctx, g, name+" do", func(context.Context) error { return nil }); err != nil {
			t.Error(err)
		}
		if n, err := telemetry.Call(ctx, g, name+" call", func(context.Context) (int, error) { return 7, errors.New("x") }); n != 7 || err == nil {
			t.Errorf("call: %d, %v", n, err)
		}
		now := time.Now()
		if _, err := telemetry.EmitSpan(ctx, g, name+" emit", now, now.Add(1)); err != nil {
			t.Error(err)
		}
		_, s = telemetry.StartLinked(ctx, g, name+" linked", telemetry.IdentityIn(telemetry.Inject(ctx)))
		s.End()
	}
	end(t, h)
	if n := b.names(); len(n) != 5 || strings.Contains(strings.Join(n, ","), fmt.Sprint("group ", telemetry.Job)) {
		t.Errorf("spans %v", n)
	}
	if n, err := telemetry.Call(t.Context(), telemetry.Step, "off", func(context.Context) (int, error) { return 8, nil }); n != 8 || err != nil {
		t.Errorf("call: %d, %v", n, err)
	}
}

// TestEmitSpan is the table of times.
func TestEmitSpan(t *testing.T) {
	at := time.Unix(1760000000, 0)
	tests := []struct {
		name       string
		start, end time.Time
		took       time.Duration
		warned     bool
		err        string
	}{
		{name: "forward", start: at, end: at.Add(time.Second), took: time.Second},
		{name: "no time", start: at, end: at},
		{name: "a little back", start: at, end: at.Add(-time.Millisecond), warned: true},
		{name: "the most back", start: at, end: at.Add(-30 * time.Millisecond), warned: true},
		{name: "too far back", start: at, end: at.Add(-30*time.Millisecond - 1), err: "30ms"},
		{name: "no start", end: at, err: "both"},
		{name: "no end", start: at, err: "both"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var w told
			b := exportedBy(t, func(ctx context.Context, h *telemetry.Handle) {
				for range 2 {
					sc, err := h.EmitSpan(ctx, telemetry.Step, "gpu", tt.start, tt.end, attribute.Int("k", 1))
					if (err != nil) != (tt.err != "") || err != nil && !strings.Contains(err.Error(), tt.err) {
						t.Errorf("error %v", err)
					}
					if sc.IsValid() == (err != nil) {
						t.Errorf("identity %v", sc)
					}
				}
			}, w.option())
			if n := w.with("gpu"); (n == 1) != tt.warned {
				t.Errorf("warnings %v", w.texts())
			}
			if tt.err != "" {
				if len(b.names()) != 0 {
					t.Error("a span all the same")
				}
				return
			}
			s := b.span(t, "gpu")
			if s.StartTimeUnixNano != uint64(tt.start.UnixNano()) || s.EndTimeUnixNano-s.StartTimeUnixNano != uint64(tt.took) || len(s.Attributes) != 1 {
				t.Errorf("%v", s)
			}
		})
	}
}

// TestLinks: links to what is valid, and no parent.
func TestLinks(t *testing.T) {
	var from telemetry.Carrier
	b := exportedBy(t, func(ctx context.Context, h *telemetry.Handle) {
		there, s := h.Start(ctx, telemetry.Step, "stage 0")
		from = telemetry.Inject(there)
		s.End()
		_, s = h.StartLinked(ctx, telemetry.Step, "stage 1", telemetry.IdentityIn(from), telemetry.IdentityIn(nil))
		s.Int("k", 1).End()
	})
	s := b.span(t, "stage 1")
	if len(s.Links) != 1 || string(s.Links[0].SpanId) != string(b.span(t, "stage 0").SpanId) || s.ParentSpanId != nil || len(s.Attributes) != 1 {
		t.Errorf("%v", s)
	}
}

// TestScopedAttributes: all spans under a context have them, those of others too.
func TestScopedAttributes(t *testing.T) {
	b := exportedBy(t, func(ctx context.Context, h *telemetry.Handle) {
		outer := telemetry.WithSpanAttributes(ctx, attribute.String("phase", "warm-up"), attribute.Int("a", 1))
		inner := telemetry.WithSpanAttributes(outer, attribute.Int("a", 2), attribute.Int("b", 3))
		for name, ctx := range map[string]context.Context{"none": ctx, "outer": outer, "inner": inner} {
			_, s := h.Start(ctx, telemetry.Step, name)
			s.End()
		}
		_, foreign := h.TracerProvider().Tracer("lib").Start(inner, "foreign")
		foreign.SetAttributes(attribute.Int("b", 4))
		foreign.End()
	})
	for name, want := range map[string]map[string]any{
		"none": {}, "outer": {"phase": "warm-up", "a": int64(1)},
		"inner":   {"phase": "warm-up", "a": int64(2), "b": int64(3)},
		"foreign": {"phase": "warm-up", "a": int64(2), "b": int64(4)},
	} {
		if diff := cmp.Diff(want, attributes(b.span(t, name).Attributes)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}
