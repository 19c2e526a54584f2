package analysis

import (
	"fmt"
	"math"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// How a stall is told, beside run.Thresholds.
const (
	stallSteps    = 6  // from this iteration on the interval is known
	intervalSteps = 50 // columns of which the interval is the median
	intervalRanks = 16 // ranks whose own clocks tell it
)

// limit is after how many seconds without a finished iteration a run counts as
// stalled, and why.
func (v *view) limit(interval float64) (sec float64, why string) {
	l := &v.limits
	if n := v.finishedIterations(); n < stallSteps || math.IsNaN(interval) {
		return l.StallFirst, fmt.Sprintf("%s, before iteration %d of the attempt", durationText(l.StallFirst), stallSteps)
	}
	sec, why = l.StallLeast, durationText(l.StallLeast)+", the least"
	if x := l.StallFactor * interval; x > sec {
		sec, why = x, fmt.Sprintf("%g × the usual %s", l.StallFactor, durationText(interval))
	}
	if longest, what := v.longestBreak(); l.StallFactor*longest > sec && v.breakDue() {
		sec, why = l.StallFactor*longest, fmt.Sprintf("%g × the longest %s seen, %s", l.StallFactor, what, durationText(longest))
	}
	return sec, why
}

// finishedIterations counts the iterations of the latest attempt that some rank
// finished and that are still known.
func (v *view) finishedIterations() (n int) {
	for _, c := range v.attemptColumns() {
		if c.Seen > 0 {
			n++
		}
	}
	return n
}

// attemptColumns is the columns of the members' latest attempt.
func (v *view) attemptColumns() []*store.Column {
	at := v.attempt
	to := len(v.run.Columns)
	for to > 0 && v.run.Columns[to-1].Attempt > at {
		to--
	}
	from := to
	for from > 0 && v.run.Columns[from-1].Attempt == at {
		from--
	}
	return v.run.Columns[from:to]
}

// setAttempt finds the latest attempt that a member belongs to and has steps of.
func (v *view) setAttempt() {
	for _, m := range v.members {
		if p := v.run.Processes[m.process]; p.HasIteration {
			v.attempt = max(v.attempt, p.Attempt)
		}
	}
}

// interval is the usual time from the start of an iteration to that of the next
// that came, by the ranks' own clocks; NaN when unknown.
func (v *view) interval() float64 {
	cols := v.attemptColumns()
	cols = cols[max(0, len(cols)-intervalSteps):]
	var all []float64
	for i := 1; i < len(cols); i++ {
		all = known(all, v.between(cols[i-1], cols[i]))
	}
	return median(all)
}

// between is the time between the starts of two iterations: the median over some
// ranks.
func (v *view) between(a, b *store.Column) float64 {
	var all []float64
	stride := max(1, len(v.members)/intervalRanks)
	for i := 0; i < len(v.members); i += stride {
		x, inA := a.Cell(v.members[i].process)
		y, inB := b.Cell(v.members[i].process)
		if inA && inB {
			all = append(all, float64(b.Base-a.Base)/1e9+float64(y.Start)-float64(x.Start))
		}
	}
	return median(all)
}

const breaks = store.HasCheckpoint | store.HasEvaluate

// longestBreak is the longest time that an iteration with a checkpoint or an
// evaluation took until the next one, 0 when none was seen.
func (v *view) longestBreak() (longest float64, what string) {
	cols := v.attemptColumns()
	for i := 1; i < len(cols); i++ {
		flags := cols[i-1].Reasons() & breaks
		if flags == 0 {
			continue
		}
		if x := v.between(cols[i-1], cols[i]); x > longest {
			longest, what = x, "checkpoint"
			if flags&store.HasCheckpoint == 0 {
				what = "evaluation"
			}
		}
	}
	return longest, what
}

// breakDue reports whether a checkpoint or an evaluation may be going on: its
// span comes only when it is over. Where they came at even distances it is told by
// them, else it may always be.
func (v *view) breakDue() bool {
	cols := v.attemptColumns()
	if len(cols) == 0 {
		return false
	}
	last := cols[len(cols)-1]
	if last.Reasons()&breaks != 0 {
		return true
	}
	for _, flag := range []store.CellFlags{store.HasCheckpoint, store.HasEvaluate} {
		at := breakIterations(cols, flag)
		if len(at) > 0 && (!even(at) || due(at, last.Iteration) || due(at, last.Iteration+1)) {
			return true
		}
	}
	return false
}

// breakIterations is the iterations with a flag; of neighbours, which one break
// touches both, the first.
func breakIterations(cols []*store.Column, flag store.CellFlags) (at []int64) {
	for _, c := range cols {
		if c.Reasons()&flag == 0 {
			continue
		}
		if n := len(at); n > 0 && c.Iteration == at[n-1]+1 {
			continue
		}
		at = append(at, c.Iteration)
	}
	return at
}

// even reports whether there are three iterations or more at the same distance.
func even(at []int64) bool {
	if len(at) < 3 {
		return false
	}
	for i := 2; i < len(at); i++ {
		if at[i]-at[i-1] != at[1]-at[0] {
			return false
		}
	}
	return true
}

func due(at []int64, iteration int64) bool {
	return (iteration-at[0])%(at[1]-at[0]) == 0
}

// silenceLimit is how many seconds without anything make a process silent.
func silenceLimit(p *store.Process, limits *run.Thresholds) float64 {
	return max(limits.SilenceFactor*float64(p.PointEvery)/1e9, limits.StallLeast)
}

// durationText writes seconds for a person.
func durationText(sec float64) string {
	switch {
	case math.IsNaN(sec):
		return "–"
	case sec < .001:
		return fmt.Sprintf("%.0f µs", sec*1e6)
	case sec < 1:
		return fmt.Sprintf("%.0f ms", sec*1e3)
	case sec < 10:
		return fmt.Sprintf("%.1f s", sec)
	case sec < 600:
		return fmt.Sprintf("%.0f s", sec)
	case sec < 2*3600:
		return fmt.Sprintf("%.0f min", sec/60)
	}
	return fmt.Sprintf("%.0f h", sec/3600)
}
