package otlp

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// TestValues reads values of all types and forms through a batch and expands
// them.
func TestValues(t *testing.T) {
	one, two := msg(1, vint(3, 1)), msg(1, vint(3, 2))
	ints := func(ns ...int64) run.Value {
		var vs []run.Value
		for _, n := range ns {
			vs = append(vs, run.IntValue(n))
		}
		return run.ArrayValue(vs)
	}
	for _, c := range []struct {
		name  string
		value []byte
		want  run.Value
	}{
		{"empty", nil, run.Value{}},
		{"string", text1(1, "x"), run.StringValue("x")},
		{"empty string", text1(1, ""), run.StringValue("")},
		{"number in a string", text1(1, "007"), run.StringValue("007")},
		{"text to repair", text1(1, "a\xff\xfeb"), run.StringValue("a\uFFFD\uFFFDb")},
		{"true", vint(2, 1), run.BoolValue(true)},
		{"false", vint(2, 0), run.BoolValue(false)},
		{"bool of 300", vint(2, 300), run.BoolValue(true)},
		{"0", vint(3, 0), run.IntValue(0)},
		{"-1", vint(3, math.MaxUint64), run.IntValue(-1)},
		{"2^53+1", vint(3, 9007199254740993), run.IntValue(9007199254740993)},
		{"smallest", vint(3, 1<<63), run.IntValue(math.MinInt64)},
		{"0.0", fix64(4, 0), run.DoubleValue(0)},
		{"-0.0", fix64(4, 1<<63), run.Raw(run.Double, 1<<63, "")},
		{"NaN with a payload", fix64(4, 0x7ff8000000000123), run.Raw(run.Double, 0x7ff8000000000123, "")},
		{"infinity", fix64(4, math.Float64bits(math.Inf(1))), run.DoubleValue(math.Inf(1))},
		{"bytes", text1(7, "\x00\x01\x02"), run.BytesValue([]byte{0, 1, 2})},
		{"bytes that are not UTF-8", text1(7, "\xff"), run.BytesValue([]byte{0xff})},
		{"empty array", msg(5), run.ArrayValue(nil)},
		{"empty map", msg(6), run.KVListValue(nil)},
		{"mixed array", msg(5, one, msg(1, text1(1, "a")), msg(1, vint(2, 1)), msg(1, msg(5)), msg(1)),
			run.ArrayValue([]run.Value{run.IntValue(1), run.StringValue("a"), run.BoolValue(true), run.ArrayValue(nil), {}})},
		{"map with a key twice", msg(6, kv(1, "k", vint(3, 1)), kv(1, "k", vint(3, 2)), kv(1, "")),
			run.KVListValue([]run.Attr{num("k", 1), num("k", 2), {}})},
		{"array in parts", cat(msg(5, one), msg(5, two), msg(5), msg(5, one)), ints(1, 2, 1)},
		{"array, other, array", cat(msg(5, one), text1(1, "x"), msg(5, two)), ints(2)},
		{"map in parts", cat(msg(6, kv1(1, "a", "b")), msg(6, kv1(1, "c", "d"))), run.KVListValue([]run.Attr{str("a", "b"), str("c", "d")})},
		{"array, then map", cat(msg(5, one), msg(6, kv1(1, "a", "b"))), run.KVListValue([]run.Attr{str("a", "b")})},
		{"parts inside", msg(5, msg(1, msg(5, one), msg(5, two)), msg(1, msg(6, kv1(1, "a", "b")), msg(6, kv1(1, "c", "d"))), msg(1, msg(5, one), vint(3, 7), msg(5, two))),
			run.ArrayValue([]run.Value{ints(1, 2), run.KVListValue([]run.Attr{str("a", "b"), str("c", "d")}), ints(2)})},
		{"text to repair inside", msg(6, kv1(1, "\xff", "\xff")), run.KVListValue([]run.Attr{str("\uFFFD", "\uFFFD")})},
		{"scalars inside", msg(5, msg(1, fix64(4, 5)), msg(1, text1(7, "\xff")), msg(1, text1(1, "x"), vint(8, 1)), msg(1, vint(2, 9))),
			run.ArrayValue([]run.Value{run.Raw(run.Double, 5, ""), run.BytesValue([]byte{0xff}), {}, run.BoolValue(true)})},
		{"unknown fields inside", msg(5, vint(2, 1), one, group(3, vint(1, 1)), msg(1, vint(9, 1), vint(3, 2))), ints(1, 2)},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachDecoder(t, func(t *testing.T, decode Decoder) {
				var b Batch
				if err := decode(run.Traces, withAttr(run.Traces, text1(1, "key"), msg(2, c.value)), &b); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff([]run.Attr{{Key: "key", Value: c.want}}, b.AttrList(b.Spans[0].Attrs), sameValues()); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
			})
		})
	}
}

// TestAttrForms sends one attribute in forms that the fast path must leave to
// the general one, each a byte away from what it takes.
func TestAttrForms(t *testing.T) {
	long := string(bytes.Repeat([]byte("k"), 127))
	for _, c := range []struct {
		name string
		pair []byte
		want run.Attr
	}{
		{"no key", msg(2, vint(3, 1)), num("", 1)},
		{"empty key", cat(text1(1, ""), msg(2, vint(3, 1))), num("", 1)},
		{"key of 127 bytes", cat(text1(1, long), msg(2, vint(3, 1))), num(long, 1)},
		{"key of 128 bytes", cat(text1(1, long+"k"), msg(2, vint(3, 1))), num(long+"k", 1)},
		{"value of 127 bytes", cat(text1(1, "k"), msg(2, text1(1, long[:125]))), str("k", long[:125])},
		{"value of 128 bytes", cat(text1(1, "k"), msg(2, text1(1, long[:126]))), str("k", long[:126])},
		{"value of 129 bytes", cat(text1(1, "k"), msg(2, text1(1, long))), str("k", long)},
		{"value of 131 bytes", cat(text1(1, "k"), msg(2, text1(1, long+"k"))), str("k", long+"k")},
		{"key index of profiles", cat(text1(1, "k"), msg(2, vint(3, 1)), vint(3, 9)), num("k", 1)},
		{"long length of the key", cat([]byte{0x0a, 0x81, 0x00, 'k'}, msg(2, vint(3, 1))), num("k", 1)},
		{"long length of the value", cat(text1(1, "k"), []byte{0x12, 0x82, 0x00, 0x18, 0x01}), num("k", 1)},
		{"long length of the string", cat(text1(1, "k"), msg(2, []byte{0x0a, 0x81, 0x00, 'v'})), str("k", "v")},
		{"long int", cat(text1(1, "k"), msg(2, []byte{0x18, 0x81, 0x80, 0x00})), num("k", 1)},
		{"long bool", cat(text1(1, "k"), msg(2, []byte{0x10, 0x81, 0x00})), run.Attr{Key: "k", Value: run.BoolValue(true)}},
		{"long tag", cat([]byte{0x8a, 0x00, 1, 'k'}, msg(2, vint(3, 1))), num("k", 1)},
		{"what a long length misread as a short one would find", cat([]byte{0x0a, 0x85, 0x00}, []byte("abcde"), msg(2, vint(3, 1)),
			text1(15, string(bytes.Repeat([]byte("x"), 121))+"\x12\x02\x18\x05")), num("abcde", 1)},
		{"int twice", cat(text1(1, "k"), msg(2, vint(3, 1), vint(3, 2))), num("k", 2)},
		{"double twice", cat(text1(1, "k"), msg(2, fix64(4, 1), fix64(4, 2))), run.Attr{Key: "k", Value: run.Raw(run.Double, 2, "")}},
		{"string twice", cat(text1(1, "k"), msg(2, text1(1, "a"), text1(1, "b"))), str("k", "b")},
		{"key beyond ASCII", cat(text1(1, "schlüssel"), msg(2, text1(1, "näïve"))), str("schlüssel", "näïve")},
		{"value of 7 bytes beyond ASCII", cat(text1(1, "k"), msg(2, text1(1, "abcde\u00e9"))), str("k", "abcde\u00e9")},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachDecoder(t, func(t *testing.T, decode Decoder) {
				var b Batch
				if err := decode(run.Logs, oneItem(msg(6, c.pair)), &b); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff([]run.Attr{c.want}, b.AttrList(b.Logs[0].Attrs), sameValues()); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
			})
		})
	}
}

// TestValuesOutliveTheBatch checks that expanded values share no memory with
// the request.
func TestValuesOutliveTheBatch(t *testing.T) {
	body := richBody(run.Traces)
	b := mustDecode(t, run.Traces, body)
	s, err := b.FullSpan(&b.Spans[0])
	if err != nil {
		t.Fatal(err)
	}
	b.Reset()
	for i := range body {
		body[i] = 0xee
	}
	want := richSpan()
	s.Scope = run.Scope{}
	if d := cmp.Diff(want, s, sameValues()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestExpandValueOfColumns expands from the form in which a store keeps values.
func TestExpandValueOfColumns(t *testing.T) {
	for _, want := range richAttrs() {
		v := want.Value
		var val []byte
		switch v.Type {
		case run.Array, run.KVList:
			val = appendList(nil, &v)
		case run.String, run.Bytes:
			val = []byte(v.Str())
		}
		if d := cmp.Diff(v, ExpandValue(v.Type, uint64(v.Int()), val), sameValues()); d != "" {
			t.Errorf("%s (-want +got)\n%s", want.Key, d)
		}
	}
}

// TestExpandValueDepth follows a legitimate deep value to its end and stops
// at the bound in one that no decoder let pass.
func TestExpandValueDepth(t *testing.T) {
	levels := func(v run.Value) int {
		n := 0
		for v.Type == run.KVList || v.Type == run.Array {
			n++
			if v.Type == run.KVList {
				if len(v.Attrs()) == 0 {
					break
				}
				v = v.Attrs()[0].Value
				continue
			}
			if len(v.List()) == 0 {
				break
			}
			v = v.List()[0]
		}
		return n
	}
	for _, kind := range []run.Type{run.Array, run.KVList} {
		for _, c := range []struct{ sent, want int }{{1, 1}, {60, 60}, {MaxDepth, MaxDepth}, {MaxDepth + 1, MaxDepth}, {5000, MaxDepth}} {
			list := nested(c.sent, 5)
			if kind == run.KVList {
				list = nested(c.sent, 6)
			}
			var f field
			if err := f.read(list, 0); err != nil {
				t.Fatal(err)
			}
			if got := levels(ExpandValue(kind, 0, list[f.at:f.end])); got != c.want {
				t.Errorf("%s of %d levels expands to %d, want %d", kind, c.sent, got, c.want)
			}
		}
	}
}

// TestExpandValueOfGarbage gives what can be read before the damage.
func TestExpandValueOfGarbage(t *testing.T) {
	good := msg(1, vint(3, 1))
	for _, c := range []struct {
		t    run.Type
		p    []byte
		want run.Value
	}{
		{run.Array, cat(good, []byte{0x0a}), run.ArrayValue([]run.Value{run.IntValue(1)})},
		{run.Array, cat(good, msg(1, []byte{0x18}), good), run.ArrayValue([]run.Value{run.IntValue(1), {}})},
		{run.KVList, cat(kv1(1, "a", "b"), []byte{0x0a, 9}), run.KVListValue([]run.Attr{str("a", "b")})},
		{run.KVList, cat(kv1(1, "a", "b"), msg(1, text1(1, "c"), []byte{0x12, 9})), run.KVListValue([]run.Attr{str("a", "b"), {Key: "c"}})},
		{run.Type(99), nil, run.Raw(99, 5, "")},
	} {
		if d := cmp.Diff(c.want, ExpandValue(c.t, 5, c.p), sameValues()); d != "" {
			t.Errorf("(-want +got)\n%s", d)
		}
	}
}
