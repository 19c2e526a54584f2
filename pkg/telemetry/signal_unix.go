//go:build unix

package telemetry

import (
	"os"
	"syscall"
)

func endSignals() []os.Signal { return []os.Signal{os.Interrupt, syscall.SIGTERM} }

// raise lets a signal have its default effect, now that nobody here handles it. A
// program that does handle it gets it a second time, as from an impatient user.
func raise(s os.Signal) {
	if n, ok := s.(syscall.Signal); ok {
		_ = syscall.Kill(os.Getpid(), n)
	}
}
