package analysis

import (
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// most is the largest of some values, NaN of none.
func most(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	return slices.Max(v)
}

// makeLanes replaces the workers by lanes: with only forward_backward known a
// slow stage makes all stages of its dp lane look slow, because each waits for
// it inside of that span.
func (q *inquiry) makeLanes() {
	stages := q.cohorts
	for _, c := range stages {
		c.measure()
	}
	at := map[int]*unit{}
	lanes := &cohort{limits: &q.view.limits, stage: run.Unknown}
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

// measureLane takes a lane's figures of a step: that of the stage that is held up
// most, each scaled by the median of its stage. A slow stage holds up those that
// wait for it to the end more than those that are done before it.
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
		l.c[s], l.w[s], l.t[s], l.meet[s] = most(cs), median(ws), median(ts), math.NaN()
	}
	l.summarize()
}
