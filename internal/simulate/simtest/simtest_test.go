package simtest

import (
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/store"
)

func config() simulate.Config {
	return simulate.Config{Seed: 3, TP: 1, PP: 1, DP: 2, Iterations: 8, Step: time.Second, ExportEvery: time.Second, LogEvery: 2}
}

// TestFeedFollowsTheRun: nothing comes before its time, and the clock stands where
// it was asked to.
func TestFeedFollowsTheRun(t *testing.T) {
	f := New(t, config(), store.Config{})
	start := f.Now
	early := f.Until(3 * time.Second)
	if early.Now != start+int64(3*time.Second) || len(early.Runs) != 1 {
		t.Fatalf("now is %d s after the start, %d runs", (early.Now-start)/1e9, len(early.Runs))
	}
	if last := early.Runs[0].Last; last > early.Now {
		t.Errorf("something came %s late", time.Duration(last-early.Now))
	}
	end := f.End()
	if a, b := early.Accounts[run.Traces].Kept, end.Accounts[run.Traces].Kept; a == 0 || b <= a {
		t.Errorf("%d spans by 3 s, %d in the end", a, b)
	}
	if again := f.End(); again.Accounts != end.Accounts {
		t.Error("a run that has ended sends something")
	}
}

func TestKeepLeavesOut(t *testing.T) {
	f := New(t, config(), store.Config{Files: true})
	f.Keep = Only(run.Logs)
	s := f.End()
	if s.Accounts[run.Logs].Kept == 0 || s.Accounts[run.Traces].Received+s.Accounts[run.Metrics].Received != 0 {
		t.Errorf("%+v", s.Accounts)
	}
}
