package store

import (
	"math"
	"math/rand/v2"
	"testing"
)

func columnOf(flags ...CellFlags) *Column {
	b := newBlock(0)
	for i, f := range flags {
		b.cells[i] = Cell{Step: 1, Flags: f, gc: shareOf(1, 10)}
	}
	b.cells[60].Flags = Skipped // of a cell that is missing
	b.cells[60].Start = float32(math.NaN())
	return &Column{blocks: []*block{nil, b}}
}

// TestOnlyAHeavyCollectionExcludes: more than 5 % of a rank's step.
func TestOnlyAHeavyCollectionExcludes(t *testing.T) {
	for _, tt := range []struct {
		part uint64
		want CellFlags
	}{{0, 0}, {49, 0}, {51, HasGC}, {1000, HasGC}} {
		c := columnOf(0, HasGC|Skipped)
		c.blocks[1].cells[1].gc = shareOf(tt.part, 1000)
		if got := c.Reasons(); got != Skipped|tt.want || !c.Collected() {
			t.Errorf("%d ‰: reasons %b, collected %t", tt.part, got, c.Collected())
		}
		if again := c.Reasons(); again != Skipped|tt.want {
			t.Errorf("the second answer is %b", again)
		}
	}
}

func TestACopyOfAColumnHasReasonsOfItsOwn(t *testing.T) {
	c := columnOf(HasGC)
	c.Attempt, c.Iteration, c.Base, c.Arrived, c.Seen = 1, 2, 3, 4, 5
	before := c.Reasons()
	n := c.clone()
	if n.Attempt != 1 || n.Iteration != 2 || n.Base != 3 || n.Arrived != 4 || n.Seen != 5 || len(n.blocks) != len(c.blocks) {
		t.Errorf("the copy is %+v", n)
	}
	b := *n.blocks[1]
	b.cells[0].Flags = Skipped
	n.memo.replace(c.blocks[1].cells[0].facts(), b.cells[0].facts())
	n.blocks[1] = &b
	if n.Reasons() != Skipped || c.Reasons() != before {
		t.Errorf("the copy says %b, the original %b after %b", n.Reasons(), c.Reasons(), before)
	}
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
	if g.Collected() != 3 {
		t.Errorf("with a collection: %d, want 3", g.Collected())
	}
	if got := columnOf(HasGC, HasCheckpoint|ComputeIsUmbrella).Reasons(); got != HasGC|HasCheckpoint {
		t.Errorf("reasons %b", got)
	}
}

// TestReasonsAreKeptUpToDate holds what the writer keeps against looking at every
// cell, while flags come and go and snapshots hold earlier columns.
func TestReasonsAreKeptUpToDate(t *testing.T) {
	f, ring, procs := ringOf(t, 3)
	r := rand.New(rand.NewPCG(5, 6))
	flags := []CellFlags{0, FirstOfAttempt, HasCheckpoint, HasGC, Skipped, StepTruncated, ComputeIsUmbrella}
	some := func() CellFlags {
		a, b := flags[r.IntN(len(flags))], flags[r.IntN(len(flags))]
		return a | b
	}
	for i := range 2000 {
		p, key := procs[r.IntN(3)], cellKey{0, int64(r.IntN(4))}
		switch r.IntN(4) {
		case 0:
			ring.flag(p, key, some(), some())
		case 1:
			f.Snapshot()
		default:
			ring.put(p, key, &step{start: t0}, Cell{Step: 1, Flags: some(), gc: shareOf(uint64(r.IntN(10)), 100)})
		}
		for _, c := range ring.look() {
			plain := Column{blocks: c.blocks}
			if c.Reasons() != plain.Reasons() || c.Collected() != plain.Collected() {
				t.Fatalf("after %d changes: %b, want %b", i, c.facts(), plain.facts())
			}
		}
	}
}
