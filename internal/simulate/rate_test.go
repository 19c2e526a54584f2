package simulate

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// pace runs requests through a pacer on a clock that only sleeping moves.
func pace(t *testing.T, rate Rate, src Source) (at []time.Duration, p *pacer, c *testClock) {
	t.Helper()
	c = newTestClock()
	p = &pacer{rate: rate, clock: c, start: c.now}
	for r, ok := src.Next(); ok; r, ok = src.Next() {
		if err := p.wait(t.Context(), &r); err != nil {
			t.Fatal(err)
		}
		at = append(at, c.now.Sub(p.start))
	}
	return at, p, c
}

// ms are durations given in milliseconds.
func ms(n ...int) []time.Duration {
	all := make([]time.Duration, len(n))
	for i := range n {
		all[i] = time.Duration(n[i]) * time.Millisecond
	}
	return all
}

func TestPacer(t *testing.T) {
	for name, tc := range map[string]struct {
		rate Rate
		want []time.Duration
	}{
		"as fast as taken": {Rate{}, ms(0, 0, 0, 0)},
		"real time":        {Rate{Speed: 1}, ms(0, 100, 200, 300)},
		"ten times":        {Rate{Speed: 10}, ms(0, 10, 20, 30)},
		"half":             {Rate{Speed: 0.5}, ms(0, 200, 400, 600)},
		"20 spans/s":       {Rate{PerSecond: 20}, ms(0, 500, 1000, 1500)},
	} {
		t.Run(name, func(t *testing.T) {
			at, p, _ := pace(t, tc.rate, numbered(1, 4))
			if d := cmp.Diff(tc.want, at); d != "" {
				t.Errorf("left at (-want +got):\n%s", d)
			}
			if p.late != 0 {
				t.Errorf("late by %s", p.late)
			}
		})
	}
}

// Only spans count for a rate of spans.
func TestPacerCountsSpans(t *testing.T) {
	src := numbered(1, 4)
	(*src)[1].Signal = run.Metrics
	at, _, _ := pace(t, Rate{PerSecond: 10}, src)
	if d := cmp.Diff(ms(0, 1000, 1000, 2000), at); d != "" {
		t.Errorf("left at (-want +got):\n%s", d)
	}
}

func TestPacerTellsHowLateItWas(t *testing.T) {
	c := newTestClock()
	p := &pacer{rate: Rate{Speed: 1}, clock: c, start: c.now}
	c.now = c.now.Add(3 * time.Second)
	if err := p.wait(t.Context(), &Request{At: time.Second}); err != nil || p.late != 2*time.Second || len(c.sleeps) != 0 {
		t.Errorf("late by %s after %v, %v", p.late, c.sleeps, err)
	}
}

func TestRateRefuses(t *testing.T) {
	for _, r := range []Rate{{Speed: -1}, {PerSecond: -1}, {Speed: 1, PerSecond: 1}} {
		if _, err := Send(t.Context(), &list{}, Target{Endpoint: "127.0.0.1:1"}, r, WallClock{}); err == nil {
			t.Errorf("%+v is taken", r)
		}
	}
}

func TestWallClock(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if err := (WallClock{}).Sleep(ctx, time.Nanosecond); err != nil {
		t.Errorf("a short sleep: %v", err)
	}
	cancel()
	if err := (WallClock{}).Sleep(ctx, time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled sleep: %v", err)
	}
	if now := (WallClock{}).Now(); now.Before(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("now is %s", now)
	}
}

// A run sent in its own time takes its own time.
func TestSendInRealTime(t *testing.T) {
	l := listen(t)
	serveGRPC(t, l, nil, fine)
	clock := newTestClock()
	src := numbered(1, 31) // the last one leaves at 3 s
	res, err := Send(t.Context(), src, Target{Endpoint: l.Addr().String()}, Rate{Speed: 2}, clock)
	if err != nil || res.Elapsed != 1500*time.Millisecond || res.Late != 0 {
		t.Errorf("took %s, late by %s, %v, want 1.5s", res.Elapsed, res.Late, err)
	}
}
