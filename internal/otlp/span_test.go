package otlp

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/beamline-hpc/lensview/internal/run"
)

// eachDecoder runs the test with both decoders, on a used batch.
func eachDecoder(t *testing.T, test func(t *testing.T, decode Decoder)) {
	t.Helper()
	for _, name := range DecoderNames() {
		t.Run(name, func(t *testing.T) {
			decode, err := DecoderNamed(name)
			if err != nil {
				t.Fatal(err)
			}
			test(t, decode)
		})
	}
}

// oneSpan decodes a request with one span of these fields and expands it.
func oneSpan(t *testing.T, decode Decoder, fields ...[]byte) run.Span {
	t.Helper()
	var b Batch
	if err := decode(run.Traces, oneItem(fields...), &b); err != nil {
		t.Fatal(err)
	}
	if len(b.Spans) != 1 {
		t.Fatalf("%d spans, rejected %v", len(b.Spans), b.Rejected)
	}
	s, err := b.FullSpan(&b.Spans[0])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestRejectedSpans is CASES 6: each bad span is counted by its reason, the
// good ones beside it are kept, zero and empty parents are none.
func TestRejectedSpans(t *testing.T) {
	trace, id := text1(1, string(idA[:])), text1(2, string(id1[:]))
	zero := func(num protowire.Number, n int) []byte { return text1(num, string(make([]byte, n))) }
	bad := []struct {
		reason string
		spans  [][]byte
	}{
		{"span without a trace id", [][]byte{cat(id), cat(text1(1, ""), id), cat(text1(1, ""), text1(2, ""))}},
		{"trace id is not 16 bytes long", [][]byte{cat(text1(1, string(idA[:8])), id), cat(zero(1, 3), id), cat(zero(1, 24), id)}},
		{"trace id is all zero", [][]byte{cat(zero(1, 16), id)}},
		{"span without a span id", [][]byte{trace, cat(trace, text1(2, ""))}},
		{"span id is not 8 bytes long", [][]byte{cat(trace, zero(2, 16)), cat(trace, text1(2, "1234567"))}},
		{"span id is all zero", [][]byte{cat(trace, zero(2, 8))}},
		{"parent span id is not 8 bytes long", [][]byte{cat(trace, id, text1(4, "1234567")), cat(trace, id, zero(4, 16))}},
	}
	good := msg(2, trace, id, text1(5, "good"))
	list := good
	var want []Rejection
	refused := 0
	for _, c := range bad {
		want = append(want, Rejection{c.reason, len(c.spans)})
		refused += len(c.spans)
		for _, s := range c.spans {
			list = append(list, msg(2, s, text1(5, "bad"), kv1(9, "k", "v"), msg(11, text1(2, "e")))...)
		}
	}
	list = append(list, cat(msg(2, trace, id, zero(4, 8)), msg(2, trace, id, text1(4, "")), good)...)
	eachDecoder(t, func(t *testing.T, decode Decoder) {
		var b Batch
		if err := decode(run.Traces, msg(1, msg(2, list)), &b); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(want, b.Rejected); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
		if len(b.Spans) != 4 || b.Items() != 4+refused || len(b.Attrs) != 0 {
			t.Errorf("%d spans, %d items, %d attributes", len(b.Spans), b.Items(), len(b.Attrs))
		}
		for i := range b.Spans {
			if !b.Spans[i].Parent.IsZero() {
				t.Errorf("span %d has a parent", i)
			}
		}
	})
}

// TestLastIDCounts sends ids more than once: the last of each decides.
func TestLastIDCounts(t *testing.T) {
	good, short := text1(1, string(idA[:])), text1(1, "short")
	for _, c := range []struct {
		name  string
		body  []byte
		spans int
	}{
		{"bad, then good", oneItem(short, good, text1(2, "x"), text1(2, string(id1[:]))), 1},
		{"long, then good", oneItem(text1(1, string(make([]byte, 24))), text1(2, string(idA[:])), text1(4, string(idA[:])), ids(), text1(4, string(id2[:]))), 1},
		{"good, then bad", oneItem(good, text1(2, string(id1[:])), short), 0},
		{"good, then empty", oneItem(good, text1(2, string(id1[:])), text1(1, "")), 0},
		{"parent bad, then empty", oneItem(ids(), text1(4, "x"), text1(4, "")), 1},
		{"parent good, then bad", oneItem(ids(), text1(4, string(id2[:])), text1(4, "x")), 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachDecoder(t, func(t *testing.T, decode Decoder) {
				var b Batch
				if err := decode(run.Traces, c.body, &b); err != nil || len(b.Spans) != c.spans {
					t.Errorf("%d spans, %v, %v", len(b.Spans), b.Rejected, err)
				}
			})
		})
	}
}

// TestSpanFields reads the fields of a span in odd forms.
func TestSpanFields(t *testing.T) {
	base := run.Span{TraceID: idA, ID: id1}
	with := func(change func(*run.Span)) run.Span {
		s := base
		change(&s)
		return s
	}
	long := string(bytes.Repeat([]byte("forward."), 40))
	for _, c := range []struct {
		name   string
		fields []byte
		want   run.Span
	}{
		{"last scalar", cat(text1(5, "a"), text1(5, "b"), vint(6, 1), vint(6, 3), fix64(7, 1), fix64(7, 2), fix64(8, 3), fix64(8, 4), fix32(16, 1), fix32(16, 2)),
			with(func(s *run.Span) { s.Name, s.Kind, s.Start, s.End, s.Flags = "b", 3, 2, 4, 2 })},
		{"long name", text1(5, long), with(func(s *run.Span) { s.Name = long })},
		{"name beyond ASCII", text1(5, "训练步骤"), with(func(s *run.Span) { s.Name = "训练步骤" })},
		{"kind of two bytes", vint(6, 200), with(func(s *run.Span) { s.Kind = 200 })},
		{"kind beyond a byte", vint(6, 300), base},
		{"negative kind", vint(6, ^uint64(0)), base},
		{"kind of more than 32 bits", vint(6, 1<<32|2), with(func(s *run.Span) { s.Kind = 2 })},
		{"unknown flag bits", fix32(16, 0xffffffff), with(func(s *run.Span) { s.Flags = 0xffffffff })},
		{"status in two parts", cat(msg(15, text1(2, "m"), vint(3, 2)), msg(15, vint(3, 1))),
			with(func(s *run.Span) { s.Status, s.StatusMessage = 1, "m" })},
		{"status message cleared", cat(msg(15, text1(2, "m")), msg(15, text1(2, ""), vint(3, 2))), with(func(s *run.Span) { s.Status = 2 })},
		{"status in long form", msg(15, append([]byte{0x18}, 0x82, 0x00)), with(func(s *run.Span) { s.Status = 2 })},
		{"empty status", cat(msg(15, vint(3, 2)), msg(15)), with(func(s *run.Span) { s.Status = 2 })},
		{"dropped counts of 64 bits", cat(vint(10, 1<<32|5), vint(12, 6), vint(14, 7)),
			with(func(s *run.Span) { s.DroppedAttrs, s.DroppedEvents, s.DroppedLinks = 5, 6, 7 })},
		{"rare fields apart", cat(text1(3, "a=b"), text1(5, "n"), msg(11, text1(2, "e")), fix64(7, 1), msg(13, fix32(6, 9)), vint(14, 7), msg(15, text1(2, "m"))),
			with(func(s *run.Span) {
				s.TraceState, s.Name, s.Start, s.DroppedLinks, s.StatusMessage = "a=b", "n", 1, 7, "m"
				s.Events, s.Links = []run.Event{{Name: "e"}}, []run.Link{{Flags: 9}}
			})},
		{"trace state twice", cat(text1(3, "a=b"), text1(3, "c=d")), with(func(s *run.Span) { s.TraceState = "c=d" })},
		{"text to repair", cat(text1(3, "\xff"), text1(5, "\xff"), msg(11, text1(2, "\xff")), msg(15, text1(2, "a\xffb"))),
			with(func(s *run.Span) {
				s.TraceState, s.Name, s.StatusMessage, s.Events = "\uFFFD", "\uFFFD", "a\uFFFDb", []run.Event{{Name: "\uFFFD"}}
			})},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachDecoder(t, func(t *testing.T, decode Decoder) {
				if d := cmp.Diff(c.want, oneSpan(t, decode, ids(), c.fields), sameValues()); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
			})
		})
	}
}

// TestExtraInPlace checks where Extra lies: in the request while the rare
// fields are neighbours, as SDKs write them, and in the side buffer otherwise.
func TestExtraInPlace(t *testing.T) {
	rare := cat(vint(10, 1), msg(11, text1(2, "e")), vint(12, 2), msg(13, fix32(6, 1)), vint(14, 3), msg(15, text1(2, "m")))
	b := mustDecode(t, run.Traces, oneItem(ids(), rare, fix32(16, 1)))
	if e := b.Spans[0].Extra; e.off&sideBit != 0 || !bytes.Equal(b.Bytes(e), rare) {
		t.Errorf("neighbours were copied: %+v % x", e, b.Bytes(e))
	}
	b = mustDecode(t, run.Traces, oneItem(ids(), text1(3, "a=b"), text1(5, "n"), rare))
	if e := b.Spans[0].Extra; e.off&sideBit == 0 || !bytes.Equal(b.Bytes(e), cat(text1(3, "a=b"), rare)) {
		t.Errorf("not gathered: %+v % x", e, b.Bytes(e))
	}
	b = mustDecode(t, run.Traces, oneItem(ids(), msg(15, vint(3, 1))))
	if e := b.Spans[0].Extra; e.Len() != 0 {
		t.Errorf("a status without message is no rare field: %+v", e)
	}
}

// TestRejectedSpanLeavesNothing checks that a refused span takes its rows and
// copies along.
func TestRejectedSpanLeavesNothing(t *testing.T) {
	bad := msg(2, text1(5, "\xff"), kv1(9, "\xff", "\xff"), text1(3, "x"), fix64(7, 1), vint(10, 3))
	b := mustDecode(t, run.Traces, msg(1, msg(2, bad, msg(2, ids(), kv1(9, "a", "b")), bad)))
	if len(b.Spans) != 1 || len(b.Attrs) != 1 || len(b.side) != 0 {
		t.Errorf("%d spans, %d attributes, %d side bytes", len(b.Spans), len(b.Attrs), len(b.side))
	}
	if b.Repaired != 6 {
		t.Errorf("repaired %d strings of the request, want 6", b.Repaired)
	}
}
