package analysis

import (
	"github.com/beamline-hpc/lensview/internal/store"
)

// Iterations counts the iterations of a run over its whole life. Each is counted
// once: Complete and the sum of Excluded make Seen.
type Iterations struct {
	First, Last int64 // as sent; valid when Seen > 0
	Seen        int   // distinct (attempt, iteration)
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

// CountIterations looks at every iteration of the run's window and at the
// account of those that left it. A reason that one rank gives holds for all: the
// ranks of a step wait for each other. A garbage collection excludes only when it
// takes more than 5 % of a step, and while fewer than half of the iterations have
// one; else it is a part of every step.
func CountIterations(r *store.Run) Iterations {
	it := Iterations{First: r.Seen.First, Last: r.Seen.Last, Seen: r.Seen.Seen, Excluded: map[string]int{}}
	flags := make([]store.CellFlags, len(r.Columns))
	collected := r.Seen.Gone.Collected()
	for i, c := range r.Columns {
		flags[i] = c.Reasons()
		if c.Collected() {
			collected++
		}
	}
	ordinary := 2*collected >= it.Seen
	for _, why := range reasons {
		it.Excluded[why.word] = r.Seen.Gone.Of(why.flag)
	}
	if ordinary {
		it.Excluded["gc"] = 0
	}
	for _, f := range flags {
		if word := firstReason(f, ordinary); word != "" {
			it.Excluded[word]++
		}
	}
	it.Complete = it.Seen
	for _, n := range it.Excluded {
		it.Complete -= n
	}
	return it
}

// firstReason is the word for the first reason that applies, "" for none.
func firstReason(flags store.CellFlags, gcIsOrdinary bool) string {
	for _, why := range reasons {
		if flags&why.flag != 0 && (why.flag != store.HasGC || !gcIsOrdinary) {
			return why.word
		}
	}
	return ""
}
