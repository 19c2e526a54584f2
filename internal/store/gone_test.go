package store

import (
	"math"
	"testing"
)

func columnOf(flags ...CellFlags) *Column {
	b := newBlock(0)
	for i, f := range flags {
		b.cells[i] = Cell{Step: 1, Flags: f}
	}
	b.cells[60].Flags = Skipped // of a cell that is missing
	b.cells[60].Start = float32(math.NaN())
	return &Column{blocks: []*block{nil, b}}
}

func TestGoneCountsByFirstReason(t *testing.T) {
	var g Gone
	for _, c := range []*Column{
		columnOf(0, 0), columnOf(ComputeIsUmbrella), columnOf(),
		columnOf(0, FirstOfAttempt|HasGC), columnOf(HasGC, HasCheckpoint), columnOf(StepTruncated), columnOf(HasGC),
	} {
		g.add(c)
	}
	for reason, want := range map[CellFlags]int{
		0: 3, FirstOfAttempt: 1, HasCheckpoint: 1, HasEvaluate: 0, HasGraphCapture: 0, HasGC: 1, Skipped: 0, StepTruncated: 1,
	} {
		if got := g.Of(reason); got != want {
			t.Errorf("reason %b: %d, want %d", reason, got, want)
		}
	}
	if got := columnOf(HasGC, HasCheckpoint|ComputeIsUmbrella).Reasons(); got != HasGC|HasCheckpoint {
		t.Errorf("reasons %b", got)
	}
}
