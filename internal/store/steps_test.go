package store

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/beamline-hpc/lensview/internal/run"
)

// stepSpan is step i of a rank, from i to i+1 seconds.
func stepSpan(i int) run.Span {
	return sp(uint64(1000+i), 0, "megatron.train_step", uint64(i)*second, uint64(i+1)*second, num("megatron.iteration", int64(i)))
}

// child is a span of step i, times in ms from its start.
func child(i int, id uint64, name string, from, to uint64, attrs ...run.Attr) run.Span {
	at := uint64(i) * second
	return sp(uint64(i)*100+id, uint64(1000+i), name, at+from*ms, at+to*ms, attrs...)
}

// cells is the cells of process 0 by iteration, times rounded to ms.
func cells(r *Run) map[int64]Cell {
	out := map[int64]Cell{}
	for _, c := range r.Columns {
		cell, ok := c.Cell(0)
		if !ok {
			continue
		}
		for _, f := range []*float32{&cell.Step, &cell.Compute, &cell.Wait, &cell.IO, &cell.Other, &cell.Start, &cell.Arrival} {
			*f = float32(math.Round(float64(*f)*1e3) / 1e3)
		}
		out[c.Iteration] = cell
	}
	return out
}

func checkCell(t *testing.T, r *Run, iteration int64, want Cell) {
	t.Helper()
	got, ok := cells(r)[iteration]
	if !ok {
		t.Fatalf("no cell of iteration %d", iteration)
	}
	want.Start, want.Arrival = got.Start, got.Arrival
	if d := cmp.Diff(want, got, cmpopts.IgnoreUnexported(Cell{}), cmpopts.IgnoreFields(Cell{}, "Level", "Microbatches"), cmpopts.EquateNaNs()); d != "" {
		t.Errorf("iteration %d differs (-want +got):\n%s", iteration, d)
	}
}

// fullStep is step i with its children: 500 ms of compute in two overlapping
// microbatches, 200 ms of wait, 100 ms of io and 50 ms of something else.
func fullStep(i int) []run.Span {
	return []run.Span{
		child(i, 1, "megatron.microbatch.forward", 0, 300),
		child(i, 2, "megatron.microbatch.backward", 200, 500),
		child(i, 3, "megatron.forward_backward", 0, 600),
		child(i, 4, "megatron.grad_sync.finish", 600, 800),
		child(i, 5, "megatron.dataloader.next", 800, 900),
		child(i, 6, "megatron.log", 900, 950),
		stepSpan(i),
	}
}

var fullCell = Cell{Step: 1, Compute: .5, Wait: .2, IO: .1, Other: .05}

func TestCellOfAStep(t *testing.T) {
	tests := []struct {
		name string
		send func(f *fixture)
	}{
		{"one request", func(f *fixture) { f.send(rank(0), fullStep(1)...) }},
		{"children before, one by one", func(f *fixture) {
			for _, s := range fullStep(1) {
				f.send(rank(0), s)
			}
		}},
		{"step first, then late children", func(f *fixture) {
			spans := fullStep(1)
			slices.Reverse(spans)
			for _, s := range spans {
				f.send(rank(0), s)
			}
		}},
		{"root first in one request", func(f *fixture) {
			spans := fullStep(1)
			slices.Reverse(spans)
			f.send(rank(0), spans...)
		}},
		{"after the next step came", func(f *fixture) {
			spans := fullStep(1)
			f.send(rank(0), spans[2:]...)
			f.send(rank(0), fullStep(2)...)
			f.send(rank(0), spans[:2]...)
		}},
		{"resent", func(f *fixture) {
			f.send(rank(0), fullStep(1)...)
			f.send(rank(0), fullStep(1)...)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.send(rank(0), stepSpan(0))
			tt.send(f)
			checkCell(t, f.only(), 1, fullCell)
		})
	}
}

func TestFinestComputeCounts(t *testing.T) {
	tests := []struct {
		name  string
		spans []run.Span
		want  Cell
	}{
		{"forward_backward without microbatches", []run.Span{child(1, 1, "megatron.forward_backward", 0, 600), child(1, 2, "megatron.layer.3", 0, 100)},
			Cell{Step: 1, Compute: .6, Flags: ComputeIsUmbrella}},
		{"other compute alone", []run.Span{child(1, 1, "policy_training", 0, 400)}, Cell{Step: 1, Compute: .4, Flags: ComputeIsUmbrella}},
		{"no compute", []run.Span{child(1, 1, "all_reduce", 0, 300)}, Cell{Step: 1, Wait: .3, Flags: ComputeIsUmbrella}},
		{"a truncated child does not count", []run.Span{child(1, 1, "megatron.microbatch.forward", 0, 999, truth("nemo.span.truncated", true))},
			Cell{Step: 1, Flags: ComputeIsUmbrella}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.send(rank(0), stepSpan(0))
			f.send(rank(0), append(tt.spans, stepSpan(1))...)
			checkCell(t, f.only(), 1, tt.want)
		})
	}
}

func TestWhatIsBeneathAnEvaluationBelongsToIt(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0), stepSpan(0))
	deep := child(1, 1, "megatron.forward_backward", 100, 300)
	deep.Parent = spanID(102)
	wrap := child(1, 2, "eval.loop", 100, 350)
	wrap.Parent = spanID(103)
	beside := child(1, 4, "megatron.microbatch.forward", 150, 250) // at the same time, not beneath
	f.send(rank(0), deep, wrap, beside, child(1, 3, "megatron.evaluate", 100, 400), stepSpan(1))
	checkCell(t, f.only(), 1, Cell{Step: 1, Compute: .1, Other: .3, Flags: HasEvaluate})
}

func TestFlags(t *testing.T) {
	step := func(attrs ...run.Attr) run.Span {
		s := stepSpan(1)
		s.Attrs = append(s.Attrs, attrs...)
		return s
	}
	nan := float32(math.NaN())
	tests := []struct {
		name  string
		spans []run.Span
		want  Cell
	}{
		{"gc", []run.Span{child(1, 1, "nv.gc_collect", 0, 50), step()}, Cell{Step: 1, Other: .05, Flags: HasGC | ComputeIsUmbrella}},
		{"graph capture", []run.Span{child(1, 1, "cuda_graph.capture", 0, 50), step()}, Cell{Step: 1, Other: .05, Flags: HasGraphCapture | ComputeIsUmbrella}},
		{"checkpoint inside", []run.Span{child(1, 1, "save_checkpoint", 0, 500), step()}, Cell{Step: 1, IO: .5, Flags: HasCheckpoint | ComputeIsUmbrella}},
		{"checkpoint that began before", []run.Span{child(0, 50, "save_checkpoint", 500, 1500), step()}, Cell{Step: 1, Flags: HasCheckpoint | ComputeIsUmbrella}},
		{"skipped", []run.Span{step(truth("megatron.skipped", true))}, Cell{Step: 1, Flags: Skipped | ComputeIsUmbrella}},
		{"skipped by number", []run.Span{step(num("megatron.skipped", 1))}, Cell{Step: 1, Flags: Skipped | ComputeIsUmbrella}},
		{"not skipped", []run.Span{step(num("megatron.skipped", 0))}, Cell{Step: 1, Flags: ComputeIsUmbrella}},
		{"truncated", []run.Span{step(truth("nemo.span.truncated", true))}, Cell{Step: nan, Flags: StepTruncated | ComputeIsUmbrella}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.send(rank(0), stepSpan(0))
			f.send(rank(0), tt.spans...)
			r := f.only()
			checkCell(t, r, 1, tt.want)
			if c := cells(r)[0]; c.Flags&FirstOfAttempt == 0 {
				t.Error("the first iteration has no flag")
			}
		})
	}
}

func TestAnAsynchronousCheckpointFlagsAllStepsItTouched(t *testing.T) {
	f := newFixture(t)
	for i := range 8 {
		f.send(rank(0), stepSpan(i))
	}
	f.send(rank(0), sp(5000, 0, "nvrx.checkpoint.write", 1500*ms, 5500*ms))
	got := cells(f.only())
	for i := range int64(8) {
		if has := got[i].Flags&HasCheckpoint != 0; has != (i >= 1 && i <= 5) {
			t.Errorf("iteration %d: flagged %v", i, has)
		}
	}
}

// What stands between two steps is part of neither step's time, but the
// iteration it followed, or says that it belongs to, is no usual one.
func TestABreakBetweenStepsFlagsItsIteration(t *testing.T) {
	saysOne := sp(5001, 0, "megatron.evaluate", 2600*ms, 2900*ms, run.Attr{Key: "dl.iteration", Value: run.IntValue(1)})
	tests := []struct {
		name  string
		spans []run.Span
		want  [3]CellFlags
	}{
		{"after a step", []run.Span{sp(5000, 0, "save_checkpoint", 1600*ms, 1900*ms)}, [3]CellFlags{0, HasCheckpoint, 0}},
		{"says its iteration", []run.Span{saysOne}, [3]CellFlags{0, HasEvaluate, 0}},
		{"before the first step", []run.Span{sp(5002, 0, "load_checkpoint", 0, 10*ms)}, [3]CellFlags{}},
		{"both", []run.Span{saysOne, sp(5000, 0, "save_checkpoint", 600*ms, 900*ms)}, [3]CellFlags{HasCheckpoint, HasEvaluate, 0}},
	}
	for _, tt := range tests {
		for _, late := range []bool{false, true} {
			f := newFixture(t)
			var spans []run.Span
			for i := range 3 {
				at := uint64(i)*1000*ms + 100*ms
				spans = append(spans, sp(uint64(100+i), 0, "megatron.train_step", at, at+400*ms, run.Attr{Key: "dl.iteration", Value: run.IntValue(int64(i))}))
			}
			if late {
				f.send(rank(0), spans...)
				f.send(rank(0), tt.spans...)
			} else {
				f.send(rank(0), append(spans, tt.spans...)...)
			}
			f.send(rank(0), sp(7000, 100, "megatron.forward_backward", 150*ms, 200*ms)) // a late child fills a cell anew
			for i, c := range cells(f.only()) {
				if got := c.Flags & (HasCheckpoint | HasEvaluate); got != tt.want[i] {
					t.Errorf("%s, late %v: iteration %d has flags %b, want %b", tt.name, late, i, got, tt.want[i])
				}
				if c.IO != 0 {
					t.Errorf("%s: iteration %d counts %v s of io outside of its step", tt.name, i, c.IO)
				}
			}
		}
	}
}

func TestATruncatedStepIsSeenAndNotFinished(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0), stepSpan(0))
	s := stepSpan(1)
	s.Attrs = append(s.Attrs, truth("nemo.span.truncated", true))
	f.send(rank(0), s)
	r := f.only()
	if p := r.Processes[0]; !p.HasIteration || p.Iteration != 0 {
		t.Errorf("last iteration = %d, want 0", p.Iteration)
	}
	if r.Seen.Seen != 2 || r.Columns[1].Seen != 0 || len(r.Windows(0)) != 1 {
		t.Errorf("seen %+v, finished %d, windows %v", r.Seen, r.Columns[1].Seen, r.Windows(0))
	}
}

func TestOfNestedStepsTheOutermostCounts(t *testing.T) {
	outer := func(i int) run.Span {
		at := uint64(i) * second
		return sp(uint64(5000+i), 0, "rl.grpo.step", at, at+900*ms, num("rl.iteration", int64(i)))
	}
	inner := func(i, k int) run.Span {
		at := uint64(i)*second + uint64(k)*200*ms
		return sp(uint64(6000+10*i+k), uint64(5000+i), "train_step", at, at+150*ms, num("iteration", int64(4*i+k)))
	}
	work := func(i, k int) run.Span {
		at := uint64(i)*second + uint64(k)*200*ms
		return sp(uint64(7000+10*i+k), uint64(6000+10*i+k), "megatron.microbatch.forward", at, at+100*ms)
	}
	for _, rootFirst := range []bool{false, true} {
		t.Run(fmt.Sprint("root first ", rootFirst), func(t *testing.T) {
			f := newFixture(t)
			for i := range 4 {
				var spans []run.Span
				for k := range 4 {
					spans = append(spans, work(i, k), inner(i, k))
				}
				spans = append(spans, outer(i))
				if rootFirst {
					slices.Reverse(spans)
				}
				for _, s := range spans {
					f.send(rank(0), s)
				}
			}
			r := f.only()
			if want := (Iterations{Seen: 4, First: 0, Last: 3}); r.Seen != want {
				t.Errorf("seen = %+v, want %+v", r.Seen, want)
			}
			for i := int64(1); i < 4; i++ {
				checkCell(t, r, i, Cell{Step: .9, Compute: .4})
			}
			if p := r.Processes[0]; p.Iteration != 3 {
				t.Errorf("last iteration = %d, want 3", p.Iteration)
			}
			if n := total(r, "train_step"); n.Count != 16 {
				t.Errorf("inner steps count %d, want 16: roll-ups keep them", n.Count)
			}
		})
	}
}

func TestItsOwnIterationWinsOverTime(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0), stepSpan(0))
	prefetch := child(0, 7, "megatron.dataloader.next", 500, 700, num("megatron.iteration", 1)) // during step 0, for step 1
	f.send(rank(0), prefetch, stepSpan(1))
	r := f.only()
	checkCell(t, r, 0, Cell{Step: 1, Flags: FirstOfAttempt | ComputeIsUmbrella})
	checkCell(t, r, 1, Cell{Step: 1, IO: .2, Flags: ComputeIsUmbrella})
}

func TestAnAncestorPlacesASpanOutsideOfTheStepsTime(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0), stepSpan(0))
	under := sp(801, 802, "all_gather", 5*second, 5200*ms)
	wrap := sp(802, 1001, "wrapper", 5*second, 5300*ms)
	f.send(rank(0), under, wrap, stepSpan(1))
	checkCell(t, f.only(), 1, Cell{Step: 1, Wait: .2, Other: .3, Flags: ComputeIsUmbrella})
}
