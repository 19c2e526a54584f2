package store

import (
	"fmt"
	"math"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// job is a training run that never was: ranks of tp 2, pp 2, dp 2 whose steps
// take a second, in which pp 1 computes longer and the others wait for it.
type job struct {
	*fixture
	id uint64
}

const jobRanks = 8

func (j *job) resource(n int, restart int64) []run.Attr {
	return []run.Attr{
		str("service.name", "megatron-lm"), str("nemo.run.id", "job"), num("nv.dl.rank", int64(n)), num("nv.dl.world_size", jobRanks),
		num("nv.dl.topology.size.tp", 2), num("nv.dl.topology.size.pp", 2), num("nv.dl.topology.size.dp", 2),
		str("host.name", fmt.Sprint("gpu-", n/4)), num("process.pid", int64(100+n)), num("slurm.restart_count", restart), str("nv.dl.role", "trainer"),
	}
}

// step sends iteration i of all ranks, a request each, at a time in seconds.
func (j *job) step(i int64, at uint64, restart int64, truncated bool) {
	for n := range jobRanks {
		compute := uint64(600 + 100*(n/4)) // ms; pp is the slowest dimension
		j.id++
		step := sp(j.id, 0, "nv.dl.training.iteration", at*second, (at+1)*second, num("nv.dl.training.step", i))
		if truncated {
			step.Attrs = append(step.Attrs, truth("nemo.span.truncated", true))
		}
		step.TraceID = traceID(j.id)
		var spans []run.Span
		for k := range uint64(4) {
			from := at*second + k*compute/4*ms
			spans = append(spans, j.child(step, "nv.mcore.microbatch.forward", from, from+compute/8*ms), j.child(step, "nv.mcore.microbatch.backward", from+compute/8*ms, from+compute/4*ms))
		}
		spans = append(spans, j.child(step, "nv.mcore.grad_sync.finish", at*second+compute*ms, (at+1)*second), step)
		j.sendFrom(fmt.Sprint("gpu-", n/4), j.resource(n, restart), spans...)
	}
}

func (j *job) child(step run.Span, name string, from, to uint64) run.Span {
	j.id++
	s := sp(j.id, 0, name, from, to, num("dl.microbatch_id", int64(j.id%4)))
	s.TraceID, s.Parent = step.TraceID, step.ID
	return s
}

// TestTheLifeOfARun is 150 iterations, a requeue that repeats ten of them, and a
// shutdown in the middle of a step, within a budget that keeps only the end.
func TestTheLifeOfARun(t *testing.T) {
	j := &job{fixture: newFixture(t, func(c *Config) { c.Budget = 1 << 20 })}
	for i := range int64(150) {
		j.step(i+1, uint64(i), 0, false)
	}
	j.now += 120 * int64(second)
	for i := range int64(110) {
		j.step(i+141, uint64(i)+500, 1, false)
	}
	j.step(251, 610, 1, true)
	snap := j.Snapshot()
	checkBalanced(t, snap)
	r := snap.Runs[0]
	if a := r.Accounts[run.Traces]; a.Evicted == 0 || a.Received != 261*jobRanks*10 {
		t.Fatalf("account = %+v", a)
	}
	checkLife(t, r)
	checkLifeColumns(t, r)
	if m := snap.Memory; m.Used > m.Data || m.Dropped != 0 {
		t.Errorf("memory = %+v", m)
	}
}

func checkLife(t *testing.T, r *Run) {
	t.Helper()
	if len(r.Attempts) != 2 || len(r.Processes) != 2*jobRanks || r.WorldSize != jobRanks || r.Truncated != jobRanks {
		t.Fatalf("attempts %d, processes %d, world %d, truncated %d", len(r.Attempts), len(r.Processes), r.WorldSize, r.Truncated)
	}
	if want := (Iterations{Seen: 261, First: 1, Last: 251}); r.Seen.Seen != want.Seen || r.Seen.First != want.First || r.Seen.Last != want.Last {
		t.Errorf("seen = %+v, want %+v", r.Seen, want)
	}
	for _, p := range r.Processes {
		last := int64(150 + 100*(p.Index/jobRanks))
		if p.Attempt != p.Index/jobRanks || !p.Grid || p.Sibling || p.Iteration != last || p.Coord.PP != p.ID.Rank/4 || !p.Coord.Derived {
			t.Errorf("process %d: attempt %d, grid %v, sibling %v, iteration %d, at %+v", p.Index, p.Attempt, p.Grid, p.Sibling, p.Iteration, p.Coord)
		}
	}
	for stage, want := range []uint64{75, 87} { // ms of a microbatch, cut at whole ms
		for _, st := range r.Stages {
			if st.Stage != stage || r.Names[st.Name].Text != "nv.mcore.microbatch.forward" {
				continue
			}
			if ns, _ := st.Quantile(.5); st.Count != 261*4*4 || math.Abs(float64(ns)/float64(want*ms)-1) > sketchAccuracy {
				t.Errorf("stage %d: %d of %d ns", stage, st.Count, ns)
			}
		}
	}
}

func checkLifeColumns(t *testing.T, r *Run) {
	t.Helper()
	for _, c := range r.Columns {
		for n := range jobRanks {
			p := n + jobRanks*c.Attempt
			cell, ok := c.Cell(p)
			if !ok {
				t.Fatalf("%d/%d lacks rank %d", c.Attempt, c.Iteration, n)
			}
			compute := float32(600+100*(n/4)) / 1000
			last := c.Iteration == 251
			if last != math.IsNaN(float64(cell.Step)) || last != (cell.Flags&StepTruncated != 0) {
				t.Errorf("%d/%d rank %d: %+v", c.Attempt, c.Iteration, n, cell)
			}
			if d := cell.Compute - compute; d > .005 || d < -.025 || cell.Wait != seconds(second-uint64(compute*1000)*ms) {
				t.Errorf("%d/%d rank %d: compute %g, wait %g", c.Attempt, c.Iteration, n, cell.Compute, cell.Wait)
			}
		}
		if _, ok := c.Cell(jobRanks * (1 - c.Attempt)); ok {
			t.Errorf("%d/%d has a cell of the other attempt", c.Attempt, c.Iteration)
		}
	}
}

// TestARankThatHangs is behind by what it sent, not by what is guessed.
func TestARankThatHangs(t *testing.T) {
	j := &job{fixture: newFixture(t)}
	for i := range int64(10) {
		j.step(i+1, uint64(i), 0, false)
	}
	for n := range jobRanks {
		if n != 5 {
			j.id++
			s := sp(j.id, 0, "nv.mcore.forward_backward", 10*second, 10*second+600*ms)
			j.send(j.resource(n, 0), s)
		}
	}
	r := j.only()
	for _, p := range r.Processes {
		phase := r.Names[p.LastName].Phase.Name
		if want := map[bool]string{true: run.PhaseForwardBackward, false: run.PhaseIteration}[p.ID.Rank != 5]; phase != want || p.Iteration != 10 {
			t.Errorf("rank %d: last phase %q, want %q; iteration %d", p.ID.Rank, phase, want, p.Iteration)
		}
	}
}

// TestOneTraceOfManyRanks is row 22's last input, smaller: all spans in one
// trace, over many chunks.
func TestCase22OneTraceOfManyRanks(t *testing.T) {
	f := newFixture(t)
	const ranks, steps = 64, 100
	id := uint64(0)
	for n := range ranks {
		var spans []run.Span
		for i := range uint64(steps) {
			id += 3
			spans = append(spans, sp(id, id+2, "a", i*second, i*second+ms), sp(id+1, id+2, "b", i*second, i*second+ms),
				sp(id+2, 0, "train_step", i*second, (i+1)*second, num("iteration", int64(i))))
		}
		f.send(rank(n), spans...)
	}
	r := f.only()
	if got := len(r.Trace(traceID(1))); got != ranks*steps*3 {
		t.Errorf("the trace has %d spans, want %d", got, ranks*steps*3)
	}
	if len(r.Columns) != steps || r.Columns[0].Seen != ranks {
		t.Errorf("%d columns, %d ranks in the first", len(r.Columns), r.Columns[0].Seen)
	}
}

// TestAChainThatIsDeep is row 22's first input.
func TestCase22DeepChain(t *testing.T) {
	f := newFixture(t)
	const depth = 15_000
	var spans []run.Span
	for i := uint64(depth); i > 0; i-- { // the deepest ends first
		spans = append(spans, sp(i, i-1, "level", i, 2*depth-i))
	}
	spans = append(spans, sp(depth+1, 0, "train_step", 0, 2*depth, num("iteration", 1)))
	f.send(rank(0), spans...)
	r := f.only()
	if got := len(r.Trace(traceID(1))); got != depth+1 {
		t.Errorf("spans = %d", got)
	}
	if c, ok := r.Columns[0].Cell(0); !ok || c.Other == 0 {
		t.Errorf("cell = %+v (%v)", c, ok)
	}
}

func TestValuesOutliveTheirDictionarysGeneration(t *testing.T) {
	f := newFixture(t)
	const n = (dictChunks + 2) * chunkRows
	id := uint64(0)
	for id < n {
		var spans []run.Span
		for range 1024 {
			id++
			spans = append(spans, sp(id, 0, "op", id, id+1, str("text", fmt.Sprint("value ", id%1000)), num("id", int64(id))))
		}
		f.send(rank(0), spans...)
	}
	r := f.only()
	first, last := r.Chunks[0], r.Chunks[len(r.Chunks)-1]
	if &first.dict.shapes[0] == &last.dict.shapes[0] {
		t.Fatal("one dictionary for all: the test is too small")
	}
	key := NewKey("text")
	for _, c := range []*Chunk{first, r.Chunks[dictChunks-1], r.Chunks[dictChunks], last} {
		for _, i := range []int{0, c.Len() - 1} {
			n, _ := c.Attr(i, "id")
			if v, _ := c.Value(i, key); v.Str() != fmt.Sprint("value ", n.Int()%1000) {
				t.Errorf("chunk %d row %d: %q of span %d", c.Seq(), i, v.Str(), n.Int())
			}
		}
	}
}

func TestMarksOfSpans(t *testing.T) {
	tests := []struct {
		name   string
		change func(*run.Span)
		want   run.Mark
	}{
		{"a usual one", func(*run.Span) {}, 0},
		{"failed", func(s *run.Span) { s.Status = run.StatusError }, run.Failed},
		{"open", func(s *run.Span) { s.End = 0 }, run.Open},
		{"ends before it starts", func(s *run.Span) { s.End = s.Start - 1 }, run.EndsBefore},
		{"no start", func(s *run.Span) { s.Start = 0 }, run.ZeroStart},
		{"in milliseconds", func(s *run.Span) { s.Start /= 1e6; s.End /= 1e6 }, run.BadTime},
		{"neither start nor end", func(s *run.Span) { s.Start, s.End = 0, 0 }, run.ZeroStart | run.Open},
		{"truncated", func(s *run.Span) { s.Attrs = []run.Attr{truth("nemo.span.truncated", true)} }, run.Truncated},
		{"truncated, with its event", func(s *run.Span) {
			s.Attrs = []run.Attr{truth("nemo.span.truncated", true)}
			s.Events = []run.Event{{Name: "nemo.span.truncated"}}
		}, run.Truncated},
		{"truncated and failed", func(s *run.Span) {
			s.Attrs, s.Status = []run.Attr{truth("nemo.span.truncated", true)}, run.StatusError
		}, run.Truncated | run.Failed},
		{"another event", func(s *run.Span) { s.Events = []run.Event{{Name: "exception"}} }, 0},
		{"of no length", func(s *run.Span) { s.End = s.Start }, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sp(1, 0, "x", 0, second)
			tt.change(&s)
			f := newFixture(t)
			f.send(rank(0), s)
			c := f.only().Chunks[0]
			if got := c.Marks(0); got != tt.want {
				t.Errorf("marks = %011b, want %011b", got, tt.want)
			}
			if _, ok := c.Duration(0); ok == tt.want.Has(run.NoDuration) {
				t.Errorf("has a duration: %v", ok)
			}
			if c.Start(0) != s.Start || c.End(0) != s.End {
				t.Error("a time was changed")
			}
		})
	}
}
