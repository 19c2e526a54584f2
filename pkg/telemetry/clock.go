package telemetry

import (
	"time"

	"go.opentelemetry.io/otel/sdk/metric/metricdata"
)

// WithClock replaces the time of day, for a program that replays what happened
// elsewhere or at another speed: spans that this package starts, ends and cuts at
// shutdown, their events, metric points and log records have the time of the clock.
// It may be asked from several goroutines. Spans of a Tracer have the times that they
// are given, as everywhere; intervals and deadlines go by the machine's clock.
func WithClock(now func() time.Time) Option { return func(o *options) { o.clock = now } }

// now is the time of the handle's clock.
func (h *Handle) now() time.Time {
	if h.clock != nil {
		return h.clock()
	}
	return time.Now()
}

// redater puts collected points onto a clock. OpenTelemetry dates them itself.
type redater struct {
	now   func() time.Time
	start time.Time // of the instruments
	last  time.Time // the last collection, where deltas begin
}

func newRedater(now func() time.Time) *redater {
	at := now()
	return &redater{now: now, start: at, last: at}
}

func (r *redater) redate(rm *metricdata.ResourceMetrics) {
	at := r.now()
	for _, sm := range rm.ScopeMetrics {
		for _, m := range sm.Metrics {
			r.metric(m.Data, at)
		}
	}
	r.last = at
}

func (r *redater) metric(data metricdata.Aggregation, at time.Time) {
	switch d := data.(type) {
	case metricdata.Gauge[int64]:
		numbers(d.DataPoints, r.start, at)
	case metricdata.Gauge[float64]:
		numbers(d.DataPoints, r.start, at)
	case metricdata.Sum[int64]:
		numbers(d.DataPoints, r.from(d.Temporality), at)
	case metricdata.Sum[float64]:
		numbers(d.DataPoints, r.from(d.Temporality), at)
	case metricdata.Histogram[int64]:
		histograms(d.DataPoints, r.from(d.Temporality), at)
	case metricdata.Histogram[float64]:
		histograms(d.DataPoints, r.from(d.Temporality), at)
	case metricdata.ExponentialHistogram[int64]:
		exponentials(d.DataPoints, r.from(d.Temporality), at)
	case metricdata.ExponentialHistogram[float64]:
		exponentials(d.DataPoints, r.from(d.Temporality), at)
	}
}

func (r *redater) from(t metricdata.Temporality) time.Time {
	if t == metricdata.DeltaTemporality {
		return r.last
	}
	return r.start
}

func numbers[N int64 | float64](points []metricdata.DataPoint[N], from, to time.Time) {
	for i := range points {
		points[i].StartTime, points[i].Time = from, to
	}
}

func histograms[N int64 | float64](points []metricdata.HistogramDataPoint[N], from, to time.Time) {
	for i := range points {
		points[i].StartTime, points[i].Time = from, to
	}
}

func exponentials[N int64 | float64](points []metricdata.ExponentialHistogramDataPoint[N], from, to time.Time) {
	for i := range points {
		points[i].StartTime, points[i].Time = from, to
	}
}
