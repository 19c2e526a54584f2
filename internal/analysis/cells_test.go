package analysis

import (
	"math"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Ranks and Topology show the same figures of a rank: medians over its last 20
// clean steps, whatever lies between them.
func TestRanksAndTopologyAgree(t *testing.T) {
	f := newFeed(t)
	res := func(rank int) []run.Attr { return trainer(rank, 2, sizes(1, 1, 2)...) }
	for rank := range 2 {
		at := uint64(0)
		for i := range int64(70) {
			compute := uint64(i+1) * ms
			f.step(res(rank), i, at, compute, ms)
			if i%2 == 1 { // every other step has a checkpoint, which takes it out
				f.spans(res(rank), f.mk("megatron.checkpoint.save", at, at+compute))
			}
			at += 200 * ms
		}
	}
	s, r := f.look()
	rows := Ranks(s, Scope{Run: r}, 0)
	for m, of := range map[Measure]func(Rank) float64{
		StepTime: nil, ComputeTime: func(r Rank) float64 { return r.Compute }, WaitTime: func(r Rank) float64 { return r.Wait },
	} {
		g := Topology(s, Scope{Run: r}, GridOptions{AnyRole: true, Measure: m})
		for i, c := range g.Cells {
			if c.Steps != rows[i].Steps || c.Age != rows[i].Age {
				t.Errorf("rank %d: %d steps and age %v in Topology, %d and %v in Ranks", i, c.Steps, c.Age, rows[i].Steps, rows[i].Age)
			}
			if of != nil && c.Value != of(rows[i]) {
				t.Errorf("rank %d: %s %v in Topology, %v in Ranks", i, m, c.Value, of(rows[i]))
			}
		}
	}
	if rows[0].Steps != DefaultSteps {
		t.Errorf("%d clean steps of 35, want the last 20", rows[0].Steps)
	}
}

// A rank that has finished no iteration has no age, in both.
func TestAgeIsSinceTheLastIteration(t *testing.T) {
	f := newFeed(t)
	f.spans(trainer(0, 1, sizes(1, 1, 1)...), f.mk("op", 0, sec))
	f.now += 7e9
	f.Tick(f.now)
	s, r := f.look()
	row := Ranks(s, Scope{Run: r}, 0)[0]
	if !math.IsNaN(row.Age) || row.Quiet != 7 {
		t.Errorf("age %v, silent for %v", row.Age, row.Quiet)
	}
	if g := Topology(s, Scope{Run: r}, GridOptions{AnyRole: true}); !math.IsNaN(g.Cells[0].Age) {
		t.Errorf("age %v in Topology", g.Cells[0].Age)
	}
}
