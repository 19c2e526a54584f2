package telemetry

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/metric"
	noopmetric "go.opentelemetry.io/otel/metric/noop"
)

// MetricKind says how the values of a metric add up.
type MetricKind uint8

// The kinds.
const (
	Gauge         MetricKind = iota // the last value counts, as a loss
	Counter                         // values are added and never negative, as tokens
	UpDownCounter                   // values are added, as requests in flight
	Histogram                       // values are counted by size, as durations
)

// Metric declares one metric of a group.
type Metric struct {
	Key     string // by which a program records it, as "loss"
	Name    string // of the metric, as "dl.loss"
	Kind    MetricKind
	Unit    string // UCUM, as "s" or "{token}"
	Doc     string
	Whole   bool      // its values are whole numbers
	Buckets []float64 // upper bounds, of a histogram that needs others than the default
}

// MetricGroup is metrics that a program declares once and records as it has them. A
// nil group does nothing.
type MetricGroup struct {
	name    string
	warner  *warner
	metrics map[string]recorder
}

// recorder records one value; the text says why it could not.
type recorder func(ctx context.Context, v float64, opt metric.MeasurementOption) (wrong string)

// instruments is the names of metrics that are declared, with their group.
type instruments struct {
	mu     sync.Mutex
	groups map[string]string
}

// claim takes names for a group, all or none.
func (i *instruments) claim(group string, metrics []Metric) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	var wrong error
	names, keys := map[string]bool{}, map[string]bool{}
	for _, m := range metrics {
		name := strings.ToLower(m.Name) // OpenTelemetry's names differ by more than case
		switch {
		case m.Key == "" || m.Name == "":
			wrong = errors.Join(wrong, fmt.Errorf("metric %q with key %q: both must be given", m.Name, m.Key))
		case keys[m.Key]:
			wrong = errors.Join(wrong, fmt.Errorf("metric %s: the key %q is there twice", m.Name, m.Key))
		case names[name]:
			wrong = errors.Join(wrong, fmt.Errorf("metric %s is there twice", m.Name))
		case i.groups[name] != "":
			wrong = errors.Join(wrong, fmt.Errorf("metric %s is declared already, by the group %s: record it through that one, or choose another name", m.Name, i.groups[name]))
		}
		names[name], keys[m.Key] = true, true
	}
	if wrong != nil {
		return fmt.Errorf("declare metric group %s: %w", group, wrong)
	}
	if i.groups == nil {
		i.groups = map[string]string{}
	}
	for name := range names {
		i.groups[name] = group
	}
	return nil
}

// release gives names back.
func (i *instruments) release(metrics []Metric) {
	i.mu.Lock()
	defer i.mu.Unlock()
	for _, m := range metrics {
		delete(i.groups, strings.ToLower(m.Name))
	}
}

// MetricGroup declares metrics. A name that is declared already, in this group or
// another one, is refused: two instruments would write into one series. Where
// nothing is exported the group does nothing, and the declaration is checked all
// the same.
func (h *Handle) MetricGroup(name string, metrics ...Metric) (*MetricGroup, error) {
	if h == nil {
		return nil, nil
	}
	if err := h.instruments.claim(name, metrics); err != nil {
		return nil, err
	}
	g := &MetricGroup{name: name, warner: h.warner, metrics: map[string]recorder{}}
	meter := h.Meter()
	for _, m := range metrics {
		r, err := m.recorder(meter)
		if err != nil {
			h.instruments.release(metrics)
			return nil, fmt.Errorf("declare metric group %s: %w", name, err)
		}
		g.metrics[m.Key] = r
	}
	return g, nil
}

// Record records the values that are there, by key, all with the same attributes.
// An unknown key is one warning; so is a value that its metric cannot have, as a
// negative one of a counter. Neither keeps the others from being recorded.
//
// The attributes of a metric have tens to hundreds of values, never one per request
// or user. The rank is one of the process, not of a metric.
func (g *MetricGroup) Record(ctx context.Context, values map[string]float64, kvs ...attribute.KeyValue) {
	if g == nil {
		return
	}
	opt := metric.WithAttributeSet(attribute.NewSet(kvs...))
	for key, v := range values {
		g.record(ctx, key, v, opt)
	}
}

// Set records one value.
func (g *MetricGroup) Set(ctx context.Context, key string, v float64, kvs ...attribute.KeyValue) {
	if g != nil {
		g.record(ctx, key, v, metric.WithAttributeSet(attribute.NewSet(kvs...)))
	}
}

func (g *MetricGroup) record(ctx context.Context, key string, v float64, opt metric.MeasurementOption) {
	r := g.metrics[key]
	if r == nil {
		g.warner.warn(key, fmt.Sprintf("metric group %s has no key %q; it has %s", g.name, key, strings.Join(slices.Sorted(maps.Keys(g.metrics)), ", ")))
		return
	}
	if wrong := r(ctx, v, opt); wrong != "" {
		g.warner.warn(key, fmt.Sprintf("metric group %s: %s %s: it is left out", g.name, key, wrong))
	}
}

// recorder makes the instrument.
func (m Metric) recorder(meter metric.Meter) (recorder, error) {
	if _, ok := meter.(noopmetric.Meter); ok {
		return m.checked(func(context.Context, float64, metric.MeasurementOption) {}), nil
	}
	var record func(context.Context, float64, metric.MeasurementOption)
	var err error
	if m.Whole {
		record, err = m.whole(meter)
	} else {
		record, err = m.float(meter)
	}
	return m.checked(record), err
}

// checked refuses values that would spoil a sum for good. A gauge shows NaN: it is
// what one looks for in a loss.
func (m Metric) checked(record func(context.Context, float64, metric.MeasurementOption)) recorder {
	return func(ctx context.Context, v float64, opt metric.MeasurementOption) string {
		switch {
		case m.Kind != Gauge && (math.IsNaN(v) || math.IsInf(v, 0)):
			return "was not a finite number"
		case m.Kind == Counter && v < 0:
			return "was negative and only grows"
		case m.Whole && (v != math.Trunc(v) || math.Abs(v) > 1<<53):
			return "was not a whole number"
		}
		record(ctx, v, opt)
		return ""
	}
}
