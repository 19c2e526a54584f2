package query

import (
	"math"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestValueComparison(t *testing.T) {
	list := run.ArrayValue([]run.Value{run.IntValue(1), run.StringValue("a"), run.BoolValue(true)})
	pairs := run.KVListValue([]run.Attr{{Key: "k", Value: run.IntValue(1)}})
	for _, c := range []struct {
		op   string
		v    run.Value
		want bool
	}{
		{"=0", run.IntValue(0), true},
		{"=0", run.StringValue("0"), true},
		{"=0", run.StringValue("00"), true},
		{"=0", run.DoubleValue(0), true},
		{"=0", run.BoolValue(false), false},
		{"=0", run.StringValue(""), false},
		{"=0", run.Value{}, false},
		{"!=0", run.Value{}, false},
		{"!=0", run.StringValue(""), true},
		{"=007", run.IntValue(7), true},
		{`="007"`, run.IntValue(7), false}, // quoted values are text
		{`="7"`, run.IntValue(7), true},
		{"=7.0", run.IntValue(7), true},
		{"=1e3", run.IntValue(1000), true},
		{"=0x10", run.IntValue(16), false}, // no number but a word
		{"=0x10", run.StringValue("0x10"), true},
		{"=1_000", run.IntValue(1000), false},
		{">9007199254740992", run.IntValue(9007199254740993), true},
		{"=9007199254740992", run.IntValue(9007199254740993), false},
		{"=9223372036854775807", run.IntValue(math.MaxInt64), true},
		{"<1e19", run.IntValue(math.MaxInt64), true},
		{"=1..3", run.IntValue(3), true},
		{"=1..3", run.DoubleValue(3.01), false},
		{"!=1..3", run.IntValue(4), true},
		{"!=1..3", run.StringValue("x"), true},
		{"=-1..1", run.StringValue("-1"), true},
		{"=NaN", run.DoubleValue(math.NaN()), true},
		{">0", run.DoubleValue(math.NaN()), false},
		{"<0", run.DoubleValue(math.NaN()), false},
		{"=Infinity", run.DoubleValue(math.Inf(1)), true},
		{">0", run.StringValue("abc"), false},
		{"<0", run.StringValue("abc"), false},
		{">abb", run.StringValue("abc"), true},
		{"<=abc", run.StringValue("abc"), true},
		{">5", run.StringValue("10"), true},
		{`>"5"`, run.StringValue("10"), false},
		{"=true", run.BoolValue(true), true},
		{"!=true", run.BoolValue(false), true},
		{"=~^1", run.IntValue(12), true},
		{"!~^1", run.IntValue(21), true},
		{"=~ue$", run.BoolValue(true), true},
		{"=~.", run.StringValue(""), false},
		{`=~"\"a\""`, list, true},
		{`="[1,\"a\",true]"`, list, true},
		{"=~1", pairs, true},
		{`="0x0102"`, run.BytesValue([]byte{1, 2}), true},
		{" in (1, two, 3.5)", run.DoubleValue(3.5), true},
		{" in (1, two, 3.5)", run.StringValue("two"), true},
		{" in (1, two, 3.5)", run.StringValue("2"), false},
		{" not in (1, two)", run.IntValue(1), false},
		{" not in (1, two)", run.IntValue(2), true},
		{" not in (1, two)", run.Value{}, false},
		{" in (0,1,2,3,4,5,6,7,8,9)", run.IntValue(9), true},
		{" in (0,1,2,3,4,5,6,7,8,9)", run.StringValue("9"), true},
		{" in (0,1,2,3,4,5,6,7,8,9)", run.DoubleValue(9), true},
		{" in (0,1,2,3,4,5,6,7,8,9)", run.DoubleValue(9.5), false},
		{" in (0,1,2,3,4,5,6,7,8,9)", run.StringValue("x"), false},
		{" not in (0,1,2,3,4,5,6,7,8,9)", run.IntValue(10), true},
		{" not in (0,1,2,3,4,5,6,7,8,9)", run.StringValue("x"), true},
		{" in (0,1,2,3,4,5,6,7,8,x)", run.StringValue("x"), true},
	} {
		f, err := Parse("k" + c.op)
		if err != nil {
			t.Errorf("k%s: %v", c.op, err)
			continue
		}
		if got := f.root.term.matchValue(c.v); got != c.want {
			t.Errorf("k%s on %s %s: %v, want %v", c.op, c.v.Type, c.v, got, c.want)
		}
	}
}

func TestLiterals(t *testing.T) {
	for _, c := range []struct {
		word        string
		num, ranges bool
	}{
		{"0", true, false}, {"-7", true, false}, {"+7", true, false}, {"1.5", true, false}, {"1e-4", true, false},
		{"", false, false}, {"-", false, false}, {"e", false, false}, {".", false, false}, {"1e999", false, false},
		{"nan", false, false}, {"inf", false, false}, {"1,5", false, false}, {"٣", false, false},
		{"0..63", true, true}, {"-1..1.5", true, true}, {"a..b", false, false}, {"1..b", false, false},
	} {
		v := literal(c.word)
		if v.isNum != c.num || v.isSpan != c.ranges || v.text != c.word {
			t.Errorf("literal(%q) = %+v", c.word, v)
		}
	}
}

func TestDurationsOfWords(t *testing.T) {
	for word, want := range map[string]int64{
		"0": 0, "5ns": 5, "5us": 5e3, "5µs": 5e3, "5μs": 5e3, "5ms": 5e6, "1.5s": 15e8, "2m": 120e9, "1h30m": 5400e9,
	} {
		if n, ok := nanoseconds(word); !ok || n.i != want {
			t.Errorf("nanoseconds(%q) = %+v, %v; want %d", word, n, ok, want)
		}
	}
	for _, word := range []string{"", "2", "-2s", "+2s", "2 s", "2d", "s", "1e3s", "99999999h"} {
		if n, ok := nanoseconds(word); ok {
			t.Errorf("nanoseconds(%q) = %+v, want none", word, n)
		}
	}
	if v, ok := spanOfTime("100ms..2s"); !ok || !v.isSpan || v.num.i != 1e8 || v.hi.i != 2e9 {
		t.Errorf("%+v", v)
	}
	for _, word := range []string{"..2s", "1s..", "1s..x"} {
		if _, ok := spanOfTime(word); ok {
			t.Errorf("%q is a range of durations", word)
		}
	}
}
