package analysis

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// foldable is a grid with cp, whose cells have value 1 ms · (place+1).
func foldable(tp, cp, dp, pp int) Grid {
	g := Grid{Sizes: run.Sizes{TP: tp, CP: cp, EP: 1, DP: dp, PP: pp}}
	g.makeCells()
	for i := range g.Cells {
		c := &g.Cells[i]
		c.Process, c.Rank, c.Shown, c.Value = i, i, true, float64(i+1)/1000
		c.Iteration, c.HasIteration, c.Age, c.Truncated = int64(100-i), true, float64(i), 1
	}
	return g
}

func TestFoldIntoWorkers(t *testing.T) {
	g := foldable(2, 1, 3, 2)
	workers := g.Fold(run.DimTP, run.DimCP)
	if len(workers) != 6 {
		t.Fatalf("%d workers, want pp 2 × dp 3", len(workers))
	}
	want := GridGroup{
		Coord: run.Coord{TP: run.Unknown, CP: run.Unknown, EP: run.Unknown, DP: 2, PP: 1}, Cells: []int{10, 11},
		Seen: 2, Shown: 2, Value: 0.0115, Low: 0.011, High: 0.012, Iteration: 89, HasIteration: true, Age: 11, Truncated: 2,
	}
	if diff := cmp.Diff(want, workers[5]); diff != "" {
		t.Errorf("the last worker (-want +got):\n%s", diff)
	}
}

func TestFoldIntoLines(t *testing.T) {
	g := foldable(2, 2, 3, 2)
	lanes := g.Fold(run.DimTP, run.DimPP)
	if len(lanes) != 6 || lanes[0].Coord.CP != 0 || lanes[1].Coord.CP != 1 || len(lanes[1].Cells) != 4 {
		t.Errorf("%d lanes, the second %+v; want dp 3 × cp 2 of 4 ranks each", len(lanes), lanes[1])
	}
	if all := g.Fold(run.DimTP, run.DimCP, run.DimDP, run.DimPP, run.DimEP); len(all) != 1 || len(all[0].Cells) != 24 {
		t.Errorf("folded along everything: %d groups", len(all))
	}
	if none := g.Fold(); len(none) != 24 {
		t.Errorf("folded along nothing: %d groups, want each rank", len(none))
	}
}

func TestFoldLeavesOutWhatIsNotThere(t *testing.T) {
	g := foldable(4, 1, 1, 1)
	g.Cells[0].Process, g.Cells[0].Value, g.Cells[0].Age = -1, math.NaN(), math.NaN() // never seen
	g.Cells[1].Shown = false                                                          // filtered out
	g.Cells[2].Value, g.Cells[2].HasIteration = math.NaN(), false                     // no step yet
	w := g.Fold(run.DimTP)[0]
	if w.Seen != 3 || w.Shown != 2 || w.Value != 0.004 || w.Low != 0.004 || w.Iteration != 97 || w.Truncated != 2 {
		t.Errorf("%+v", w)
	}
	for i := range g.Cells {
		g.Cells[i].Shown = false
	}
	if w := g.Fold(run.DimTP)[0]; !math.IsNaN(w.Value) || !math.IsNaN(w.Age) || w.HasIteration || w.Shown != 0 {
		t.Errorf("of nobody: %+v", w)
	}
}

// The median of a fold is the middle of its sorted values.
func TestFoldAgainstSorting(t *testing.T) {
	dice := rand.New(rand.NewPCG(5, 6))
	for range 50 {
		g := foldable(1+dice.IntN(4), 1+dice.IntN(3), 1+dice.IntN(5), 1+dice.IntN(4))
		for i := range g.Cells {
			g.Cells[i].Value = dice.Float64()
			g.Cells[i].Shown = dice.IntN(5) > 0
		}
		dims := []run.Dim{run.DimTP, run.DimCP, run.DimDP, run.DimPP}[:dice.IntN(5)]
		places := 0
		for _, w := range g.Fold(dims...) {
			var v []float64
			for _, i := range w.Cells {
				if g.Cells[i].Shown {
					v = append(v, g.Cells[i].Value)
				}
			}
			places += len(w.Cells)
			slices.Sort(v)
			if n := len(v); n > 0 && w.Value != (v[(n-1)/2]+v[n/2])/2 {
				t.Fatalf("median %v of %v", w.Value, v)
			}
		}
		if places != len(g.Cells) {
			t.Fatalf("%d of %d cells are in a group", places, len(g.Cells))
		}
	}
}
