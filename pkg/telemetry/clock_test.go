package telemetry_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// hand is a clock that is set by hand, in seconds of the epoch.
type hand struct{ at atomic.Int64 }

func (c *hand) now() time.Time { return time.Unix(c.at.Load(), 0) }

func (c *hand) set(second int64) { c.at.Store(second) }

func seconds(n uint64) int64 { return int64(n / 1e9) }

// TestClock: everything that this package dates has the time of the clock.
func TestClock(t *testing.T) {
	var c hand
	c.set(100)
	b, cfg := newBackend(t), enabled()
	cfg.LogsEnabled = true
	h := newHandle(t, b, cfg, telemetry.WithClock(c.now))
	ctx, s := h.Start(t.Context(), telemetry.Job, "job")
	c.set(110)
	s.Event("half").Error(errors.New("no"))
	h.Logger().InfoContext(ctx, "hello")
	c.set(120)
	s.End()
	h.Start(t.Context(), telemetry.Job, "open")
	c.set(150)
	end(t, h)
	job, open := b.span(t, "job"), b.span(t, "open")
	if seconds(job.StartTimeUnixNano) != 100 || seconds(job.EndTimeUnixNano) != 120 {
		t.Errorf("job from %d to %d", seconds(job.StartTimeUnixNano), seconds(job.EndTimeUnixNano))
	}
	for _, e := range job.Events {
		if seconds(e.TimeUnixNano) != 110 {
			t.Errorf("%s at %d", e.Name, seconds(e.TimeUnixNano))
		}
	}
	if seconds(open.StartTimeUnixNano) != 120 || seconds(open.EndTimeUnixNano) != 150 || len(open.Events) != 1 {
		t.Errorf("open from %d to %d with %v", seconds(open.StartTimeUnixNano), seconds(open.EndTimeUnixNano), open.Events)
	}
	if l := b.logs; len(l) != 1 || seconds(l[0].ObservedTimeUnixNano) != 110 {
		t.Errorf("logs %v", l)
	}
}

// TestClockOfPoints: sums that go on begin at the set-up, deltas at the last
// collection; the provider's own flush exports.
func TestClockOfPoints(t *testing.T) {
	for preference, want := range map[string][2]int64{"cumulative": {100, 100}, "delta": {100, 110}} {
		t.Run(preference, func(t *testing.T) {
			var c hand
			c.set(100)
			b := newBackend(t)
			h := newHandle(t, b, enabled(), telemetry.WithClock(c.now),
				telemetry.WithEnv(env("OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE="+preference)))
			record := instruments(t, h.Meter())
			for i, second := range []int64{110, 120} {
				c.set(second)
				record()
				if err := h.MeterProvider().(interface{ ForceFlush(context.Context) error }).ForceFlush(t.Context()); err != nil {
					t.Fatal(err)
				}
				checkTimes(t, b, want[i], second)
			}
		})
	}
}

// instruments makes one of each kind, and records with all.
func instruments(t *testing.T, m metric.Meter) (record func()) {
	t.Helper()
	n, err1 := m.Int64Counter("n")
	f, err2 := m.Float64Counter("f")
	h, err3 := m.Float64Histogram("h")
	i, err4 := m.Int64Histogram("i")
	if err := errors.Join(err1, err2, err3, err4); err != nil {
		t.Fatal(err)
	}
	return func() {
		ctx, one := t.Context(), metric.WithAttributes(attribute.Int("one", 1))
		n.Add(ctx, 1, one)
		f.Add(ctx, 1, one)
		h.Record(ctx, 1, one)
		i.Record(ctx, 1, one)
	}
}

// checkTimes looks at what came since the last time.
func checkTimes(t *testing.T, b *backend, from, to int64) {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.metrics) != 4 {
		t.Fatalf("%d metrics came", len(b.metrics))
	}
	for _, m := range b.metrics {
		for _, p := range m.GetSum().GetDataPoints() {
			if seconds(p.StartTimeUnixNano) != from || seconds(p.TimeUnixNano) != to {
				t.Errorf("%s from %d to %d, want %d to %d", m.Name, seconds(p.StartTimeUnixNano), seconds(p.TimeUnixNano), from, to)
			}
		}
		for _, p := range m.GetHistogram().GetDataPoints() {
			if seconds(p.StartTimeUnixNano) != from || seconds(p.TimeUnixNano) != to {
				t.Errorf("%s from %d to %d, want %d to %d", m.Name, seconds(p.StartTimeUnixNano), seconds(p.TimeUnixNano), from, to)
			}
		}
	}
	b.metrics = nil
}

// TestShutdownWithoutTime: a context that has ended already exports nothing, and all
// is counted as lost.
func TestShutdownWithoutTime(t *testing.T) {
	for range 20 { // it must not depend on which goroutine is first
		b, cfg := newBackend(t), enabled()
		cfg.LogsEnabled = true
		h := newHandle(t, b, cfg)
		_, s := h.Start(t.Context(), telemetry.Job, "ended")
		s.End()
		h.Start(t.Context(), telemetry.Job, "open")
		instruments(t, h.Meter())()
		h.Logger().Info("hello")
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		var lost *telemetry.LostError
		if err := h.Shutdown(ctx); !errors.As(err, &lost) || lost.Spans != 2 || lost.Logs != 1 {
			t.Fatalf("error %v", err)
		}
		if len(b.spans)+len(b.metrics)+len(b.logs) != 0 {
			t.Fatalf("%v %v %v came", b.names(), b.metrics, b.logs)
		}
	}
}
