package simulate

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync"
)

// catcher keeps the first panic of goroutines until their caller can have it: in a
// goroutine of its own it would end the process and leave the terminal as the screens
// had it.
type catcher struct {
	cancel context.CancelCauseFunc // of the work

	mu   sync.Mutex
	text string // the first panic, with its trace
}

// do works, and ends all work when it panics.
func (c *catcher) do(work func()) {
	defer func() {
		if p := recover(); p != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.text == "" {
				c.text = fmt.Sprintf("%v\n\n%s", p, debug.Stack())
			}
			c.cancel(errors.New("a worker panicked"))
		}
	}()
	work()
}

// rethrow panics in the goroutine of who called, who can catch it.
func (c *catcher) rethrow() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.text != "" {
		panic(c.text)
	}
}
