package telemetry_test

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

const childVariable = "LENSVIEW_TELEMETRY_CHILD"

// child is this test binary, told to do one thing instead of testing.
func child(what string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childVariable+"="+what)
	cmd.Env = append(cmd.Env, env...)
	return cmd
}

// childMain does what a test has started this binary for.
func childMain() bool {
	what := os.Getenv(childVariable)
	if what == "" {
		return false
	}
	if err := map[string]func() error{"console": childConsole, "signal": childSignal, "handled": childHandled, "quiet": childQuiet}[what](); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return true
}

// childConsole writes to a standard output that nobody reads any more.
func childConsole() error {
	cfg := enabled()
	cfg.Exporter, cfg.MetricsEnabled = "console", false
	h, err := telemetry.New(context.Background(), cfg, telemetry.WithWarnings(func(telemetry.Warning) {}))
	if err != nil {
		return err
	}
	if _, err := bufio.NewReader(os.Stdin).ReadString('\n'); err != nil {
		return err
	}
	for range 3 {
		_, s := h.Start(context.Background(), telemetry.Job, "job")
		s.End()
		if h.ForceFlush(context.Background()) == nil {
			return fmt.Errorf("written to nobody")
		}
	}
	if h.Shutdown(context.Background()) == nil {
		return fmt.Errorf("nothing was lost")
	}
	fmt.Fprintln(os.Stderr, "lived on")
	return nil
}

// childSignal waits for a signal with a span that is open.
func childSignal() error {
	h, err := signalled()
	if err != nil {
		return err
	}
	h.ShutdownOnSignal(time.Minute)
	fmt.Println("ready")
	select {}
}

// childHandled handles the signal itself, and ends as it likes.
func childHandled() error {
	h, err := signalled()
	if err != nil {
		return err
	}
	stop := h.ShutdownOnSignal(time.Minute)
	stop()
	stop()
	got := make(chan os.Signal, 1)
	signal.Notify(got, syscall.SIGTERM)
	fmt.Println("ready")
	<-got
	if err := h.Shutdown(context.Background()); err != nil {
		return err
	}
	os.Exit(7)
	return nil
}

func signalled() (*telemetry.Handle, error) {
	cfg := enabled()
	cfg.MetricsEnabled = false
	h, err := telemetry.Setup(context.Background(), cfg)
	if err == nil {
		telemetry.Start(context.Background(), telemetry.Job, "open")
	}
	return h, err
}

// childQuiet meets everything that goes wrong, and must print nothing.
func childQuiet() error {
	cfg := enabled()
	cfg.LogsEnabled, cfg.SpanGroups = true, "all"
	h, err := telemetry.Setup(context.Background(), cfg, telemetry.WithWarnings(func(telemetry.Warning) {}))
	if err != nil {
		return err
	}
	for range 10 {
		_, s := telemetry.Start(context.Background(), telemetry.Job, "job")
		s.End()
	}
	h.Logger().Info("x")
	counter, _ := h.Meter().Int64Counter("n")
	for i := range 3000 {
		counter.Add(context.Background(), 1, metric.WithAttributes(attribute.Int("i", i)))
	}
	ctx, cancel := context.WithTimeout(context.Background(), 200*time.Millisecond)
	defer cancel()
	if h.Shutdown(ctx) == nil {
		return fmt.Errorf("nothing was lost")
	}
	return nil
}
