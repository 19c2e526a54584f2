package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// group is units that share a host or a lane.
type group struct {
	kind  Unit
	host  string
	coord run.Coord
	units []*unit
}

// findGroups looks for hosts and lanes all of whose units are slow: several slow
// ones of a cohort hide in its median, so they are held against its lower
// quartile.
func (q *inquiry) findGroups() {
	if q.lanes {
		return
	}
	of := map[*unit]*cohort{}
	for _, c := range q.cohorts {
		for _, u := range c.units {
			of[u] = c
		}
	}
	for _, g := range append(q.hosts(), q.dpLanes()...) {
		if len(g.units) < 2 || !allSlow(g.units, of) || slices.ContainsFunc(g.units, q.covered) {
			continue
		}
		if signals := q.slowGroup(g, of); signals != nil {
			q.nameGroup(g, signals)
		}
	}
}

// allSlow reports whether every unit is slow against the lower quartile of its
// cohort.
func allSlow(units []*unit, of map[*unit]*cohort) bool {
	for _, u := range units {
		if !(u.compute >= of[u].limits.StragglerRatio*of[u].low) {
			return false
		}
	}
	return true
}

// hosts are the hosts that hold several units whole.
func (q *inquiry) hosts() []group {
	at := map[string]*group{}
	mixed := map[string]bool{}
	q.eachUnit(func(u *unit) {
		host := q.view.members[u.members[0]].host
		for _, m := range u.members {
			if h := q.view.members[m].host; h != host {
				mixed[h], mixed[host] = true, true
			}
		}
		if at[host] == nil {
			at[host] = &group{kind: UnitHost, host: host, coord: run.UnknownCoord()}
		}
		at[host].units = append(at[host].units, u)
	})
	var out []group
	for host, g := range at {
		if host != "" && !mixed[host] {
			out = append(out, *g)
		}
	}
	slices.SortFunc(out, func(a, b group) int { return cmp.Compare(a.host, b.host) })
	return out
}

// dpLanes are the lanes of several stages.
func (q *inquiry) dpLanes() []group {
	at := map[int]*group{}
	q.eachUnit(func(u *unit) {
		if u.coord.DP < 0 || u.coord.PP < 0 {
			return
		}
		g := at[u.coord.DP]
		if g == nil {
			g = &group{kind: UnitLane, coord: run.UnknownCoord()}
			g.coord.DP = u.coord.DP
			at[u.coord.DP] = g
		}
		g.units = append(g.units, u)
	})
	var out []group
	for _, g := range at {
		if len(g.units) == len(q.cohorts) { // slow in every stage
			out = append(out, *g)
		}
	}
	slices.SortFunc(out, func(a, b group) int { return cmp.Compare(a.coord.DP, b.coord.DP) })
	return out
}

func (q *inquiry) eachUnit(f func(*unit)) {
	for _, c := range q.cohorts {
		for _, u := range c.units {
			f(u)
		}
	}
}

// slowGroup is what speaks against a group, nil when it is not slow in every
// cohort that it has a part in.
func (q *inquiry) slowGroup(g group, of map[*unit]*cohort) []Signal {
	in := map[*cohort][]*unit{}
	for _, u := range g.units {
		in[of[u]] = append(in[of[u]], u)
	}
	persistence := true
	for c, slow := range in {
		ok, steady := c.slowPart(slow)
		if !ok {
			return nil
		}
		persistence = persistence && steady
	}
	if !persistence {
		return nil
	}
	return []Signal{Magnitude, Persistence}
}

// slowPart reports whether all of some units are slow against the lower quartile
// of their cohort, beyond what the others vary, and whether they hold the slowest
// in at least half of the steps.
func (c *cohort) slowPart(slow []*unit) (ok, steady bool) {
	if n := len(c.units) - len(slow); n == 0 || 4*n < len(c.units) {
		return false, false
	}
	spread := c.fastSpread()
	for _, u := range slow {
		if zScale*(u.compute-c.low)/spread <= c.limits.StragglerZ {
			return false, false
		}
	}
	others := c.without(slow)
	others.measure()
	if slices.ContainsFunc(slow, others.waits) {
		return false, false
	}
	return true, steadily(slow, others.units, (1+c.limits.StragglerRatio)/2)
}

// fastSpread is how much the units vary that are not slow against the lower
// quartile. It is the same whichever of the slow ones are asked about, so it is
// found out once.
func (c *cohort) fastSpread() float64 {
	if c.varies == 0 {
		var fast []float64
		for _, u := range c.units {
			if u.compute < c.limits.StragglerRatio*c.low {
				fast = append(fast, u.compute)
			}
		}
		c.varies = spreadAround(fast, c.low)
	}
	return c.varies
}

func (c *cohort) without(slow []*unit) *cohort {
	others := &cohort{limits: c.limits, stage: c.stage, units: make([]*unit, 0, len(c.units))}
	for _, u := range c.units {
		if !slices.Contains(slow, u) {
			others.units = append(others.units, u)
		}
	}
	return others
}

// steadily reports whether in at least half of the steps the middle of the slow
// is above the middle of the others by a ratio.
func steadily(slow, others []*unit, ratio float64) bool {
	above, n := 0, 0
	for s := range slow[0].c {
		a, b := middleOf(slow, s), middleOf(others, s)
		if math.IsNaN(a) || math.IsNaN(b) {
			continue
		}
		n++
		if a > ratio*b {
			above++
		}
	}
	return persistent(above, n, 2)
}

func middleOf(units []*unit, s int) float64 {
	v := make([]float64, 0, len(units))
	for _, u := range units {
		v = known(v, u.c[s])
	}
	return median(v)
}

// nameGroup takes a group in, by the figures of its slowest unit.
func (q *inquiry) nameGroup(g group, signals []Signal) {
	f := &finding{kind: g.kind, coord: g.coord, units: g.units, signals: signals}
	for _, u := range g.units {
		f.members = append(f.members, u.members...)
		if f.unit == nil || u.ratio > f.unit.ratio {
			f.unit = u
		}
	}
	f.coord = common(q.view.members, f.members)
	q.found = append(q.found, f)
	q.told = true
}
