package analysis

import (
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/store"
)

// MetricLine is one line of a group's chart. A point over several series is
// marked when one of them is.
type MetricLine struct {
	Name   string // "" for a single series, else median, min, max or sum
	Points []Point
}

// Lines is the group as lines, the one that matters first: of one series its
// points; of several, at regular times, the median with the smallest and the
// largest, or the sum.
func (g *MetricGroup) Lines(sum bool) []MetricLine {
	if len(g.series) == 1 {
		points, _ := MetricPoints(g.metric, g.series[0], g.view)
		return []MetricLine{{Points: points}}
	}
	w := newWeave(g)
	if sum {
		return []MetricLine{{"sum", w.line(addedUp)}}
	}
	return []MetricLine{{"median", w.line(median)}, {"min", w.line(slices.Min[[]float64])}, {"max", w.line(slices.Max[[]float64])}}
}

func addedUp(v []float64) (sum float64) {
	for _, x := range v {
		sum += x
	}
	return sum
}

// Spread is the newest points of the group's histograms as one distribution; with
// window, what came between the last two points of each. nil when neither can be
// told.
func (g *MetricGroup) Spread(window bool) *Distribution {
	if window {
		return together(g.metric, g.series, WindowOf)
	}
	return spreadOf(g.metric, g.series)
}

// weaveLength is how many times a line over several series has.
const weaveLength = 240

// weave is several series at common times. Ranks do not send at the same moment:
// at each time a series has its newest point, for as long as that is not stale.
type weave struct {
	times  []uint64
	values [][]float64 // by time; sorting them is harmless
	marks  []PointMark
}

// staleAfter is for how many usual intervals a point holds.
const staleAfter = 2.5

func newWeave(g *MetricGroup) *weave {
	w := &weave{}
	if g.From == 0 {
		return w
	}
	step := usualInterval(g.series)
	if room := (g.To - g.From) / (weaveLength - 1); step < room {
		step = room
	}
	hold := uint64(staleAfter * float64(step))
	n := (g.To-g.From)/step + 1
	w.times, w.values, w.marks = make([]uint64, n), make([][]float64, n), make([]PointMark, n)
	for i := range w.times {
		w.times[i] = g.To - (n-1-uint64(i))*step
	}
	for _, s := range g.series {
		points, _ := MetricPoints(g.metric, s, g.view)
		w.add(points, hold)
	}
	return w
}

// usualInterval is the usual time between two points of a series, at least 1 ns.
func usualInterval(series []*store.Series) uint64 {
	var v []float64
	for _, s := range series {
		if n := len(s.Points); n > 1 && s.Points[n-1].Time > s.Points[0].Time {
			v = append(v, float64(s.Points[n-1].Time-s.Points[0].Time)/float64(n-1))
		}
	}
	if len(v) == 0 {
		return 1e9
	}
	return max(1, uint64(math.Ceil(median(v))))
}

func (w *weave) add(points []Point, hold uint64) {
	k := -1
	for i, t := range w.times {
		for k+1 < len(points) && points[k+1].Time <= t {
			k++
			w.marks[i] |= points[k].Marks
		}
		if k < 0 || t-points[k].Time > hold || points[k].Marks.Has(NotFinite|Gap) {
			continue
		}
		w.values[i] = append(w.values[i], points[k].Value)
	}
}

// line puts the values of each time together. Where no series has one the line is
// broken.
func (w *weave) line(of func([]float64) float64) []Point {
	out := make([]Point, len(w.times))
	for i, v := range w.values {
		out[i] = Point{Time: w.times[i], Marks: w.marks[i], Value: math.NaN()}
		if len(v) > 0 {
			out[i].Value = of(v)
		}
	}
	return out
}
