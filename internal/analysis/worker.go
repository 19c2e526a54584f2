package analysis

import (
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// unit is what is compared with its like: a worker, a rank, or a lane. Its
// figures of a step are the medians over its ranks.
type unit struct {
	kind    Unit
	coord   run.Coord
	members []int // of the view
	source  ComputeSource
	uneven  bool // one of its ranks computes longer than the others

	c, w, t, meet []float64 // by step; NaN where it has none
	steps         int       // of them that have compute

	compute, wait, step float64 // medians over the steps
	ratio, z, gap       float64 // against its cohort; NaN where there is none
	score               float64
	worst, last         float64 // shares of steps
}

// units groups the members into workers: all ranks of one stage and dp lane, or
// each rank alone where that is not known.
func (v *view) units() []*unit {
	if v.made != nil {
		return v.made
	}
	at := map[run.Coord]*unit{}
	for i, m := range v.members {
		key := run.UnknownCoord()
		key.PP, key.DP = m.coord.PP, m.coord.DP
		u := at[key]
		if u == nil || key.PP < 0 || key.DP < 0 {
			u = &unit{kind: UnitWorker, coord: key}
			if key.PP < 0 || key.DP < 0 {
				u.kind, u.coord = UnitRank, m.coord
			}
			at[key] = u
			v.made = append(v.made, u)
		}
		u.members = append(u.members, i)
	}
	f := v.frame()
	inParts(len(v.made), func(from, to int) {
		for _, u := range v.made[from:to] {
			f.measure(u)
			u.uneven = len(u.members) > 1 && f.uneven(u, v.limits.StragglerRatio)
		}
	})
	return v.made
}

// measure fills in a unit's figures from those of its ranks.
func (f *frame) measure(u *unit) {
	u.source = f.sourceOf(u.members)
	u.room(f.steps)
	var buf [3][]float64
	for s := range f.steps {
		for i := range buf {
			buf[i] = buf[i][:0]
		}
		for _, m := range u.members {
			at := s*f.members + m
			c, w, t := float64(f.compute[at]), float64(f.wait[at]), float64(f.step[at])
			if u.source == FromWaits {
				c = t - w
			}
			buf[0], buf[1], buf[2] = known(buf[0], c), known(buf[1], w), known(buf[2], t)
		}
		u.c[s], u.w[s], u.t[s], u.meet[s] = median(buf[0]), median(buf[1]), median(buf[2]), math.NaN()
		if u.source == FromNothing {
			u.c[s] = math.NaN()
		}
	}
	u.summarize()
}

// room makes the figures by step.
func (u *unit) room(steps int) {
	all := make([]float64, 4*steps)
	u.c, u.w, u.t, u.meet = all[:steps:steps], all[steps:2*steps:2*steps], all[2*steps:3*steps:3*steps], all[3*steps:]
}

// sourceOf is from which spans the compute of ranks comes: the finest that all
// have.
func (f *frame) sourceOf(members []int) ComputeSource {
	level, waits := store.Microbatch, false
	for _, m := range members {
		if f.present[m] == 0 {
			continue
		}
		level = min(level, f.level[m])
		for s := range f.steps {
			waits = waits || f.wait[s*f.members+m] > 0
		}
	}
	switch {
	case level > store.NoCompute:
		return [...]ComputeSource{FromNothing, FromNamedCompute, FromForwardBackward, FromMicrobatches}[level]
	case waits:
		return FromWaits
	}
	return FromNothing
}

// summarize takes the medians over the steps.
func (u *unit) summarize() {
	u.steps = 0
	for _, c := range u.c {
		if !math.IsNaN(c) {
			u.steps++
		}
	}
	u.compute, u.wait, u.step = medianKnown(u.c), medianKnown(u.w), medianKnown(u.t)
	u.ratio, u.z, u.gap, u.score = math.NaN(), math.NaN(), math.NaN(), math.NaN()
	u.worst, u.last = math.NaN(), math.NaN()
}

// medianKnown is the median of what is not NaN. It leaves v as it is.
func medianKnown(v []float64) float64 {
	return median(slices.DeleteFunc(slices.Clone(v), math.IsNaN))
}

// alone is a unit of one member of u.
func (f *frame) alone(u *unit, member int, coord run.Coord) *unit {
	r := &unit{kind: UnitRank, coord: coord, members: []int{member}}
	f.measure(r)
	return r
}
