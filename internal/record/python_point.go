package record

import (
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
)

func (m *pyMetric) message() *metricspb.Metric {
	out := &metricspb.Metric{Name: m.Name, Description: m.Description, Unit: m.Unit}
	d := &m.Data
	temporality := metricspb.AggregationTemporality(d.Temporality)
	switch {
	case d.Monotonic != nil:
		out.Data = &metricspb.Metric_Sum{Sum: &metricspb.Sum{
			DataPoints: d.numbers(), AggregationTemporality: temporality, IsMonotonic: *d.Monotonic,
		}}
	case d.Temporality == 0:
		out.Data = &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: d.numbers()}}
	case len(d.Points) > 0 && d.Points[0].Scale != nil:
		out.Data = &metricspb.Metric_ExponentialHistogram{ExponentialHistogram: &metricspb.ExponentialHistogram{
			DataPoints: d.exponentials(), AggregationTemporality: temporality,
		}}
	default:
		out.Data = &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{
			DataPoints: d.histograms(), AggregationTemporality: temporality,
		}}
	}
	return out
}

func (d *pyData) numbers() (points []*metricspb.NumberDataPoint) {
	for i := range d.Points {
		p := &d.Points[i]
		point := &metricspb.NumberDataPoint{
			Attributes: p.Attributes, StartTimeUnixNano: p.Start, TimeUnixNano: p.Time, Exemplars: p.exemplars(),
		}
		if p.Value.int != nil {
			point.Value = &metricspb.NumberDataPoint_AsInt{AsInt: *p.Value.int}
		} else if p.Value.double != nil {
			point.Value = &metricspb.NumberDataPoint_AsDouble{AsDouble: *p.Value.double}
		}
		points = append(points, point)
	}
	return points
}

func (d *pyData) histograms() (points []*metricspb.HistogramDataPoint) {
	for i := range d.Points {
		p := &d.Points[i]
		point := &metricspb.HistogramDataPoint{
			Attributes: p.Attributes, StartTimeUnixNano: p.Start, TimeUnixNano: p.Time, Exemplars: p.exemplars(),
			Count: p.Count, Sum: p.Sum.float(), Min: p.Min.float(), Max: p.Max.float(), BucketCounts: p.Buckets,
		}
		for _, b := range p.Bounds {
			if v := b.float(); v != nil {
				point.ExplicitBounds = append(point.ExplicitBounds, *v)
			}
		}
		points = append(points, point)
	}
	return points
}

func (d *pyData) exponentials() (points []*metricspb.ExponentialHistogramDataPoint) {
	for i := range d.Points {
		p := &d.Points[i]
		point := &metricspb.ExponentialHistogramDataPoint{
			Attributes: p.Attributes, StartTimeUnixNano: p.Start, TimeUnixNano: p.Time, Exemplars: p.exemplars(),
			Count: p.Count, Sum: p.Sum.float(), Min: p.Min.float(), Max: p.Max.float(), Flags: p.Flags,
			ZeroCount: p.ZeroCount, Positive: p.Positive.message(), Negative: p.Negative.message(),
		}
		if p.Scale != nil {
			point.Scale = *p.Scale
		}
		points = append(points, point)
	}
	return points
}

func (b *pyBuckets) message() *metricspb.ExponentialHistogramDataPoint_Buckets {
	return &metricspb.ExponentialHistogramDataPoint_Buckets{Offset: b.Offset, BucketCounts: b.Counts}
}

func (p *pyPoint) exemplars() (list []*metricspb.Exemplar) {
	for _, e := range p.Exemplars {
		exemplar := &metricspb.Exemplar{
			FilteredAttributes: e.Attributes, TimeUnixNano: e.Time, SpanId: e.Span.sized(8), TraceId: e.Trace.sized(16),
		}
		if e.Value.int != nil {
			exemplar.Value = &metricspb.Exemplar_AsInt{AsInt: *e.Value.int}
		} else if e.Value.double != nil {
			exemplar.Value = &metricspb.Exemplar_AsDouble{AsDouble: *e.Value.double}
		}
		list = append(list, exemplar)
	}
	return list
}
