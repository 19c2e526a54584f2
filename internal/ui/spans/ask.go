package spansscreen

import (
	"context"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// asker is a screen.Job whose computation ends early once another question is
// asked, and which rests between answers to the same one: millions of spans take
// longer to add up than the next snapshot takes to arrive, and the receiver needs
// the processor too. The zero asker is ready.
type asker[Q comparable, R any] struct {
	job   screen.Job[Q, R]
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

// ask starts f's answer to q.
func (a *asker[Q, R]) ask(q Q, f func(context.Context) R) tea.Cmd {
	if a.stop == nil || a.asked != q {
		if a.stop != nil {
			a.stop()
		}
		a.ctx, a.stop = context.WithCancel(context.Background())
		a.asked = q
		a.until.Store(0)
	}
	ctx := a.ctx
	return a.job.Start(q, func() R {
		a.rest(ctx)
		began := time.Now()
		r := f(ctx)
		if took := time.Since(began); took >= restFrom && ctx.Err() == nil {
			a.until.Store(time.Now().Add(restFor * took).UnixNano())
		}
		return r
	})
}

// rest waits, but not once nobody wants the answer any more.
func (a *asker[Q, R]) rest(ctx context.Context) {
	left := time.Until(time.Unix(0, a.until.Load()))
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
