package store

import (
	"fmt"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// lone is the resource of a program that runs alone.
func lone(n int) []run.Attr {
	return []run.Attr{str("service.name", "job"), str("host.name", "h"), num("process.pid", int64(n+1))}
}

// sendLone sends all three signals of one program.
func (f *fixture) sendLone(n int) {
	f.t.Helper()
	sender := fmt.Sprint("sender-", n%3)
	f.sendFrom(sender, lone(n), sp(1, 0, "op", 0, second), stepSpan(0))
	f.put(run.Metrics, sender, gaugeOf(lone(n), "m", t0, "k", "a", "b"))
	f.put(run.Logs, sender, linesOf(lone(n), t0, 2, "x"))
}

func TestIdleRunsAreForgottenWhenTheyTakeTooMuch(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 4 << 20 })
	const n = 300
	for i := range n {
		f.sendLone(i)
		f.now += idleBeforeForgotten / 20
	}
	f.Tick(f.now)
	s := f.Snapshot()
	checkBalanced(t, s)
	if len(s.Runs) < 15 || len(s.Runs) > 150 || f.fixed() > f.budget/2 {
		t.Errorf("%d runs are left, %d of %d bytes fixed", len(s.Runs), f.fixed(), f.budget)
	}
	if !hasNotice(s.Notices, "runs-forgotten", fmt.Sprint(n-len(s.Runs), " silent runs")) {
		t.Errorf("notices = %+v", s.Notices)
	}
	for i, r := range s.Runs {
		if r.Index != i {
			t.Fatalf("run %d says it is at %d", i, r.Index)
		}
	}
	if s.Runs[len(s.Runs)-1].ID != "job/h/300" {
		t.Errorf("the newest is %s", s.Runs[len(s.Runs)-1].ID)
	}
	for sig, a := range s.Accounts {
		if want := uint64(2 * n); a.Received != want || a.Kept > uint64(2*len(s.Runs)) || a.Kept == 0 || a.Evicted != want-a.Kept {
			t.Errorf("%s: %+v with %d runs", run.Signal(sig), a, len(s.Runs))
		}
	}
}

func TestForgettingLeavesNoTrace(t *testing.T) {
	f := newFixture(t)
	f.sendLone(0)
	before := []uint64{f.used, f.othersUsed, f.columnBytes, f.holderBytes, uint64(f.processes), uint64(f.pairs), uint64(f.pendingRoom)}
	f.sendLone(1)
	f.drop(1)
	after := []uint64{f.used, f.othersUsed, f.columnBytes, f.holderBytes, uint64(f.processes), uint64(f.pairs), uint64(f.pendingRoom)}
	if fmt.Sprint(before) != fmt.Sprint(after) {
		t.Errorf("before %v, after %v", before, after)
	}
	checkBalanced(t, f.Snapshot())
	f.sendLone(1) // it comes back as new
	if r := f.Snapshot().Run("job/h/2"); r == nil || r.Accounts[run.Traces].Received != 2 {
		t.Error("a forgotten run does not come back")
	}
}

func TestRunsThatAreNotIdleAreNotForgotten(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 1 << 20 })
	for i := range 40 {
		f.sendLone(i)
	}
	f.Tick(f.now)
	if n := len(f.Snapshot().Runs); n != 40 {
		t.Errorf("%d of 40 runs are left", n)
	}
}

func TestRoomForNewProcessesIsMadeByForgetting(t *testing.T) {
	f := newFixture(t)
	f.limits.processes = 3
	for i := range 3 {
		f.sendLone(i)
	}
	if out := f.send(lone(3), sp(1, 0, "op", 0, second)); out.Rejected != 1 || len(f.Snapshot().Runs) != 3 {
		t.Errorf("outcome %+v, %d runs: a rejected process made a run", out, len(f.Snapshot().Runs))
	}
	f.now += 2 * idleBeforeForgotten
	if out := f.send(lone(3), sp(1, 0, "op", 0, second)); out.Kept != 1 {
		t.Errorf("outcome %+v after the others fell silent", out)
	}
	checkBalanced(t, f.Snapshot())
}
