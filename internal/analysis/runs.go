package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// State is a first word about a run, from receive times alone. It is no verdict:
// it says whether data come, not whether the training is well.
type State string

// The states.
const (
	Live     State = "live"     // something came within the last LiveFor seconds
	Idle     State = "idle"     // nothing came lately, and nothing says that the run is over
	Ended    State = "ended"    // nothing came lately, and the last that came were the spans that a shutdown cuts off
	Recorded State = "recorded" // read from a file whose "now" is the senders' clock
)

// LiveFor is for how many seconds a run counts as live after something came.
const LiveFor = 30

// RunRow is one row of the table of runs.
type RunRow struct {
	ID, Service, User, Job string
	State                  State
	Quiet                  float64 // seconds since anything came, NaN when unknown
	Presence               Presence
	Processes              int
	Attempts               int
	Iteration              int64 // the furthest of any rank
	HasIteration           bool
	StepP50                float64 // median over the last steps of the median rank; NaN for none
	Pace                   Pace
	Series                 []float64 // the median rank's step seconds, oldest first; NaN where excluded
	Spans                  uint64
	Truncated              uint64
	Errors                 uint64
	Warnings               int // notices above info
	Critical               int
}

// SeriesLength is how many iterations RunRow.Series has at most.
const SeriesLength = 60

// Runs lists the runs that the filter lets through, the one with the latest
// activity first. matches may be nil.
func Runs(s *store.Snapshot, matches func(*store.Run) bool) []RunRow {
	type row struct {
		RunRow
		last int64
	}
	var rows []row
	for _, r := range s.Runs {
		if matches == nil || matches(r) {
			rows = append(rows, row{runRow(s, r), r.Last})
		}
	}
	slices.SortStableFunc(rows, func(a, b row) int {
		return cmp.Or(cmp.Compare(b.last, a.last), cmp.Compare(a.ID, b.ID))
	})
	out := make([]RunRow, len(rows))
	for i := range rows {
		out[i] = rows[i].RunRow
	}
	return out
}

func runRow(s *store.Snapshot, r *store.Run) RunRow {
	row := RunRow{
		ID: r.ID, Service: r.Service, User: r.User, Job: r.Job,
		Quiet: age(s, r.Last), State: StateOf(s, r), Presence: MainRole(r),
		Processes: len(r.Processes), Attempts: len(r.Attempts),
		Spans: r.Accounts[run.Traces].Kept + r.Accounts[run.Traces].Evicted, Truncated: r.Truncated, Errors: r.Errors,
		Series: Series(r, SeriesLength),
	}
	for _, p := range r.Processes {
		if p.HasIteration && p.Attempt == len(r.Attempts)-1 {
			row.Iteration, row.HasIteration = max(row.Iteration, p.Iteration), true
		}
	}
	row.StepP50 = stepP50(row.Series)
	row.Pace = paceOf(s, r, row.StepP50)
	for _, n := range append(r.Notices[:len(r.Notices):len(r.Notices)], CardinalityNotices(s, r)...) {
		if n.Level >= run.Warning {
			row.Warnings++
		}
		if n.Level >= run.Critical {
			row.Critical++
		}
	}
	return row
}

// StateOf is the state of a run.
func StateOf(s *store.Snapshot, r *store.Run) State {
	quiet := age(s, r.Last)
	switch {
	case s.Clock == store.SenderClock:
		return Recorded
	case quiet < LiveFor:
		return Live
	case flushed(r):
		return Ended
	}
	return Idle
}

// flushed reports whether every process of the latest attempt that stands on the
// grid was cut off in order: truncated spans are sent only by a shutdown, and no
// span came long after.
func flushed(r *store.Run) bool {
	found := false
	for _, p := range r.Processes {
		if !p.Grid || p.Attempt != len(r.Attempts)-1 {
			continue
		}
		if p.Truncated == 0 {
			return false
		}
		found = true
	}
	return found
}

// Series is the step time of the median rank for each of the last n iterations
// of the latest attempt, in seconds; NaN where the iteration is excluded from
// step statistics.
func Series(r *store.Run, n int) []float64 {
	cols := lastColumns(r, n)
	out := make([]float64, 0, n)
	for _, c := range cols {
		if c.Attempt == cols[len(cols)-1].Attempt {
			out = append(out, columnMedian(c, len(r.Processes)))
		}
	}
	return out
}

func columnMedian(c *store.Column, processes int) float64 {
	var v []float64
	for p := range min(c.Len(), processes) {
		if cell, ok := c.Cell(p); ok && cell.Flags&excluded == 0 {
			v = known(v, float64(cell.Step))
		}
	}
	return median(v)
}

// Summary is the state of a run in words: "idle for 4 min".
func (r RunRow) Summary() string {
	if r.State != Idle || math.IsNaN(r.Quiet) {
		return string(r.State)
	}
	return fmt.Sprintf("idle for %s", span(uint64(r.Quiet*1e9)))
}
