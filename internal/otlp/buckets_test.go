package otlp

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/beamline-hpc/lensview/internal/run"
)

func packed(num protowire.Number, vs ...uint64) []byte {
	var p []byte
	for _, v := range vs {
		p = binary.LittleEndian.AppendUint64(p, v)
	}
	return msg(num, p)
}

func packedDoubles(num protowire.Number, vs ...float64) []byte {
	var p []byte
	for _, v := range vs {
		p = binary.LittleEndian.AppendUint64(p, math.Float64bits(v))
	}
	return msg(num, p)
}

func packedVarints(num protowire.Number, vs ...uint64) []byte {
	var p []byte
	for _, v := range vs {
		p = protowire.AppendVarint(p, v)
	}
	return msg(num, p)
}

// TestReadBuckets is CASES 34 and 38 and their kind. An error comes with what
// was sent.
func TestReadBuckets(t *testing.T) {
	count := func(n uint64) []byte { return fix64(4, n) }
	scale := func(n int32) []byte { return vint(6, protowire.EncodeZigZag(int64(n))) }
	span := func(num protowire.Number, offset int32, counts ...uint64) []byte {
		return msg(num, vint(1, protowire.EncodeZigZag(int64(offset))), packedVarints(2, counts...))
	}
	quantile := func(q, v float64) []byte { return msg(6, fix64(1, math.Float64bits(q)), fix64(2, math.Float64bits(v))) }
	for _, c := range []struct {
		name string
		kind MetricKind
		raw  []byte
		want Buckets
		err  string
	}{
		{"one bucket, no bounds", Histogram, cat(count(5), packed(6, 5)), Buckets{Counts: []uint64{5}}, ""},
		{"neither counts nor bounds", Histogram, count(5), Buckets{}, ""},
		{"two buckets", Histogram, cat(packed(6, 1, 4), packedDoubles(7, 0), count(5)), Buckets{Counts: []uint64{1, 4}, Bounds: []float64{0}}, ""},
		{"infinite bounds", Histogram, cat(packed(6, 0, 1, 0), packedDoubles(7, math.Inf(-1), math.Inf(1)), count(1)),
			Buckets{Counts: []uint64{0, 1, 0}, Bounds: []float64{math.Inf(-1), math.Inf(1)}}, ""},
		{"3 counts for 5 bounds", Histogram, cat(count(6), packed(6, 1, 2, 3), packedDoubles(7, 1, 2, 3, 4, 5)),
			Buckets{Counts: []uint64{1, 2, 3}, Bounds: []float64{1, 2, 3, 4, 5}}, "histogram point: 3 bucket counts do not fit 5 bounds"},
		{"bounds alone", Histogram, packedDoubles(7, 1), Buckets{Bounds: []float64{1}}, "histogram point: 0 bucket counts do not fit 1 bounds"},
		{"bounds out of order", Histogram, cat(packed(6, 0, 0, 0), packedDoubles(7, 2, 2)),
			Buckets{Counts: []uint64{0, 0, 0}, Bounds: []float64{2, 2}}, "histogram point: bound 1 (2) is not above the one before it"},
		{"NaN bound", Histogram, cat(packed(6, 0, 0), packedDoubles(7, math.NaN())),
			Buckets{Counts: []uint64{0, 0}, Bounds: []float64{math.NaN()}}, "histogram point: bound 0 (NaN) is not above the one before it"},
		{"other total", Histogram, cat(count(7), packed(6, 5)), Buckets{Counts: []uint64{5}}, "histogram point: bucket counts add up to 5, the point's count is 7"},
		{"total beyond 64 bits", Histogram, cat(count(1), packed(6, math.MaxUint64, 2), packedDoubles(7, 0)),
			Buckets{Counts: []uint64{math.MaxUint64, 2}, Bounds: []float64{0}}, "histogram point: bucket counts add up to more than 64 bits, the point's count is 1"},
		{"exponential", ExpHistogram, cat(count(7), scale(2), fix64(7, 1), span(8, 0, 2, 3), span(9, 0, 1)), Buckets{
			Scale: 2, ZeroCount: 1, Positive: BucketSpan{0, []uint64{2, 3}}, Negative: BucketSpan{0, []uint64{1}},
		}, ""},
		{"exponential, no negative", ExpHistogram, cat(count(5), scale(-1), span(8, -7, 2, 3), fix64(14, math.Float64bits(0.5))),
			Buckets{Scale: -1, ZeroThreshold: 0.5, Positive: BucketSpan{-7, []uint64{2, 3}}}, ""},
		{"exponential, nothing", ExpHistogram, nil, Buckets{}, ""},
		{"exponential, other total", ExpHistogram, cat(count(5), span(8, 0, 2)), Buckets{Positive: BucketSpan{0, []uint64{2}}},
			"exponential_histogram point: bucket counts add up to 2, the point's count is 5"},
		{"exponential, index too high", ExpHistogram, cat(count(2), span(8, math.MaxInt32, 1, 1)), Buckets{Positive: BucketSpan{math.MaxInt32, []uint64{1, 1}}},
			"exponential_histogram point: 2 buckets from offset 2147483647 on pass the last index"},
		{"summary", Summary, cat(count(9), quantile(0, -1), quantile(0.5, math.NaN()), quantile(1, 7)), Buckets{Quantiles: []Quantile{{0, -1}, {0.5, math.NaN()}, {1, 7}}}, ""},
		{"summary, no quantile", Summary, count(9), Buckets{}, ""},
		{"quantile above 1", Summary, quantile(99, 1), Buckets{Quantiles: []Quantile{{99, 1}}}, "summary point: quantile 99 is not between 0 and 1"},
		{"quantile NaN", Summary, quantile(math.NaN(), 1), Buckets{Quantiles: []Quantile{{math.NaN(), 1}}}, "summary point: quantile NaN is not between 0 and 1"},
		{"a number has none", Gauge, cat(count(9), packed(6, 5)), Buckets{}, ""},
		{"malformed", Histogram, cat(packed(6, 5), msg(6, []byte{1, 2})), Buckets{}, "read the buckets of one histogram point: packed list ends inside a number"},
		{"cut", ExpHistogram, cat(count(5), msg(8, msg(2, []byte{0x80}))), Buckets{}, "read the buckets of one exponential_histogram point: truncated varint"},
		{"quantile cut", Summary, msg(6, []byte{0x09}), Buckets{}, "read the buckets of one summary point: field runs past the end of its message"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := ReadBuckets(c.kind, c.raw)
			if msg := errText(err); msg != c.err {
				t.Errorf("error %q, want %q", msg, c.err)
			}
			if d := cmp.Diff(c.want, got, sameValues(), nanEqual()); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func nanEqual() cmp.Option {
	return cmp.Comparer(func(a, b float64) bool { return math.Float64bits(a) == math.Float64bits(b) })
}

// TestInconsistentPointIsKept decodes a histogram that contradicts itself: the
// request is fine, the point is listed, its buckets are an error.
func TestInconsistentPointIsKept(t *testing.T) {
	b := mustDecode(t, run.Metrics, oneItem(text1(1, "h"), msg(9, msg(1, fix64(4, 6), fix64(5, math.Float64bits(10)),
		packed(6, 1, 2, 3), packedDoubles(7, 1, 2, 3, 4, 5), kv1(9, "a", "b")))))
	p, err := b.FullPoint(&b.Points[0])
	if err == nil {
		t.Fatal("no error")
	}
	if p.Count != 6 || p.Sum != 10 || !p.HasSum || len(p.Attrs) != 1 || len(p.Buckets.Bounds) != 5 {
		t.Errorf("%+v", p)
	}
}

func TestReadExemplars(t *testing.T) {
	for kind, num := range map[MetricKind]protowire.Number{Gauge: 5, Sum: 5, Histogram: 8, ExpHistogram: 11} {
		raw := cat(msg(num, fix64(2, 1), fix64(3, 7), text1(4, string(id1[:])), text1(5, string(idA[:])), kv1(7, "a", "b")),
			fix64(3, 9), msg(num, fix64(3, 7), fix64(6, 8), text1(4, "short")))
		want := []Exemplar{
			{Time: 1, Value: run.Raw(run.Double, 7, ""), SpanID: id1, TraceID: idA, Attrs: []run.Attr{str("a", "b")}},
			{Value: run.IntValue(8)},
		}
		got, err := ReadExemplars(kind, raw)
		if d := cmp.Diff(want, got, sameValues()); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", kind, err, d)
		}
		if _, err := ReadExemplars(kind, msg(num, []byte{0x09})); err == nil {
			t.Errorf("%s: a cut exemplar is no error", kind)
		}
	}
	if got, err := ReadExemplars(Summary, msg(5, fix64(2, 1))); got != nil || err != nil {
		t.Errorf("a summary has none: %v, %v", got, err)
	}
}
