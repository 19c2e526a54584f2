package run_test

import (
	"math"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

func str(s string) run.Value       { return run.StringValue(s) }
func num(n int64) run.Value        { return run.IntValue(n) }
func dbl(f float64) run.Value      { return run.DoubleValue(f) }
func arr(v ...run.Value) run.Value { return run.ArrayValue(v) }

func TestIntLike(t *testing.T) {
	tests := []struct {
		in   run.Value
		want int64
		ok   bool
	}{
		{num(7), 7, true},
		{num(-7), -7, true},
		{str("7"), 7, true},
		{str(" +007 "), 7, true},
		{str("-0"), 0, true},
		{str("9007199254740993"), 9007199254740993, true},
		{str("9223372036854775807"), math.MaxInt64, true},
		{str("-9223372036854775808"), math.MinInt64, true},
		{str("9223372036854775808"), 0, false},
		{str(""), 0, false},
		{str("  "), 0, false},
		{str("3.5"), 0, false},
		{str("1e3"), 0, false},
		{str("1_000"), 0, false},
		{str("0x10"), 0, false},
		{str("--1"), 0, false},
		{str("1 2"), 0, false},
		{str("٣"), 0, false},
		{str("true"), 0, false},
		{dbl(3), 0, false},
		{run.BoolValue(true), 0, false},
		{run.Value{}, 0, false},
		{arr(num(1)), 0, false},
	}
	for _, tt := range tests {
		if got, ok := tt.in.IntLike(); got != tt.want || ok != tt.ok {
			t.Errorf("IntLike(%v %q) = %d, %t; want %d, %t", tt.in.Type, tt.in, got, ok, tt.want, tt.ok)
		}
	}
}

func TestNumber(t *testing.T) {
	tests := []struct {
		in   run.Value
		want float64
		ok   bool
	}{
		{num(-3), -3, true},
		{dbl(2.5), 2.5, true},
		{dbl(math.Inf(1)), math.Inf(1), true},
		{str("2.5"), 2.5, true},
		{str(" -1.5e3 "), -1500, true},
		{str("+.5"), .5, true},
		{str("1e400"), 0, false},
		{str("0x1p-2"), 0, false},
		{str("0X10"), 0, false},
		{str("1_000"), 0, false},
		{str("inf"), 0, false},
		{str("Infinity"), 0, false},
		{str("nan"), 0, false},
		{str("e"), 0, false},
		{str("-"), 0, false},
		{str(""), 0, false},
		{str("12 ranks"), 0, false},
		{run.BoolValue(true), 0, false},
		{run.BytesValue([]byte("1")), 0, false},
	}
	for _, tt := range tests {
		got, ok := tt.in.Number()
		if ok != tt.ok || ok && got != tt.want {
			t.Errorf("Number(%v %q) = %v, %t; want %v, %t", tt.in.Type, tt.in, got, ok, tt.want, tt.ok)
		}
	}
}

func TestValueString(t *testing.T) {
	tests := []struct {
		in   run.Value
		want string
	}{
		{run.Value{}, ""},
		{str("a\"b"), `a"b`},
		{num(math.MinInt64), "-9223372036854775808"},
		{run.BoolValue(true), "true"},
		{run.BoolValue(false), "false"},
		{dbl(0.1), "0.1"},
		{dbl(1e21), "1e+21"},
		{dbl(math.NaN()), "NaN"},
		{dbl(math.Inf(1)), "Infinity"},
		{dbl(math.Inf(-1)), "-Infinity"},
		{dbl(math.MaxFloat64), "1.7976931348623157e+308"},
		{run.BytesValue([]byte{0, 1, 2}), "0x000102"},
		{run.BytesValue(nil), "0x"},
		{arr(), "[]"},
		{run.KVListValue(nil), "{}"},
		{arr(num(1), str("a"), run.BoolValue(true), arr(), run.Value{}), `[1,"a",true,[],null]`},
		{run.KVListValue([]run.Attr{{Key: "k", Value: num(1)}, {Key: "k", Value: arr(str("x\n"))}}), `{"k":1,"k":["x\n"]}`},
		{run.KVListValue([]run.Attr{{Value: run.KVListValue([]run.Attr{{Key: "b", Value: run.BytesValue([]byte{255})}})}}), `{"":{"b":0xff}}`},
	}
	for _, tt := range tests {
		if got := tt.in.String(); got != tt.want {
			t.Errorf("String() = %s, want %s", got, tt.want)
		}
	}
}

// nest is a value depth levels deep, lists and arrays by turns.
func nest(depth int, v run.Value) run.Value {
	for i := range depth {
		if i%2 == 0 {
			v = arr(v)
		} else {
			v = run.KVListValue([]run.Attr{{Key: "k", Value: v}})
		}
	}
	return v
}

func TestValueDepth(t *testing.T) {
	if got, want := nest(4, num(1)).String(), `{"k":[{"k":[1]}]}`; got != want {
		t.Errorf("String() = %s, want %s", got, want)
	}
	const depth = 200_000
	a, b, c := nest(depth, num(1)), nest(depth, num(1)), nest(depth, num(2))
	if s := a.String(); strings.Count(s, "[") != depth/2 || strings.Count(s, "]") != depth/2 {
		t.Errorf("a value %d deep is not written whole", depth)
	}
	if !a.Equal(b) || a.Equal(c) {
		t.Errorf("a value %d deep is not compared whole", depth)
	}
}

func TestValueEqual(t *testing.T) {
	kv := func(k string, v run.Value) run.Value { return run.KVListValue([]run.Attr{{Key: k, Value: v}}) }
	values := []run.Value{
		{}, str(""), str("1"), num(1), dbl(1), run.BoolValue(true), run.BoolValue(false), num(0), dbl(0),
		dbl(math.Copysign(0, -1)), dbl(math.NaN()), run.BytesValue([]byte("1")), arr(), arr(num(1)),
		arr(num(1), num(2)), arr(arr(num(1))), run.KVListValue(nil), kv("a", num(1)), kv("b", num(1)), kv("a", str("1")),
	}
	for i, a := range values {
		for j, b := range values {
			if got := a.Equal(b); got != (i == j) {
				t.Errorf("%v %q Equal %v %q = %t", a.Type, a, b.Type, b, got)
			}
		}
	}
}

func TestSame(t *testing.T) {
	tests := []struct {
		a, b run.Value
		want bool
	}{
		{num(0), str("0"), true},
		{num(0), str(" +00 "), true},
		{num(0), dbl(0), true},
		{dbl(0), dbl(math.Copysign(0, -1)), true},
		{str("4.0"), num(4), true},
		{str("1e3"), num(1000), true},
		{num(9007199254740993), dbl(9007199254740992), false},
		{num(9007199254740993), str("9007199254740992"), false},
		{num(math.MaxInt64), dbl(1 << 63), false},
		{num(math.MinInt64), dbl(-1 << 63), true},
		{dbl(math.NaN()), dbl(math.NaN()), true}, // by its text: a filter for NaN finds NaN
		{dbl(math.NaN()), str("NaN"), true},
		{dbl(math.Inf(1)), str("Infinity"), true},
		{run.BoolValue(true), str("true"), true},
		{run.BoolValue(true), num(1), false},
		{str("a"), str("a"), true},
		{str("a"), str("A"), false},
		{str(""), run.Value{}, true},
		{run.BytesValue([]byte{1}), str("0x01"), true},
		{arr(num(1)), arr(num(1)), true},
		{arr(num(1)), str("[1]"), false},
	}
	for _, tt := range tests {
		if got := tt.a.Same(tt.b); got != tt.want {
			t.Errorf("%v %q Same %v %q = %t", tt.a.Type, tt.a, tt.b.Type, tt.b, got)
		}
		if got := tt.b.Same(tt.a); got != tt.want {
			t.Errorf("%v %q Same %v %q = %t", tt.b.Type, tt.b, tt.a.Type, tt.a, got)
		}
	}
}

func TestCompare(t *testing.T) {
	tests := []struct {
		a, b run.Value
		want int
		ok   bool
	}{
		{num(2), num(10), -1, true},
		{str("2"), str("10"), -1, true},
		{str("2"), num(10), -1, true},
		{num(2), dbl(2.5), -1, true},
		{num(-2), dbl(-2.5), 1, true},
		{num(3), dbl(2.5), 1, true},
		{num(2), str("2.0"), 0, true},
		{num(9007199254740993), dbl(9007199254740992), 1, true},
		{num(math.MaxInt64), dbl(math.Inf(1)), -1, true},
		{num(math.MinInt64), dbl(math.Inf(-1)), 1, true},
		{num(math.MinInt64), dbl(-1e300), 1, true},
		{dbl(1.5), dbl(2.5), -1, true},
		{str("abc"), str("abd"), -1, true},
		{run.BoolValue(false), run.BoolValue(true), -1, true},
		{num(1), dbl(math.NaN()), 0, false},
		{dbl(math.NaN()), dbl(math.NaN()), 0, false},
		{num(1), str("one"), 0, false},
		{run.BoolValue(true), num(1), 0, false},
		{arr(num(1)), arr(num(2)), 0, false},
		{run.Value{}, num(1), 0, false},
	}
	for _, tt := range tests {
		if got, ok := tt.a.Compare(tt.b); got != tt.want || ok != tt.ok {
			t.Errorf("%q Compare %q = %d, %t; want %d, %t", tt.a, tt.b, got, ok, tt.want, tt.ok)
		}
		if got, ok := tt.b.Compare(tt.a); got != -tt.want || ok != tt.ok {
			t.Errorf("%q Compare %q = %d, %t; want %d, %t", tt.b, tt.a, got, ok, -tt.want, tt.ok)
		}
	}
}

// FuzzIntLike holds the two readings of a string against each other: an
// integer is a number too, and what it says is what strconv would say.
func FuzzIntLike(f *testing.F) {
	for _, s := range []string{"7", " +007 ", "-1", "3.5", "1e3", "0x10", "9223372036854775808", "", "--1", "\t1\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		n, isInt := str(s).IntLike()
		x, isNum := str(s).Number()
		if isInt && (!isNum || x != float64(n)) {
			t.Errorf("%q is the integer %d but the number %v, %t", s, n, x, isNum)
		}
		if isInt && !str(s).Same(num(n)) {
			t.Errorf("%q is the integer %d and yet not the same", s, n)
		}
		if isNum && (math.IsNaN(x) || math.IsInf(x, 0)) {
			t.Errorf("%q is the number %v", s, x)
		}
	})
}
