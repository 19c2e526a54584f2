package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// seriesOf is the series of a metric, of the processes that the filter lets
// through, by rank. Points are in the unit of the quantity.
func seriesOf(sc Scope, m *store.Metric, scale float64) []QuantitySeries {
	var out []QuantitySeries
	for _, s := range m.Series {
		if !sc.process(s.Process) {
			continue
		}
		s = timely(s)
		points := ReadSeries(m, s)
		for i := range points {
			points[i].Value *= scale
		}
		q := newSeries(sc.Run, s.Process, points)
		q.Total = totalOf(m, s) * scale
		for _, a := range s.Attrs {
			q.Label += fmt.Sprintf(" · %s=%s", a.Key, a.Value.String())
		}
		out = append(out, q)
	}
	slices.SortStableFunc(out, compareSeries)
	return out
}

// timely is the series in order of time, without what has no time that can be; as
// it is when that is all of it.
func timely(s *store.Series) *store.Series {
	if t, odd := inTime(s); odd < len(s.Points) {
		return t
	}
	return s
}

func newSeries(r *store.Run, process int, points []Point) QuantitySeries {
	id := r.Processes[process].ID
	q := QuantitySeries{Process: process, Rank: id.Rank, Label: id.Host, Points: points, Total: math.NaN(), PointStats: statsOf(points)}
	if id.Rank != run.Unknown {
		q.Label = fmt.Sprintf("rank %d", id.Rank)
	} else if q.Label == "" {
		q.Label = fmt.Sprintf("process %d", process)
	}
	return q
}

func compareSeries(a, b QuantitySeries) int {
	return cmp.Or(cmp.Compare(unknownLast(a.Rank), unknownLast(b.Rank)), cmp.Compare(a.Process, b.Process), cmp.Compare(a.Label, b.Label))
}

// totalOf is what a counter has counted, over its resets as far as they are
// kept; NaN for what does not count.
func totalOf(m *store.Metric, s *store.Series) float64 {
	switch {
	case ReadingOf(m) != Increment || s.Roll.Finite == 0:
		return math.NaN()
	case m.Temporality.String() == "delta":
		return s.Roll.Sum
	}
	total := firstOf(s)
	for _, p := range increments(s) {
		if !p.Marks.Has(NotFinite | Gap) {
			total += p.Value
		}
	}
	return total
}

// firstOf is the first finite value that is kept: what was counted before the
// first increment.
func firstOf(s *store.Series) float64 {
	for _, mp := range s.Points {
		if p := pointOf(mp); p.Marks == 0 {
			return p.Value
		}
	}
	return 0
}

// lineLength is how many points a line over several ranks has at most, the
// newest.
const lineLength = 240

// lineOf is one line over all series: that of the only one, else for every
// export interval the median, or the largest, of the ranks. A point that is not
// finite on any rank is marked.
func lineOf(series []QuantitySeries, largest bool) ([]Point, string) {
	switch len(series) {
	case 0:
		return nil, ""
	case 1:
		return series[0].Points, series[0].Label
	}
	word := "median"
	if largest {
		word = "largest"
	}
	ranks := map[int]bool{}
	for _, s := range series {
		ranks[s.Process] = true
	}
	return newBuckets(series).line(largest), fmt.Sprintf("%s of %s ranks", word, thousands(len(ranks)))
}

// timeBuckets are the points of several series by export interval: ranks do not
// send at the same moment.
type timeBuckets struct {
	origin, width uint64
	values        [][]float64
	marks         []PointMark
}

func newBuckets(series []QuantitySeries) *timeBuckets {
	low, high := uint64(math.MaxUint64), uint64(0)
	for _, s := range series {
		for _, p := range s.Points {
			if run.Sane(p.Time, p.Time) == 0 {
				low, high = min(low, p.Time), max(high, p.Time)
			}
		}
	}
	b := &timeBuckets{origin: low, width: max(intervalOf(series), 1)}
	if low > high {
		return b
	}
	n := (high-low)/b.width + 1
	if n > lineLength {
		b.origin += (n - lineLength) * b.width
		n = lineLength
	}
	b.values, b.marks = make([][]float64, n), make([]PointMark, n)
	for _, s := range series {
		for _, p := range s.Points {
			b.add(p)
		}
	}
	return b
}

// intervalOf is the usual time between two points of a series: the median over
// series of the mean.
func intervalOf(series []QuantitySeries) uint64 {
	var v []float64
	for _, s := range series {
		if n := len(s.Points); n > 1 && s.Points[n-1].Time > s.Points[0].Time {
			v = append(v, float64(s.Points[n-1].Time-s.Points[0].Time)/float64(n-1))
		}
	}
	if len(v) == 0 {
		return 1e9
	}
	return uint64(math.Ceil(median(v)))
}

func (b *timeBuckets) add(p Point) {
	if p.Time < b.origin || run.Sane(p.Time, p.Time) != 0 {
		return
	}
	i := (p.Time - b.origin) / b.width
	b.marks[i] |= p.Marks
	if !p.Marks.Has(NotFinite | Gap) {
		b.values[i] = append(b.values[i], p.Value)
	}
}

func (b *timeBuckets) line(largest bool) []Point {
	var out []Point
	for i, v := range b.values {
		p := Point{Time: b.origin + uint64(i)*b.width, Marks: b.marks[i] &^ Gap, Value: math.NaN()}
		switch {
		case len(v) == 0 && b.marks[i] == 0:
			continue
		case len(v) == 0 && !p.Marks.Has(NotFinite):
			p.Marks |= Gap
		case len(v) > 0 && largest:
			p.Value = slices.Max(v)
		case len(v) > 0:
			p.Value = median(v)
		}
		out = append(out, p)
	}
	return out
}
