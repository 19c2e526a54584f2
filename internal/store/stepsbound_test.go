package store

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestColumnsAreARing(t *testing.T) {
	f := newFixture(t)
	const n = maxColumns + 40
	for i := range n {
		f.send(rank(0), stepSpan(i))
	}
	r := f.only()
	if len(r.Columns) != maxColumns || r.Columns[0].Iteration != 40 || r.Seen.Seen != n || r.Seen.First != 0 {
		t.Errorf("columns %d from %d, seen %+v", len(r.Columns), r.Columns[0].Iteration, r.Seen)
	}
	f.send(rank(1), sp(1, 0, "megatron.train_step", 0, second, num("megatron.iteration", 3))) // older than all that are kept
	r = f.only()
	gone := 0
	for _, k := range r.Seen.Gone {
		gone += k
	}
	if len(r.Columns) != maxColumns || r.Columns[0].Iteration != 40 || r.Seen.Seen != n || gone != 40 {
		t.Errorf("columns %d from %d, seen %+v", len(r.Columns), r.Columns[0].Iteration, r.Seen)
	}
}

func TestColumnsStayWithinTheirShare(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 4 << 20 })
	for i := range 300 {
		f.send(rank(0), stepSpan(i))
	}
	if r := f.only(); f.columnBytes > f.limits.columns || len(r.Columns) < minColumns || r.Columns[len(r.Columns)-1].Iteration != 299 {
		t.Errorf("%d columns of %d bytes, limit %d", len(r.Columns), f.columnBytes, f.limits.columns)
	}
}

func TestPendingSpansAreBoundedAndCounted(t *testing.T) {
	f := newFixture(t)
	f.limits.pending = 256
	f.send(rank(0), stepSpan(0))
	var spans []run.Span
	for i := range uint64(1000) {
		at := second + i*ms
		spans = append(spans, sp(5000+i, 1001, "megatron.microbatch.forward", at, at+ms))
	}
	f.send(rank(0), spans...)
	if n := len(f.runs[0].procs[0].steps.pending); n > 256 {
		t.Errorf("pending = %d, want at most 256", n)
	}
	f.send(rank(0), stepSpan(1))
	m := f.Snapshot().Memory
	if m.Dropped == 0 {
		t.Error("nothing counted as dropped")
	}
	c := cells(f.only())[1]
	if want := float32(1000-int(m.Dropped)) / 1000; math.Abs(float64(c.Compute-want)) > .0015 {
		t.Errorf("compute = %g, want %g: what was not dropped", c.Compute, want)
	}
}

func TestWindowsAndIterationAt(t *testing.T) {
	f := newFixture(t)
	for _, i := range []int{2, 0, 1} { // in any order
		f.send(rank(0), stepSpan(i))
	}
	r := f.only()
	want := []Window{{0, 0, t0, t0 + second}, {0, 1, t0 + second, t0 + 2*second}, {0, 2, t0 + 2*second, t0 + 3*second}}
	if d := cmp.Diff(want, r.Windows(0)); d != "" {
		t.Errorf("windows differ (-want +got):\n%s", d)
	}
	if w, ok := r.IterationAt(0, t0+1500*ms); !ok || w.Iteration != 1 {
		t.Errorf("at 1.5 s: %+v, %v", w, ok)
	}
	if _, ok := r.IterationAt(0, t0+3*second); ok {
		t.Error("an iteration after the last")
	}
	if c := cells(r); c[0].Flags&FirstOfAttempt == 0 || c[2].Flags&FirstOfAttempt != 0 {
		t.Error("the first by time is not flagged as the first")
	}
}

func TestLivenessIsByTheReceiversClock(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0), stepSpan(0))
	first := f.now
	f.send(rank(0), child(1, 1, "x", 0, 10))
	p := f.only().Processes[0]
	if p.IterationAt != first || p.LastSpan != f.now || p.Last != f.now || p.First != first {
		t.Errorf("iteration at %d, last %d, first %d", p.IterationAt-first, p.Last-first, p.First-first)
	}
}

func TestIterationsAreShownAsSent(t *testing.T) {
	one := func(id uint64, n int64) run.Span {
		return sp(id, 0, "nv.dl.training.iteration", id*second, (id+1)*second, num("nv.dl.training.step", n))
	}
	zero := func(id uint64, n int64) run.Span {
		return sp(id, 0, "megatron.train_step", id*second, (id+1)*second, num("megatron.iteration", n))
	}
	shown := func(r *Run) (out []int64) {
		for _, c := range r.Columns {
			out = append(out, c.Iteration)
		}
		return out
	}
	f := newFixture(t)
	f.send(rank(0), one(1, 1), one(2, 2))
	if got := shown(f.only()); !slices.Equal(got, []int64{1, 2}) || f.only().Processes[0].Iteration != 2 {
		t.Errorf("from 1: %v, last %d", got, f.only().Processes[0].Iteration)
	}
	before := f.only()
	f.send(rank(1), zero(3, 1), zero(4, 2))
	r := f.only()
	if got := shown(r); !slices.Equal(got, []int64{0, 1, 2}) || r.Columns[1].Seen != 2 {
		t.Errorf("mixed: %v, %d ranks in the second", got, r.Columns[1].Seen)
	}
	if r.Processes[0].Iteration != 1 || r.Processes[1].Iteration != 2 || r.Seen.First != 0 || r.Seen.Last != 2 {
		t.Errorf("last = %d and %d, seen %+v", r.Processes[0].Iteration, r.Processes[1].Iteration, r.Seen)
	}
	if got := shown(before); !slices.Equal(got, []int64{1, 2}) {
		t.Errorf("an old snapshot changed: %v", got)
	}
}

func TestStepsWithoutAnIterationMakeNoColumns(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0), sp(1, 0, "train_step", 0, second), sp(2, 0, "train_step", second, 2*second))
	r := f.only()
	if len(r.Columns) != 0 || r.Seen.Seen != 0 || r.Processes[0].HasIteration || total(r, "train_step").Count != 2 {
		t.Errorf("columns %d, seen %+v, count %d", len(r.Columns), r.Seen, total(r, "train_step").Count)
	}
}
