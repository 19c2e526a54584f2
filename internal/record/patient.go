package record

import (
	"context"
	"io"
)

// patient is a reader that waits for the one below it no longer than ctx: a pipe
// that nobody writes to, a terminal, a file system that hangs, a device without
// an end.
type patient struct {
	ctx context.Context
	in  io.Reader
}

// Read is one read of the reader below. When ctx ends before it, p belongs to
// that read for ever and must not be used again.
func (r *patient) Read(p []byte) (int, error) {
	return patiently(r.ctx, func() (int, error) { return r.in.Read(p) })
}

// patiently waits for f no longer than ctx. What f gives after that is lost, and
// with it what it holds open, until the process ends: nothing can be done about a
// call into a kernel that does not return.
func patiently[T any](ctx context.Context, f func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	done := make(chan result, 1)
	go func() {
		value, err := f()
		done <- result{value, err}
	}()
	select {
	case r := <-done:
		return r.value, r.err
	case <-ctx.Done():
		return none, ctx.Err()
	}
}
