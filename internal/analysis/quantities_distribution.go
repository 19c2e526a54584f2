package analysis

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/store"
)

// Distribution is how the values behind histogram points lie, from their
// buckets. What buckets cannot tell is NaN.
type Distribution struct {
	Count         uint64
	Mean          float64 // exact: the sums over the counts
	Min, Max      float64 // as sent, or as the buckets bound them
	P50, P95, P99 float64 // between the bounds of their bucket: see Quantile
	Series        int     // that are in it
	LeftOut       int     // series whose buckets contradict themselves, were not kept, or do not fit the others

	buckets []bucket
}

// bucket holds n values in (low, high]; open ends are infinite.
type bucket struct {
	low, high float64
	n         uint64
}

// Quantile is the q-quantile by nearest rank: a place within the bucket of that
// rank, and the bucket's bounds, narrowed by the smallest and largest value where
// they were sent. All are NaN when there are no values; the place is NaN when its
// bucket is open.
func (d *Distribution) Quantile(q float64) (value, low, high float64) {
	none := math.NaN()
	if d == nil || d.Count == 0 || len(d.buckets) == 0 {
		return none, none, none
	}
	rank := uint64(min(max(math.Ceil(q*float64(d.Count)), 1), float64(d.Count)))
	for _, b := range d.buckets {
		if rank > b.n {
			rank -= b.n
			continue
		}
		low, high = d.bound(b)
		if math.IsInf(low, 0) || math.IsInf(high, 0) {
			return none, low, high
		}
		return low + (high-low)*(float64(rank)-0.5)/float64(b.n), low, high
	}
	return none, none, none
}

// bound narrows a bucket by the extremes that were sent.
func (d *Distribution) bound(b bucket) (low, high float64) {
	low, high = b.low, b.high
	if !math.IsNaN(d.Min) && d.Min > low {
		low = min(d.Min, high)
	}
	if !math.IsNaN(d.Max) && d.Max < high {
		high = max(d.Max, low)
	}
	return low, high
}

// distributionOf is the newest points of a metric's series as one distribution,
// nil when the metric has none. Of a cumulative metric it is all values since the
// processes began, of a delta one those of the last interval.
func distributionOf(sc Scope, m *store.Metric, scale float64) *Distribution {
	var all []Spread
	leftOut := 0
	for _, s := range m.Series {
		if !sc.process(s.Process) {
			continue
		}
		sp, ok := SpreadOf(m, s)
		if ok {
			all = append(all, sp)
		} else {
			leftOut++
		}
	}
	if len(all) == 0 {
		return nil
	}
	d := Together(all, scale)
	d.LeftOut += leftOut
	return d
}

// MetricDistribution is the distribution of a metric over the series of the
// processes that the filter lets through; nil for gauges, sums and metrics
// without a kept point.
func MetricDistribution(sc Scope, m *store.Metric) *Distribution {
	switch m.Kind.String() {
	case "histogram", "exponential_histogram", "summary":
		return distributionOf(sc, m, 1)
	}
	return nil
}

// Together adds spreads up. Scale turns their values into another unit.
func Together(all []Spread, scale float64) *Distribution {
	d := &Distribution{Mean: math.NaN(), Min: math.NaN(), Max: math.NaN(), Series: len(all)}
	sum, hasSum, hasMin, hasMax := 0.0, true, true, true
	for i := range all {
		s := &all[i]
		if s.Count == 0 {
			continue
		}
		d.Count += s.Count
		sum += s.Sum
		hasSum, hasMin, hasMax = hasSum && s.HasSum, hasMin && s.HasMin, hasMax && s.HasMax
		d.Min, d.Max = lower(d.Min, s.Min), higher(d.Max, s.Max)
	}
	if !hasMin {
		d.Min = math.NaN()
	}
	if !hasMax {
		d.Max = math.NaN()
	}
	if d.Count > 0 && hasSum {
		d.Mean = sum / float64(d.Count) * scale
	}
	d.Min, d.Max = d.Min*scale, d.Max*scale
	d.merge(all, scale)
	d.P50, _, _ = d.Quantile(0.50)
	d.P95, _, _ = d.Quantile(0.95)
	d.P99, _, _ = d.Quantile(0.99)
	return d
}
