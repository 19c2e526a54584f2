package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/store"
)

// Spread is one histogram point: its figures and buckets, from low to high. A
// point without usable buckets has none.
type Spread struct {
	Count                  uint64
	Sum, Min, Max          float64
	HasSum, HasMin, HasMax bool
	buckets                []bucket
}

// SpreadOf is the newest point of a series of a histogram; ok is false when it
// was not kept or contradicts itself.
func SpreadOf(m *store.Metric, s *store.Series) (sp Spread, ok bool) {
	d, kept, err := m.Distribution(s)
	if !kept || err != nil {
		return Spread{}, false
	}
	sp = Spread{Count: d.Count, Sum: d.Sum, Min: d.Min, Max: d.Max, HasSum: d.HasSum, HasMin: d.HasMin, HasMax: d.HasMax}
	if !sp.HasMin {
		sp.Min = math.NaN()
	}
	if !sp.HasMax {
		sp.Max = math.NaN()
	}
	b := d.Buckets
	switch m.Kind.String() {
	case "histogram":
		sp.buckets = explicit(b.Bounds, b.Counts)
	case "exponential_histogram":
		e := exponential{scale: b.Scale, zero: b.ZeroCount, threshold: b.ZeroThreshold}
		sp.buckets = e.buckets(b.Negative.Offset, b.Negative.Counts, b.Positive.Offset, b.Positive.Counts)
	}
	return sp, true
}

// WindowOf is what came between the last two points of a cumulative histogram
// with bounds; after a reset it is the newest point. ok is false when that cannot
// be told.
func WindowOf(m *store.Metric, s *store.Series) (sp Spread, ok bool) {
	sp, ok = SpreadOf(m, s)
	before, kept, err := m.Before(s)
	if !ok || !kept || err != nil || m.Kind.String() != "histogram" {
		return Spread{}, false
	}
	old := explicit(before.Buckets.Bounds, before.Buckets.Counts)
	if resetBetween(sp, before.Count, old) || len(s.ResetAt) > 0 && s.ResetAt[len(s.ResetAt)-1] > before.Time {
		return sp, true
	}
	if len(old) != len(sp.buckets) {
		return Spread{}, false
	}
	sp.Count, sp.Sum = sp.Count-before.Count, sp.Sum-before.Sum
	sp.HasMin, sp.HasMax, sp.Min, sp.Max = false, false, math.NaN(), math.NaN() // of the whole, not of the window
	for i := range old {
		sp.buckets[i].n -= old[i].n
	}
	return sp, true
}

func resetBetween(now Spread, count uint64, old []bucket) bool {
	if now.Count < count {
		return true
	}
	for i := range min(len(old), len(now.buckets)) {
		if now.buckets[i].n < old[i].n {
			return true
		}
	}
	return false
}

// Counts are the numbers of values by bucket, from low to high.
func (s *Spread) Counts() []uint64 {
	out := make([]uint64, len(s.buckets))
	for i, b := range s.buckets {
		out[i] = b.n
	}
	return out
}

// explicit is the buckets of a histogram with bounds. One count without bounds
// holds everything.
func explicit(bounds []float64, counts []uint64) []bucket {
	out := make([]bucket, len(counts))
	for i, n := range counts {
		out[i] = bucket{math.Inf(-1), math.Inf(1), n}
		if i > 0 {
			out[i].low = bounds[i-1]
		}
		if i < len(bounds) {
			out[i].high = bounds[i]
		}
	}
	return out
}

// exponential is the shape of an exponential histogram: bucket i of a side holds
// values in (base^i, base^(i+1)] with base = 2^(2^−scale).
type exponential struct {
	scale     int32
	zero      uint64
	threshold float64
}

func (e exponential) bound(i int64) float64 {
	return math.Exp2(float64(i) * math.Exp2(-float64(e.scale)))
}

func (e exponential) buckets(negOffset int32, neg []uint64, posOffset int32, pos []uint64) []bucket {
	var out []bucket
	for i := len(neg) - 1; i >= 0; i-- {
		if at := int64(negOffset) + int64(i); neg[i] > 0 {
			out = append(out, bucket{-e.bound(at + 1), -e.bound(at), neg[i]})
		}
	}
	if e.zero > 0 {
		out = append(out, bucket{-e.threshold, e.threshold, e.zero})
	}
	for i, n := range pos {
		if at := int64(posOffset) + int64(i); n > 0 {
			out = append(out, bucket{e.bound(at), e.bound(at + 1), n})
		}
	}
	return out
}

// merge puts the buckets of several points together. Buckets of equal bounds add
// up; those that overlap, as of exponential histograms of different scales, become
// one that holds both, because nothing tells where in it their values are.
func (d *Distribution) merge(all []Spread, scale float64) {
	var sorted []bucket
	for i := range all {
		for _, b := range all[i].buckets {
			if b.n > 0 {
				sorted = append(sorted, bucket{b.low * scale, b.high * scale, b.n})
			}
		}
	}
	slices.SortFunc(sorted, func(a, b bucket) int {
		return cmp.Or(cmp.Compare(a.low, b.low), cmp.Compare(a.high, b.high))
	})
	for _, b := range sorted {
		if k := len(d.buckets) - 1; k >= 0 && d.buckets[k].overlaps(b) {
			d.buckets[k].high = max(d.buckets[k].high, b.high)
			d.buckets[k].n += b.n
			continue
		}
		d.buckets = append(d.buckets, b)
	}
	if d.total() != d.Count { // some point sent no buckets
		d.buckets = nil
	}
}

func (d *Distribution) total() (n uint64) {
	for _, b := range d.buckets {
		n += b.n
	}
	return n
}

// overlaps reports whether a bucket that does not begin before b may hold values
// of both. Bounds of different scales that mean the same differ by rounding.
func (b bucket) overlaps(o bucket) bool {
	const rounding = 1e-12
	return o.low == b.low && o.high == b.high || o.low < b.high-rounding*math.Abs(b.high)
}
