package telemetry_test

import (
	"bufio"
	"errors"
	"os/exec"
	"syscall"
	"testing"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

// TestShutdownOnSignal: what is open is delivered, and the process ends by the very
// signal.
func TestShutdownOnSignal(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT} {
		b := newBackend(t)
		state := signalChild(t, "signal", b, sig)
		if !state.Signaled() || state.Signal() != sig {
			t.Errorf("%v: ended by %v, status %d", sig, state.Signal(), state.ExitStatus())
		}
		checkOpen(t, b)
	}
}

// TestHandledSignal: a program that has stopped the watch keeps its own way to end.
func TestHandledSignal(t *testing.T) {
	b := newBackend(t)
	if state := signalChild(t, "handled", b, syscall.SIGTERM); state.ExitStatus() != 7 {
		t.Errorf("status %d, signal %v", state.ExitStatus(), state.Signal())
	}
	checkOpen(t, b)
}

func checkOpen(t *testing.T, b *backend) {
	t.Helper()
	if n := b.names(); len(n) != 1 || attributes(b.span(t, "open").Attributes)["nemo.span.truncated"] != true {
		t.Errorf("spans %v", n)
	}
}

func signalChild(t *testing.T, what string, b *backend, sig syscall.Signal) syscall.WaitStatus {
	t.Helper()
	cmd := child(what, "OTEL_EXPORTER_OTLP_ENDPOINT="+b.endpoint)
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		t.Fatal(err)
	}
	if err := cmd.Process.Signal(sig); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := cmd.Wait(); !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return exit.Sys().(syscall.WaitStatus)
}

// TestWatchEnds with the handle, by itself: the leak check sees it.
func TestWatchEnds(t *testing.T) {
	h := newHandle(t, newBackend(t), enabled())
	h.ShutdownOnSignal(0)
	stop := h.ShutdownOnSignal(0, syscall.SIGUSR1)
	stop()
	end(t, h)
	newHandle(t, nil, telemetry.DefaultConfig()).ShutdownOnSignal(0)()
}
