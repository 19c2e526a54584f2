package report

import (
	"strings"
	"testing"

	"github.com/rivo/uniseg"
)

// Columns line up on a terminal whatever the names are made of.
func TestColumnsLineUp(t *testing.T) {
	names := []string{
		"训练步骤/前向", "🚀 step", "e\u0301", "👨‍👩‍👧‍👦", "🫠", "──", "مرحبا", "a\tb", "zero\u200bwidth",
		strings.Repeat("x", 10_000), strings.Repeat("训", 100), "\x1b]52;c;ZXZpbA==\ax", "rlo\u202eabc", "nl\r\nline", "",
	}
	var stats []SpanStat
	for _, n := range names {
		stats = append(stats, SpanStat{Name: n, Class: "other"})
	}
	var out strings.Builder
	p := printer{w: &out}
	p.spanStats(stats)
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if len(lines) != len(names)+2 || p.err != nil {
		t.Fatalf("%d lines, %v", len(lines), p.err)
	}
	for _, line := range lines[1 : len(lines)-1] {
		if got, want := uniseg.StringWidth(line), uniseg.StringWidth(lines[0]); got != want {
			t.Errorf("%d cells, the title has %d: %q", got, want, line)
		}
		if strings.ContainsAny(line, "\x1b\a\r\u200b\u202e") {
			t.Errorf("drives a terminal: %q", line)
		}
	}
}

func TestClipped(t *testing.T) {
	for _, tt := range []struct {
		text string
		n    int
		want string
	}{
		{"short", 5, "short"}, {"longer", 5, "long…"}, {"训练步骤", 5, "训练…"}, {"训练步骤", 8, "训练步骤"}, {"训练步骤", 4, "训…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"}, {"👩🏽‍🚀👩🏽‍🚀", 3, "👩🏽‍🚀…"}, {"x", 1, "x"}, {"xy", 1, "…"}, {"", 3, ""},
	} {
		if got := clipped(tt.text, tt.n); got != tt.want {
			t.Errorf("%q in %d cells is %q, want %q", tt.text, tt.n, got, tt.want)
		}
	}
}
