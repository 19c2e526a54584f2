package otlp

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/run"
)

// sameValues compares domain values: NaN equals NaN of the same bits, and an
// empty list equals none.
func sameValues() cmp.Options {
	return cmp.Options{cmp.AllowUnexported(run.Value{}), cmpopts.EquateEmpty()}
}

func mustMarshal(t testing.TB, m proto.Message) []byte {
	t.Helper()
	p, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func mustDecode(t testing.TB, signal run.Signal, body []byte) *Batch {
	t.Helper()
	b := &Batch{}
	if err := b.Decode(signal, body); err != nil {
		t.Fatal(err)
	}
	return b
}

func str(k, v string) run.Attr       { return run.Attr{Key: k, Value: run.StringValue(v)} }
func num(k string, v int64) run.Attr { return run.Attr{Key: k, Value: run.IntValue(v)} }

var (
	idA   = run.TraceID{0x5b, 0x8e, 0xff, 0xf7, 0x98, 0x03, 0x81, 0x03, 0xd2, 0x69, 0xb6, 0x33, 0x81, 0x3f, 0xc6, 0x0c}
	idB   = run.TraceID{0x0a, 0xf7, 0x65, 0x19, 0x16, 0xcd, 0x43, 0xdd, 0x84, 0x48, 0xeb, 0x21, 0x1c, 0x80, 0x31, 0x9c}
	id1   = run.SpanID{0xee, 0xe1, 0x9b, 0x7e, 0xc3, 0xc1, 0xb1, 0x74}
	id2   = run.SpanID{0xb7, 0xad, 0x6b, 0x71, 0x69, 0x20, 0x33, 0x31}
	id3   = run.SpanID{0x00, 0xf0, 0x67, 0xaa, 0x0b, 0xa9, 0x02, 0xb7}
	time0 = uint64(1760000000000000000)
)

// richAttrs holds a value of every type.
func richAttrs() []run.Attr {
	return []run.Attr{
		str("s", "text"), str("empty", ""), str("", "no key"), num("i", -7), num("zero", 0), num("big", 9223372036854775807),
		{Key: "d", Value: run.DoubleValue(1.5)}, {Key: "d0", Value: run.DoubleValue(0)},
		{Key: "t", Value: run.BoolValue(true)}, {Key: "f", Value: run.BoolValue(false)},
		{Key: "b", Value: run.BytesValue([]byte{0, 1, 2, 0xff})}, {Key: "none"},
		{Key: "a", Value: run.ArrayValue([]run.Value{run.IntValue(1), run.StringValue("a"), run.BoolValue(true), run.ArrayValue(nil), {}})},
		{Key: "m", Value: run.KVListValue([]run.Attr{num("k", 1), num("k", 2), {Key: "in", Value: run.KVListValue([]run.Attr{str("x", "y")})}})},
		num("k", 1), num("k", 2),
	}
}

// richSpan uses every field of a span.
func richSpan() run.Span {
	return run.Span{
		TraceID: idA, ID: id1, Parent: id2, TraceState: "a=b,c=d", Name: "train.step", Kind: 1,
		Start: time0, End: time0 + 1e9, Status: run.StatusError, StatusMessage: "NCCL timeout", Flags: 257, Attrs: richAttrs(),
		Events:       []run.Event{{Time: time0 + 1, Name: "nemo.span.truncated", Attrs: richAttrs(), Dropped: 3}, {Time: 5}},
		Links:        []run.Link{{TraceID: idB, ID: id3, TraceState: "x=y", Attrs: richAttrs(), Dropped: 4, Flags: 1}},
		DroppedAttrs: 1, DroppedEvents: 2, DroppedLinks: 300,
	}
}
