package analysis

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/run"
)

// makeLanes replaces the workers by lanes: with only forward_backward known a
// slow stage makes all stages of its dp lane look slow, because each waits for
// it inside of that span.
func (q *inquiry) makeLanes() {
	stages := q.cohorts
	for _, c := range stages {
		c.measure()
	}
	at := map[int]*unit{}
	lanes := &cohort{stage: run.Unknown}
	for _, c := range stages {
		for _, u := range c.units {
			l := at[u.coord.DP]
			if l == nil {
				coord := run.UnknownCoord()
				coord.DP = u.coord.DP
				l = &unit{kind: UnitLane, coord: coord, source: u.source}
				at[u.coord.DP] = l
				lanes.units = append(lanes.units, l)
			}
			l.members = append(l.members, u.members...)
		}
	}
	for _, l := range lanes.units {
		q.measureLane(l, stages)
	}
	q.cohorts, q.lanes = []*cohort{lanes}, true
}

// measureLane takes a lane's figures of a step: the median over its stages, each
// scaled by the median of its stage.
func (q *inquiry) measureLane(l *unit, stages []*cohort) {
	n := q.view.frame().steps
	l.room(n)
	scale := 0.0
	for _, c := range stages {
		scale += c.compute / float64(len(stages))
	}
	for s := range n {
		var cs, ws, ts []float64
		for _, c := range stages {
			for _, u := range c.units {
				if u.coord.DP == l.coord.DP {
					cs, ws, ts = known(cs, u.c[s]/c.compute*scale), known(ws, u.w[s]), known(ts, u.t[s])
				}
			}
		}
		l.c[s], l.w[s], l.t[s], l.meet[s] = median(cs), median(ws), median(ts), math.NaN()
	}
	l.summarize()
}
