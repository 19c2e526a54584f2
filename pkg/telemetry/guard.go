package telemetry

import (
	"fmt"
	"sync"
	"sync/atomic"

	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// seriesGuard warns before an instrument has so many series that the SDK folds
// those above its limit into one, which it does without a word. It sees every
// measurement, as the attribute filter of a view, and everything collected.
type seriesGuard struct {
	warner *warner
	limit  int

	mu          sync.Mutex
	instruments map[string]*series
}

// series is the values of the attributes of one instrument, as far as the guard
// needs them.
type series struct {
	guard *seriesGuard
	name  string
	told  atomic.Bool

	mu   sync.Mutex
	keys map[attribute.Key]map[seriesValue]struct{}
}

// seriesValue is a value in a form that is cheap to compare.
type seriesValue struct {
	kind   attribute.Type
	number int64
	text   string
}

func newSeriesGuard(w *warner, limit int) *seriesGuard {
	return &seriesGuard{warner: w, limit: limit, instruments: map[string]*series{}}
}

func (g *seriesGuard) of(name string) *series {
	g.mu.Lock()
	defer g.mu.Unlock()
	s := g.instruments[name]
	if s == nil {
		s = &series{guard: g, name: name, keys: map[attribute.Key]map[seriesValue]struct{}{}}
		g.instruments[name] = s
	}
	return s
}

// views puts the guard into the program's views, and into a view for all that none
// of them matches.
func (g *seriesGuard) views(own []sdkmetric.View) []sdkmetric.View {
	var all []sdkmetric.View
	for _, v := range own {
		all = append(all, func(i sdkmetric.Instrument) (sdkmetric.Stream, bool) {
			s, ok := v(i)
			if ok {
				s.AttributeFilter = g.of(first(s.Name, i.Name)).filter(s.AttributeFilter)
			}
			return s, ok
		})
	}
	return append(all, func(i sdkmetric.Instrument) (sdkmetric.Stream, bool) {
		for _, v := range own {
			if _, ok := v(i); ok {
				return sdkmetric.Stream{}, false
			}
		}
		return sdkmetric.Stream{
			Name: i.Name, Description: i.Description, Unit: i.Unit, AttributeFilter: g.of(i.Name).filter(nil),
		}, true
	})
}

// filter lets through what inner does and remembers it.
func (s *series) filter(inner attribute.Filter) attribute.Filter {
	return func(kv attribute.KeyValue) bool {
		if inner != nil && !inner(kv) {
			return false
		}
		if !s.told.Load() {
			s.see(kv)
		}
		return true
	}
}

// see remembers a value. A single key with half as many values as there may be
// series is what folds them.
func (s *series) see(kv attribute.KeyValue) {
	v := seriesValue{kind: kv.Value.Type()}
	switch v.kind {
	case attribute.INT64:
		v.number = kv.Value.AsInt64()
	case attribute.STRING:
		v.text = kv.Value.AsString()
	default:
		v.text = kv.Value.String()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	values := s.keys[kv.Key]
	if values == nil {
		values = map[seriesValue]struct{}{}
		s.keys[kv.Key] = values
	}
	values[v] = struct{}{}
	if len(values) >= max(1, s.guard.limit/2) && s.told.CompareAndSwap(false, true) {
		s.tell(fmt.Sprintf("has %d values of %s", len(values), kv.Key))
	}
}

func (s *series) tell(what string) {
	s.guard.warner.warn(s.name, fmt.Sprintf(
		"metric %s %s: above %d series the rest is folded into one; put what has so many values on spans", s.name, what, s.guard.limit))
	s.keys = nil
}

// look finds instruments whose attributes together make too many series.
func (g *seriesGuard) look(rm *metricdata.ResourceMetrics) {
	for _, sm := range rm.ScopeMetrics {
		for _, m := range sm.Metrics {
			n := pointsIn(m.Data)
			s := g.of(m.Name)
			if n < g.limit*4/5 || !s.told.CompareAndSwap(false, true) {
				continue
			}
			s.mu.Lock()
			s.tell(fmt.Sprintf("has %d series, most by the values of %s", n, s.widest()))
			s.mu.Unlock()
		}
	}
}

// widest is the key with the most values.
func (s *series) widest() (key attribute.Key) {
	most := -1
	for k, values := range s.keys {
		if len(values) > most || len(values) == most && k < key {
			key, most = k, len(values)
		}
	}
	return key
}

// pointsIn counts the points of a metric.
func pointsIn(data metricdata.Aggregation) int {
	switch d := data.(type) {
	case metricdata.Gauge[int64]:
		return len(d.DataPoints)
	case metricdata.Gauge[float64]:
		return len(d.DataPoints)
	case metricdata.Sum[int64]:
		return len(d.DataPoints)
	case metricdata.Sum[float64]:
		return len(d.DataPoints)
	case metricdata.Histogram[int64]:
		return len(d.DataPoints)
	case metricdata.Histogram[float64]:
		return len(d.DataPoints)
	case metricdata.ExponentialHistogram[int64]:
		return len(d.DataPoints)
	case metricdata.ExponentialHistogram[float64]:
		return len(d.DataPoints)
	case metricdata.Summary:
		return len(d.DataPoints)
	}
	return 0
}

// allPoints counts the points of all metrics.
func allPoints(rm *metricdata.ResourceMetrics) (n int) {
	for _, sm := range rm.ScopeMetrics {
		for _, m := range sm.Metrics {
			n += pointsIn(m.Data)
		}
	}
	return n
}
