package analysis

import (
	"github.com/beamline-hpc/lensview/internal/store"
)

// Iterations counts the iterations of a run. Each is counted once: Complete and
// the sum of Excluded make Looked. A run keeps a window of iterations: where
// Looked is less than Seen, the rest is no longer there to be looked at.
type Iterations struct {
	First, Last int64 // as sent; valid when Seen > 0
	Seen        int   // distinct (attempt, iteration) over the run's life
	Looked      int
	Complete    int
	Excluded    map[string]int // by the first reason that applies; all reasons are there
}

// reasons are the reasons for which an iteration is in no step statistic, in the
// order in which they apply.
var reasons = [...]struct {
	flag store.CellFlags
	word string
}{
	{store.FirstOfAttempt, "first"},
	{store.HasCheckpoint, "checkpoint"},
	{store.HasEvaluate, "evaluate"},
	{store.HasGraphCapture, "graph_capture"},
	{store.HasGC, "gc"},
	{store.Skipped, "skipped"},
	{store.StepTruncated, "truncated"},
}

// CountIterations looks at every iteration of the run's window. A reason that
// one rank gives holds for all: the ranks of a step wait for each other.
func CountIterations(r *store.Run) Iterations {
	it := Iterations{First: r.Seen.First, Last: r.Seen.Last, Seen: r.Seen.Seen, Excluded: map[string]int{}}
	for _, why := range reasons {
		it.Excluded[why.word] = 0
	}
	flags := make([]store.CellFlags, len(r.Columns))
	collected := 0
	for i, c := range r.Columns {
		flags[i] = columnFlags(c, len(r.Processes))
		if flags[i]&store.HasGC != 0 {
			collected++
		}
	}
	for i := range r.Columns {
		it.add(flags[i], 2*collected < len(r.Columns))
	}
	return it
}

// columnFlags is what any rank says of an iteration.
func columnFlags(c *store.Column, processes int) store.CellFlags {
	var flags store.CellFlags
	for p := range min(c.Len(), processes) {
		if cell, ok := c.Cell(p); ok {
			flags |= cell.Flags
		}
	}
	return flags
}

// add counts one iteration. Garbage collections exclude only while fewer than
// half of the iterations have one; else they are a part of every step.
func (it *Iterations) add(flags store.CellFlags, gcCounts bool) {
	it.Looked++
	for _, why := range reasons {
		if flags&why.flag != 0 && (why.flag != store.HasGC || gcCounts) {
			it.Excluded[why.word]++
			return
		}
	}
	it.Complete++
}
