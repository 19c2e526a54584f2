package encode

import (
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	colpb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
)

// Metrics makes one request of what a reader has collected. The number is that of
// its points. A metric of a kind that OTLP does not know is left out.
func (e *Encoder) Metrics(rm *metricdata.ResourceMetrics) (*colpb.ExportMetricsServiceRequest, int) {
	out := &metricspb.ResourceMetrics{Resource: e.resource, SchemaUrl: e.schema}
	points := 0
	for _, sm := range rm.ScopeMetrics {
		to := &metricspb.ScopeMetrics{Scope: scope(sm.Scope), SchemaUrl: sm.Scope.SchemaURL}
		for _, m := range sm.Metrics {
			metric := &metricspb.Metric{Name: valid(m.Name), Description: valid(m.Description), Unit: valid(m.Unit)}
			if n, ok := data(metric, m.Data); ok {
				to.Metrics = append(to.Metrics, metric)
				points += n
			}
		}
		out.ScopeMetrics = append(out.ScopeMetrics, to)
	}
	return &colpb.ExportMetricsServiceRequest{ResourceMetrics: []*metricspb.ResourceMetrics{out}}, points
}

// data fills in the points and returns how many there are.
func data(to *metricspb.Metric, from metricdata.Aggregation) (points int, ok bool) {
	switch d := from.(type) {
	case metricdata.Gauge[int64]:
		to.Data, points = gauge(d)
	case metricdata.Gauge[float64]:
		to.Data, points = gauge(d)
	case metricdata.Sum[int64]:
		to.Data, points = sum(d)
	case metricdata.Sum[float64]:
		to.Data, points = sum(d)
	case metricdata.Histogram[int64]:
		to.Data, points = histogram(d)
	case metricdata.Histogram[float64]:
		to.Data, points = histogram(d)
	case metricdata.ExponentialHistogram[int64]:
		to.Data, points = exponential(d)
	case metricdata.ExponentialHistogram[float64]:
		to.Data, points = exponential(d)
	case metricdata.Summary:
		to.Data, points = summary(d)
	}
	return points, to.Data != nil
}

func gauge[N int64 | float64](g metricdata.Gauge[N]) (*metricspb.Metric_Gauge, int) {
	return &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: numbers(g.DataPoints)}}, len(g.DataPoints)
}

func sum[N int64 | float64](s metricdata.Sum[N]) (*metricspb.Metric_Sum, int) {
	return &metricspb.Metric_Sum{Sum: &metricspb.Sum{
		AggregationTemporality: temporality(s.Temporality), IsMonotonic: s.IsMonotonic, DataPoints: numbers(s.DataPoints),
	}}, len(s.DataPoints)
}

func histogram[N int64 | float64](h metricdata.Histogram[N]) (*metricspb.Metric_Histogram, int) {
	return &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{
		AggregationTemporality: temporality(h.Temporality), DataPoints: histogramPoints(h.DataPoints),
	}}, len(h.DataPoints)
}

func exponential[N int64 | float64](h metricdata.ExponentialHistogram[N]) (*metricspb.Metric_ExponentialHistogram, int) {
	return &metricspb.Metric_ExponentialHistogram{ExponentialHistogram: &metricspb.ExponentialHistogram{
		AggregationTemporality: temporality(h.Temporality), DataPoints: exponentialPoints(h.DataPoints),
	}}, len(h.DataPoints)
}

func summary(s metricdata.Summary) (*metricspb.Metric_Summary, int) {
	return &metricspb.Metric_Summary{Summary: &metricspb.Summary{DataPoints: summaryPoints(s.DataPoints)}}, len(s.DataPoints)
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
