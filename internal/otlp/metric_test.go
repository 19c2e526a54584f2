package otlp

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/beamline-hpc/lensview/internal/run"
)

// dumpMetrics decodes a request with one scope of these metrics.
func dumpMetrics(t *testing.T, decode Decoder, metrics ...[]byte) dump {
	t.Helper()
	var b Batch
	if err := decode(run.Metrics, msg(1, msg(2, metrics...)), &b); err != nil {
		t.Fatal(err)
	}
	d := dumpBatch(t, &b)
	d.Resources, d.Scopes = nil, nil
	return d
}

// value is a number point with an int.
func value(n uint64) []byte { return msg(1, fix64(6, n)) }

func intPoint(metric uint32, n int64) dumpPoint {
	return dumpPoint{Metric: metric, DataPoint: DataPoint{Value: run.IntValue(n)}}
}

// TestMetricData sends a metric's data in parts and in several kinds: parts of
// one kind join, another kind begins anew.
func TestMetricData(t *testing.T) {
	for _, c := range []struct {
		name string
		body []byte
		want dump
	}{
		{"no data", msg(2, text1(1, "m"), text1(2, "d"), text1(3, "u")),
			dump{Metrics: []dumpMetric{{MetricInfo{Name: "m", Description: "d", Unit: "u"}, 0, 0}}}},
		{"data of no points", msg(2, msg(5)), dump{Metrics: []dumpMetric{{MetricInfo{Kind: Gauge}, 0, 0}}}},
		{"data before name and metadata", msg(2, msg(5, value(1)), kv1(12, "a", "b"), text1(1, "m"), kv1(12, "c", "d")), dump{
			Metrics: []dumpMetric{{MetricInfo{Name: "m", Kind: Gauge, Metadata: []run.Attr{str("a", "b"), str("c", "d")}}, 0, 1}},
			Points:  []dumpPoint{intPoint(0, 1)},
		}},
		{"sum in two parts", msg(2, msg(7, value(1), vint(2, 1), vint(3, 1)), text1(1, "m"), msg(7, value(2), vint(2, 2))), dump{
			Metrics: []dumpMetric{{MetricInfo{Name: "m", Kind: Sum, Temporality: Cumulative, Monotonic: true}, 0, 2}},
			Points:  []dumpPoint{intPoint(0, 1), intPoint(0, 2)},
		}},
		{"sum, gauge, sum", msg(2, msg(7, value(1), vint(2, 1), vint(3, 1)), msg(5, msg(1, kv1(7, "x", "y"))), msg(7, value(2))), dump{
			Metrics: []dumpMetric{{MetricInfo{Kind: Sum}, 0, 1}},
			Points:  []dumpPoint{intPoint(0, 2)},
		}},
		{"gauge in foreign wire type after a sum", msg(2, msg(7, value(1)), vint(5, 1)), dump{
			Metrics: []dumpMetric{{MetricInfo{Kind: Sum}, 0, 1}},
			Points:  []dumpPoint{intPoint(0, 1)},
		}},
		{"a gauge has no temporality", msg(2, msg(5, vint(2, 2), vint(3, 1))), dump{Metrics: []dumpMetric{{MetricInfo{Kind: Gauge}, 0, 0}}}},
		{"a histogram is not monotonic", msg(2, msg(9, vint(2, 2), vint(3, 1))),
			dump{Metrics: []dumpMetric{{MetricInfo{Kind: Histogram, Temporality: Cumulative}, 0, 0}}}},
		{"unknown temporality", msg(2, msg(7, vint(2, 1000))), dump{Metrics: []dumpMetric{{MetricInfo{Kind: Sum}, 0, 0}}}},
		{"two metrics", cat(msg(2, msg(5, value(1), value(2))), msg(2, msg(7, value(3)))), dump{
			Metrics: []dumpMetric{{MetricInfo{Kind: Gauge}, 0, 2}, {MetricInfo{Kind: Sum}, 0, 1}},
			Points:  []dumpPoint{intPoint(0, 1), intPoint(0, 2), intPoint(1, 3)},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachDecoder(t, func(t *testing.T, decode Decoder) {
				if d := cmp.Diff(c.want, dumpMetrics(t, decode, c.body), sameValues()); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
			})
		})
	}
}

// TestPoints reads points in odd forms. 0 and unset are told apart where the
// protocol does.
func TestPoints(t *testing.T) {
	nan := math.Float64bits(math.NaN())
	bits := math.Float64bits
	for _, c := range []struct {
		name  string
		kind  uint32
		point []byte
		want  dumpPoint
	}{
		{"unset", 5, nil, dumpPoint{}},
		{"int 0", 5, fix64(6, 0), dumpPoint{DataPoint: DataPoint{Value: run.IntValue(0)}}},
		{"double 0", 5, fix64(4, 0), dumpPoint{DataPoint: DataPoint{Value: run.DoubleValue(0)}}},
		{"NaN", 5, fix64(4, nan), dumpPoint{DataPoint: DataPoint{Value: run.Raw(run.Double, nan, "")}}},
		{"-Inf", 5, fix64(4, bits(math.Inf(-1))), dumpPoint{DataPoint: DataPoint{Value: run.DoubleValue(math.Inf(-1))}}},
		{"double, then int", 5, cat(fix64(4, 9), fix64(6, 1)), dumpPoint{DataPoint: DataPoint{Value: run.IntValue(1)}}},
		{"int, then double", 5, cat(fix64(6, 1), fix64(4, 9)), dumpPoint{DataPoint: DataPoint{Value: run.Raw(run.Double, 9, "")}}},
		{"no recorded value", 5, vint(8, 1), dumpPoint{DataPoint: DataPoint{Flags: 1}}},
		{"value in foreign wire type", 5, cat(vint(4, 1), fix32(6, 1)), dumpPoint{}},
		{"one bucket", 9, cat(fix64(4, 5), fix64(5, bits(10)), fix64(6, 5)),
			dumpPoint{Sum: bits(10), DataPoint: DataPoint{Count: 5, HasSum: true, Buckets: Buckets{Counts: []uint64{5}}}}},
		{"count alone", 9, cat(fix64(4, 5), fix64(5, 0)), dumpPoint{DataPoint: DataPoint{Count: 5, HasSum: true}}},
		{"lists in parts, packed and not", 9, cat(fix64(4, 6), fix64(6, 1), text1(6, "\x02\x00\x00\x00\x00\x00\x00\x00"), fix64(7, bits(1)), fix64(6, 3), fix64(7, bits(2))),
			dumpPoint{Bounds: []uint64{bits(1), bits(2)}, DataPoint: DataPoint{Count: 6, Buckets: Buckets{Counts: []uint64{1, 2, 3}}}}},
		{"min and max", 9, cat(fix64(11, bits(-1)), fix64(12, 0)), dumpPoint{Min: bits(-1), DataPoint: DataPoint{HasMin: true, HasMax: true}}},
		{"exponential min and max", 10, cat(fix64(12, bits(-1)), fix64(13, nan)),
			dumpPoint{Min: bits(-1), Max: nan, DataPoint: DataPoint{HasMin: true, HasMax: true}}},
		{"exponential in parts", 10, cat(fix64(4, 3), msg(8, vint(1, 3), vint(2, 1)), msg(8, msg(2, []byte{2})), vint(6, 5)),
			dumpPoint{DataPoint: DataPoint{Count: 3, Buckets: Buckets{Scale: -3, Positive: BucketSpan{-2, []uint64{1, 2}}}}}},
		{"summary", 11, fix64(4, 2), dumpPoint{DataPoint: DataPoint{Count: 2, HasSum: true}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachDecoder(t, func(t *testing.T, decode Decoder) {
				d := dumpMetrics(t, decode, msg(2, msg(protowire.Number(c.kind), msg(1, c.point))))
				if d := cmp.Diff([]dumpPoint{c.want}, d.Points, sameValues()); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
			})
		})
	}
}

func TestMetricKindWords(t *testing.T) {
	want := []string{"no data", "gauge", "sum", "histogram", "exponential_histogram", "summary"}
	for i, k := range metricKinds() {
		if k.String() != want[i] {
			t.Errorf("%d is %q, want %q", k, k, want[i])
		}
	}
}
