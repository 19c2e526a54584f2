package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// MetricView is what a chart shows of the points of a metric.
type MetricView string

// The views.
const (
	ViewValue        MetricView = "value"        // as sent
	ViewRate         MetricView = "rate"         // what was added a second
	ViewIncrement    MetricView = "increment"    // what was added since the point before
	ViewTotal        MetricView = "total"        // what was added in all
	ViewMean         MetricView = "mean"         // of the values behind a histogram point
	ViewDistribution MetricView = "distribution" // how those values lie
)

// MetricViews is how a metric can be looked at, the usual way first. A sum that
// does not say whether its points count on has one only: no rate can be made of
// it.
func MetricViews(m *store.Metric) []MetricView {
	switch ReadingOf(m) {
	case Increment:
		if !cumulative(m) { // one point says what was added, but not in which time
			return []MetricView{ViewIncrement, ViewRate, ViewTotal}
		}
		return []MetricView{ViewRate, ViewIncrement, ViewTotal}
	case RunningMean, WindowMean:
		return []MetricView{ViewDistribution, ViewMean}
	}
	switch m.Kind.String() {
	case "histogram", "exponential_histogram":
		return []MetricView{ViewDistribution, ViewMean}
	}
	return []MetricView{ViewValue}
}

// MetricUnit is the unit of a view's figures.
func MetricUnit(m *store.Metric, v MetricView) string {
	if v != ViewRate {
		return m.Unit
	}
	return m.Unit + "/s"
}

// MetricPoints is the kept points of a series in a view, in order of time. lost is
// how many are left out because their time cannot be one.
func MetricPoints(m *store.Metric, s *store.Series, v MetricView) (points []Point, lost int) {
	s, lost = inTime(s)
	switch v {
	case ViewRate:
		return ratePoints(m, s), lost
	case ViewIncrement:
		return ReadSeries(m, s), lost
	case ViewTotal:
		return totalPoints(m, s), lost
	}
	points = make([]Point, 0, len(s.Points))
	for _, p := range s.Points {
		points = append(points, pointOf(p))
	}
	return points, lost
}

// inTime is the series with its points in order of time. Points arrive late, and
// some have no time that can be.
func inTime(s *store.Series) (*store.Series, int) {
	odd := func(p store.MetricPoint) bool { return run.Sane(p.Time, p.Time) != 0 }
	byTime := func(a, b store.MetricPoint) int { return cmp.Compare(a.Time, b.Time) }
	if !slices.ContainsFunc(s.Points, odd) && slices.IsSortedFunc(s.Points, byTime) {
		return s, 0
	}
	c := *s
	c.Points = slices.DeleteFunc(slices.Clone(s.Points), odd)
	slices.SortStableFunc(c.Points, byTime)
	return &c, len(s.Points) - len(c.Points)
}

func cumulative(m *store.Metric) bool { return m.Temporality.String() == "cumulative" }

// ratePoints is the increments by the time in which they came. The first point of a
// series has no such time, nor has one that was sent twice.
func ratePoints(m *store.Metric, s *store.Series) []Point {
	inc := ReadSeries(m, s)
	out := inc[:0]
	before, known, k := uint64(0), false, 0
	for _, mp := range s.Points {
		raw := pointOf(mp)
		if raw.Marks == 0 && !known && cumulative(m) {
			known, before = true, raw.Time
			continue
		}
		p := inc[k]
		k++
		if p.Marks.Has(NotFinite | Gap) {
			out = append(out, p)
			continue
		}
		if known && p.Time > before {
			p.Value /= float64(p.Time-before) / 1e9
			out = append(out, p)
		}
		known, before = true, p.Time
	}
	return out
}

// totalPoints is what a running total says, and of a delta sum all that was added up
// to each point, what is no longer kept included.
func totalPoints(m *store.Metric, s *store.Series) []Point {
	out := make([]Point, 0, len(s.Points))
	sum := s.Roll.Sum
	for _, mp := range s.Points {
		p := pointOf(mp)
		out = append(out, p)
		if p.Marks == 0 {
			sum -= p.Value
		}
	}
	if cumulative(m) {
		markResets(out, s.ResetAt)
		return out
	}
	if math.Abs(sum) < 1e-9*math.Abs(s.Roll.Sum) { // nothing but rounding
		sum = 0
	}
	for i := range out {
		if out[i].Marks == 0 {
			sum += out[i].Value
			out[i].Value = sum
		}
	}
	return out
}

// markResets marks the points with which a running total began again.
func markResets(points []Point, at []uint64) {
	before := math.Inf(-1)
	for i := range points {
		p := &points[i]
		if p.Marks != 0 {
			continue
		}
		if p.Value < before || slices.Contains(at, p.Time) {
			p.Marks |= Reset
		}
		before = p.Value
	}
}
