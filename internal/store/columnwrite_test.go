package store

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// shownColumns is the columns of a ring as attempt/iteration:finished.
func shownColumns(cs []*Column) string {
	var out []string
	for _, c := range cs {
		out = append(out, fmt.Sprintf("%d/%d:%d", c.Attempt, c.Iteration, c.Seen))
	}
	return strings.Join(out, " ")
}

// ringOf is the ring of a store of one run with n processes.
func ringOf(t *testing.T, n int) (*fixture, *columnRing, []*procWriter) {
	f := newFixture(t)
	for i := range n {
		f.send(rank(i), sp(1, 0, "x", 0, second))
	}
	w := f.runs[0]
	return f, &w.columns, w.procs
}

func TestColumnsAreSorted(t *testing.T) {
	_, ring, procs := ringOf(t, 2)
	for _, k := range []cellKey{{0, 5}, {0, 3}, {1, 2}, {0, 4}, {0, 5}} {
		ring.put(procs[0], k, &step{start: t0}, Cell{Step: 1})
	}
	ring.put(procs[1], cellKey{0, 5}, &step{start: t0}, Cell{Step: 1})
	if got, want := shownColumns(ring.look()), "0/3:1 0/4:1 0/5:2 1/2:1"; got != want {
		t.Errorf("columns = %s, want %s", got, want)
	}
	if it := ring.iterations(); it.Seen != 4 || it.First != 2 || it.Last != 5 {
		t.Errorf("iterations = %+v", it)
	}
}

func TestAColumnThatAViewHoldsIsCopied(t *testing.T) {
	f, ring, procs := ringOf(t, cellBlock+2)
	put := func(p int, step64 float32) {
		ring.put(procs[p], cellKey{0, 1}, &step{start: t0}, Cell{Step: step64})
	}
	put(0, 1)
	put(cellBlock+1, 2)
	f.Snapshot()
	old := ring.look()[0]
	put(0, 5)
	now := ring.look()[0]
	if old == now || old.blocks[0] == now.blocks[0] {
		t.Error("the changed block is shared")
	}
	if old.blocks[1] != now.blocks[1] {
		t.Error("a block that did not change was copied")
	}
	a, _ := old.Cell(0)
	b, _ := now.Cell(0)
	if a.Step != 1 || b.Step != 5 || now.Seen != 2 || old.Seen != 2 {
		t.Errorf("cells %g and %g, finished %d and %d", a.Step, b.Step, old.Seen, now.Seen)
	}
}

func TestCellsOfAColumn(t *testing.T) {
	_, ring, procs := ringOf(t, 3)
	base := int64(t0)
	ring.put(procs[1], cellKey{0, 1}, &step{start: t0, arrived: base}, Cell{Step: 1})
	ring.put(procs[2], cellKey{0, 1}, &step{start: t0 + 500*ms, arrived: base + 250e6}, Cell{Step: 1})
	c := ring.look()[0]
	for p, want := range map[int]bool{0: false, 1: true, 2: true, 3: false, 100000: false} {
		if _, ok := c.Cell(p); ok != want {
			t.Errorf("process %d: %v, want %v", p, ok, want)
		}
	}
	if cell, _ := c.Cell(2); cell.Start != .5 || cell.Arrival != .25 || c.Base != base || c.Arrived != base {
		t.Errorf("cell = %+v, base %d, arrived %d", cell, c.Base-base, c.Arrived-base)
	}
	if c.Len() != cellBlock {
		t.Errorf("len = %d", c.Len())
	}
}

func TestRemovedCellsLeaveNothing(t *testing.T) {
	f, ring, procs := ringOf(t, 2)
	const inner, outer = 3, 4
	for i := range int64(3) {
		ring.put(procs[0], cellKey{0, i}, &step{start: t0}, Cell{Step: 1, step: inner + 1})
	}
	ring.put(procs[1], cellKey{0, 1}, &step{start: t0}, Cell{Step: 9, step: outer + 1})
	f.Snapshot()
	ring.remove(inner)
	if got, want := shownColumns(ring.look()), "0/1:1"; got != want {
		t.Errorf("columns = %s, want %s", got, want)
	}
	if it := ring.iterations(); it.Seen != 1 || it.First != 1 || it.Last != 1 {
		t.Errorf("iterations = %+v", it)
	}
	if _, ok := ring.look()[0].Cell(0); ok {
		t.Error("a removed cell is there")
	}
	if ring.bytes != blockBytes || f.columnBytes != blockBytes {
		t.Errorf("%d and %d bytes, want one block of %d", ring.bytes, f.columnBytes, blockBytes)
	}
}

func TestFinishedCountsFollowRefills(t *testing.T) {
	_, ring, procs := ringOf(t, 1)
	s, k := &step{start: t0}, cellKey{0, 1}
	for _, tt := range []struct {
		c    Cell
		want int
	}{{Cell{Step: 1}, 1}, {Cell{Step: 2}, 1}, {Cell{Step: float32(math.NaN()), Flags: StepTruncated}, 0}, {Cell{Step: 1}, 1}} {
		ring.put(procs[0], k, s, tt.c)
		if got := ring.look()[0].Seen; got != tt.want {
			t.Errorf("after %+v: %d finished, want %d", tt.c, got, tt.want)
		}
	}
}

func TestFlagsOfCells(t *testing.T) {
	f, ring, procs := ringOf(t, 1)
	k := cellKey{0, 1}
	ring.put(procs[0], k, &step{start: t0}, Cell{Step: 1, Flags: FirstOfAttempt})
	f.Snapshot()
	old := ring.look()[0]
	ring.flag(procs[0], k, HasGC, FirstOfAttempt)
	ring.flag(procs[0], cellKey{0, 9}, HasGC, 0) // not there: nothing happens
	if c, _ := ring.look()[0].Cell(0); c.Flags != HasGC {
		t.Errorf("flags = %b", c.Flags)
	}
	if c, _ := old.Cell(0); c.Flags != FirstOfAttempt {
		t.Errorf("an old view has flags %b", c.Flags)
	}
	before := ring.look()
	ring.flag(procs[0], k, HasGC, 0)
	if len(before) != len(ring.look()) || before[0] != ring.look()[0] {
		t.Error("a flag that was set already made a copy")
	}
}

func TestWhatIsShownShiftsWithTheBase(t *testing.T) {
	tests := []struct {
		bases []int
		shift int64
	}{{nil, 0}, {[]int{0}, 0}, {[]int{1}, 1}, {[]int{1, 1}, 1}, {[]int{1, 0}, 0}, {[]int{0, 1}, 0}, {[]int{1, run.Unknown}, 0}, {[]int{run.Unknown}, 0}}
	for _, tt := range tests {
		var r columnRing
		for _, b := range tt.bases {
			r.noteBase(b)
		}
		if got := r.shift(); got != tt.shift {
			t.Errorf("bases %v: shift %d, want %d", tt.bases, got, tt.shift)
		}
	}
}

func TestThePhasesOfColumns(t *testing.T) {
	tests := []struct {
		name string
		want nameInfo
	}{
		{"megatron.microbatch.forward", nameInfo{class: run.Compute, level: microbatch, facts: isForward}},
		{"nv.mcore.microbatch.backward", nameInfo{class: run.Compute, level: microbatch}},
		{"megatron.forward_backward", nameInfo{class: run.Compute, level: wholePass}},
		{"policy_training", nameInfo{class: run.Compute}},
		{"all_reduce", nameInfo{class: run.Wait, facts: isCollective}},
		{"megatron.p2p.recv_forward", nameInfo{class: run.Wait}},
		{"save_checkpoint", nameInfo{class: run.IO, breaks: HasCheckpoint, facts: coversBeneath}},
		{"megatron.evaluate", nameInfo{class: run.Other, breaks: HasEvaluate, facts: coversBeneath}},
		{"nv.gc_collect", nameInfo{class: run.Other, breaks: HasGC}},
		{"cuda_graph.capture", nameInfo{class: run.Other, breaks: HasGraphCapture}},
		{"megatron.train_step", nameInfo{class: run.Step}},
		{"whatever", nameInfo{}},
	}
	phases := run.DefaultPhases()
	for _, tt := range tests {
		if got := infoOf(phases.Of(tt.name)); got != tt.want {
			t.Errorf("%s: %+v, want %+v", tt.name, got, tt.want)
		}
	}
}
