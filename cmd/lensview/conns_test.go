//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"

	"github.com/beamline-hpc/lensview/internal/ingest/cert"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// withConns says how many connections the job has, each of a rank of its own; it
// wants as many open files. The full size takes some minutes:
//
//	make conns
const withConns = "LENSVIEW_CONNS"

func connsOf(t *testing.T) (conns, steps int) {
	t.Helper()
	if os.Getenv(withConns) == "" {
		return 256, 2
	}
	n, err := strconv.Atoi(os.Getenv(withConns))
	if err != nil {
		t.Fatal(err)
	}
	return n, 6
}

// A recording takes a connection from every rank of a large job, and has every span
// of every rank.
func TestManyConnectionsAreRecorded(t *testing.T) {
	n, steps := connsOf(t)
	dir := filepath.Join(t.TempDir(), "rec")
	p := startRecorder(t, "--listen", "127.0.0.1:0", dir)
	grown := grownBy(t, p.cmd.Process.Pid)
	f := newFleet(t, p.grpc, n, insecure.NewCredentials())
	for i := range steps {
		f.step(i)
	}
	t.Log(f.sum(), grown())
	want := uint64(n * steps * spansOfStep)
	if said := p.end(syscall.SIGTERM); f.spans.Load() != want || !strings.Contains(said, fmt.Sprintf("recorded %s spans, 0 points, 0 logs in %s requests", run.Count(want), run.Count(n*steps))) {
		t.Errorf("%d spans were acknowledged of %d; it says %q", f.spans.Load(), want, said)
	}
	snap, _, err := readAll(context.Background(), env{}, store.Config{Files: true, Budget: 4 << 30}, []string{dir})
	if err != nil {
		t.Fatal(err)
	}
	if a := snap.Accounts[run.Traces]; a.Kept != want || a.Received != want || len(snap.Runs) != 1 || len(snap.Runs[0].Processes) != n {
		t.Errorf("%+v in %d runs", a, len(snap.Runs))
	}
}

// The screen stays alive with a connection of every rank of a large job, takes all
// they send, and its memory stays within --memory and what it says beyond it.
func TestManyConnectionsOnTheScreen(t *testing.T) {
	for name, args := range map[string][]string{"plain": {"--listen", "127.0.0.1:0"}, "TLS": {"--listen", "0.0.0.0:0"}} {
		t.Run(name, func(t *testing.T) {
			n, steps := connsOf(t)
			state := t.TempDir()
			w := inTerminal(t, []string{"XDG_STATE_HOME=" + state}, append(args, "--http-listen", "off", "--memory", "512MiB")...)
			defer w.leave()
			addr := w.listens()
			pid := w.cmd.Process.Pid
			grown := grownBy(t, pid)
			f := newFleet(t, addr, n, trusting(t, name, state))
			for i := range steps {
				f.step(i)
			}
			checkManyShown(t, w, f, n, steps)
			t.Log(f.sum(), grown(), cpu(t, pid).Seconds(), "CPU s")
			most := uint64(512<<20) + store.Beyond(512<<20, uint64(n)*perConn[name])
			if grown() > mib(most) {
				t.Errorf("it grew by %v, at most %v", grown(), mib(most))
			}
		})
	}
}

// perConn is what docs/memory.md says of a connection.
var perConn = map[string]uint64{"plain": 26 << 10, "TLS": 37 << 10}

func trusting(t *testing.T, name, state string) credentials.TransportCredentials {
	t.Helper()
	if name != "TLS" {
		return insecure.NewCredentials()
	}
	c, err := credentials.NewClientTLSFromFile(filepath.Join(state, "lensview", cert.File), "localhost")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// listens is the port that the first screen names, on loopback.
func (w *tty) listens() string {
	w.t.Helper()
	at := w.Await(0, "Nothing has arrived yet")
	w.Await(at, "To see a run")
	return "127.0.0.1:" + regexp.MustCompile(`(?:127\.0\.0\.1|0\.0\.0\.0):(\d+)`).FindStringSubmatch(w.Output()[at:])[1]
}

// checkManyShown looks at Ingest: every rank, connection and span, nothing refused.
func checkManyShown(t *testing.T, w *tty, f *fleet, n, steps int) {
	t.Helper()
	want := uint64(n * steps * spansOfStep)
	if got := f.spans.Load(); got != want {
		t.Errorf("%d spans were acknowledged of %d", got, want)
	}
	from, at := time.Now(), w.Len()
	w.Press("i")
	w.Await(at, "received = kept")
	t.Log("a key took", time.Since(from).Round(time.Millisecond))
	for _, text := range []string{run.Count(want), run.Count(n) + " connections", "Refused 0", run.Count(n) + "/" + run.Count(n)} {
		w.Await(at, text)
	}
}

func (f *fleet) sum() string {
	return fmt.Sprintf("%d connections, %d spans, %d requests sent again;", len(f.conns), f.spans.Load(), f.again.Load())
}

// mib is bytes as a test log shows them.
type mib uint64

func (m mib) String() string { return fmt.Sprintf("%.1f MiB", float64(m)/(1<<20)) }

// grownBy gives by how much the process has grown at most, from now on.
func grownBy(t *testing.T, pid int) func() mib {
	t.Helper()
	before := residentOf(t, pid, "VmRSS")
	return func() mib { return residentOf(t, pid, "VmHWM") - before }
}

// residentOf is a line of /proc/PID/status.
func residentOf(t *testing.T, pid int, field string) mib {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, field+":"); ok {
			n, err := strconv.ParseUint(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			return mib(n << 10)
		}
	}
	t.Fatalf("%s is not in /proc/%d/status", field, pid)
	return 0
}
