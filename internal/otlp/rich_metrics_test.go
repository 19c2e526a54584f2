package otlp

import (
	"math"

	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/run"
)

func pbExemplars() []*metricspb.Exemplar {
	return []*metricspb.Exemplar{
		{FilteredAttributes: pbRich(), TimeUnixNano: 11, SpanId: id1[:], TraceId: idA[:], Value: &metricspb.Exemplar_AsInt{AsInt: -3}},
		{Value: &metricspb.Exemplar_AsDouble{AsDouble: 0.25}},
	}
}

func richExemplars() []Exemplar {
	return []Exemplar{
		{Time: 11, Value: run.IntValue(-3), TraceID: idA, SpanID: id1, Attrs: richAttrs()},
		{Value: run.DoubleValue(0.25)},
	}
}

// metricCase is one metric and what it must give.
type metricCase struct {
	pb     *metricspb.Metric
	info   MetricInfo
	points []dumpPoint
}

func numberCases() []metricCase {
	double := &metricspb.NumberDataPoint{
		Attributes: pbRich(), StartTimeUnixNano: 1, TimeUnixNano: 2, Flags: 1, Exemplars: pbExemplars(),
		Value: &metricspb.NumberDataPoint_AsDouble{AsDouble: math.Inf(1)},
	}
	integer := &metricspb.NumberDataPoint{TimeUnixNano: 3, Value: &metricspb.NumberDataPoint_AsInt{AsInt: math.MinInt64}}
	none := &metricspb.NumberDataPoint{TimeUnixNano: 4}
	pb := []*metricspb.NumberDataPoint{double, integer, none}
	points := []dumpPoint{
		{DataPoint: DataPoint{
			Start: 1, Time: 2, Flags: 1, Attrs: richAttrs(), Value: run.DoubleValue(math.Inf(1)), Exemplars: richExemplars(),
		}},
		{DataPoint: DataPoint{Time: 3, Value: run.IntValue(math.MinInt64)}},
		{DataPoint: DataPoint{Time: 4}},
	}
	gauge := &metricspb.Metric{
		Name: "dl.loss", Description: "training loss", Unit: "1", Metadata: pbRich(),
		Data: &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: pb}},
	}
	sum := &metricspb.Metric{Name: "tokens", Data: &metricspb.Metric_Sum{Sum: &metricspb.Sum{
		DataPoints: pb, IsMonotonic: true, AggregationTemporality: metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_DELTA,
	}}}
	return []metricCase{
		{gauge, MetricInfo{Name: "dl.loss", Description: "training loss", Unit: "1", Kind: Gauge, Metadata: richAttrs()}, points},
		{sum, MetricInfo{Name: "tokens", Kind: Sum, Temporality: Delta, Monotonic: true}, points},
		{&metricspb.Metric{Name: "nothing"}, MetricInfo{Name: "nothing"}, nil},
	}
}

func distributionCases() []metricCase {
	hist := &metricspb.HistogramDataPoint{
		Attributes: pbRich(), StartTimeUnixNano: 1, TimeUnixNano: 2, Count: 6, Sum: proto.Float64(0), Min: proto.Float64(-1),
		Max: proto.Float64(9), BucketCounts: []uint64{1, 2, 3}, ExplicitBounds: []float64{-0.5, 4}, Exemplars: pbExemplars(), Flags: 1,
	}
	exp := &metricspb.ExponentialHistogramDataPoint{
		Attributes: pbRich(), StartTimeUnixNano: 1, TimeUnixNano: 2, Count: 507, Sum: proto.Float64(-2.5), Scale: -3, ZeroCount: 1,
		Positive: &metricspb.ExponentialHistogramDataPoint_Buckets{Offset: -4, BucketCounts: []uint64{2, 0, 500}},
		Negative: &metricspb.ExponentialHistogramDataPoint_Buckets{Offset: 5, BucketCounts: []uint64{4}},
		Flags:    1, Exemplars: pbExemplars(), Min: proto.Float64(-8), Max: proto.Float64(0), ZeroThreshold: 0.125,
	}
	sum := &metricspb.SummaryDataPoint{
		Attributes: pbRich(), StartTimeUnixNano: 1, TimeUnixNano: 2, Count: 10, Sum: 5, Flags: 1,
		QuantileValues: []*metricspb.SummaryDataPoint_ValueAtQuantile{{Quantile: 0, Value: 1}, {Quantile: 0.99, Value: 7}},
	}
	bits := math.Float64bits
	base := DataPoint{Start: 1, Time: 2, Flags: 1, Attrs: richAttrs(), HasSum: true}
	h, e, s := base, base, base
	h.Count, h.HasMin, h.HasMax, h.Exemplars, h.Buckets = 6, true, true, richExemplars(), Buckets{Counts: []uint64{1, 2, 3}}
	e.Count, e.HasMin, e.HasMax, e.Exemplars = 507, true, true, richExemplars()
	e.Buckets = Buckets{Scale: -3, ZeroCount: 1, Positive: BucketSpan{-4, []uint64{2, 0, 500}}, Negative: BucketSpan{5, []uint64{4}}}
	s.Count = 10
	cumulative := metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE
	return []metricCase{
		{
			&metricspb.Metric{Name: "h", Data: &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{
				DataPoints: []*metricspb.HistogramDataPoint{hist}, AggregationTemporality: cumulative,
			}}},
			MetricInfo{Name: "h", Kind: Histogram, Temporality: Cumulative},
			[]dumpPoint{{DataPoint: h, Min: bits(-1), Max: bits(9), Bounds: []uint64{bits(-0.5), bits(4)}}},
		},
		{
			&metricspb.Metric{Name: "e", Data: &metricspb.Metric_ExponentialHistogram{ExponentialHistogram: &metricspb.ExponentialHistogram{
				DataPoints: []*metricspb.ExponentialHistogramDataPoint{exp}, AggregationTemporality: cumulative,
			}}},
			MetricInfo{Name: "e", Kind: ExpHistogram, Temporality: Cumulative},
			[]dumpPoint{{DataPoint: e, Sum: bits(-2.5), Min: bits(-8), Threshold: bits(0.125)}},
		},
		{
			&metricspb.Metric{Name: "q", Data: &metricspb.Metric_Summary{Summary: &metricspb.Summary{
				DataPoints: []*metricspb.SummaryDataPoint{sum},
			}}},
			MetricInfo{Name: "q", Kind: Summary},
			[]dumpPoint{{DataPoint: s, Sum: bits(5), Quantiles: [][2]uint64{{0, bits(1)}, {bits(0.99), bits(7)}}}},
		},
	}
}

func pbMetrics() (*colmetrics.ExportMetricsServiceRequest, dump) {
	want := richOwner()
	var list []*metricspb.Metric
	for n, c := range append(numberCases(), distributionCases()...) {
		list = append(list, c.pb)
		want.Metrics = append(want.Metrics, dumpMetric{c.info, 0, len(c.points)})
		for _, p := range c.points {
			p.Metric = uint32(n)
			want.Points = append(want.Points, p)
		}
	}
	return &colmetrics.ExportMetricsServiceRequest{ResourceMetrics: []*metricspb.ResourceMetrics{{
		Resource: pbResource(), SchemaUrl: "r-schema",
		ScopeMetrics: []*metricspb.ScopeMetrics{{Scope: pbScope(), SchemaUrl: "s-schema", Metrics: list}},
	}}}, want
}
