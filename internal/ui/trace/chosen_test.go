package tracescreen

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// Ranks that were chosen elsewhere stand beside each other, of the same iteration.
func TestChosenRanksBesideEachOther(t *testing.T) {
	s := uitest.Store(t, uitest.Training{Run: "r", Ranks: 16, Steps: 3, Slow: 5})
	m := open(t, s, "rank in (1,5,12)")
	uitest.Settle(m, m.SetTarget(screen.Target{Run: "r", Process: 1, HasProcess: true, Iteration: 2, HasIteration: true, Lanes: true}))
	if got := names(m); got != "[rank 1]\n[rank 5]\n[rank 12]\n" {
		t.Errorf("lanes:\n%s", got)
	}
	if view := text(m); !strings.Contains(view, "iteration 2") || !strings.Contains(view, "3 ranks") {
		t.Errorf("the title does not say so:\n%s", view)
	}
	for i := range m.content.lanes {
		if l := &m.content.lanes[i]; !l.there || l.at.iteration != 2 || len(l.tree.Nodes) != 3 {
			t.Errorf("lane %d: iteration %d, %d spans", i, l.at.iteration, len(l.tree.Nodes))
		}
	}
}

// Without another rank to show, lanes are one rank, as before.
func TestOneChosenRank(t *testing.T) {
	s := uitest.Store(t, uitest.Training{Run: "r", Ranks: 8, Steps: 3, Slow: 5})
	m := open(t, s, "rank in (5)")
	uitest.Settle(m, m.SetTarget(screen.Target{Run: "r", Process: 5, HasProcess: true, Lanes: true}))
	if len(m.content.lanes) != 1 || m.focusName() != "megatron.train.iteration" {
		t.Errorf("%d lanes, on %q", len(m.content.lanes), m.focusName())
	}
}
