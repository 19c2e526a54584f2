package otlp

import (
	"math"

	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/proto"
)

func (b *Batch) addMetrics(m *colmetrics.ExportMetricsServiceRequest) error {
	for _, rm := range m.GetResourceMetrics() {
		r, err := b.addResource(rm.GetResource(), rm.GetSchemaUrl())
		if err != nil {
			return err
		}
		for _, sm := range rm.GetScopeMetrics() {
			s, err := b.addScope(sm.GetScope(), sm.GetSchemaUrl(), r)
			if err != nil {
				return err
			}
			for n, metric := range sm.GetMetrics() {
				if err := b.addMetric(metric, s); err != nil {
					return at(err, "metrics", n)
				}
			}
		}
	}
	return nil
}

func (b *Batch) addMetric(m *metricspb.Metric, scope uint32) error {
	meta, err := b.addAttrs(m.GetMetadata())
	if err != nil {
		return err
	}
	n := len(b.Metrics)
	b.Metrics = append(b.Metrics, Metric{
		Scope: scope, Name: b.keepString(m.GetName()), Description: b.keepString(m.GetDescription()),
		Unit: b.keepString(m.GetUnit()), Metadata: meta,
	})
	row := &b.Metrics[n]
	row.Points.From = uint32(len(b.Points))
	err = b.addData(m, row, uint32(n))
	row.Points.To = uint32(len(b.Points))
	return firstOf(err, b.room())
}

func (b *Batch) addData(m *metricspb.Metric, row *Metric, n uint32) error {
	switch d := m.GetData().(type) {
	case *metricspb.Metric_Gauge:
		row.Kind = Gauge
		return addPoints(b, n, d.Gauge.GetDataPoints(), numberPoint)
	case *metricspb.Metric_Sum:
		row.Kind, row.Monotonic = Sum, d.Sum.GetIsMonotonic()
		row.Temporality = temporality(d.Sum)
		return addPoints(b, n, d.Sum.GetDataPoints(), numberPoint)
	case *metricspb.Metric_Histogram:
		row.Kind, row.Temporality = Histogram, temporality(d.Histogram)
		return addPoints(b, n, d.Histogram.GetDataPoints(), histogramPoint)
	case *metricspb.Metric_ExponentialHistogram:
		row.Kind, row.Temporality = ExpHistogram, temporality(d.ExponentialHistogram)
		return addPoints(b, n, d.ExponentialHistogram.GetDataPoints(), exponentialPoint)
	case *metricspb.Metric_Summary:
		row.Kind = Summary
		return addPoints(b, n, d.Summary.GetDataPoints(), summaryPoint)
	}
	return nil
}

func temporality(m interface {
	GetAggregationTemporality() metricspb.AggregationTemporality
}) Temporality {
	return Temporality(enum8(uint64(m.GetAggregationTemporality())))
}

// pointMessage is what all data points have.
type pointMessage interface {
	proto.Message
	GetAttributes() []*commonpb.KeyValue
	GetStartTimeUnixNano() uint64
	GetTimeUnixNano() uint64
	GetFlags() uint32
}

// addPoints adds a row for each point of metric n; set fills in its values.
func addPoints[M pointMessage](b *Batch, n uint32, points []M, set func(M, *Point)) error {
	for i, m := range points {
		attrs, err := b.addAttrs(m.GetAttributes())
		if e, ok := any(m).(interface{ GetExemplars() []*metricspb.Exemplar }); ok {
			for _, x := range e.GetExemplars() {
				err = firstOf(err, checkPairs(x.GetFilteredAttributes(), 0))
			}
		}
		pt := Point{
			Metric: n, Attrs: attrs, Start: m.GetStartTimeUnixNano(), Time: m.GetTimeUnixNano(), Flags: m.GetFlags(), Raw: b.marshal(m),
		}
		set(m, &pt)
		b.Points = append(b.Points, pt)
		if err = firstOf(err, b.room()); err != nil {
			return at(err, "data_points", i)
		}
	}
	return nil
}

func numberPoint(m *metricspb.NumberDataPoint, pt *Point) {
	switch v := m.GetValue().(type) {
	case *metricspb.NumberDataPoint_AsInt:
		pt.Num, pt.HasValue = uint64(v.AsInt), true
	case *metricspb.NumberDataPoint_AsDouble:
		pt.Num, pt.HasValue, pt.IsDouble = math.Float64bits(v.AsDouble), true, true
	}
}

func histogramPoint(m *metricspb.HistogramDataPoint, pt *Point) {
	pt.Count = m.GetCount()
	pt.Sum, pt.HasSum = m.GetSum(), m.Sum != nil
	pt.Min, pt.HasMin = m.GetMin(), m.Min != nil
	pt.Max, pt.HasMax = m.GetMax(), m.Max != nil
}

func exponentialPoint(m *metricspb.ExponentialHistogramDataPoint, pt *Point) {
	pt.Count = m.GetCount()
	pt.Sum, pt.HasSum = m.GetSum(), m.Sum != nil
	pt.Min, pt.HasMin = m.GetMin(), m.Min != nil
	pt.Max, pt.HasMax = m.GetMax(), m.Max != nil
}

func summaryPoint(m *metricspb.SummaryDataPoint, pt *Point) {
	pt.Count, pt.Sum, pt.HasSum = m.GetCount(), m.GetSum(), true
}
