package analysis

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/run"
)

// From fewer spans than these a percentile is marked few: it is little more than
// the maximum.
const (
	fewForP95 = 20
	fewForP99 = 100
)

// Stats are the duration statistics of a group of spans, in seconds. With N = 0
// every figure but Total is NaN. Always Min ≤ P50 ≤ P95 ≤ P99 ≤ Max.
type Stats struct {
	N                          uint64 // spans counted
	Truncated, Invalid, Errors uint64 // beside N; errors are counted in N too where they have a duration
	Mean, Min, Max, Total      float64
	P50, P95, P99              float64 // nearest rank; NaN when Sample is 0
	Sample                     uint64  // spans that the percentiles come from
	Approximate                bool    // percentiles come from a sketch: within 1 %
	Share                      float64 // of Table.ShareOf; NaN when that is nothing
}

// FewP95 reports that P95 comes from fewer than 20 spans.
func (s Stats) FewP95() bool { return s.Sample < fewForP95 }

// FewP99 reports that P99 comes from fewer than 100 spans.
func (s Stats) FewP99() bool { return s.Sample < fewForP99 }

// counts are exact roll-ups that can be added up.
type counts struct {
	n, truncated, invalid, errors uint64
	sum                           run.Sum
	min, max                      uint64
}

func (c *counts) add(o counts) {
	if o.n > 0 && (c.n == 0 || o.min < c.min) {
		c.min = o.min
	}
	c.max = max(c.max, o.max)
	c.n += o.n
	c.truncated += o.truncated
	c.invalid += o.invalid
	c.errors += o.errors
	c.sum.AddSum(o.sum)
}

// span adds one span by its marks; ns counts when it has a duration.
func (c *counts) span(marks run.Mark, ns uint64) {
	if marks.Has(run.Failed) {
		c.errors++
	}
	switch {
	case marks.Has(run.Truncated):
		c.truncated++
	case marks.Has(run.InvalidTime):
		c.invalid++
	case !marks.Has(run.NoDuration):
		var sum run.Sum
		sum.Add(ns)
		c.add(counts{n: 1, sum: sum, min: ns, max: ns})
	}
}

// stats are the figures of counts without percentiles.
func (c *counts) stats() Stats {
	none := math.NaN()
	s := Stats{
		N: c.n, Truncated: c.truncated, Invalid: c.invalid, Errors: c.errors,
		Mean: none, Min: none, Max: none, Total: c.sum.Seconds(),
		P50: none, P95: none, P99: none, Share: none,
	}
	if c.n > 0 {
		s.Mean = mean(c.sum, c.n)
		s.Min, s.Max = seconds(c.min), seconds(c.max)
	}
	return s
}

// setPercentiles writes percentiles in nanoseconds from n spans, held within the
// exact extremes.
func (s *Stats) setPercentiles(p percentiles[uint64], n uint64, approximate bool) {
	if n == 0 || s.N == 0 {
		return
	}
	hold := func(ns uint64) float64 { return min(max(seconds(ns), s.Min), s.Max) }
	s.P50, s.P95, s.P99 = hold(p.p50), hold(p.p95), hold(p.p99)
	s.Sample, s.Approximate = n, approximate
}

// mean divides before it scales, which keeps round figures round.
func mean(sum run.Sum, n uint64) float64 {
	if ns, ok := sum.Total(); ok {
		return float64(ns) / float64(n) / 1e9
	}
	return sum.Seconds() / float64(n)
}

func seconds(ns uint64) float64 { return float64(ns) / 1e9 }
