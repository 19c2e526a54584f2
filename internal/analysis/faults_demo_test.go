package analysis

import (
	"slices"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/simulate/simtest"
	"github.com/beamline-hpc/lensview/internal/store"
)

// watcher looks at a run while it is received, by the run's own clock.
type watcher struct{ *simtest.Feed }

func watch(t testing.TB, c simulate.Config) watcher {
	return watcher{simtest.New(t, c, store.Config{Budget: 512 << 20})}
}

// at receives what comes by a time, and diagnoses what is there then.
func (w watcher) at(until time.Duration) Diagnosis {
	s := w.Until(until)
	return Diagnose(s, s.Runs[0], DiagnoseOptions{})
}

// TestDemoIsDiagnosedInTime looks at the demo every other second: the straggler is
// named within 30 iterations of its onset, by itself, and from then on; the hang
// as soon as its limit has passed; before, between and beside them nobody is.
func TestDemoIsDiagnosedInTime(t *testing.T) {
	if underRace {
		t.Skip("one goroutine, and five minutes of a run: TestTheDemo looks at two moments of it")
	}
	t.Parallel()
	c := simulate.Demo(1)
	w := watch(t, c)
	slow, hung := w.Stream.Truth().Injected[0], w.Stream.Truth().Injected[1]
	named, suspected, stopped := int64(-1), time.Duration(0), time.Duration(0)
	for at := 10 * time.Second; at < 330*time.Second && suspected == 0; at += 2 * time.Second {
		d := w.at(at)
		for _, x := range d.Stragglers.Found {
			if !slices.Equal(x.Ranks, slow.Shown) {
				t.Errorf("%s: straggler %v, want %v", at, x.Ranks, slow.Shown)
			}
			if named < 0 {
				named = d.Stall.Frontier
				t.Logf("iteration %d, %s: %s", named, at, d.Verdict.Summary)
			}
		}
		if named >= 0 && len(d.Stragglers.Found) == 0 {
			t.Errorf("%s, iteration %d: the straggler is not named any more", at, d.Stall.Frontier)
		}
		if stopped == 0 && d.Stall.Frontier == int64(hung.Iteration-1) {
			stopped = at
		}
		for _, x := range d.Stall.Suspects {
			suspected = at
			t.Logf("%s after the last iteration, limit %.0f s: %s", at-stopped, d.Stall.Limit, d.Verdict.Summary)
			if !slices.Equal(x.Ranks, hung.Shown) || at-stopped > time.Duration(d.Stall.Limit+2)*time.Second {
				t.Errorf("suspect %v after %s, want %v within %g s", x.Ranks, at-stopped, hung.Shown, d.Stall.Limit)
			}
		}
	}
	if named < int64(slow.Iteration) || named > int64(slow.Iteration)+30 || suspected == 0 {
		t.Errorf("straggler named in iteration %d, onset %d; suspect after %s", named, slow.Iteration, suspected)
	}
}
