package ui

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// CrashError is a panic that was caught. It is to be printed after the terminal
// was restored: its text is the panic and the trace of its goroutine.
type CrashError struct {
	Value any
	Stack []byte
}

// Error is the panic and its trace.
func (e *CrashError) Error() string {
	return fmt.Sprintf("panic: %v\n\n%s", e.Value, e.Stack)
}

// Guard makes sure that a panic in any goroutine it guards restores the terminal
// first: the program ends in order, and Run returns the panic as a CrashError.
// A goroutine nobody guards takes the process down with a raw terminal, so every
// goroutine of the process is started under one Guard.
type Guard struct {
	once  sync.Once
	ctx   context.Context
	stop  context.CancelCauseFunc
	crash *CrashError // written once, before stop
}

// NewGuard is a guard; the context it hands out ends with the first panic.
func NewGuard(ctx context.Context) *Guard {
	g := &Guard{}
	g.ctx, g.stop = context.WithCancelCause(ctx)
	return g
}

// Context ends with the parent's, or with the first panic.
func (g *Guard) Context() context.Context { return g.ctx }

// Do calls f and catches its panic.
func (g *Guard) Do(f func()) {
	defer func() {
		if r := recover(); r != nil {
			g.caught(r)
		}
	}()
	f()
}

// Go is Do in a goroutine of its own.
func (g *Guard) Go(f func()) { go g.Do(f) }

func (g *Guard) caught(value any) {
	stack := debug.Stack()
	g.once.Do(func() {
		g.crash = &CrashError{Value: value, Stack: stack}
		g.stop(g.crash)
	})
}

// Err is the first panic, or nil.
func (g *Guard) Err() error {
	var c *CrashError
	if errors.As(context.Cause(g.ctx), &c) {
		return c
	}
	return nil
}
