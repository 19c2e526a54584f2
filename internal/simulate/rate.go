package simulate

import (
	"context"
	"fmt"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Rate is how fast a stream is sent. The zero Rate is as fast as it is taken.
type Rate struct {
	Speed     float64 // of the run's time against the clock: 1 is real time
	PerSecond float64 // spans a second; points and log records go along
}

func (r Rate) check() error {
	if r.Speed < 0 || r.PerSecond < 0 || r.Speed > 0 && r.PerSecond > 0 {
		return fmt.Errorf("simulate: speed %g and %g spans a second: give one of them, above 0", r.Speed, r.PerSecond)
	}
	return nil
}

// Clock is the time that sending is paced by.
type Clock interface {
	Now() time.Time
	// Sleep waits, or returns the context's error when that ends first.
	Sleep(ctx context.Context, d time.Duration) error
}

// WallClock is the machine's clock.
type WallClock struct{}

// Now is the time of day.
func (WallClock) Now() time.Time { return time.Now() }

// Sleep waits for d.
func (WallClock) Sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// pacer holds each request back until it is due.
type pacer struct {
	rate  Rate
	clock Clock
	start time.Time
	spans float64 // sent before this request
	late  time.Duration
}

// due is when a request should leave.
func (p *pacer) due(r *Request) time.Time {
	switch {
	case p.rate.Speed > 0:
		return p.start.Add(time.Duration(float64(r.At) / p.rate.Speed))
	case p.rate.PerSecond > 0:
		return p.start.Add(time.Duration(p.spans / p.rate.PerSecond * float64(time.Second)))
	}
	return p.start
}

// shortest is the shortest wait worth a timer.
const shortest = time.Millisecond

// wait holds r back, and remembers the most it was late.
func (p *pacer) wait(ctx context.Context, r *Request) error {
	ahead := p.due(r).Sub(p.clock.Now())
	if r.Signal == run.Traces {
		p.spans += float64(r.Items)
	}
	if ahead >= shortest {
		return p.clock.Sleep(ctx, ahead)
	}
	if p.rate != (Rate{}) {
		p.late = max(p.late, -ahead)
	}
	return ctx.Err()
}
