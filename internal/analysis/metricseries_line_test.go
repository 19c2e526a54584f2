package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
)

// TestWeaveAgreesWithLookingEachTime compares the lines of a group, made in one
// pass over each series, with the newest point of every series looked up anew at
// every time.
func TestWeaveAgreesWithLookingEachTime(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for range 30 {
		f := newFeed(t)
		for rank := range 2 + r.IntN(5) {
			var points []otlp.DataPoint
			at := r.IntN(5)
			for range 1 + r.IntN(30) {
				v := float64(r.IntN(100))
				if r.IntN(10) == 0 {
					v = math.NaN()
				}
				points = append(points, pt(at, v))
				at += 1 + r.IntN(4) + 40*(r.IntN(15)/14)
			}
			f.points(trainer(rank, 8), gauge("m"), points...)
		}
		g := f.chart(MetricQuery{Name: "m", By: ByAll}).Groups[0]
		lines := g.Lines(false)
		hold := uint64(staleAfter * float64(usualInterval(g.series)))
		for i, p := range lines[0].Points {
			want := naiveAt(g, p.Time, hold)
			for k, v := range []float64{median(append([]float64(nil), want...)), minOf(want), maxOf(want)} {
				if got := lines[k].Points[i].Value; got != v && !(math.IsNaN(got) && math.IsNaN(v)) {
					t.Fatalf("%s at %d s: %g, want %g of %v", lines[k].Name, (p.Time-t0)/sec, got, v, want)
				}
			}
		}
	}
}

// naiveAt is the values that series have at a time: that of the newest point, if it
// is not stale and a number.
func naiveAt(g *MetricGroup, at, hold uint64) (out []float64) {
	for _, s := range g.series {
		newest := Point{}
		points, _ := MetricPoints(g.metric, s, g.view)
		for _, p := range points {
			if p.Time <= at {
				newest = p
			}
		}
		if newest.Time > 0 && at-newest.Time <= hold && newest.Marks == 0 {
			out = append(out, newest.Value)
		}
	}
	return out
}

func minOf(v []float64) float64 {
	low := math.NaN()
	for _, x := range v {
		low = lower(low, x)
	}
	return low
}

func maxOf(v []float64) float64 {
	high := math.NaN()
	for _, x := range v {
		high = higher(high, x)
	}
	return high
}
