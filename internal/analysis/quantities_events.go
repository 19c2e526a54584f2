package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// eventPoints is what the span events of training reports say, by the name of
// the source: the objective that is reported most often, and the numerics.
// Events are kept with their spans, so these are of the retained ones.
func eventPoints(sc Scope) map[string][]QuantitySeries {
	objectives := map[string]*eventSeries{}
	numerics := map[string]*eventSeries{}
	for _, c := range sc.Run.Chunks {
		c.EachEvent(objectiveEvent, func(row int, e run.Event) {
			if sc.span(c, row) {
				collectEvent(objectives, last(e.Attrs, objectiveName).String(), c.Process(row), e.Time, last(e.Attrs, objectiveValue))
			}
		})
		c.EachEvent(numericsEvent, func(row int, e run.Event) {
			for _, key := range []string{rateAttr, skippedAttr} {
				if v := last(e.Attrs, key); v.Type != run.Empty && sc.span(c, row) {
					collectEvent(numerics, key, c.Process(row), e.Time, v)
				}
			}
		})
	}
	out := map[string][]QuantitySeries{}
	for key, s := range numerics {
		out[key] = s.list(sc.Run)
	}
	if name, s := mostOften(objectives); s != nil {
		out[objectiveEvent] = s.list(sc.Run)
		for i := range out[objectiveEvent] {
			out[objectiveEvent][i].Label += " · " + name
		}
	}
	return out
}

// eventSeries is the values of one name by process.
type eventSeries struct {
	n         int
	byProcess map[int][]Point
}

func collectEvent(into map[string]*eventSeries, name string, process int, at uint64, v run.Value) {
	value, ok := floatOf(v)
	if !ok {
		return
	}
	s := into[name]
	if s == nil {
		if len(into) >= mostObjectives {
			return
		}
		s = &eventSeries{byProcess: map[int][]Point{}}
		into[name] = s
	}
	p := Point{Time: at, Value: value}
	if math.IsNaN(value) || math.IsInf(value, 0) {
		p.Marks = NotFinite
	}
	s.n++
	s.byProcess[process] = append(s.byProcess[process], p)
}

// mostObjectives bounds what a sender can make of names.
const mostObjectives = 64

// mostOften is the objective with most values, of several the first by name.
func mostOften(all map[string]*eventSeries) (name string, s *eventSeries) {
	for n, o := range all {
		if s == nil || o.n > s.n || o.n == s.n && n < name {
			name, s = n, o
		}
	}
	return name, s
}

func (s *eventSeries) list(r *store.Run) []QuantitySeries {
	var out []QuantitySeries
	for process, points := range s.byProcess {
		slices.SortStableFunc(points, func(a, b Point) int { return cmp.Compare(a.Time, b.Time) })
		out = append(out, newSeries(r, process, points))
	}
	slices.SortFunc(out, compareSeries)
	return out
}

// last is the value of a key, Empty when it is not there.
func last(attrs []run.Attr, key string) run.Value {
	for i := len(attrs) - 1; i >= 0; i-- {
		if attrs[i].Key == key {
			return attrs[i].Value
		}
	}
	return run.Value{}
}

// floatOf is an int or double as a number.
func floatOf(v run.Value) (float64, bool) {
	switch v.Type {
	case run.Int:
		return float64(v.Int()), true
	case run.Double:
		return v.Double(), true
	}
	return 0, false
}
