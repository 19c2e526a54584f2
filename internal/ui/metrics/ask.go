package metricsscreen

import (
	"context"
	"sync/atomic"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// asker is a screen.Job that rests between answers to the same question, so that a
// hundred thousand series do not keep the processor from the receiver. Another
// question ends the rest. The zero asker is ready.
type asker[Q comparable, R any] struct {
	job   screen.Job[Q, R]
	asked Q
	ctx   context.Context
	stop  context.CancelFunc
	until atomic.Int64 // unix ns up to which the asked question rests
}

// restFor is how many times as long as it took a computation rests, and restFrom
// is what is too short to rest after.
const (
	restFor  = 3
	restFrom = 20 * time.Millisecond
)

func (a *asker[Q, R]) ask(q Q, f func() R) tea.Cmd {
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
		r := f()
		if took := time.Since(began); took >= restFrom && ctx.Err() == nil {
			a.until.Store(time.Now().Add(restFor * took).UnixNano())
		}
		return r
	})
}

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

// matcher is what a filter says of the series of a run; nil lets everything
// through. It is for one goroutine.
func matcher(filter *query.Filter, r *store.Run) func(process int, metric string, attrs []run.Attr) bool {
	if filter.Empty() {
		return nil
	}
	bound := filter.Bind(r)
	return func(process int, metric string, attrs []run.Attr) bool {
		return bound.Item(&query.Item{Process: process, Name: metric, Attrs: attrs})
	}
}
