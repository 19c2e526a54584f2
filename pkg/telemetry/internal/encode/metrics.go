package encode

import (
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	colpb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
)

// Metrics makes one request of what a reader has collected. A metric of a kind that
// OTLP does not know is left out.
func (e *Encoder) Metrics(rm *metricdata.ResourceMetrics) *colpb.ExportMetricsServiceRequest {
	out := &metricspb.ResourceMetrics{Resource: e.resource, SchemaUrl: e.schema}
	for _, sm := range rm.ScopeMetrics {
		to := &metricspb.ScopeMetrics{Scope: scope(sm.Scope), SchemaUrl: sm.Scope.SchemaURL}
		for _, m := range sm.Metrics {
			metric := &metricspb.Metric{Name: valid(m.Name), Description: valid(m.Description), Unit: valid(m.Unit)}
			if data(metric, m.Data); metric.Data != nil {
				to.Metrics = append(to.Metrics, metric)
			}
		}
		out.ScopeMetrics = append(out.ScopeMetrics, to)
	}
	return &colpb.ExportMetricsServiceRequest{ResourceMetrics: []*metricspb.ResourceMetrics{out}}
}

// data fills in the points.
func data(to *metricspb.Metric, from metricdata.Aggregation) {
	switch d := from.(type) {
	case metricdata.Gauge[int64]:
		to.Data = gauge(d)
	case metricdata.Gauge[float64]:
		to.Data = gauge(d)
	case metricdata.Sum[int64]:
		to.Data = sum(d)
	case metricdata.Sum[float64]:
		to.Data = sum(d)
	case metricdata.Histogram[int64]:
		to.Data = histogram(d)
	case metricdata.Histogram[float64]:
		to.Data = histogram(d)
	case metricdata.ExponentialHistogram[int64]:
		to.Data = exponential(d)
	case metricdata.ExponentialHistogram[float64]:
		to.Data = exponential(d)
	case metricdata.Summary:
		to.Data = summary(d)
	}
}

func gauge[N int64 | float64](g metricdata.Gauge[N]) *metricspb.Metric_Gauge {
	return &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: numbers(g.DataPoints)}}
}

func sum[N int64 | float64](s metricdata.Sum[N]) *metricspb.Metric_Sum {
	return &metricspb.Metric_Sum{Sum: &metricspb.Sum{
		AggregationTemporality: temporality(s.Temporality), IsMonotonic: s.IsMonotonic, DataPoints: numbers(s.DataPoints),
	}}
}

func histogram[N int64 | float64](h metricdata.Histogram[N]) *metricspb.Metric_Histogram {
	return &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{
		AggregationTemporality: temporality(h.Temporality), DataPoints: histogramPoints(h.DataPoints),
	}}
}

func exponential[N int64 | float64](h metricdata.ExponentialHistogram[N]) *metricspb.Metric_ExponentialHistogram {
	return &metricspb.Metric_ExponentialHistogram{ExponentialHistogram: &metricspb.ExponentialHistogram{
		AggregationTemporality: temporality(h.Temporality), DataPoints: exponentialPoints(h.DataPoints),
	}}
}

func summary(s metricdata.Summary) *metricspb.Metric_Summary {
	return &metricspb.Metric_Summary{Summary: &metricspb.Summary{DataPoints: summaryPoints(s.DataPoints)}}
}

func temporality(t metricdata.Temporality) metricspb.AggregationTemporality {
	switch t {
	case metricdata.DeltaTemporality:
		return metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA
	case metricdata.CumulativeTemporality:
		return metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE
	}
	return metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_UNSPECIFIED
}
