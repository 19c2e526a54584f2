package analysis

import (
	"cmp"
	"math"
	"slices"
)

// A sustained shift: two adjacent windows whose medians differ by at least
// run.Thresholds.Shift and of which a two-sided rank test says, at 1 %, that they do not come from one
// distribution.
const (
	shiftWindow = 20
	shiftP      = 0.01
)

// shiftAt is a shift at a place of a series.
type shiftAt struct {
	Shift
	at int
}

// shifts finds the sustained shifts of a series. Windows that overlap see the
// same shift, so of neighbours the one with the smallest p counts, and of equal
// ones the largest change.
func shifts(v []float64, least float64) []shiftAt {
	var out []shiftAt
	for i := shiftWindow; i+shiftWindow <= len(v); i++ {
		s, ok := shiftHere(v, i, least)
		switch last := len(out) - 1; {
		case !ok:
		case last >= 0 && i-out[last].at < shiftWindow:
			if s.beats(out[last]) {
				out[last] = s
			}
		default:
			out = append(out, s)
		}
	}
	return out
}

func (s shiftAt) beats(o shiftAt) bool {
	return s.P < o.P || s.P == o.P && math.Abs(s.Change) > math.Abs(o.Change)
}

func shiftHere(v []float64, i int, least float64) (shiftAt, bool) {
	a, b := v[i-shiftWindow:i], v[i:i+shiftWindow]
	s := shiftAt{at: i, Shift: Shift{Before: medianOf(a), After: medianOf(b)}}
	if s.Before <= 0 {
		return s, false
	}
	if s.Change = s.After/s.Before - 1; math.Abs(s.Change) < least {
		return s, false
	}
	s.P = rankTest(a, b)
	return s, s.P < shiftP
}

// rankTest is the two-sided p-value of the Mann–Whitney U test, by the normal
// approximation with correction for ties and continuity (Mann and Whitney 1947;
// Lehmann, Nonparametrics, 1.2). 1 when all values are equal or a side is empty.
func rankTest(a, b []float64) float64 {
	type obs struct {
		v     float64
		first bool
	}
	all := make([]obs, 0, len(a)+len(b))
	for _, x := range a {
		all = append(all, obs{x, true})
	}
	for _, x := range b {
		all = append(all, obs{x, false})
	}
	slices.SortFunc(all, func(x, y obs) int { return cmp.Compare(x.v, y.v) })
	sum, ties := 0.0, 0.0
	for i := 0; i < len(all); {
		j := i
		for j < len(all) && all[j].v == all[i].v {
			j++
		}
		t := float64(j - i)
		ties += t*t*t - t
		for k := i; k < j; k++ {
			if all[k].first {
				sum += float64(i+j+1) / 2 // the mean of ranks i+1 … j
			}
		}
		i = j
	}
	n, m := float64(len(a)), float64(len(b))
	u := sum - n*(n+1)/2
	variance := n * m / 12 * (n + m + 1 - ties/((n+m)*(n+m-1)))
	if !(variance > 0) {
		return 1
	}
	z := max(math.Abs(u-n*m/2)-0.5, 0) / math.Sqrt(variance)
	return math.Erfc(z / math.Sqrt2)
}
