package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// What decides on a straggler beside run.Thresholds. The modified z-score and the
// default of its limit are those of Iglewicz and Hoaglin (1993).
const (
	zScale      = 0.6745
	noiseFloor  = 0.005 // of the median: the least deviation that is more than rounding
	half        = 0.5
	chance      = 0.01 // how likely any unit of a cohort may be worst so often by chance
	smallCohort = 3    // from here on there is a z-score
)

// cohort is units that do the same work: the workers of one role and stage, or
// all lanes.
type cohort struct {
	limits  *run.Thresholds
	stage   int // pipeline coordinate, run.Unknown where not known or for lanes
	units   []*unit
	compute float64 // median over its units
	wait    float64
	low     float64 // lower quartile, by nearest rank
	spread  float64 // median absolute deviation, at least the floor
	varies  float64 // fastSpread, 0 before
}

// cohorts groups units by stage.
func cohorts(units []*unit, limits *run.Thresholds) []*cohort {
	at := map[int]*cohort{}
	var out []*cohort
	for _, u := range units {
		c := at[u.coord.PP]
		if c == nil {
			c = &cohort{limits: limits, stage: u.coord.PP}
			at[u.coord.PP] = c
			out = append(out, c)
		}
		c.units = append(c.units, u)
	}
	slices.SortFunc(out, func(a, b *cohort) int { return cmp.Compare(a.stage, b.stage) })
	return out
}

// comparable is the units with enough steps of the source that most have; the
// others cannot be compared with them.
func (c *cohort) comparable() (units []*unit, source ComputeSource, left int) {
	votes := map[ComputeSource]int{}
	for _, u := range c.units {
		if u.steps >= fewestSteps || u.source == FromNothing {
			votes[u.source]++
		}
	}
	for _, s := range []ComputeSource{FromMicrobatches, FromForwardBackward, FromNamedCompute, FromWaits} {
		if votes[s] > votes[source] || source == FromNothing && votes[s] > 0 {
			source = s
		}
	}
	for _, u := range c.units {
		if u.source == source && u.steps >= fewestSteps && u.compute > 0 {
			units = append(units, u)
		}
	}
	return units, source, len(c.units) - len(units)
}

// measure works out the middle and the spread.
func (c *cohort) measure() {
	v := c.values(func(u *unit) float64 { return u.compute })
	c.wait = median(c.values(func(u *unit) float64 { return u.wait }))
	c.compute = median(slices.Clone(v))
	c.spread, c.varies = spreadAround(v, c.compute), 0
	slices.Sort(v)
	c.low = math.NaN()
	if len(v) > 0 {
		c.low = v[rankOf(25, len(v))-1]
	}
}

func (c *cohort) values(of func(*unit) float64) []float64 {
	v := make([]float64, 0, len(c.units))
	for _, u := range c.units {
		v = known(v, of(u))
	}
	return v
}

// spreadAround is the median absolute deviation from a middle, at least the
// floor.
func spreadAround(v []float64, middle float64) float64 {
	d := make([]float64, len(v))
	for i, x := range v {
		d[i] = math.Abs(x - middle)
	}
	return max(median(d), noiseFloor*middle)
}

// judge writes every unit's figures against the cohort.
func (c *cohort) judge() {
	c.measure()
	least := c.least() // once: a cohort may be all ranks of a large job
	for _, u := range c.units {
		u.ratio = u.compute / c.compute
		if len(c.units) >= smallCohort {
			u.z = zScale * (u.compute - c.compute) / c.spread
		}
		u.gap = (c.wait - u.wait) / u.step
		u.score = least / u.compute
	}
	worst, n := c.mostIn(func(u *unit) []float64 { return u.c }, 0)
	for i, u := range c.units {
		u.worst = float64(worst[i]) / float64(max(n, 1))
	}
}

func (c *cohort) least() float64 {
	least := math.Inf(1)
	for _, u := range c.units {
		least = min(least, u.compute)
	}
	return least
}

// mostIn counts in how many of n steps each unit was alone at the top, by more
// than margin. Steps in which less than four fifths of the units are there do not
// count.
func (c *cohort) mostIn(of func(*unit) []float64, margin float64) (top []int, n int) {
	top = make([]int, len(c.units))
	if len(c.units) == 0 {
		return top, 0
	}
	for s := range of(c.units[0]) {
		best, second, at, there := math.Inf(-1), math.Inf(-1), -1, 0
		for i, u := range c.units {
			x := of(u)[s]
			switch {
			case math.IsNaN(x):
				continue
			case x > best:
				best, second, at = x, best, i
			case x > second:
				second = x
			}
			there++
		}
		if there < 2 || 5*there < 4*len(c.units) {
			continue
		}
		n++
		if best > second+margin {
			top[at]++
		}
	}
	return top, n
}

// persistent reports whether being on top in count of n steps is at least half
// of them, and not what chance gives one of the units.
func persistent(count, n, units int) bool {
	return n > 0 && 2*count >= n && float64(units)*binomialTail(n, count, 1/float64(units)) <= chance
}

// binomialTail is the probability of at least k successes in n trials.
func binomialTail(n, k int, p float64) float64 {
	sum := 0.0
	for i := k; i <= n; i++ {
		sum += math.Exp(logChoose(n, i) + float64(i)*math.Log(p) + float64(n-i)*math.Log1p(-p))
	}
	return sum
}

func logChoose(n, k int) float64 {
	lg := func(x int) float64 { v, _ := math.Lgamma(float64(x + 1)); return v }
	return lg(n) - lg(k) - lg(n-k)
}
