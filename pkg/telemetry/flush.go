package telemetry

import (
	"context"
	"errors"
	"sync"
)

// ForceFlush exports everything recorded so far and waits for it. Open spans stay
// open. The error joins those of the exports.
func (h *Handle) ForceFlush(ctx context.Context) error {
	if h == nil || h.running == nil {
		return nil
	}
	var flushes []func(context.Context) error
	if q := h.running.spans; q != nil {
		flushes = append(flushes, q.Flush)
	}
	if c := h.running.metrics; c != nil {
		flushes = append(flushes, c.Flush)
	}
	if q := h.running.logs; q != nil {
		flushes = append(flushes, q.Flush)
	}
	failed := make([]error, len(flushes))
	var wg sync.WaitGroup
	for i, flush := range flushes {
		wg.Go(func() { failed[i] = flush(ctx) })
	}
	wg.Wait()
	return errors.Join(failed...)
}
