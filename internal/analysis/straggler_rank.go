package analysis

import (
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// findRanks narrows workers down to a rank where its spans set it apart from its
// tensor- and context-parallel peers, and finds ranks whose peers do not feel
// them.
func (q *inquiry) findRanks() {
	if q.lanes {
		return
	}
	for _, c := range q.cohorts {
		for _, u := range c.units {
			if len(u.members) > 1 {
				q.findRank(c, u)
			}
		}
	}
}

func (q *inquiry) findRank(c *cohort, u *unit) {
	if !u.uneven {
		return
	}
	peers := &cohort{limits: c.limits, stage: c.stage}
	for _, m := range u.members {
		if r := q.view.frame().alone(u, m, q.view.members[m].coord); r.source == u.source && r.steps >= fewestSteps {
			peers.units = append(peers.units, r)
		}
	}
	at := apart(peers)
	if at < 0 {
		return
	}
	r := peers.units[at]
	peers.judge()
	if !(r.compute >= c.limits.StragglerRatio*c.compute) || zScale*(r.compute-c.compute)/c.spread <= c.limits.StragglerZ || c.waits(r) {
		return
	}
	worst, n := peers.mostIn(func(u *unit) []float64 { return u.c }, 0)
	if !persistent(worst[at], n, len(peers.units)) {
		return
	}
	if f := q.covering(u); f != nil {
		if f.kind == UnitWorker {
			f.kind, f.coord, f.members = UnitRank, r.coord, r.members
			r.ratio, r.z, r.score, r.gap, r.worst, r.last = r.compute/c.compute, zScale*(r.compute-c.compute)/c.spread, c.least()/r.compute, (c.wait-r.wait)/r.step, u.worst, u.last
			f.unit = r
		}
		return
	}
	if len(c.units) < smallCohort || q.sharedPosition(c, r) {
		return
	}
	r.ratio, r.z, r.score, r.gap = r.compute/c.compute, zScale*(r.compute-c.compute)/c.spread, c.least()/r.compute, (c.wait-r.wait)/r.step
	q.name(r, []Signal{Magnitude, Persistence})
}

// apart is the one of several peers that computes longer than all others by the
// ratio that matters; −1 for none.
func apart(peers *cohort) int {
	if len(peers.units) < 2 {
		return -1
	}
	order := slices.Clone(peers.units)
	slices.SortFunc(order, func(a, b *unit) int {
		switch {
		case a.compute > b.compute:
			return -1
		case a.compute < b.compute:
			return 1
		}
		return 0
	})
	if order[0].compute < peers.limits.StragglerRatio*order[1].compute {
		return -1
	}
	return slices.Index(peers.units, order[0])
}

// covering is what was found that contains a unit.
func (q *inquiry) covering(u *unit) *finding {
	for _, f := range q.found {
		if slices.Contains(f.units, u) {
			return f
		}
	}
	return nil
}

// sharedPosition reports whether the ranks at this tensor-parallel position are
// longest in most workers of the cohort: then the position has more to do by
// design, or a common cause.
func (q *inquiry) sharedPosition(c *cohort, r *unit) bool {
	alike := 0
	for _, u := range c.units {
		longest, at := 0.0, run.UnknownCoord()
		for _, m := range u.members {
			if x := q.view.frame().alone(u, m, q.view.members[m].coord); x.compute > longest {
				longest, at = x.compute, x.coord
			}
		}
		if at.TP == r.coord.TP && longest >= c.limits.StragglerRatio*u.compute {
			alike++
		}
	}
	return 2*alike > len(c.units)
}

// uneven reports whether one rank of a unit computes longer than all others by
// a ratio. It is asked of every worker, so it allocates next to
// nothing.
func (f *frame) uneven(u *unit, ratio float64) bool {
	most, second := 0.0, 0.0
	buf := make([]float64, 0, f.steps)
	for _, m := range u.members {
		buf = buf[:0]
		for s := range f.steps {
			at := s*f.members + m
			c := float64(f.compute[at])
			if u.source == FromWaits {
				c = float64(f.step[at]) - float64(f.wait[at])
			}
			buf = known(buf, c)
		}
		if x := median(buf); x > most {
			most, second = x, most
		} else if x > second {
			second = x
		}
	}
	return most >= ratio*second
}
