package analysis

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/store"
)

// Pace is how long ago a run finished an iteration, beside how long one usually
// takes. It is no verdict: data of other kinds may go on.
type Pace struct {
	Since float64 // seconds since any rank finished an iteration, by the receiver's clock; NaN when none did
	Usual float64 // median step of the median rank over the last steps, seconds; NaN when unknown
	Late  bool    // the next iteration is overdue
}

// paceSteps is from how many iterations on the usual step tells when the next one
// is late, by the thresholds of a stall: before, the first ones compile, capture and
// warm up.
const paceSteps = stallSteps

// PaceOf is the pace of the latest attempt of a run.
func PaceOf(s *store.Snapshot, r *store.Run) Pace {
	return paceOf(s, r, stepP50(Series(r, DefaultSteps)))
}

func paceOf(s *store.Snapshot, r *store.Run, usual float64) Pace {
	p := Pace{Since: math.NaN(), Usual: usual}
	var last int64
	for _, q := range r.Processes {
		if q.HasIteration && q.Attempt == len(r.Attempts)-1 {
			last = max(last, q.IterationAt)
		}
	}
	p.Since = age(s, last)
	if math.IsNaN(p.Since) || s.Clock == store.SenderClock {
		return p
	}
	l := r.Thresholds.Filled()
	limit := l.StallFirst
	if len(lastOf(r, paceSteps)) == paceSteps {
		limit = l.StallLeast
		if !math.IsNaN(usual) {
			limit = math.Max(limit, l.StallFactor*usual)
		}
	}
	p.Late = p.Since > limit
	return p
}

// lastOf is the last n columns of the latest attempt, fewer when there are not
// so many.
func lastOf(r *store.Run, n int) []*store.Column {
	from := len(r.Columns)
	for from > 0 && len(r.Columns)-from < n && r.Columns[from-1].Attempt == len(r.Attempts)-1 {
		from--
	}
	return r.Columns[from:]
}

// stepP50 is the median of the newest steps of a series.
func stepP50(series []float64) float64 {
	var clean []float64
	for _, v := range series[max(0, len(series)-DefaultSteps):] {
		clean = known(clean, v)
	}
	return median(clean)
}
