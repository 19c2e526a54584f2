package encode

import (
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
)

func numbers[N int64 | float64](points []metricdata.DataPoint[N]) []*metricspb.NumberDataPoint {
	out := make([]*metricspb.NumberDataPoint, len(points))
	for i, p := range points {
		to := &metricspb.NumberDataPoint{
			Attributes: set(&p.Attributes), Exemplars: exemplars(p.Exemplars),
			StartTimeUnixNano: nanos(p.StartTime), TimeUnixNano: nanos(p.Time),
		}
		switch v := any(p.Value).(type) {
		case int64:
			to.Value = &metricspb.NumberDataPoint_AsInt{AsInt: v}
		case float64:
			to.Value = &metricspb.NumberDataPoint_AsDouble{AsDouble: v}
		}
		out[i] = to
	}
	return out
}

func histogramPoints[N int64 | float64](points []metricdata.HistogramDataPoint[N]) []*metricspb.HistogramDataPoint {
	out := make([]*metricspb.HistogramDataPoint, len(points))
	for i, p := range points {
		out[i] = &metricspb.HistogramDataPoint{
			Attributes: set(&p.Attributes), Exemplars: exemplars(p.Exemplars),
			StartTimeUnixNano: nanos(p.StartTime), TimeUnixNano: nanos(p.Time),
			Count: p.Count, Sum: new(float64(p.Sum)), Min: extreme(p.Min), Max: extreme(p.Max),
			BucketCounts: p.BucketCounts, ExplicitBounds: p.Bounds,
		}
	}
	return out
}

func exponentialPoints[N int64 | float64](points []metricdata.ExponentialHistogramDataPoint[N]) []*metricspb.ExponentialHistogramDataPoint {
	out := make([]*metricspb.ExponentialHistogramDataPoint, len(points))
	for i, p := range points {
		out[i] = &metricspb.ExponentialHistogramDataPoint{
			Attributes: set(&p.Attributes), Exemplars: exemplars(p.Exemplars),
			StartTimeUnixNano: nanos(p.StartTime), TimeUnixNano: nanos(p.Time),
			Count: p.Count, Sum: new(float64(p.Sum)), Min: extreme(p.Min), Max: extreme(p.Max),
			Scale: p.Scale, ZeroCount: p.ZeroCount, ZeroThreshold: p.ZeroThreshold,
			Positive: buckets(p.PositiveBucket), Negative: buckets(p.NegativeBucket),
		}
	}
	return out
}

func buckets(b metricdata.ExponentialBucket) *metricspb.ExponentialHistogramDataPoint_Buckets {
	return &metricspb.ExponentialHistogramDataPoint_Buckets{Offset: b.Offset, BucketCounts: b.Counts}
}

func extreme[N int64 | float64](e metricdata.Extrema[N]) *float64 {
	v, ok := e.Value()
	if !ok {
		return nil
	}
	return new(float64(v))
}

func summaryPoints(points []metricdata.SummaryDataPoint) []*metricspb.SummaryDataPoint {
	out := make([]*metricspb.SummaryDataPoint, len(points))
	for i, p := range points {
		to := &metricspb.SummaryDataPoint{
			Attributes:        set(&p.Attributes),
			StartTimeUnixNano: nanos(p.StartTime), TimeUnixNano: nanos(p.Time),
			Count: p.Count, Sum: p.Sum,
		}
		for _, q := range p.QuantileValues {
			to.QuantileValues = append(to.QuantileValues, &metricspb.SummaryDataPoint_ValueAtQuantile{Quantile: q.Quantile, Value: q.Value})
		}
		out[i] = to
	}
	return out
}

func exemplars[N int64 | float64](from []metricdata.Exemplar[N]) []*metricspb.Exemplar {
	var out []*metricspb.Exemplar
	for _, e := range from {
		to := &metricspb.Exemplar{
			FilteredAttributes: keyValues(e.FilteredAttributes), TimeUnixNano: nanos(e.Time),
			SpanId: e.SpanID, TraceId: e.TraceID,
		}
		switch v := any(e.Value).(type) {
		case int64:
			to.Value = &metricspb.Exemplar_AsInt{AsInt: v}
		case float64:
			to.Value = &metricspb.Exemplar_AsDouble{AsDouble: v}
		}
		out = append(out, to)
	}
	return out
}
