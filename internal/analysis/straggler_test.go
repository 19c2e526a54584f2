package analysis

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// TestFourRanks is CASES.md row 31: the known answer of a synchronous step.
func TestFourRanks(t *testing.T) {
	d := toy{dp: 4, unsized: true, steps: 25, compute: one(900, 3)}.diagnose(t, DiagnoseOptions{})
	if len(d.Stragglers.Found) != 1 {
		t.Fatalf("found %+v", d.Stragglers)
	}
	x := d.Stragglers.Found[0]
	if !slices.Equal(x.Ranks, []int{3}) || x.Unit != UnitRank || !near(x.BusyRatio, 1.5, 1e-3) || math.Round(x.Z) != 67 {
		t.Errorf("%s %v, ratio %.3f, z %.1f", x.Unit, x.Ranks, x.BusyRatio, x.Z)
	}
	if !near(x.WaitGap, .3, 1e-3) || !near(x.Score, .667, 1e-3) || x.WorstIn != 1 || x.LastIn != 1 || x.Level != run.Critical || x.Early {
		t.Errorf("%+v", x)
	}
	if d.Verdict.State != VerdictSlow || d.Verdict.Scope != ScopeRank || !strings.Contains(d.Verdict.Summary, "rank 3") {
		t.Errorf("%+v", d.Verdict)
	}
}

// TestWhoIsNamed: one row is one run; what is named is written as "unit ranks".
func TestWhoIsNamed(t *testing.T) {
	slowIf := func(slow float64, is func(rank int) bool) func(rank, step int) float64 {
		return func(rank, _ int) float64 {
			if is(rank) {
				return slow
			}
			return 600
		}
	}
	byStage := func(rank int) float64 { return 500 + 100*float64(rank/8) } // tp 2, dp 4
	tests := []struct {
		name string
		run  toy
		want []string // nil: cannot tell
	}{
		{"nobody", toy{dp: 8, steps: 25}, []string{}},
		{"one rank", toy{dp: 8, steps: 25, compute: one(700, 2)}, []string{"rank 2"}},
		{"a little slow", toy{dp: 8, steps: 25, compute: one(650, 2)}, []string{}},
		{"two ranks", toy{dp: 8, steps: 25, compute: one(900, 2, 5)}, []string{"rank 2", "rank 5"}},
		{"a worker of four coupled GPUs", toy{tp: 4, dp: 4, steps: 25, compute: one(900, 4, 5, 6, 7)}, []string{"worker 4–7"}},
		{"a rank whose peers do not feel it", toy{tp: 4, dp: 4, steps: 25, compute: one(900, 6)}, []string{"rank 6"}},
		{"a worker of two, one of which is slow", toy{tp: 2, dp: 4, steps: 25, compute: one(900, 5)}, []string{"rank 5"}},
		{"a position that has more to do in every worker", toy{tp: 4, dp: 4, steps: 25, compute: slowIf(900, func(r int) bool { return r%4 == 0 })}, []string{}},
		{"stages that differ by design", toy{tp: 2, pp: 3, dp: 4, micro: 4, steps: 25, compute: func(r, _ int) float64 { return byStage(r) }}, []string{}},
		{"a worker among stages that differ", toy{tp: 2, pp: 3, dp: 4, micro: 4, steps: 25, compute: func(r, _ int) float64 {
			if r == 10 || r == 11 {
				return 1.3 * byStage(r)
			}
			return byStage(r)
		}}, []string{"worker 10–11"}},
		{"a lane where only forward_backward is known", toy{pp: 2, dp: 4, steps: 25, compute: one(900, 1, 5)}, []string{"lane 1, 5"}},
		{"a lane in every stage", toy{pp: 2, dp: 4, micro: 4, steps: 25, compute: one(900, 1, 5)}, []string{"lane 1, 5"}},
		{"a host, half of its cohort", toy{dp: 8, steps: 25, compute: one(900, 4, 5, 6, 7)}, []string{"host 4–7"}},
		{"four of eight on no host", toy{dp: 8, steps: 25, compute: one(900, 0, 2, 4, 6)}, []string{}},
		{"a host, slow in every stage it has a part in", toy{pp: 2, dp: 8, micro: 2, steps: 25, compute: one(900, 0, 1, 2, 3, 8, 9, 10, 11),
			more: func(r int) []run.Attr { return []run.Attr{str("host.name", []string{"a", "b"}[r%8/4])} }}, []string{"host 0–3, 8–11"}},
		{"two, no stage-mates", toy{dp: 2, steps: 25, compute: one(6000, 1), length: 9000}, nil},
		{"two that are alike", toy{dp: 2, steps: 25}, []string{}},
		{"two in each of two stages, one slow", toy{pp: 2, dp: 2, micro: 4, steps: 25, compute: one(900, 3)}, []string{"rank 3"}},
		{"one rank", toy{steps: 25}, nil},
		{"one of a stage", toy{pp: 4, micro: 4, steps: 25, compute: one(900, 3)}, nil},
		{"no inner spans", toy{dp: 4, steps: 25, micro: -1, dark: true}, nil},
		{"waits alone", toy{dp: 4, steps: 25, micro: -1, compute: one(900, 3)}, []string{"rank 3"}},
		{"no sizes, several slow: stages?", toy{dp: 8, unsized: true, steps: 25, compute: one(900, 6, 7)}, nil},
		{"two steps", toy{dp: 8, steps: 3, compute: one(900, 2)}, nil},
		{"another one each step", toy{dp: 8, steps: 25, compute: func(r, s int) float64 { return map[bool]float64{true: 900, false: 600}[r == s%8] }}, []string{}},
		{"slow in a third of the steps", toy{dp: 8, steps: 25, compute: func(r, s int) float64 { return map[bool]float64{true: 900, false: 600}[r == 2 && s%3 == 0] }}, []string{}},
		{"rounding noise", toy{dp: 8, steps: 25, compute: one(600.4, 2)}, []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := tt.run.diagnose(t, DiagnoseOptions{})
			if diff := cmp.Diff(tt.want, unitsOf(d.Stragglers.Found)); diff != "" {
				t.Errorf("named (-want +got):\n%s%+v", diff, d.Stragglers.Found)
			}
			if tt.want == nil && len(d.Stragglers.CannotTell) == 0 {
				t.Error("no reason is given")
			}
			if tt.want == nil && d.Verdict.State == VerdictSlow {
				t.Errorf("verdict %+v", d.Verdict)
			}
		})
	}
}

// unitsOf writes what was found, in the order of ranks.
func unitsOf(found []Straggler) []string {
	if found == nil {
		return nil
	}
	out := []string{}
	for _, x := range found {
		out = append(out, string(x.Unit)+strings.TrimPrefix(list("", x.Ranks), "s"))
	}
	slices.Sort(out)
	return out
}

// TestPublishedScores: of eight ranks with these relative speeds only the seventh
// is below 0.75, and only it is named.
func TestPublishedScores(t *testing.T) {
	scores := []float64{.961, .919, .941, .999, 1.0, .847, .591, .788}
	d := toy{dp: 8, steps: 25, length: 2000, compute: func(r, _ int) float64 { return 600 / scores[r] }}.diagnose(t, DiagnoseOptions{})
	for i, w := range d.Stragglers.Workers {
		if !near(w.Score, scores[i], 1e-3) {
			t.Errorf("rank %d: score %.3f, want %.3f", i, w.Score, scores[i])
		}
		if below := w.Score < .75; below != (i == 6) {
			t.Errorf("rank %d: below 0.75 is %t", i, below)
		}
	}
	if got := unitsOf(d.Stragglers.Found); !slices.Equal(got, []string{"rank 6"}) {
		t.Errorf("named %v", got)
	}
}

// TestEqualStepsWithoutInnerSpans: step times of 293.0, 292.2, 293.0 and 293.1 ms
// say nothing.
func TestEqualStepsWithoutInnerSpans(t *testing.T) {
	f := newFeed(t)
	for step := range 30 {
		for rank, length := range []float64{293.0, 292.2, 293.0, 293.1} {
			c := toy{dp: 4, length: length, micro: -1, dark: true}
			c.defaults()
			c.sendStep(f, rank, step)
		}
	}
	s, r := f.look()
	d := Diagnose(s, r, DiagnoseOptions{})
	if d.Stragglers.Found != nil || len(d.Stragglers.CannotTell) != 1 || !strings.Contains(d.Stragglers.CannotTell[0], "turn the step's inner spans on") {
		t.Errorf("%+v", d.Stragglers)
	}
	if !slices.ContainsFunc(d.Verdict.CannotTell, func(s string) bool { return strings.Contains(s, "inner spans") }) {
		t.Errorf("%+v", d.Verdict)
	}
}

// TestExtraTimeThatIsWaitingNamesNobody: forward_backward of rank 2 is longer by
// what it waits within it.
func TestExtraTimeThatIsWaitingNamesNobody(t *testing.T) {
	waits := func(r, _ int) float64 {
		if r == 2 {
			return 700
		}
		return 400
	}
	d := toy{dp: 8, steps: 25, compute: one(900, 2), wait: waits}.diagnose(t, DiagnoseOptions{})
	if got := unitsOf(d.Stragglers.Found); len(got) > 0 || got == nil {
		t.Errorf("named %v", got)
	}
}

func TestWhatAStragglerSays(t *testing.T) {
	early := toy{dp: 8, steps: 12, compute: one(700, 2)}.diagnose(t, DiagnoseOptions{}).Stragglers
	if len(early.Found) != 1 || !early.Found[0].Early || !early.Early || early.Found[0].Level != run.Warning {
		t.Errorf("early: %+v", early.Found)
	}
	waits := toy{dp: 8, steps: 25, micro: -1, compute: one(900, 2)}.diagnose(t, DiagnoseOptions{}).Stragglers
	if len(waits.Found) != 1 || !waits.Found[0].Approximate || waits.Source != FromWaits {
		t.Errorf("from waits: %+v", waits)
	}
	lane := toy{pp: 2, dp: 4, steps: 25, compute: one(900, 1, 5)}.diagnose(t, DiagnoseOptions{}).Stragglers.Found[0]
	if !strings.Contains(lane.Note, "enable the microbatch group") || lane.Coord.DP != 1 || lane.Coord.PP != run.Unknown {
		t.Errorf("lane: %+v", lane)
	}
	worker := toy{tp: 4, dp: 4, steps: 25, compute: one(900, 4, 5, 6, 7)}.diagnose(t, DiagnoseOptions{}).Stragglers.Found[0]
	if !strings.Contains(worker.Note, "one of ranks 4–7") || !slices.Equal(worker.Hosts, []string{"node1"}) || worker.Coord.TP != run.Unknown {
		t.Errorf("worker: %+v", worker)
	}
}

// What is compared has its word: a rank where a worker has one, a lane where stages
// move together.
func TestWhatIsCompared(t *testing.T) {
	for _, tt := range []struct {
		name string
		run  toy
		of   Unit
		n    int
		what Unit
	}{
		{"ranks without sizes", toy{dp: 4, unsized: true, steps: 25}, UnitRank, 4, ""},
		{"workers of one rank", toy{dp: 8, steps: 25}, UnitRank, 8, UnitWorker},
		{"workers of four", toy{tp: 4, dp: 4, steps: 25}, UnitWorker, 4, UnitWorker},
		{"stages, by microbatches", toy{tp: 2, pp: 2, dp: 4, micro: 4, steps: 25}, UnitWorker, 8, UnitWorker},
		{"lanes", toy{tp: 2, pp: 2, dp: 4, steps: 25}, UnitLane, 4, UnitLane},
	} {
		d := tt.run.diagnose(t, DiagnoseOptions{})
		if s := d.Stragglers; s.Compared != tt.of || len(s.Workers) != tt.n || d.WhatIf.Of != tt.what {
			t.Errorf("%s: %d %ss, the worst %q", tt.name, len(s.Workers), s.Compared, d.WhatIf.Of)
		}
	}
}
