package analysis

import (
	"cmp"
	"math"
	"slices"
)

// rankOf is the nearest rank of a percentile among n sorted values, 1 … n:
// ⌈percent·n/100⌉. n must not be 0.
func rankOf(percent, n int) int {
	return min(max((percent*n+99)/100, 1), n)
}

// percentiles are the nearest-rank percentiles that every table shows, in the
// unit of the values.
type percentiles[T cmp.Ordered] struct{ p50, p95, p99 T }

// selectPercentiles reorders v, which must not be empty. It takes O(n).
func selectPercentiles[T cmp.Ordered](v []T) percentiles[T] {
	a, b, c := rankOf(50, len(v))-1, rankOf(95, len(v))-1, rankOf(99, len(v))-1
	nth(v, a)
	nth(v[a:], b-a)
	nth(v[b:], c-b)
	return percentiles[T]{v[a], v[b], v[c]}
}

// smallSort is the length below which sorting beats selecting.
const smallSort = 64

// nth reorders v so that v[k] is what it would be if v were sorted, with nothing
// greater before and nothing smaller after it. The pivot is a median of three
// medians; adversarial input falls back to sorting.
func nth[T cmp.Ordered](v []T, k int) {
	for budget := 64; len(v) > smallSort && budget > 0; budget-- {
		lo, hi := partition(v, pivot(v))
		switch {
		case k < lo:
			v = v[:lo]
		case k >= hi:
			v, k = v[hi:], k-hi
		default:
			return
		}
	}
	slices.Sort(v)
}

// partition splits v into smaller than, equal to (lo … hi) and greater than x.
func partition[T cmp.Ordered](v []T, x T) (lo, hi int) {
	hi = len(v)
	for i := 0; i < hi; {
		switch c := v[i]; {
		case c < x:
			v[i], v[lo] = v[lo], c
			lo++
			i++
		case c > x:
			hi--
			v[i], v[hi] = v[hi], c
		default:
			i++
		}
	}
	return lo, hi
}

func pivot[T cmp.Ordered](v []T) T {
	n := len(v)
	third := func(at int) T { return median3(v[at], v[at+n/9], v[at+2*n/9]) }
	return median3(third(0), third(n/3), third(2*n/3))
}

func median3[T cmp.Ordered](a, b, c T) T {
	return max(min(a, b), min(max(a, b), c))
}

// median is the middle value, for an even number the mean of the two in the
// middle: what medians over few ranks or steps need. It reorders v; NaN for
// none.
func median(v []float64) float64 {
	if len(v) == 0 {
		return math.NaN()
	}
	k := len(v) / 2
	nth(v, k)
	if len(v)%2 == 1 {
		return v[k]
	}
	return (slices.Max(v[:k]) + v[k]) / 2
}
