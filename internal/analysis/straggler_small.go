package analysis

import (
	"math"
)

// findSmall judges a cohort of two. Without a third to tell which is usual, the
// slower is named only when it is slow against the faster and the same two lanes
// do not differ alike in the other stages.
func (q *inquiry) findSmall(c *cohort) {
	slow, fast := 0, 1
	if c.units[1].compute > c.units[0].compute {
		slow, fast = 1, 0
	}
	u, ratio := c.units[slow], c.units[slow].compute/c.units[fast].compute
	if ratio < c.limits.StragglerRatio {
		q.told = true
		return
	}
	if q.covered(u) {
		return
	}
	elsewhere := q.elsewhere(c, u, c.units[fast])
	if math.IsNaN(elsewhere) {
		q.cannot("%s: only two %ss, of which one computes %.2f times as long: which of them is usual cannot be told", c.name(), c.unit(), ratio)
		return
	}
	q.told = true
	signals := q.signals(c, slow)
	if ratio/elsewhere < c.limits.StragglerRatio || c.waits(u) || len(signals) < 2 {
		q.cannot("%s: only two %ss, of which one computes %.2f times as long, but not steadily or not in this stage alone", c.name(), c.unit(), ratio)
		return
	}
	q.name(u, signals)
}

// elsewhere is the same ratio between the same two lanes in the other stages:
// their median, NaN without any.
func (q *inquiry) elsewhere(c *cohort, slow, fast *unit) float64 {
	var ratios []float64
	for _, o := range q.cohorts {
		if o == c || len(o.units) < 2 {
			continue
		}
		var a, b float64
		for _, u := range o.units {
			switch u.coord.DP {
			case slow.coord.DP:
				a = u.compute
			case fast.coord.DP:
				b = u.compute
			}
		}
		if a > 0 && b > 0 {
			ratios = append(ratios, a/b)
		}
	}
	return median(ratios)
}
