package resources_test

import (
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/pkg/resources"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

func TestFormat(t *testing.T) {
	type name string
	type number int32
	for _, c := range []struct {
		value any
		want  string
	}{
		{"a,b=c%", "a%2Cb%3Dc%25"},
		{"", ""},
		{"007", "007"},
		{" x ", "%20x%20"},
		{"x+y", "x%2By"},
		{"-._~", "-._~"},
		{"€", "%E2%82%AC"},
		{"\x00\n", "%00%0A"},
		{`"';|&$()`, "%22%27%3B%7C%26%24%28%29"},
		{true, "true"},
		{false, "false"},
		{0, "0"},
		{int64(math.MinInt64), "-9223372036854775808"},
		{int64(1)<<53 + 1, "9007199254740993"},
		{uint64(math.MaxUint64), "18446744073709551615"},
		{int8(-1), "-1"},
		{0.1, "0.1"},
		{float32(0.1), "0.1"},
		{1.0, "1"},
		{1e300, "1e%2B300"},
		{5e-324, "5e-324"},
		{math.Copysign(0, -1), "-0"},
		{math.Inf(-1), "-Inf"},
		{math.NaN(), "NaN"},
		{name("x,y"), "x%2Cy"},
		{number(7), "7"},
	} {
		got, warnings := resources.Format(map[string]any{"k": c.value})
		if got != "k="+c.want {
			t.Errorf("%#v: %q, want %q", c.value, got, "k="+c.want)
		}
		wantWarnings(t, warnings)
	}
}

func TestFormatLeavesOut(t *testing.T) {
	for _, c := range []struct {
		key   string
		value any
		says  string
	}{
		{"a,b", 1, `"a,b"`},
		{"a=b", 1, `"a=b"`},
		{"a\x00b", 1, "NUL"},
		{"", 1, "empty"},
		{" \t", 1, "empty"},
		{"\xff", 1, "UTF-8"},
		{"k", nil, "no value"},
		{"k", []string{"x"}, "[]string"},
		{"k", map[string]int{}, "map[string]int"},
		{"k", struct{}{}, "struct"},
		{"k", 1i, "complex128"},
		{"k", new(int), "*int"},
		{"k", "\xff", "UTF-8"},
	} {
		got, warnings := resources.Format(map[string]any{c.key: c.value, "good": 1})
		if got != "good=1" {
			t.Errorf("%q=%#v: %q, want the good one alone", c.key, c.value, got)
		}
		wantWarnings(t, warnings, c.says)
	}
}

func TestFormatOrder(t *testing.T) {
	got, warnings := resources.Format(map[string]any{"b": 2, "a": 1, " c ": 3})
	if want := "a=1,b=2,c=3"; got != want || len(warnings) > 0 {
		t.Errorf("%q, %q; want %q", got, warnings, want)
	}
	if got, _ := resources.Format(nil); got != "" {
		t.Errorf("nothing is %q", got)
	}
}

func TestExtend(t *testing.T) {
	for _, c := range []struct {
		why                 string
		inherited           string
		defaults, overrides map[string]any
		want                string
		warns               []string
	}{
		{"three layers", "b=2,c=2", map[string]any{"a": 1, "b": 1}, map[string]any{"c": 3}, "a=1,b=2,c=3", nil},
		{"an empty override blanks", "a=1", nil, map[string]any{"a": ""}, "a=", nil},
		{"an empty inherited value beats a default", "a=", map[string]any{"a": 1}, nil, "a=", nil},
		{"keys are never decoded", "p%2Cq=1", nil, map[string]any{"p": 2}, "p=2,p%2Cq=1", nil},
		{"values keep their meaning", "a=x+y,b=%2C", nil, nil, "a=x%2By,b=%2C", nil},
		{"what cannot travel takes nobody's place", "a=1", map[string]any{"b": nil}, map[string]any{"a": []int{1}}, "a=1", []string{`"b"`, `"a"`}},
		{"a malformed pair is told", "a=1,bad", nil, nil, "a=1", []string{"pair 2"}},
		{"nothing at all", "", nil, nil, "", nil},
	} {
		got, warnings := resources.Extend(c.inherited, c.defaults, c.overrides)
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.why, got, c.want)
		}
		wantWarnings(t, warnings, c.warns...)
	}
}

// TestTypesComeBack: each integer of the table, and what only looks like one.
func TestTypesComeBack(t *testing.T) {
	attrs := map[string]any{semconv.NemoRunID: "007", semconv.SlurmArrayTaskID: "0", semconv.NVDLRole: "a,b=c%"}
	for key := range semconv.ResourceTypes() {
		attrs[key] = int64(1)<<53 + 1
	}
	text, warnings := resources.Format(attrs)
	wantWarnings(t, warnings)
	got := found(t, resources.DetectCarrier, variables(resources.CarrierVariable+"="+text))
	wantWarnings(t, got.Warnings)
	if diff := cmp.Diff(attrs, got.Attributes); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

// FuzzParse: what has been read once is written and read again unchanged.
func FuzzParse(f *testing.F) {
	for _, c := range carrierForms() {
		f.Add(c.carrier)
	}
	f.Fuzz(func(t *testing.T, carrier string) {
		if strings.Contains(carrier, "\x00") {
			t.Skip("no environment holds it")
		}
		pairs, warnings := resources.Parse(carrier)
		if n := strings.Count(carrier, ",") + 1; len(pairs)+len(warnings) > n {
			t.Errorf("%d pairs and %d warnings from %d", len(pairs), len(warnings), n)
		}
		for k, v := range pairs {
			if k == "" || k != strings.TrimSpace(k) || !utf8.ValidString(k) || !utf8.ValidString(v) {
				t.Errorf("%q=%q", k, v)
			}
		}
		text, warnings := resources.Extend(carrier, nil, nil)
		again, more := resources.Parse(text)
		if diff := cmp.Diff(pairs, again); diff != "" || len(more) > 0 {
			t.Errorf("by %q, %q, %q (-want +got)\n%s", text, texts(warnings), texts(more), diff)
		}
	})
}

// FuzzFormat: what is written is read again unchanged, or was refused with a word.
func FuzzFormat(f *testing.F) {
	for _, v := range []string{"", "a,b=c%", "x+y", " ", "€", "\x00", "\xff", "%ZZ"} {
		f.Add("k", v)
		f.Add(v, "v")
	}
	f.Add("k\u00a0", "v")
	f.Fuzz(func(t *testing.T, key, value string) {
		text, dropped := resources.Format(map[string]any{key: value})
		got, warnings := resources.Parse(text)
		want := pairs{}
		if len(dropped) == 0 {
			want[strings.TrimSpace(key)] = value
		}
		if diff := cmp.Diff(want, got); diff != "" || len(warnings) > 0 {
			t.Errorf("by %q, %q (-want +got)\n%s", text, texts(warnings), diff)
		}
		fits := utf8.ValidString(key) && utf8.ValidString(value) && strings.TrimSpace(key) != "" && !strings.ContainsAny(key, ",=\x00")
		if fits == (len(dropped) > 0) {
			t.Errorf("%q=%q: %q", key, value, texts(dropped))
		}
	})
}
