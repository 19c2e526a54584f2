package analysis

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// The bootstrap: so many replicates from a fixed seed, so that the same data give
// the same answer.
const (
	replicates    = 2000
	bootstrapSeed = 20260101
)

// draws makes replicates of the median of one side. Iterations that follow each
// other are alike, so they are drawn in blocks (circular block bootstrap, Politis
// and Romano 1992, blocks of ∛n); workers of another start of the same job would be
// other ones, so they are drawn too, by how they stand against their stage.
type draws struct {
	m       *measured
	dice    *rand.Rand
	scratch []float64
	block   int
	middle  float64 // of the workers
	wider   float64
}

func newDraws(m *measured, side uint64) *draws {
	n := len(m.steps)
	return &draws{
		m: m, dice: rand.New(rand.NewPCG(bootstrapSeed, side)),
		block:  max(1, int(math.Round(math.Cbrt(float64(n))))),
		middle: medianOf(m.workers), wider: fewCorrection(len(m.workers)),
	}
}

// fewCorrection widens what a bootstrap of few draws makes too narrow: √(n/(n−1))
// for the variance, and about the ratio of Student's quantile to the normal one
// for the percentiles (Hesterberg 2015, "What Teachers Should Know About the
// Bootstrap", 4).
func fewCorrection(n int) float64 {
	if n < 2 {
		return 1
	}
	free := float64(n - 1)
	return math.Sqrt(float64(n)/free) * (1 + 1.5/free)
}

// next is the median over redrawn iterations, and the median over redrawn
// workers, which is NaN with fewer than two.
func (d *draws) next() (steps, workers float64) {
	v := d.scratch[:0]
	n := len(d.m.steps)
	for len(v) < n {
		at := d.dice.IntN(n)
		for k := 0; k < d.block && len(v) < n; k++ {
			v = append(v, d.m.steps[(at+k)%n])
		}
	}
	steps = median(v)
	d.scratch = v
	workers = math.NaN()
	if w := len(d.m.workers); w > 1 {
		v = v[:0]
		for range w {
			v = append(v, d.middle+d.wider*(d.m.workers[d.dice.IntN(w)]-d.middle))
		}
		workers = median(v)
		d.scratch = v
	}
	return steps, workers
}

// changeSpread is the intervals of a statistic of both sides: of 95 %, which is shown,
// and a wider one, which judges. Of many phases one in twenty lies outside of its
// own 95 % by chance alone, so that which judges is of 95 % for all of them
// together (Bonferroni).
type changeSpread struct{ low, high, widerLow, widerHigh float64 }

// redrawnSpread draws the replicates of a statistic that is one of so many.
func redrawnSpread(a, b *measured, among int, of func(a, b *draws) float64) changeSpread {
	da, db := newDraws(a, 1), newDraws(b, 2)
	v := make([]float64, 0, replicates)
	for range replicates {
		if x := of(da, db); !math.IsNaN(x) && !math.IsInf(x, 0) {
			v = append(v, x)
		}
	}
	if len(v) < replicates/2 {
		return changeSpread{math.NaN(), math.NaN(), math.NaN(), math.NaN()}
	}
	slices.Sort(v)
	cut := func(tail float64) (low, high float64) {
		n := float64(len(v) - 1)
		return v[int(math.Floor(tail*n))], v[int(math.Ceil((1-tail)*n))]
	}
	var s changeSpread
	s.low, s.high = cut(0.025)
	s.widerLow, s.widerHigh = cut(0.025 / float64(max(among, 1)))
	return s
}

// compareValues fills in the figures of a difference of ratios.
func compareValues(d Difference, a, b *measured, among int, limits *run.Thresholds) Difference {
	d.A, d.B = medianOf(a.steps), medianOf(b.steps)
	d.Change, d.Low, d.High, d.Level = math.NaN(), math.NaN(), math.NaN(), Same
	if !(d.A > 0) || !(d.B >= 0) {
		return d
	}
	d.Change = d.B/d.A - 1
	wa, wb := medianOf(a.workers), medianOf(b.workers)
	s := redrawnSpread(a, b, among, func(x, y *draws) float64 { return redrawn(y, wb)/redrawn(x, wa) - 1 })
	d.Low, d.High = s.low, s.high
	d.Level = s.judge(d.Change, limits.ChangeModerate, limits.ChangeMaterial, among)
	return d
}

// redrawn is a replicate of the median: that over the iterations, moved as the
// workers moved.
func redrawn(d *draws, workers float64) float64 {
	v, w := d.next()
	if workers > 0 && !math.IsNaN(w) {
		v *= w / workers
	}
	if d.m.uneven > 0 {
		v = max(v+d.m.uneven*d.dice.NormFloat64(), 0)
	}
	return v
}

// compareShares is the shift of one class's share; a side without it has 0.
func compareShares(class string, a, b *measured, among int, limits *run.Thresholds) ShareShift {
	s := ShareShift{Class: class, Level: Same, Low: math.NaN(), High: math.NaN()}
	if a == nil {
		a = &measured{steps: make([]float64, 1)}
	}
	if b == nil {
		b = &measured{steps: make([]float64, 1)}
	}
	s.A, s.B = medianOf(a.steps), medianOf(b.steps)
	s.Change = s.B - s.A
	wa, wb := orZero(medianOf(a.workers)), orZero(medianOf(b.workers))
	sp := redrawnSpread(a, b, among, func(x, y *draws) float64 {
		va, ua := x.next()
		vb, ub := y.next()
		return vb + orZero(ub) - wb - va - orZero(ua) + wa
	})
	s.Low, s.High = sp.low, sp.high
	s.Level = sp.judge(s.Change, limits.ShareModerate, limits.ShareMaterial, among)
	return s
}

func orZero(v float64) float64 {
	if math.IsNaN(v) {
		return 0
	}
	return v
}
