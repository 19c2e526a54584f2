package run

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The defaults are those of the definitions: who changes one changes what the
// program answers.
func TestThresholdDefaults(t *testing.T) {
	want := Thresholds{
		StragglerRatio: 1.10, StragglerCritical: 1.20, StragglerZ: 3.5, Slowdown: 1.10,
		StallFactor: 5, StallLeast: 30, StallFirst: 900, SilenceFactor: 3,
		SpikeRatio: 1.10, IrregularRatio: 2, Shift: 0.03, Bubble: 1.5,
		ChangeModerate: 0.03, ChangeMaterial: 0.08, ShareModerate: 0.0075, ShareMaterial: 0.02,
		ValuesNotice: 200, ValuesWarning: 1000, ValuesCritical: 10_000, SeriesWarning: 2000, SeriesCritical: 10_000,
	}
	if d := cmp.Diff(want, Thresholds{}.Filled()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if name, err := want.Check(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if n := want.Notices(); n != nil || want.String() != "" {
		t.Errorf("the defaults are told: %v", n)
	}
}

// The table and the struct hold the same fields, each once.
func TestThresholdTableIsComplete(t *testing.T) {
	var all Thresholds
	names := map[string]bool{}
	for i, x := range ThresholdTable() {
		if *x.of(&all) != 0 {
			t.Errorf("%s shares its field with another", x.Name)
		}
		if err := x.Set(&all, x.Default); err != nil {
			t.Errorf("the default of %s: %v", x.Name, err)
		}
		if names[x.Name] || x.About == "" || !(x.Least < x.Default && x.Default < x.Most) {
			t.Errorf("row %d, %s: named twice, without words, or its default is no value inside its bounds", i, x.Name)
		}
		names[x.Name] = true
	}
	for _, f := range []float64{all.StragglerRatio, all.StragglerCritical, all.StragglerZ, all.Slowdown, all.StallFactor, all.StallLeast, all.StallFirst,
		all.SilenceFactor, all.SpikeRatio, all.IrregularRatio, all.Shift, all.Bubble, all.ChangeModerate, all.ChangeMaterial, all.ShareModerate, all.ShareMaterial,
		all.ValuesNotice, all.ValuesWarning, all.ValuesCritical, all.SeriesWarning, all.SeriesCritical} {
		if f == 0 {
			t.Error("a field has no row")
		}
	}
	for _, pair := range thresholdPairs() {
		if !names[pair[0]] || !names[pair[1]] {
			t.Errorf("pair of unknown names: %v", pair)
		}
	}
}

func TestThresholdSet(t *testing.T) {
	for _, test := range []struct {
		name string
		v    float64
		want string // part of the error, "" for none
	}{
		{"straggler-ratio", 1.3, ""}, {"straggler-ratio", 1, "a number from 1.01 to 10, such as 1.1"},
		{"straggler-ratio", math.NaN(), "a number from"}, {"straggler-ratio", math.Inf(1), "a number from"},
		{"stall-least", 10, ""}, {"stall-least", 9.9, `a time from 10s to 24h, such as "30s"`},
		{"values-notice", 1e9, ""}, {"values-notice", 20.5, "a whole number from 10 to 1,000,000,000, such as 200"},
	} {
		var all Thresholds
		x := thresholdNamed(test.name)
		err := x.Set(&all, test.v)
		if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s = %v: %v", test.name, test.v, err)
		}
		if got := *x.of(&all); err == nil && got != test.v || err != nil && got != 0 {
			t.Errorf("%s = %v: holds %v", test.name, test.v, got)
		}
	}
}

func TestThresholdsTellWhatIsNotUsual(t *testing.T) {
	all := Thresholds{StragglerRatio: 1.3, StragglerCritical: 1.2, StallLeast: 90, ValuesNotice: 20_000}
	want := "straggler-ratio 1.3 (default 1.1), stall-least 1m30s (default 30s), values-notice 20,000 (default 200)"
	if all.String() != want {
		t.Errorf("%s\nwant %s", all.String(), want)
	}
	if n := all.Notices(); len(n) != 1 || n[0].Code != "thresholds" || n[0].Level != Info || !strings.HasSuffix(n[0].Text, want) {
		t.Errorf("%+v", n)
	}
}

func TestThresholdsCheck(t *testing.T) {
	for _, test := range []struct {
		all  Thresholds
		want string
	}{
		{Thresholds{}, ""}, {Thresholds{StragglerRatio: 1.2}, ""},
		{Thresholds{StragglerRatio: 1.21}, "straggler-ratio"}, {Thresholds{StragglerCritical: 1.05}, "straggler-critical"},
		{Thresholds{StragglerRatio: 2, StragglerCritical: 1.5}, "straggler-critical"},
		{Thresholds{SeriesWarning: 50_000, SeriesCritical: 60_000}, ""},
	} {
		if name, err := test.all.Check(); name != test.want || (err == nil) != (test.want == "") {
			t.Errorf("%+v: %q, %v", test.all, name, err)
		}
	}
}

var update = flag.Bool("update", false, "write the table of docs/diagnosis.md")

// The documented table is the one in force.
func TestThresholdsAreDocumented(t *testing.T) {
	const begin, end, page = "<!-- thresholds -->\n", "<!-- /thresholds -->", "../../docs/diagnosis.md"
	var table strings.Builder
	table.WriteString("\n| name | default | legal | what it is |\n| --- | --: | --- | --- |\n")
	for _, x := range ThresholdTable() {
		fmt.Fprintf(&table, "| `%s` | %s | %s to %s | %s |\n", x.Name, x.Text(x.Default), x.Text(x.Least), x.Text(x.Most), x.About)
	}
	table.WriteString("\n")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(text), begin)
	got, after, closed := strings.Cut(rest, end)
	if !ok || !closed {
		t.Fatal("the page has no place for the table")
	}
	if got != table.String() && *update {
		if err := os.WriteFile(page, []byte(before+begin+table.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
	} else if d := cmp.Diff(table.String(), got); d != "" {
		t.Errorf("docs/diagnosis.md (-want +got):\n%s", d)
	}
}
