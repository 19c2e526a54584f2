package store

import (
	"fmt"
	"math"
	"testing"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// metricBatch decodes metrics of one resource as the receiver would.
func metricBatch(t testing.TB, ms ...*metricspb.Metric) *otlp.Batch {
	t.Helper()
	body, err := proto.Marshal(&metricspb.MetricsData{ResourceMetrics: []*metricspb.ResourceMetrics{{
		ScopeMetrics: []*metricspb.ScopeMetrics{{Metrics: ms}}}}})
	if err != nil {
		t.Fatal(err)
	}
	b := new(otlp.Batch)
	if err := b.Decode(run.Metrics, body); err != nil {
		t.Fatal(err)
	}
	return b
}

func pairs(kv ...string) []*commonpb.KeyValue {
	var out []*commonpb.KeyValue
	for i := 0; i < len(kv); i += 2 {
		out = append(out, &commonpb.KeyValue{Key: kv[i], Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: kv[i+1]}}})
	}
	return out
}

func number(at, start uint64, v float64, kv ...string) *metricspb.NumberDataPoint {
	return &metricspb.NumberDataPoint{TimeUnixNano: at, StartTimeUnixNano: start, Attributes: pairs(kv...),
		Value: &metricspb.NumberDataPoint_AsDouble{AsDouble: v}}
}

func gauge(name string, ps ...*metricspb.NumberDataPoint) *metricspb.Metric {
	return &metricspb.Metric{Name: name, Data: &metricspb.Metric_Gauge{Gauge: &metricspb.Gauge{DataPoints: ps}}}
}

func counter(name string, ps ...*metricspb.NumberDataPoint) *metricspb.Metric {
	return &metricspb.Metric{Name: name, Data: &metricspb.Metric_Sum{Sum: &metricspb.Sum{
		AggregationTemporality: metricspb.AggregationTemporality_AGGREGATION_TEMPORALITY_CUMULATIVE, IsMonotonic: true, DataPoints: ps}}}
}

func feed(s *metricSet, gen uint64, process int, b *otlp.Batch) (acc metricAccount) {
	for i := range b.Metrics {
		a := s.add(gen, b, &b.Metrics[i], process, int64(gen))
		acc.kept += a.kept
		acc.evicted += a.evicted
	}
	return acc
}

func TestSeriesIdentity(t *testing.T) {
	tests := []struct {
		name           string
		metrics        []*metricspb.Metric
		series, points int
	}{
		{"two attribute values are two series", []*metricspb.Metric{gauge("m", number(1, 0, 1, "gen", "0"), number(1, 0, 2, "gen", "1"))}, 2, 2},
		{"the order of attributes does not matter", []*metricspb.Metric{gauge("m", number(1, 0, 1, "a", "1", "b", "2"), number(2, 0, 1, "b", "2", "a", "1"))}, 1, 2},
		{"a new start time does not split", []*metricspb.Metric{counter("m", number(1, 5, 1, "a", "1"), number(2, 9, 2, "a", "1"))}, 1, 2},
		{"the same name twice in a scope is one metric", []*metricspb.Metric{gauge("m", number(1, 0, 1)), gauge("m", number(2, 0, 2))}, 1, 2},
		{"swapped values are not the same set", []*metricspb.Metric{gauge("m", number(1, 0, 1, "a", "1", "b", "2"), number(1, 0, 1, "a", "2", "b", "1"))}, 2, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newMetricSet(defaultMetricLimits(1 << 20))
			feed(s, 1, 0, metricBatch(t, tt.metrics...))
			view := s.snapshot()
			if len(view) != 1 {
				t.Fatalf("metrics = %d, want 1", len(view))
			}
			points := 0
			for _, sr := range view[0].Series {
				points += len(sr.Points)
			}
			if len(view[0].Series) != tt.series || points != tt.points {
				t.Errorf("series, points = %d, %d, want %d, %d", len(view[0].Series), points, tt.series, tt.points)
			}
		})
	}
}

func TestNotFinitePointsStandBeside(t *testing.T) {
	s := newMetricSet(defaultMetricLimits(1 << 20))
	feed(s, 1, 0, metricBatch(t,
		gauge("dl.loss", number(1, 0, 2), number(2, 0, math.NaN()), number(3, 0, 1)),
		gauge("dl.grad_norm", number(1, 0, math.Inf(1)))))
	loss, norm := s.snapshot()[0].Roll, s.snapshot()[1].Roll
	mean, ok := loss.Mean()
	if !ok || loss.Min != 1 || loss.Max != 2 || mean != 1.5 || loss.Finite != 2 || loss.NotFinite != 1 || loss.Last != 1 {
		t.Errorf("loss roll-up = %+v", loss)
	}
	if _, ok := norm.Mean(); ok || norm.NotFinite != 1 || !math.IsInf(norm.Last, 1) {
		t.Errorf("grad norm roll-up = %+v", norm)
	}
}

func TestNoRecordedValueIsAGap(t *testing.T) {
	s := newMetricSet(defaultMetricLimits(1 << 20))
	gap := &metricspb.NumberDataPoint{TimeUnixNano: 2, Flags: 1}
	feed(s, 1, 0, metricBatch(t, gauge("m", number(1, 0, 3), gap, number(3, 0, math.NaN()))))
	ps := s.snapshot()[0].Series[0].Points
	if ps[0].Gap() || !ps[1].Gap() || ps[2].Gap() {
		t.Errorf("gaps = %v %v %v, want only the second", ps[0].Gap(), ps[1].Gap(), ps[2].Gap())
	}
	if r := s.snapshot()[0].Roll; r.Gaps != 1 || r.NotFinite != 1 || r.Finite != 1 {
		t.Errorf("roll-up = %+v", r)
	}
}

func TestResetsAreCounted(t *testing.T) {
	s := newMetricSet(defaultMetricLimits(1 << 20))
	feed(s, 1, 0, metricBatch(t, counter("c", number(10, 1, 10), number(20, 1, 30), number(30, 25, 5), number(40, 25, 15))))
	if sr := s.snapshot()[0].Series[0]; sr.Resets != 1 {
		t.Errorf("resets = %d, want 1", sr.Resets)
	}
}

func TestLatePointsAreNoResets(t *testing.T) {
	s := newMetricSet(defaultMetricLimits(1 << 20))
	feed(s, 1, 0, metricBatch(t, counter("c", number(10, 1, 10), number(30, 1, 40), number(20, 1, 20), number(40, 1, 50), number(50, 45, 3))))
	if sr := s.snapshot()[0].Series[0]; sr.Resets != 1 || len(sr.ResetAt) != 1 || sr.ResetAt[0] != 50 {
		t.Errorf("resets = %d at %v, want the one at 50", sr.Resets, sr.ResetAt)
	}
}

func TestOddHistogramsAreKept(t *testing.T) {
	five, sum := uint64(5), 10.0
	h := func(p *metricspb.HistogramDataPoint) *metricspb.Metric {
		return &metricspb.Metric{Name: "h", Data: &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{DataPoints: []*metricspb.HistogramDataPoint{p}}}}
	}
	s := newMetricSet(defaultMetricLimits(1 << 20))
	feed(s, 1, 0, metricBatch(t,
		h(&metricspb.HistogramDataPoint{Count: five, Sum: &sum, BucketCounts: []uint64{5}}),
		h(&metricspb.HistogramDataPoint{Count: five, Sum: &sum}),
		h(&metricspb.HistogramDataPoint{Count: five, Sum: &sum, BucketCounts: []uint64{1, 2, 2}, ExplicitBounds: []float64{1, 2, 3, 4, 5}}),
		h(&metricspb.HistogramDataPoint{})))
	m := s.snapshot()[0]
	if m.Roll.Points != 4 || m.Roll.Gaps != 1 || m.Roll.Last != 2 {
		t.Errorf("roll-up = %+v", m.Roll)
	}
}

func TestCardinalityIsCountedPerKey(t *testing.T) {
	s := newMetricSet(defaultMetricLimits(64 << 20))
	const sessions = 5000
	for i := range sessions {
		feed(s, 1, 0, metricBatch(t, counter("requests", number(uint64(i), 0, 1, "user.session.id", fmt.Sprint("s-", i), "gen_ai.request.model", fmt.Sprint("m", i%5)))))
	}
	for _, k := range s.keyStats() {
		switch k.Key {
		case "user.session.id":
			if off := math.Abs(float64(k.Distinct)/sessions - 1); off > 0.03 || k.Exact || len(k.Examples) != 3 || k.Examples[0] != "s-0" || k.Series != sessions {
				t.Errorf("session ids: %+v", k)
			}
		case "gen_ai.request.model":
			if k.Distinct != 5 || !k.Exact || k.Once != 0 {
				t.Errorf("models: %+v", k)
			}
		default:
			t.Errorf("unexpected key %q", k.Key)
		}
	}
}

func TestResentCumulativePointsDoNotGrowCardinality(t *testing.T) {
	s := newMetricSet(defaultMetricLimits(1 << 20))
	for i := range 50 {
		feed(s, 1, 0, metricBatch(t, counter("c", number(uint64(i), 0, float64(i), "k", "v"))))
	}
	k := s.keyStats()[0]
	if k.Distinct != 1 || k.Once != 1 || k.Series != 1 || k.GrewAt != 1 {
		t.Errorf("key = %+v", k)
	}
}

func TestOverflowIsSeen(t *testing.T) {
	s := newMetricSet(defaultMetricLimits(1 << 20))
	p := number(1, 0, 96)
	p.Attributes = []*commonpb.KeyValue{{Key: overflowKey, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: true}}}}
	feed(s, 1, 0, metricBatch(t, counter("c", p)))
	if m := s.snapshot()[0]; !m.Overflow || m.Roll.Last != 96 {
		t.Errorf("metric = %+v", m)
	}
}

func TestPointsStayInTheirShare(t *testing.T) {
	const share = 64 << 10
	s := newMetricSet(defaultMetricLimits(share))
	var acc metricAccount
	for i := range 2000 {
		a := feed(s, 1, 0, metricBatch(t, gauge("m", number(uint64(i), 0, 1, "k", fmt.Sprint(i%100)))))
		acc.kept, acc.evicted = acc.kept+a.kept, acc.evicted+a.evicted
	}
	held := 0
	for _, sr := range s.snapshot()[0].Series {
		held += len(sr.Points)
	}
	if s.bytes > share {
		t.Errorf("bytes = %d, over the share of %d", s.bytes, share)
	}
	if s.kept != uint64(held) || acc.kept != held || acc.kept+acc.evicted != 2000 {
		t.Errorf("kept %d, held %d, account %+v", s.kept, held, acc)
	}
	if r := s.snapshot()[0].Roll; r.Points != 2000 {
		t.Errorf("the roll-up covers %d points, want all 2000", r.Points)
	}
}

func TestMetricSnapshotNeverChanges(t *testing.T) {
	s := newMetricSet(defaultMetricLimits(1 << 20))
	feed(s, 1, 0, metricBatch(t, gauge("m", number(1, 0, 1, "k", "a"))))
	old := s.snapshot()
	feed(s, 2, 0, metricBatch(t, gauge("m", number(2, 0, 5, "k", "a"), number(2, 0, 7, "k", "b")), gauge("n", number(1, 0, 1))))
	if len(old) != 1 || len(old[0].Series) != 1 || len(old[0].Series[0].Points) != 1 || old[0].Roll.Points != 1 {
		t.Errorf("an old snapshot changed: %+v", old[0])
	}
	if now := s.snapshot(); len(now) != 2 || len(now[0].Series) != 2 || now[0].Series[0].Roll.Max != 5 {
		t.Errorf("the new snapshot lacks what came: %+v", now[0])
	}
}
