package screen

import (
	"context"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"
)

// Resting is a Job whose computation ends early once another question is asked,
// and which rests between answers to the same one: millions of spans take longer
// to add up than the next snapshot takes to arrive, and the receiver needs the
// processor too. The zero Resting is ready.
type Resting[Q comparable, R any] struct {
	job   Job[Q, R]
	asked Q
	ctx   context.Context
	stop  context.CancelFunc
	until atomic.Int64 // unix ns up to which the asked question rests
}

// restFor is how many times as long as it took a computation rests, and
// restFrom is what is too short to rest after.
const (
	restFor  = 3
	restFrom = 20 * time.Millisecond
)

// Start asks for f's answer to q; f's context ends with the question.
func (r *Resting[Q, R]) Start(q Q, f func(context.Context) R) tea.Cmd {
	r.ask(q)
	ctx := r.ctx
	return r.job.Start(q, func() R {
		r.rest(ctx)
		began := time.Now()
		out := f(ctx)
		if took := time.Since(began); took >= restFrom && ctx.Err() == nil {
			r.until.Store(time.Now().Add(restFor * took).UnixNano())
		}
		return out
	})
}

// ask ends the question before, unless it is the same.
func (r *Resting[Q, R]) ask(q Q) {
	if r.stop != nil && r.asked == q {
		return
	}
	if r.stop != nil {
		r.stop()
	}
	r.ctx, r.stop = context.WithCancel(context.Background())
	r.asked = q
	r.until.Store(0)
}

// Asked is the question that was asked last.
func (r *Resting[Q, R]) Asked() Q { return r.asked }

// Take is the Job's.
func (r *Resting[Q, R]) Take(msg tea.Msg) (result R, fresh, mine bool, next tea.Cmd) {
	return r.job.Take(msg)
}

// rest waits, but not once nobody wants the answer any more.
func (r *Resting[Q, R]) rest(ctx context.Context) {
	left := time.Until(time.Unix(0, r.until.Load()))
	if left <= 0 {
		return
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
}
