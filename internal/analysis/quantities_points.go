package analysis

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Point is one point of a series as it is drawn.
type Point struct {
	Time  uint64    // unix ns, sender clock
	Value float64   // NaN at a gap; NaN or infinite where NotFinite is marked
	Marks PointMark // what is special about it
}

// PointMark are facts about a point.
type PointMark uint8

// The marks.
const (
	NotFinite PointMark = 1 << iota // the sender sent NaN or an infinity (in a line over ranks: one of them did)
	Gap                             // "no recorded value"
	Reset                           // the series began again with this point
)

// Has reports whether any mark of m is set.
func (k PointMark) Has(m PointMark) bool { return k&m != 0 }

// Reading is what the points of a series are.
type Reading uint8

// The readings.
const (
	Level       Reading = iota // the value at a moment: gauges, totals that go up and down
	Increment                  // what was added since the point before
	RunningMean                // the mean of all values since the process began: cumulative histograms
	WindowMean                 // the mean of the values since the point before: delta histograms
	Unspecified                // a sum that does not say whether it counts on: no rate can be made
)

// String is the word on screen.
func (r Reading) String() string {
	return [...]string{"value", "increment", "running mean", "mean", "unspecified"}[min(r, Unspecified)]
}

// ReadingOf is how the points of a metric are read.
func ReadingOf(m *store.Metric) Reading {
	cumulative, delta := m.Temporality.String() == "cumulative", m.Temporality.String() == "delta"
	switch m.Kind.String() {
	case "gauge":
		return Level
	case "sum":
		switch {
		case delta, cumulative && m.Monotonic:
			return Increment
		case cumulative:
			return Level
		}
		return Unspecified
	case "summary":
		return RunningMean
	}
	switch {
	case cumulative:
		return RunningMean
	case delta:
		return WindowMean
	}
	return Unspecified
}

// ReadSeries is the kept points of a series as they are drawn. Of a running total
// it is the increments: at a reset, which a later start time or a fall tells, what
// was counted since, never a negative number. The first point of a running total
// has none, so there is one less.
func ReadSeries(m *store.Metric, s *store.Series) []Point {
	if ReadingOf(m) == Increment && m.Temporality.String() == "cumulative" {
		return increments(s)
	}
	out := make([]Point, 0, len(s.Points))
	for _, p := range s.Points {
		out = append(out, pointOf(p))
	}
	return out
}

func pointOf(p store.MetricPoint) Point {
	out := Point{Time: p.Time, Value: p.Value}
	switch {
	case p.Gap():
		out.Value, out.Marks = math.NaN(), Gap
	case math.IsNaN(p.Value) || math.IsInf(p.Value, 0):
		out.Marks = NotFinite
	}
	return out
}

func increments(s *store.Series) []Point {
	resets := map[uint64]bool{}
	for _, at := range s.ResetAt {
		resets[at] = true
	}
	var out []Point
	before, known := 0.0, false
	for _, mp := range s.Points {
		p := pointOf(mp)
		if p.Marks != 0 {
			out = append(out, p)
			continue
		}
		total := p.Value
		switch {
		case !known:
			known, before = true, total
			continue
		case resets[p.Time] || total < before:
			p.Marks = Reset
		default:
			p.Value = total - before
		}
		before = total
		out = append(out, p)
	}
	return out
}

// PointStats are figures over points. Those that are not finite are counted and
// kept out of the others; with Finite = 0 every figure is NaN.
type PointStats struct {
	Finite, NotFinite, Gaps, Resets int
	Min, Max, Mean, Sum             float64
	Last                            float64 // the newest value; NaN or infinite when that is what was sent
	LastTime                        uint64  // 0 for none
}

func statsOf(points []Point) PointStats {
	s := PointStats{Min: math.NaN(), Max: math.NaN(), Mean: math.NaN(), Last: math.NaN()}
	for _, p := range points {
		s.point(p)
	}
	if s.Finite > 0 {
		s.Mean = s.Sum / float64(s.Finite)
	}
	return s
}

func (s *PointStats) point(p Point) {
	if p.Marks.Has(Reset) {
		s.Resets++
	}
	if p.Marks.Has(Gap) {
		s.Gaps++
		return
	}
	t := p.Time
	if run.Beyond(t) {
		t = 1 // older than any that can be true
	}
	if t >= s.LastTime {
		s.Last, s.LastTime = p.Value, t
	}
	if p.Marks.Has(NotFinite) {
		s.NotFinite++
		return
	}
	s.Min, s.Max = lower(s.Min, p.Value), higher(s.Max, p.Value)
	s.Finite++
	s.Sum += p.Value
}

// add puts the figures of another series to these. The zero value has none.
func (s *PointStats) add(o PointStats) {
	if s.Finite == 0 {
		s.Min, s.Max, s.Mean = math.NaN(), math.NaN(), math.NaN()
	}
	if s.LastTime == 0 {
		s.Last = math.NaN()
	}
	s.Finite, s.NotFinite, s.Gaps, s.Resets = s.Finite+o.Finite, s.NotFinite+o.NotFinite, s.Gaps+o.Gaps, s.Resets+o.Resets
	s.Sum += o.Sum
	if o.Finite > 0 {
		s.Min, s.Max, s.Mean = lower(s.Min, o.Min), higher(s.Max, o.Max), s.Sum/float64(s.Finite)
	}
	if o.LastTime > s.LastTime {
		s.Last, s.LastTime = o.Last, o.LastTime
	}
}
