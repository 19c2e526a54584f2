package ingest

import (
	"fmt"
	"path"
	"runtime"
	"strings"
)

// panicked makes a fault of a recovered panic. The sender learns only that it
// happened; the notice names the place. It must be called by the deferred
// function that recovered.
func panicked(p any) *fault {
	f := internal("panic", fmt.Sprintf("panic in the receiver: %v (%s)", p, origin()))
	return f
}

// shield, deferred, turns a panic into a counted refusal and calls undo. Our code
// that runs in goroutines of the libraries needs it: there a panic would end the
// process and leave the terminal as the screens had it.
func (s *stats) shield(undo func()) {
	if p := recover(); p != nil {
		f := panicked(p)
		s.refuse(f.word, f.text)
		undo()
	}
}

// origin is the function and line that panicked: the first frame below the
// runtime's panic.
func origin() string {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	below := false
	for {
		f, more := frames.Next()
		in := strings.HasPrefix(f.Function, "runtime.")
		if below && !in {
			return fmt.Sprintf("%s, %s:%d", path.Base(f.Function), path.Base(f.File), f.Line)
		}
		below = below || in
		if !more {
			return "place unknown"
		}
	}
}
