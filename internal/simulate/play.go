package simulate

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// MaxHandles is the most ranks of a run that Run sends through pkg/telemetry.
const MaxHandles = 256

// Run carries a run to a target. The processes of a small one that keeps the run's
// time have a telemetry.Handle each, as those of a real run: Play. What is larger, a
// given number of spans a second, and the older names, which pkg/telemetry does not
// write, and a run that is restarted, are encoded here and sent by Send.
func Run(ctx context.Context, s *Stream, to Target, rate Rate, clock Clock) (Result, error) {
	c := s.Config()
	if c.Ranks() > MaxHandles || c.Naming != Newest || rate.PerSecond > 0 || c.effects().restart != nil {
		return Send(ctx, s, to, rate, clock)
	}
	return Play(ctx, s, to, rate, clock)
}

// Play carries a run to a target through pkg/telemetry: each process records with a
// handle of its own and exports when its time has come. The stream must not have been
// read. It gives the data that Send gives, and ends as it does; what a receiver
// rejects counts as failed, and requests and bytes are not counted.
func Play(ctx context.Context, s *Stream, to Target, rate Rate, clock Clock) (Result, error) {
	to.fill()
	if err := rate.check(); err != nil {
		return Result{}, err
	}
	at, err := to.resolve()
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	p := &player{to: to, processes: map[int]*process{}, panics: catcher{cancel: cancel}, cancel: cancel}
	if p.setup, err = newSetup(s, to, at, p.warned); err != nil {
		return Result{}, err
	}
	s.capture = newCapture()
	s.writers.into(s.capture)
	start := clock.Now()
	pace := pacer{rate: rate, clock: clock, start: start}
	err = p.run(ctx, s, &pace)
	p.result.Elapsed, p.result.Late, p.result.Processes = clock.Now().Sub(start), pace.late, len(p.processes)
	return p.result, err
}

// player is one Play under way.
type player struct {
	to        Target
	setup     *setup
	processes map[int]*process
	panics    catcher
	cancel    context.CancelCauseFunc

	mu     sync.Mutex
	result Result
	heard  bool // something was taken
}

func (p *player) run(ctx context.Context, s *Stream, pace *pacer) error {
	var wg sync.WaitGroup
	err := p.feed(ctx, s, pace, &wg)
	for _, one := range p.processes {
		close(one.work)
	}
	wg.Wait()
	p.panics.rethrow()
	if ctx.Err() != nil {
		return p.told(context.Cause(ctx))
	}
	return err
}

// feed hands each process what it does, when it is due.
func (p *player) feed(ctx context.Context, s *Stream, pace *pacer, wg *sync.WaitGroup) error {
	for {
		r, ok := s.Next()
		if !ok {
			return nil
		}
		if err := pace.wait(ctx, &r); err != nil {
			return err
		}
		one, err := p.process(ctx, r.Rank, wg)
		if err != nil {
			return err
		}
		select {
		case one.work <- r:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// process is the process of a rank, which starts when it first has something to do.
func (p *player) process(ctx context.Context, rank int, wg *sync.WaitGroup) (*process, error) {
	if one := p.processes[rank]; one != nil {
		return one, nil
	}
	one, err := newProcess(ctx, p.setup, rank)
	if err != nil {
		return nil, err
	}
	p.processes[rank] = one
	wg.Go(func() {
		for r := range one.work {
			p.panics.do(func() { p.heed(one.record(p.patient(ctx), &r)) })
		}
		p.ended(ctx, one)
	})
	return one, nil
}

// errNobody is the end of a run that nobody hears.
var errNobody = errors.New("nobody takes anything there")

// patient is the context of one export: until something was taken, the target has
// little time to appear.
func (p *player) patient(ctx context.Context) context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.heard {
		return ctx
	}
	ctx, cancel := context.WithTimeoutCause(ctx, min(firstPatience, p.to.Patience), errNobody)
	context.AfterFunc(ctx, cancel)
	return ctx
}

// heed hears how an export went. That of a target that has taken nothing yet must not
// fail: sending on would hide that it is not there, or wants something else.
func (p *player) heed(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case err == nil:
		p.heard = true
	case p.heard:
	case errors.Is(err, context.DeadlineExceeded):
		p.cancel(fmt.Errorf("simulate: sending to %s: %w", p.to.Endpoint, errNobody))
	default:
		p.cancel(fmt.Errorf("simulate: sending to %s: %w", p.to.Endpoint, err))
	}
}

func (p *player) ended(ctx context.Context, one *process) {
	var res Result
	one.end(ctx, &res)
	p.mu.Lock()
	defer p.mu.Unlock()
	for i, n := range res.Signals {
		p.result.Signals[i].Sent += n.Sent
		p.result.Signals[i].Accepted += n.Accepted
		p.result.Signals[i].Failed += n.Failed
	}
	for _, text := range res.Reasons {
		p.result.reason(text)
	}
}

// told adds the first reason to the end of a run that nobody hears.
func (p *player) told(err error) error {
	if errors.Is(err, errNobody) && len(p.result.Reasons) > 0 {
		return fmt.Errorf("%w: %s", err, p.result.Reasons[0])
	}
	return err
}

// warned keeps what the SDK has to say.
func (p *player) warned(w telemetry.Warning) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.result.Warnings = addReason(p.result.Warnings, w.Text)
}
