package main

import (
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/spf13/cobra"
)

// watched is standard output that remembers that something could not be written,
// whoever wrote it: what a full disk swallows must not look done.
type watched struct {
	io.Writer
	mu  sync.Mutex
	err error
}

// Write keeps the first error.
func (w *watched) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		if w.err == nil {
			w.err = err
		}
	}
	return n, err
}

// outcome is how a command that ended with err ended, seen from who reads its
// output. What 'record' is there for is its files: it goes on and ends without
// anybody who listens.
func (w *watched) outcome(ran *cobra.Command, err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	var code exitError
	if w.err == nil || err != nil && !errors.As(err, &code) || ran.Name() == "record" {
		return err
	}
	return fmt.Errorf("%s: %w", ran.Name(), w.err)
}
