package draw

import (
	"strings"
	"testing"
)

func TestShortName(t *testing.T) {
	const long = "megatron.training.forward_backward"
	for _, test := range []struct {
		name  string
		cells int
		want  string
	}{
		{long, 34, long},
		{long, 33, "megatr.training.forward_backward…"},
		{long, 24, "m.trai.forward_backward…"},
		{long, 21, "m.t.forward_backward…"},
		{long, 20, "m.t.forwar_backward…"},
		{long, 14, "m.t.f_backwar…"},
		{long, 6, "f_bac…"},
		{long, 1, "…"},
		{long, 0, ""},
		{"optimizer", 5, "opti…"},
		{"very_long_name_of_alpha", 18, "v_l_name_of_alpha…"},
		{"very_long_name_of_beta", 18, "v_lo_name_of_beta…"},
		{"/usr/lib/python3/site", 12, "/u/l/p/site…"},
		{"step ", 4, "ste…"},
		{"nv.mcore.microbatch.forward", 20, "n.m.microba.forward…"},
		{"训练步骤/前向/反向", 14, "训/前向/反向…"},
		{"训练步骤/前向/反向", 8, "前/反向…"},
		{"", 5, ""},
	} {
		if got := ShortName(test.name, test.cells); got != test.want {
			t.Errorf("%q in %d cells: %q, want %q", test.name, test.cells, got, test.want)
		}
	}
}

// What is cut ends in …, whatever the name, and never exceeds its cells.
func TestShortNameOfAnyKind(t *testing.T) {
	names := []string{
		strings.Repeat("x", 10_000), strings.Repeat("a.", 200), strings.Repeat("..", 80), "🚀 step of the rocket", "e\u0301.e\u0301.e\u0301",
		"👨\u200d👩\u200d👧.family.name", "مرحبا.بالعالم.يا", "a\tb\tc", "──.──.──", "zero\u200bwidth.name",
	}
	for _, name := range names {
		name = Clean(name)
		for cells := range 40 {
			got := ShortName(name, cells)
			if w := Width(got); w > cells {
				t.Fatalf("%q in %d cells takes %d: %q", name, cells, w, got)
			}
			if got != name && cells > 0 && !strings.HasSuffix(got, Ellipsis) {
				t.Fatalf("%q in %d cells hides that it was cut: %q", name, cells, got)
			}
			if got != Clean(got) {
				t.Fatalf("%q in %d cells is torn: %q", name, cells, got)
			}
		}
	}
}
