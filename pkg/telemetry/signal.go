package telemetry

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"time"
)

// ShutdownOnSignal flushes when the process is told to end, within the timeout, and
// then lets the signal have its effect: it is raised again with the default action,
// so that the exit status is what it would have been. It is for programs that do
// not handle the signals themselves; one that does calls Shutdown where it does.
// Without signals it is the interrupt and SIGTERM. A signal that is ignored (nohup)
// stays ignored.
//
// Stop ends the watch; it does not wait.
func (h *Handle) ShutdownOnSignal(timeout time.Duration, signals ...os.Signal) (stop func()) {
	if h == nil || !h.enabled {
		return func() {}
	}
	if len(signals) == 0 {
		signals = endSignals()
	}
	got := make(chan os.Signal, 1)
	for _, s := range signals {
		if !signal.Ignored(s) {
			signal.Notify(got, s)
		}
	}
	ended := make(chan struct{})
	go func() {
		defer signal.Stop(got)
		select {
		case s := <-got:
			ctx, cancel := context.WithTimeout(context.Background(), timeout)
			_ = h.Shutdown(ctx)
			cancel()
			signal.Stop(got)
			raise(s)
		case <-ended:
		case <-h.done:
		}
	}()
	return sync.OnceFunc(func() {
		signal.Stop(got)
		close(ended)
	})
}
