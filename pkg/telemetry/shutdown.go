package telemetry

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/batch"
	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

// DefaultShutdownTimeout is the deadline of a Shutdown whose context has none.
const DefaultShutdownTimeout = 5 * time.Second

// Shutdown ends the spans that are open (Truncator), exports what is left of the
// three signals side by side, and stops everything. It takes until the context's
// deadline at most, DefaultShutdownTimeout without one, and returns within half a
// second of it whatever the other side does.
//
// The error is a *LostError when not everything recorded since Setup has been
// delivered. A second call returns nil: at once when the first one is over, else
// after it. Setup may be called again afterwards.
func (h *Handle) Shutdown(ctx context.Context) error {
	if h == nil || !h.enabled {
		return nil
	}
	var err error
	h.once.Do(func() {
		defer close(h.done)
		err = h.shutdown(ctx)
	})
	return err
}

func (h *Handle) shutdown(ctx context.Context) error {
	defer active.CompareAndSwap(h, nil)
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, DefaultShutdownTimeout)
		defer cancel()
	}
	h.mask.Store(0)
	if h.restore != nil {
		defer h.restore()
	}
	if h.running == nil {
		return nil
	}
	h.running.close(ctx)
	return h.lost()
}

// close ends the signals side by side.
func (r *running) close(ctx context.Context) {
	for _, o := range r.outages {
		o.close()
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		if r.truncator != nil {
			r.truncator.Close()
		}
		if r.spans != nil {
			r.spans.Close(ctx)
		}
	})
	if r.metrics != nil {
		wg.Go(func() { r.metrics.Close(ctx) })
	}
	if r.logs != nil {
		wg.Go(func() { r.logs.Close(ctx) })
	}
	wg.Wait()
	r.release(ctx)
}

// release ends providers, the program's exporters and connections. Exporters have
// what is left of the deadline, and a moment.
func (r *running) release(ctx context.Context) {
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeGrace)
	defer cancel()
	for _, done := range r.shutdowns(late) {
		select {
		case <-done:
		case <-late.Done():
		}
	}
	r.dialer.Close()
}

func (r *running) shutdowns(ctx context.Context) []chan struct{} {
	all := r.closers
	if r.tracer != nil {
		all = append(all, r.tracer.Shutdown)
	}
	if r.meter != nil {
		all = append(all, r.meter.Shutdown)
	}
	if r.logger != nil {
		all = append(all, r.logger.Shutdown)
	}
	var ends []chan struct{}
	for _, f := range all {
		done := make(chan struct{})
		ends = append(ends, done)
		go func() {
			defer close(done)
			_ = f(ctx) // nothing is left to be lost by it
		}()
	}
	return ends
}

// LostError says how many items of a process were not delivered.
type LostError struct {
	Spans, Points, Logs int64 // a point is one of a metric in one export
	Err                 error // why, as far as is known
}

// Error implements error.
func (e *LostError) Error() string {
	var parts []string
	for _, p := range []struct {
		n    int64
		what string
	}{{e.Spans, "span"}, {e.Points, "metric point"}, {e.Logs, "log record"}} {
		if p.n > 0 {
			parts = append(parts, counted(p.n, p.what))
		}
	}
	text := "telemetry was lost: " + strings.Join(parts, ", ")
	if e.Err != nil {
		text += ": " + e.Err.Error()
	}
	return text
}

// Unwrap returns the cause.
func (e *LostError) Unwrap() error { return e.Err }

// lost counts what was not delivered, and warns of what queues have dropped.
func (h *Handle) lost() error {
	r, s := h.running, h.Stats()
	for signal, c := range map[target.Signal]SignalStats{target.Traces: s.Spans, target.Logs: s.Logs} {
		if c.Dropped > 0 {
			h.warner.warn(string(signal), counted(c.Dropped, itemsOf(signal))+" dropped: queue full")
		}
	}
	e := &LostError{Spans: s.Spans.Lost(), Points: s.Points.Lost(), Logs: s.Logs.Lost()}
	if e.Spans+e.Points+e.Logs == 0 {
		return nil
	}
	for _, signal := range []target.Signal{target.Traces, target.Metrics, target.Logs} {
		if o := r.outages[signal]; o != nil && e.Err == nil {
			e.Err = o.cause()
		}
	}
	return e
}

func itemsOf(s target.Signal) string {
	if s == target.Logs {
		return "log record"
	}
	return "span"
}

func counted(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// SignalStats is what became of the items of one signal since set-up. Those that are
// in none of the other counts are still on their way.
type SignalStats struct {
	Recorded  int64
	Delivered int64
	Dropped   int64 // the queue was full
	Failed    int64 // the export failed, was refused, or did not happen in time
}

// Lost is what will never be delivered.
func (s SignalStats) Lost() int64 { return s.Dropped + s.Failed }

// Stats is what became of everything recorded.
type Stats struct{ Spans, Points, Logs SignalStats }

// Stats counts what became of spans, of metric points and of log records.
func (h *Handle) Stats() Stats {
	if h == nil || h.running == nil {
		return Stats{}
	}
	var s Stats
	if q := h.running.spans; q != nil {
		s.Spans = statsOf(q.Counts())
	}
	if c := h.running.metrics; c != nil {
		s.Points = statsOf(c.Counts())
	}
	if q := h.running.logs; q != nil {
		s.Logs = statsOf(q.Counts())
	}
	return s
}

func statsOf(c batch.Counts) SignalStats {
	return SignalStats{Recorded: c.Added, Delivered: c.Delivered, Dropped: c.Dropped, Failed: c.Failed}
}
