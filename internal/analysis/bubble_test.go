package analysis

import (
	"github.com/beamline-hpc/lensview/internal/simulate/simtest"
	"math"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/store"
)

func TestBubbleFormulas(t *testing.T) {
	tests := []struct {
		p, m, v     int
		over, share float64
	}{
		{4, 32, 1, 0.09375, 0.0857}, {8, 8, 1, 0.875, 0.4667}, {8, 64, 1, 0.1094, 0.0986},
		{4, 8, 2, 0.1875, 0.1579}, {1, 8, 1, 0, 0},
		{0, 8, 1, math.NaN(), math.NaN()}, {4, 0, 1, math.NaN(), math.NaN()},
	}
	for _, tt := range tests {
		over, share := BubbleOverIdeal(tt.p, tt.m, tt.v), BubbleShare(tt.p, tt.m, tt.v)
		if math.IsNaN(tt.over) != math.IsNaN(over) || !math.IsNaN(over) && (math.Abs(over-tt.over) > 5e-5 || math.Abs(share-tt.share) > 5e-5) {
			t.Errorf("p %d, m %d, v %d: %v over the ideal, share %v; want %v, %v", tt.p, tt.m, tt.v, over, share, tt.over, tt.share)
		}
	}
}

// simulated is a store that took a simulated run to its end.
func simulated(t testing.TB, c simulate.Config) *store.Snapshot {
	t.Helper()
	return simtest.New(t, c, store.Config{Files: true}).End()
}

// The observed share of a pipeline whose stages are equal is what the formula
// says; one whose microbatches take turns at being slow stands idle longer.
func TestObservedBubble(t *testing.T) {
	for _, m := range []int{4, 8, 32} {
		s := simulated(t, simulate.Config{Seed: 3, TP: 2, PP: 4, DP: 2, Microbatches: m, Iterations: 8})
		b := BubbleOf(Scope{Run: s.Runs[0]}, 0)
		if b.Stages != 4 || b.Microbatches != m || b.Expected != BubbleShare(4, m, 1) || b.Lanes != 2 || b.Steps != 7 || b.CannotTell != "" {
			t.Errorf("m %d: %+v", m, b)
		}
		if math.Abs(b.Observed-b.Expected) > 0.25*b.Expected+0.02 || b.Warn {
			t.Errorf("m %d: observed %v, expected %v", m, b.Observed, b.Expected)
		}
	}
	slow := simulate.Straggler{Rank: 6, Factor: 2, From: 0}
	s := simulated(t, simulate.Config{Seed: 3, TP: 2, PP: 4, DP: 2, Microbatches: 32, Iterations: 8, Faults: []simulate.Fault{slow}})
	b := BubbleOf(Scope{Run: s.Runs[0]}, 0)
	if n, ok := b.Notice(s.Runs[0]); !b.Warn || !ok || n.Level != run.Warning {
		t.Errorf("a slow stage: %+v", b)
	}
}

func TestBubbleCannotTell(t *testing.T) {
	tests := []struct {
		name string
		c    simulate.Config
	}{
		{"no pipeline", simulate.Config{Seed: 1, DP: 2, Iterations: 3}},
		{"forward_backward alone", simulate.Config{Seed: 1, PP: 2, Iterations: 3, Detail: simulate.ForwardBackward}},
		{"steps alone", simulate.Config{Seed: 1, PP: 2, Iterations: 3, Detail: simulate.StepOnly}},
	}
	for _, tt := range tests {
		b := BubbleOf(Scope{Run: simulated(t, tt.c).Runs[0]}, 0)
		if b.CannotTell == "" || !math.IsNaN(b.Observed) || b.Warn {
			t.Errorf("%s: %+v", tt.name, b)
		}
	}
}

// The published recordings: m and p as in their table, and both stand idle for
// longer than equal stages would.
func TestBubbleOfRecordings(t *testing.T) {
	for _, tt := range []struct {
		file string
		p, m int
	}{{"slow-worker.otlp.jsonl.gz", 4, 32}, {"stage-imbalance.otlp.jsonl.gz", 4, 4}} {
		b := BubbleOf(Scope{Run: load(t, tt.file).Runs[0]}, 0)
		t.Logf("%s: %+v", tt.file, b)
		if b.Stages != tt.p || b.Microbatches != tt.m || !(b.Observed > b.Expected) {
			t.Errorf("%s: %+v", tt.file, b)
		}
	}
}
