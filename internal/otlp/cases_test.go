package otlp

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// The rows of the table of cases that concern decoding, at the protobuf door.
// Row 6 is TestRejectedSpans, 34 and 38 are TestReadBuckets.

// TestCase5 is unknown fields, empty envelopes and missing parts: all are
// accepted and nothing is invented.
func TestCase5(t *testing.T) {
	future := cat(text1(900, "future"), vint(901, 1), msg(902, msg(1, vint(1, 1))))
	for _, c := range []struct {
		name string
		body []byte
		want dump
	}{
		{"zero bytes", nil, dump{}},
		{"only unknown fields", future, dump{}},
		{"empty resource spans", msg(1), dump{Resources: []dumpResource{{}}}},
		{"empty scope spans and unknown fields", cat(msg(1, msg(2), future), future), dump{Resources: []dumpResource{{}}, Scopes: []dumpScope{{}}}},
		{"span without resource and scope", oneItem(ids(), future), dump{
			Resources: []dumpResource{{}}, Scopes: []dumpScope{{}}, Spans: []dumpSpan{{run.Span{TraceID: idA, ID: id1}, 0}},
		}},
		{"empty values", oneItem(ids(), msg(9, text1(1, "k")), msg(9, text1(1, "k"), msg(2)), msg(9)), dump{
			Resources: []dumpResource{{}}, Scopes: []dumpScope{{}},
			Spans: []dumpSpan{{run.Span{TraceID: idA, ID: id1, Attrs: []run.Attr{{Key: "k"}, {Key: "k"}, {}}}, 0}},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachDecoder(t, func(t *testing.T, decode Decoder) {
				var b Batch
				if err := decode(run.Traces, c.body, &b); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(c.want, dumpBatch(t, &b), sameValues()); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
			})
		})
	}
}

// TestCase8 is deep nesting: 60 levels are kept to the last, 200,000 are
// refused (see also TestDeepNesting).
func TestCase8(t *testing.T) {
	eachDecoder(t, func(t *testing.T, decode Decoder) {
		s := oneSpan(t, decode, ids(), kv(9, "deep", nested(60, 6)))
		v, levels := s.Attrs[0].Value, 0
		for v.Type == run.KVList {
			v, levels = v.Attrs()[0].Value, levels+1
		}
		if levels != 60 || v.Type != run.Empty {
			t.Errorf("%d levels, then %s", levels, v.Type)
		}
		var b Batch
		if err := decode(run.Traces, oneItem(ids(), kv(9, "deep", nested(200_000, 6))), &b); err == nil || b.Items() != 0 {
			t.Errorf("200,000 levels: %v", err)
		}
	})
}

// TestCase9 is NaN and infinity: they are values as any other, and an unset
// number is not 0.
func TestCase9(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	point := func(v float64) []byte { return msg(1, fix64(3, time0), fix64(4, math.Float64bits(v))) }
	body := msg(1, msg(2,
		msg(2, text1(1, "dl.loss"), msg(5, point(2), point(nan), point(1), msg(1, fix64(3, time0)))),
		msg(2, text1(1, "dl.grad_norm"), msg(5, point(inf), point(math.Inf(-1))))))
	eachDecoder(t, func(t *testing.T, decode Decoder) {
		var b Batch
		if err := decode(run.Metrics, body, &b); err != nil {
			t.Fatal(err)
		}
		var got []run.Value
		for i := range b.Points {
			got = append(got, b.Points[i].Value())
		}
		want := []run.Value{run.DoubleValue(2), run.DoubleValue(nan), run.DoubleValue(1), {}, run.DoubleValue(inf), run.DoubleValue(math.Inf(-1))}
		if d := cmp.Diff(want, got, sameValues()); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
		again := mustDecode(t, run.Metrics, rebuild(t, &b))
		sameDump(t, "export changes values", dumpBatch(t, &b), dumpBatch(t, again))
	})
}

// TestCase10 is impossible times: the decoder keeps them as sent.
func TestCase10(t *testing.T) {
	for _, c := range []struct{ start, end uint64 }{
		{time0, time0 + 1e10}, {time0, time0 - 1}, {0, time0}, {math.MaxUint64, time0}, {1760000000000, time0}, {time0, 0}, {0, 0}, {1, math.MaxUint64},
	} {
		eachDecoder(t, func(t *testing.T, decode Decoder) {
			s := oneSpan(t, decode, ids(), fix64(7, c.start), fix64(8, c.end))
			if s.Start != c.start || s.End != c.end {
				t.Errorf("%d–%d became %d–%d", c.start, c.end, s.Start, s.End)
			}
		})
	}
}

// TestCase16 is value fidelity, through the rows and back to the wire.
func TestCase16(t *testing.T) {
	attrs := []run.Attr{
		{Key: "bytes", Value: run.BytesValue([]byte{0, 1, 2})},
		{Key: "map", Value: run.KVListValue([]run.Attr{{Key: "in", Value: run.KVListValue([]run.Attr{num("x", 1)})}})},
		{Key: "mixed", Value: run.ArrayValue([]run.Value{run.IntValue(1), run.StringValue("a"), run.BoolValue(true), run.ArrayValue(nil)})},
		str("empty", ""), {Key: "false", Value: run.BoolValue(false)}, num("zero", 0), num("k", 1), num("k", 2), str("", "no key"),
	}
	span := run.Span{
		TraceID: idA, ID: id1, Flags: 257, TraceState: "a=b", Attrs: attrs, DroppedAttrs: 1, DroppedEvents: 2, DroppedLinks: 3,
		Links: []run.Link{{TraceID: idB, ID: id2, Flags: 1}},
	}
	record := run.Log{EventName: "nemo.event", Body: run.KVListValue(attrs), Attrs: attrs}
	metric := MetricInfo{Name: "m", Kind: Gauge, Metadata: attrs}
	w := NewBuilder(run.Traces)
	w.Span(&span)
	traces := append([]byte(nil), w.Bytes()...)
	w.Reset(run.Logs)
	w.Log(&record)
	logs := append([]byte(nil), w.Bytes()...)
	w.Reset(run.Metrics)
	w.Metric(metric)
	metrics := append([]byte(nil), w.Bytes()...)
	eachDecoder(t, func(t *testing.T, decode Decoder) {
		var b Batch
		if err := decode(run.Traces, traces, &b); err != nil {
			t.Fatal(err)
		}
		s, err := b.FullSpan(&b.Spans[0])
		if d := cmp.Diff(span, s, sameValues()); d != "" || err != nil {
			t.Errorf("span, %v (-want +got)\n%s", err, d)
		}
		if err := decode(run.Logs, logs, &b); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(record, b.FullLog(&b.Logs[0]), sameValues()); d != "" {
			t.Errorf("log (-want +got)\n%s", d)
		}
		if err := decode(run.Metrics, metrics, &b); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(metric, b.FullMetric(&b.Metrics[0]), sameValues()); d != "" {
			t.Errorf("metric (-want +got)\n%s", d)
		}
	})
}
