// Package batch is a bounded queue in front of an exporter: adding never blocks,
// what does not fit is counted, and closing ends by its deadline whatever the
// exporter does.
package batch

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Config is the bounds of a Queue. All must be positive.
type Config struct {
	Size    int           // items held, those of a running export included
	Batch   int           // items of one export, at most Size
	Delay   time.Duration // longest wait for a batch to fill
	Timeout time.Duration // of one export, its repetitions included
}

// Export sends items to their destination. It returns how many of them the other
// side took and then refused, or an error when all are lost; it must return soon
// after its context ends, and must not keep the slice.
type Export[T any] func(ctx context.Context, items []T) (refused int64, err error)

// Counts is what became of the items added.
type Counts struct {
	Added     int64
	Delivered int64
	Dropped   int64 // the queue was full
	Failed    int64 // the export failed, was refused, or did not happen in time
}

// Queue collects items and exports them in batches, in the order in which they
// came, from one goroutine of its own.
type Queue[T any] struct {
	cfg    Config
	export Export[T]
	failed func(error) // told of each failed export

	mu     sync.Mutex
	ring   []T
	head   int
	queued int
	held   int // queued, and those of the running export
	closed bool
	counts Counts

	wake    chan struct{}
	flushes chan flush
	stop    chan struct{}
	done    chan struct{}
	life    context.Context
	end     context.CancelCauseFunc
}

type flush struct {
	ctx  context.Context
	done chan error
}

// ErrDeadline is the cause of the end of an export's context when Close gives up.
var ErrDeadline = errors.New("the deadline of the shutdown came before an answer")

// ErrClosed is the error of a flush after Close.
var ErrClosed = errors.New("the queue is closed")

// New starts a queue. Failed is called from its goroutine for each export that
// fails; it may be nil.
func New[T any](cfg Config, export Export[T], failed func(error)) *Queue[T] {
	if failed == nil {
		failed = func(error) {}
	}
	cfg.Batch = min(cfg.Batch, cfg.Size)
	q := &Queue[T]{
		cfg: cfg, export: export, failed: failed,
		ring: make([]T, cfg.Size),
		wake: make(chan struct{}, 1), flushes: make(chan flush),
		stop: make(chan struct{}), done: make(chan struct{}),
	}
	q.life, q.end = context.WithCancelCause(context.Background())
	go q.run()
	return q
}

// Add takes an item, or drops and counts it when the queue is full. After Close it
// does nothing.
func (q *Queue[T]) Add(item T) {
	q.mu.Lock()
	full := false
	switch {
	case q.closed:
	case q.held == len(q.ring):
		q.counts.Added++
		q.counts.Dropped++
	default:
		q.counts.Added++
		i := q.head + q.queued
		if i >= len(q.ring) {
			i -= len(q.ring)
		}
		q.ring[i] = item
		q.queued++
		q.held++
		full = q.queued >= q.cfg.Batch
	}
	q.mu.Unlock()
	if full {
		q.signal()
	}
}

func (q *Queue[T]) signal() {
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// Counts returns what became of the items so far.
func (q *Queue[T]) Counts() Counts {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.counts
}

// Flush exports everything that is queued, and returns the joined errors of the
// exports or that of the context.
func (q *Queue[T]) Flush(ctx context.Context) error {
	f := flush{ctx, make(chan error, 1)}
	select {
	case q.flushes <- f:
	case <-q.done:
		return ErrClosed
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-f.done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
