package tracescreen

import (
	"cmp"
	"slices"
	"sort"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// longestStep goes to the clean iteration that took the rank longest, of those
// whose spans are retained, and says how it compares.
func (m *Model) longestStep() tea.Cmd {
	c := m.content
	if c.in == nil || c.process < 0 {
		return nil
	}
	if len(c.steps) == 0 {
		m.note = "no step is finished yet"
		return nil
	}
	w, of, ok := slowestClean(c.in, c.process, c.steps)
	if !ok {
		m.note = "no clean iteration of this rank is retained"
		return nil
	}
	if at := stepAt(w); c.at == at && c.trace.IsZero() {
		m.note = "this is the slowest of " + draw.Plural(of, "clean iteration") + " retained"
		return nil
	}
	return m.goToSpot(stepAt(w))
}

// slowestClean is the longest of the steps of a process that are in step
// statistics and of which no span was evicted, and of how many; of equal ones the
// newest.
func slowestClean(r *store.Run, process int, steps []store.Window) (w store.Window, of int, ok bool) {
	clean := cleanSteps(r)
	first := sort.Search(len(steps), func(i int) bool { return !lostPart(r, process, steps[i].Start) }) // they are by start
	kept := slices.DeleteFunc(slices.Clone(steps[first:]), func(w store.Window) bool {
		return !clean[[2]int64{int64(w.Attempt), w.Iteration}]
	})
	if len(kept) == 0 {
		return w, 0, false
	}
	slices.Reverse(kept)
	return slices.MaxFunc(kept, func(a, b store.Window) int { return cmp.Compare(a.End-a.Start, b.End-b.Start) }), len(kept), true
}

// cleanSteps is the iterations that step statistics are made of, by attempt and
// iteration.
func cleanSteps(r *store.Run) map[[2]int64]bool {
	out := make(map[[2]int64]bool, len(r.Columns))
	why := analysis.Exclusions(r)
	for _, c := range r.Columns {
		out[[2]int64{int64(c.Attempt), c.Iteration}] = why(c) == ""
	}
	return out
}
