package analysis

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/simulate/simtest"
	"github.com/beamline-hpc/lensview/internal/store"
)

// simRun receives a simulated run up to a time, by a clock that follows it; 0 is
// to its end.
func simRun(t testing.TB, c simulate.Config, until time.Duration) *store.Snapshot {
	t.Helper()
	return simtest.New(t, c, store.Config{Budget: 512 << 20}).Until(until)
}

// simulatedSizes have a third worker to compare with in every stage, or stages to
// tell two workers apart by.
func simulatedSizes() []simulate.Config {
	return []simulate.Config{
		{DP: 8}, {TP: 2, DP: 4}, {TP: 2, PP: 2, DP: 2}, {PP: 2, DP: 4}, {TP: 2, PP: 4, DP: 4},
	}
}

// TestSimulatedStragglers holds what is named against what was injected: the
// truth says before what the spans can show. Truth knows nothing of cohorts of
// two, in which lanes cannot be told apart.
func TestSimulatedStragglers(t *testing.T) {
	for i, c := range simulatedSizes() {
		for _, detail := range []simulate.Detail{simulate.Microbatch, simulate.ForwardBackward, simulate.StepOnly} {
			c.Seed, c.RunID, c.Detail, c.Iterations = uint64(i+1), "sim", detail, 40
			c.GCEvery, c.CheckpointEvery, c.HostSkew = 7, 15, time.Second
			c.Faults = []simulate.Fault{simulate.Straggler{Rank: (5 * i) % c.Ranks(), Factor: 1.5, From: 5}}
			name := fmt.Sprintf("tp %d pp %d dp %d %s", c.TP, c.PP, c.DP, detail)
			t.Run(name, func(t *testing.T) {
				s := simRun(t, c, 0)
				d := Diagnose(s, s.Run("sim"), DiagnoseOptions{})
				st, _ := simulate.New(c)
				truth := st.Truth().Injected[0]
				switch found := d.Stragglers.Found; {
				case truth.Unit == simulate.UnitNone, truth.Unit == simulate.UnitLane && c.DP < 3:
					if found != nil || len(d.Stragglers.CannotTell) == 0 {
						t.Errorf("found %+v", found)
					}
				case len(found) != 1 || !slices.Equal(found[0].Ranks, truth.Shown) || string(found[0].Unit) != truth.Unit:
					t.Errorf("found %+v, want %s %v; %q", found, truth.Unit, truth.Shown, d.Stragglers.CannotTell)
				}
				if d.Verdict.State != VerdictEnded {
					t.Errorf("verdict %+v", d.Verdict)
				}
			})
		}
	}
}

func TestSimulatedHealthyRuns(t *testing.T) {
	for i, c := range simulatedSizes() {
		for seed := range uint64(3) {
			c.Seed, c.RunID, c.GCEvery, c.CheckpointEvery, c.EvalEvery, c.HostSkew = seed*100+uint64(i), "sim", 7, 15, 20, 3*time.Second
			s := simRun(t, c, 45*time.Second)
			d := Diagnose(s, s.Run("sim"), DiagnoseOptions{})
			if len(d.Stragglers.Found) > 0 || d.Stragglers.Found == nil || d.Verdict.State != VerdictAdvancing || d.WhatIf.Cause != CauseNone {
				t.Errorf("tp %d pp %d dp %d, seed %d: %+v, %+v, %s", c.TP, c.PP, c.DP, c.Seed, d.Verdict, d.Stragglers.Found, d.WhatIf.Cause)
			}
		}
	}
}

// TestSimulatedHangs: the hung rank is the suspect, or as much as can be told.
func TestSimulatedHangs(t *testing.T) {
	hangs := map[string]simulate.Hang{
		"frozen":                  {Iteration: 20},
		"on the host, alive":      {Iteration: 20, Alive: true},
		"within a microbatch":     {Iteration: 20, Within: 3, Alive: true},
		"frozen in a microbatch":  {Iteration: 20, Within: 3},
		"within the last one":     {Iteration: 20, Within: 8, Alive: true},
		"in the first microbatch": {Iteration: 20, Within: 1, Alive: true},
	}
	for name, h := range hangs {
		for i, c := range []simulate.Config{{DP: 8}, {TP: 2, PP: 4, DP: 4}, {PP: 4, DP: 4, Detail: simulate.ForwardBackward}, {TP: 2, PP: 2, DP: 4, Detail: simulate.StepOnly}} {
			h.Rank = (5*i + 3) % c.Ranks()
			c.Seed, c.RunID, c.Faults = uint64(i), "sim", []simulate.Fault{h}
			s := simRun(t, c, 90*time.Second)
			d := Diagnose(s, s.Run("sim"), DiagnoseOptions{})
			st, _ := simulate.New(c)
			truth := st.Truth().Injected[0]
			var got []int
			for _, x := range d.Stall.Suspects {
				got = append(got, x.Ranks...)
			}
			if !asGood(got, truth, h.Rank) {
				t.Errorf("%s, tp %d pp %d dp %d %s: suspects %v, want %s %v; %s", name, c.TP, c.PP, c.DP, c.Detail, got, truth.Unit, truth.Shown, d.Stall.Summary)
			}
			if d.Verdict.State != VerdictStalled {
				t.Errorf("%s: verdict %+v", name, d.Verdict)
			}
		}
	}
}

// asGood reports whether suspects are those that the truth says can be told, or
// fewer with the hung rank among them: where only forward_backward is known the
// stages behind the hung one may have ended theirs.
func asGood(got []int, truth simulate.Injected, rank int) bool {
	if slices.Equal(got, truth.Shown) || len(got)+len(truth.Shown) == 0 {
		return true
	}
	outside := func(r int) bool { return !slices.Contains(truth.Shown, r) }
	return truth.Unit == simulate.UnitLane && slices.Contains(got, rank) && !slices.ContainsFunc(got, outside)
}

// TestTheDemo: the straggler is named within 30 iterations of its onset in
// iteration 20, the hang within its limit. It comes earlier here, to save time.
func TestTheDemo(t *testing.T) {
	c := simulate.Demo(1)
	hang := c.Faults[1].(simulate.Hang)
	hang.Iteration = 60
	c.Faults[1] = hang
	st, _ := simulate.New(c)
	injected := st.Truth().Injected
	s := simRun(t, c, 50*time.Second)
	d := Diagnose(s, s.Run("demo"), DiagnoseOptions{})
	if got := slowRanks(d); !slices.Equal(got, injected[0].Shown) || d.Verdict.State != VerdictSlow || d.Stall.Frontier > 50 {
		t.Errorf("at iteration %d: %+v, want %v", d.Stall.Frontier, d.Verdict, injected[0].Shown)
	}
	s = simRun(t, c, 130*time.Second)
	d = Diagnose(s, s.Run("demo"), DiagnoseOptions{})
	if len(d.Stall.Suspects) != 1 || !slices.Equal(d.Stall.Suspects[0].Ranks, injected[1].Shown) || d.Verdict.State != VerdictStalled || d.Stall.Limit > 60 {
		t.Errorf("limit %g (%s): %+v, want %v", d.Stall.Limit, d.Stall.LimitWhy, d.Verdict, injected[1].Shown)
	}
}
