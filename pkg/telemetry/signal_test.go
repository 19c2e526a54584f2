package telemetry_test

import (
	"bufio"
	"errors"
	"os/exec"
	"strings"
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

// TestQuiet: whatever goes wrong, nothing is printed when the program takes the
// warnings.
func TestQuiet(t *testing.T) {
	b := newBackend(t)
	for name, vars := range map[string][]string{
		"swapped port": {"OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf", "OTEL_EXPORTER_OTLP_ENDPOINT=" + b.endpoint},
		"nobody":       {"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:1"},
		"no TLS":       {"OTEL_EXPORTER_OTLP_ENDPOINT=" + strings.Replace(b.endpoint, "http", "https", 1)},
		"variables": {"OTEL_EXPORTER_OTLP_ENDPOINT=127.0.0.1:1", "OTEL_EXPORTER_OTLP_HEADERS=authorization: Bearer hunter2,a=hunter2%ZZ",
			"OTEL_EXPORTER_OTLP_TIMEOUT=30s", "OTEL_METRIC_EXPORT_INTERVAL=10s", "OTEL_TRACES_SAMPLER=parentbased_always_on",
			"OTEL_RESOURCE_ATTRIBUTES=a=1,bad,k=%ZZ", "OTEL_BSP_MAX_QUEUE_SIZE=x", "OTEL_PROPAGATORS=b3"},
	} {
		cmd := child("quiet", vars...)
		if out, err := cmd.CombinedOutput(); err != nil || len(out) > 0 {
			t.Errorf("%s: %v: %s", name, err, out)
		}
	}
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
