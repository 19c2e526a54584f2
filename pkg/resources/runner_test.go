//go:build unix

package resources_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// fakeSMI puts an nvidia-smi of our own before the real PATH, in an environment that
// only the detector sees.
func fakeSMI(t *testing.T, script string) (dir string, opts []resources.Option) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "nvidia-smi"), []byte("#!/bin/sh\n"+script), 0o755); err != nil {
		t.Fatal(err)
	}
	return dir, []resources.Option{variables("PATH=relative:" + dir + ":/usr/bin:/bin"), resources.WithPID(1)}
}

func TestFakeSMI(t *testing.T) {
	for _, c := range []struct {
		script string
		want   any
		ok     bool
	}{
		{"for i in 0 1 2 3 4 5 6 7; do echo $i; done", int64(8), true},
		{"echo 0; exit 9", nil, false},
		{"echo trouble >&2; echo 0", int64(1), true},
		{"yes 5 | head -c 3000000", int64(1 << 19), true}, // output is bounded
	} {
		_, opts := fakeSMI(t, c.script)
		got, err := resources.DetectLocal(t.Context(), opts...)
		if got.Attributes[resources.HostGPUCount] != c.want || (err == nil) != c.ok {
			t.Errorf("%q: %v, %v", c.script, got.Attributes, err)
		}
	}
}

// TestNotAProgram: what cannot be run is passed over, as a shell does.
func TestNotAProgram(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "nvidia-smi"), []byte("text"), 0o644); err != nil {
		t.Fatal(err)
	}
	sub := filepath.Join(dir, "sub")
	if err := os.MkdirAll(filepath.Join(sub, "nvidia-smi"), 0o755); err != nil {
		t.Fatal(err)
	}
	got, err := resources.DetectLocal(t.Context(), variables("PATH="+dir+":"+sub))
	if err != nil || got.Attributes[resources.HostGPUCount] != nil {
		t.Errorf("%v, %v", got.Attributes, err)
	}
}

// TestHungDriver: a driver that hangs costs its limit and leaves nobody behind, not
// even a grandchild that holds the pipe.
func TestHungDriver(t *testing.T) {
	dir, opts := fakeSMI(t, `echo $$ >"$(dirname "$0")/pids"
(trap "" TERM INT; sleep 60) &
echo $! >>"$(dirname "$0")/pids"
mv "$(dirname "$0")/pids" "$(dirname "$0")/ready"
sleep 60`)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(filepath.Join(dir, "ready")); err == nil {
				cancel()
			}
			time.Sleep(time.Millisecond)
		}
	}()
	got, err := resources.DetectLocal(ctx, opts...)
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("%v, want that it was stopped", err)
	}
	if got.Attributes[resources.HostGPUCount] != nil || got.Attributes[semconv.ProcessPID] == nil {
		t.Errorf("%v", got.Attributes)
	}
	text, err := os.ReadFile(filepath.Join(dir, "ready"))
	if err != nil {
		t.Fatal(err)
	}
	for _, pid := range strings.Fields(string(text)) {
		waitGone(t, pid)
	}
}

// TestSettle: not even a command that SIGKILL does not end holds a job up.
func TestSettle(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := resources.Settle(ctx, make(chan error), 0); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	failed := errors.New("exit status 9")
	for _, want := range []error{nil, failed} {
		done := make(chan error, 1)
		done <- want
		if err := resources.Settle(t.Context(), done, 0); !errors.Is(err, want) {
			t.Errorf("%v, want %v", err, want)
		}
		done <- want
		if err := resources.Settle(ctx, done, time.Hour); !errors.Is(err, context.Canceled) {
			t.Errorf("%v, want that it was stopped", err)
		}
	}
}

// TestDriverLimit waits out the real limit once.
func TestDriverLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("takes the 5 s")
	}
	t.Parallel()
	_, opts := fakeSMI(t, "sleep 60")
	began := time.Now()
	_, err := resources.DetectLocal(t.Context(), opts...)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("%v, want that the limit ended it", err)
	}
	if took := time.Since(began); took > 30*time.Second { // far from 60 s on any machine
		t.Errorf("took %v", took)
	}
}

// waitGone waits until a process has ended, or is a zombie that init has not yet
// taken.
func waitGone(t *testing.T, pid string) {
	t.Helper()
	n, err := strconv.Atoi(pid)
	if err != nil {
		t.Fatal(err)
	}
	const patience = 10 * time.Second // a sixth of what a forgotten one would live
	for began := time.Now(); time.Since(began) < patience; time.Sleep(time.Millisecond) {
		if err := syscall.Kill(n, 0); errors.Is(err, syscall.ESRCH) {
			return
		}
		stat, err := os.ReadFile("/proc/" + pid + "/stat")
		if err == nil && strings.Contains(string(stat), ") Z ") {
			return
		}
	}
	t.Errorf("process %s was left behind", pid)
}
