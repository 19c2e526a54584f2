package analysis

import (
	"math"
	"strconv"
)

// clocks is the fitted clock offsets of the members' hosts. Ranks of a
// synchronous step end it together, so what their clocks say of its end differs
// by the clocks.
type clocks struct {
	offset   []float64 // by member, seconds to take off
	residual float64   // what the fit leaves: median of the deviations
	trusted  bool      // the residual is small against the step
}

// mostResiduals is about how many deviations are looked at.
const mostResiduals = 1 << 14

// mostResidual is the share of a step beyond which what clocks say is not used.
const mostResidual = 0.01

// fitClocks fits one offset to each host.
func (v *view) fitClocks() clocks {
	f := v.frame()
	deviation := f.endDeviations()
	byHost := map[string][]int{}
	for i, m := range v.members {
		byHost[hostKey(m)] = append(byHost[hostKey(m)], i)
	}
	middle := make(map[string]float64, len(byHost))
	var buf []float64
	for host, members := range byHost {
		buf = buf[:0]
		for _, m := range members {
			for s := range f.steps {
				buf = known(buf, deviation[s*f.members+m])
			}
		}
		middle[host] = median(buf)
	}
	k := clocks{offset: make([]float64, f.members)}
	for i, m := range v.members {
		k.offset[i] = middle[hostKey(m)]
	}
	k.residual = f.residual(deviation, k.offset)
	k.trusted = k.residual <= mostResidual*f.medianStep()
	return k
}

func hostKey(m member) string {
	if m.host == "" {
		return "rank " + strconv.Itoa(m.rank)
	}
	return m.host
}

// endDeviations is by how much each rank's step ends after the median rank's, by
// its own clock.
func (f *frame) endDeviations() []float64 {
	out := make([]float64, f.steps*f.members)
	var ends []float64
	for s := range f.steps {
		row := out[s*f.members : (s+1)*f.members]
		ends = ends[:0]
		for m := range row {
			row[m] = float64(f.start[s*f.members+m]) + float64(f.step[s*f.members+m])
			ends = known(ends, row[m])
		}
		middle := median(ends)
		for m := range row {
			row[m] -= middle
		}
	}
	return out
}

func (f *frame) residual(deviation, offset []float64) float64 {
	stride := max(1, len(deviation)/mostResiduals) | 1 // odd: not in step with the ranks of a host
	left := make([]float64, 0, len(deviation)/stride+1)
	for i := 0; i < len(deviation); i += stride {
		left = known(left, math.Abs(deviation[i]-offset[i%f.members]))
	}
	return median(left)
}

func (f *frame) medianStep() float64 {
	v := make([]float64, 0, len(f.step))
	for _, t := range f.step {
		v = known(v, float64(t))
	}
	return median(v)
}

// arrivals corrects when units began the step's last wait.
func (v *view) arrivals(units []*unit, k clocks) {
	f := v.frame()
	var buf []float64
	for _, u := range units {
		for s := range f.steps {
			buf = buf[:0]
			for _, m := range u.members {
				buf = known(buf, float64(f.meet[s*f.members+m])-k.offset[m])
			}
			u.meet[s] = median(buf)
		}
	}
}
