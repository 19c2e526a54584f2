package simulate

import (
	"fmt"
	"strings"
	"testing"
)

func draw(ops []op) string {
	var b strings.Builder
	for _, o := range ops {
		fmt.Fprintf(&b, "%c%d ", "FB"[map[bool]int{true: 1}[o.back]], o.micro)
	}
	return strings.TrimSpace(b.String())
}

// The orders are those of figure 4 of Narayanan et al. for four stages.
func TestStageOrder(t *testing.T) {
	for _, tc := range []struct {
		stage, stages, micros int
		want                  string
	}{
		{0, 4, 8, "F0 F1 F2 F3 B0 F4 B1 F5 B2 F6 B3 F7 B4 B5 B6 B7"},
		{2, 4, 4, "F0 F1 B0 F2 B1 F3 B2 B3"},
		{3, 4, 3, "F0 B0 F1 B1 F2 B2"},
		{0, 4, 2, "F0 F1 B0 B1"},
		{0, 1, 2, "F0 B0 F1 B1"},
	} {
		if got := draw(stageOrder(tc.stage, tc.stages, tc.micros)); got != tc.want {
			t.Errorf("stage %d of %d, %d microbatches: %s, want %s", tc.stage, tc.stages, tc.micros, got, tc.want)
		}
	}
}

func TestOneF1BIsAnOrderOfItsDependencies(t *testing.T) {
	for _, n := range [][2]int{{1, 1}, {2, 1}, {4, 8}, {8, 3}, {5, 17}} {
		stages, micros := n[0], n[1]
		var done passes
		done.init(stages, micros)
		ops := oneF1B(stages, micros)
		if len(ops) != 2*stages*micros {
			t.Fatalf("%d stages × %d microbatches: %d ops", stages, micros, len(ops))
		}
		perStage := make([][]op, stages)
		for _, o := range ops {
			if !done.ready(o, stages) {
				t.Fatalf("%d stages × %d microbatches: %+v before what it waits for", stages, micros, o)
			}
			done.mark(o)
			perStage[o.stage] = append(perStage[o.stage], o)
		}
		for p, got := range perStage {
			if want := stageOrder(p, stages, micros); draw(got) != draw(want) {
				t.Errorf("stage %d: %s, want %s", p, draw(got), draw(want))
			}
		}
	}
}
