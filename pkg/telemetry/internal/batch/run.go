package batch

import (
	"context"
	"errors"
	"time"
)

// grace is how long Close waits for an exporter that is slow to notice the end of
// its context.
const grace = 200 * time.Millisecond

// Close exports what is queued until the context ends, gives up what is left then,
// and stops the goroutine. It returns soon after the context's end even if the
// exporter does not. Further calls wait for the first one.
func (q *Queue[T]) Close(ctx context.Context) {
	q.mu.Lock()
	first := !q.closed
	q.closed = true
	q.mu.Unlock()
	if ctx.Err() != nil {
		q.end(ErrDeadline) // before another export could begin
	}
	if first {
		close(q.stop)
	}
	defer context.AfterFunc(ctx, func() { q.end(ErrDeadline) })()
	select {
	case <-q.done:
		return
	case <-ctx.Done():
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case <-q.done:
	case <-late.C:
		q.abandon()
	}
}

// abandon counts what an exporter that does not come back has taken with it.
func (q *Queue[T]) abandon() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.counts.Failed += int64(q.held)
	q.held, q.queued = 0, 0
}

func (q *Queue[T]) run() {
	defer close(q.done)
	defer q.end(nil)
	timer := time.NewTimer(q.cfg.Delay)
	defer timer.Stop()
	for {
		select {
		case <-q.stop:
			_ = q.drain(nil)
			return
		case f := <-q.flushes:
			f.done <- q.drain(f.ctx.Done())
		case <-timer.C:
			_ = q.drain(q.stop)
		case <-q.wake:
			q.exportFull()
		}
		timer.Reset(q.cfg.Delay)
	}
}

// exportFull exports while there are whole batches.
func (q *Queue[T]) exportFull() {
	for q.length() >= q.cfg.Batch && !ended(q.stop) {
		_ = q.exportOne()
	}
}

// drain exports until nothing is queued or until says to stop. The end of a flush
// stops no export: its items would be lost.
func (q *Queue[T]) drain(until <-chan struct{}) error {
	var failed error
	for q.length() > 0 && !ended(until) {
		failed = errors.Join(failed, q.exportOne())
	}
	return failed
}

func ended(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func (q *Queue[T]) length() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.queued
}

// exportOne exports up to a batch. Once the queue's life is over it only counts.
func (q *Queue[T]) exportOne() error {
	items := q.take()
	if len(items) == 0 {
		return nil
	}
	if q.life.Err() != nil {
		err := context.Cause(q.life)
		q.settle(len(items), 0, err)
		return err
	}
	limited, cancel := context.WithTimeout(q.life, q.cfg.Timeout)
	defer cancel()
	refused, err := q.export(limited, items)
	q.settle(len(items), refused, err)
	if err != nil {
		q.failed(err)
	}
	return err
}

// take removes up to a batch from the queue; it stays held.
func (q *Queue[T]) take() []T {
	q.mu.Lock()
	defer q.mu.Unlock()
	var none T
	items := make([]T, min(q.queued, q.cfg.Batch))
	for i := range items {
		items[i] = q.ring[q.head]
		q.ring[q.head] = none
		q.head = (q.head + 1) % len(q.ring)
	}
	q.queued -= len(items)
	return items
}

// settle counts an export and makes room for as many again.
func (q *Queue[T]) settle(n int, refused int64, err error) {
	if err != nil {
		refused = int64(n)
	}
	refused = min(max(refused, 0), int64(n))
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.held < n { // abandoned and counted already
		return
	}
	q.held -= n
	q.counts.Failed += refused
	q.counts.Delivered += int64(n) - refused
}
