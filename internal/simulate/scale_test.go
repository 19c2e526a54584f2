package simulate

import (
	"runtime"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// perStep is how many spans a stage sends of a step.
func perStep(c Config, pp int) int {
	switch c.Detail {
	case StepOnly:
		return 1
	case ForwardBackward:
		return 5 + onEnds(c, pp)
	}
	n := 2*c.Microbatches + 7 + onEnds(c, pp)
	if pp > 0 {
		n += 2 * c.Microbatches // receives forwards, sends backwards
	}
	if pp < c.PP-1 {
		n += 2 * c.Microbatches
	}
	if c.PP > 1 {
		n += onEnds(c, pp) // the embedding
	}
	return n
}

// onEnds is 1 for the stages that read data.
func onEnds(c Config, pp int) int {
	if pp == 0 || pp == c.PP-1 {
		return 1
	}
	return 0
}

// Each rank sends exactly the spans its place and the detail call for.
func TestSpanCountsAreExact(t *testing.T) {
	for _, c := range []Config{
		{}, {TP: 4}, {DP: 5, Microbatches: 1}, {PP: 4, Microbatches: 2}, {TP: 2, CP: 2, PP: 3, DP: 2, Microbatches: 5},
		{PP: 2, DP: 2, Detail: ForwardBackward}, {TP: 2, DP: 3, Detail: StepOnly},
	} {
		c.Iterations, c.Seed = 3, 11
		s := stream(t, c)
		c = s.Config()
		sentBy := perRank(collect(t, s).spans)
		for r := range c.Ranks() {
			if want := 3*perStep(c, s.m.lay.coord(r).PP) + 2; sentBy[r] != want {
				t.Errorf("%d×%d×%d×%d %s: rank %d sent %d spans, want %d", c.TP, c.CP, c.PP, c.DP, c.Detail, r, sentBy[r], want)
			}
		}
	}
}

// The largest world, and one of many lanes, are streamed whole and in little
// memory.
func TestLargestWorld(t *testing.T) {
	for _, c := range []Config{
		{TP: 8, PP: 16, DP: 128, Detail: ForwardBackward}, {DP: 2048, Detail: StepOnly},
	} {
		c.Iterations, c.MetricEvery = 1, time.Hour
		s := stream(t, c)
		c = s.Config()
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		spans, requests, ranks := 0, 0, map[int]bool{}
		peak := uint64(0)
		for r, ok := s.Next(); ok; r, ok = s.Next() {
			if r.Signal == run.Traces {
				spans += r.Items
				ranks[r.Rank] = true
			}
			if requests++; requests%20_000 == 0 {
				runtime.GC()
				runtime.ReadMemStats(&after)
				peak = max(peak, after.HeapAlloc)
			}
		}
		want := 0
		for pp := range c.PP {
			want += (perStep(c, pp) + 2) * c.TP * c.DP
		}
		if spans != want || len(ranks) != c.Ranks() {
			t.Errorf("%d spans of %d ranks, want %d", spans, len(ranks), want)
		}
		if grown := int64(peak) - int64(before.HeapAlloc); grown > 16<<20 {
			t.Errorf("the heap grew by %d MiB", grown>>20)
		}
	}
}

// FuzzStream builds runs of any shape. A run that is refused says why; one that
// is not keeps what every run keeps.
func FuzzStream(f *testing.F) {
	f.Add(uint64(1), uint8(2), uint8(2), uint8(2), uint8(4), uint16(1000), uint8(3), uint8(0), int16(3), int16(1))
	f.Add(uint64(9), uint8(1), uint8(4), uint8(1), uint8(1), uint16(1), uint8(1), uint8(7), int16(0), int16(0))
	f.Add(uint64(3), uint8(0), uint8(1), uint8(9), uint8(2), uint16(40), uint8(2), uint8(255), int16(-1), int16(2))
	f.Fuzz(func(t *testing.T, seed uint64, tp, pp, dp, micros uint8, step uint16, iterations, flags uint8, rank, within int16) {
		c := Config{
			Seed: seed, TP: int(tp % 5), PP: int(pp % 6), DP: int(dp % 10), Microbatches: int(micros % 12),
			Step: time.Duration(step) * time.Millisecond, Iterations: 1 + int(iterations%4),
			Naming: Naming(flags & 1), Detail: Detail(flags >> 1 % 3), OneTrace: flags&8 != 0, Gateway: flags&16 != 0,
			CheckpointEvery: int(flags >> 5 & 1), EvalEvery: int(flags >> 6 & 1), GCEvery: 2, Linger: time.Second,
		}
		if flags&4 != 0 {
			c.Faults = append(c.Faults, Hang{Rank: int(rank), Iteration: 0, Within: int(within), Alive: flags&8 != 0})
		}
		s, err := New(c)
		if err != nil {
			return
		}
		check(t, collect(t, s), len(c.Faults) > 0 && flags&8 == 0)
	})
}

// check holds a whole run to what every run keeps. The last spans of a frozen
// process wait for parents that never come.
func check(t *testing.T, got *sent, frozen bool) {
	t.Helper()
	parents, ids := map[string]int{}, map[string]bool{}
	for i, s := range got.spans {
		if ids[string(s.SpanId)] || s.EndTimeUnixNano < s.StartTimeUnixNano {
			t.Fatalf("span %d, %s: a repeated id or an end before its start", i, s.Name)
		}
		ids[string(s.SpanId)] = true
		if len(s.ParentSpanId) > 0 {
			parents[string(s.ParentSpanId)] = i
		}
	}
	for i, s := range got.spans {
		if child, ok := parents[string(s.SpanId)]; ok && child > i {
			t.Fatalf("span %d, %s, came before its child %s", i, s.Name, got.spans[child].Name)
		}
		delete(parents, string(s.SpanId))
	}
	if len(parents) > 0 && !frozen {
		t.Fatalf("%d parents never came", len(parents))
	}
}

// Spans that a truth calls telling must tell, and those it calls silent must not.
func TestTruthHoldsForForwardBackward(t *testing.T) {
	c := Config{Seed: 2, TP: 2, PP: 2, DP: 4, Microbatches: 4, Iterations: 5, Detail: ForwardBackward, Faults: []Fault{Straggler{Rank: 5, Factor: 1.6}}}
	s := stream(t, c)
	truth := s.Truth().Injected[0]
	got := collect(t, s)
	fb := spent(got, fbName)
	for r := range c.Ranks() {
		shown := false
		for _, q := range truth.Shown {
			shown = shown || q == r
		}
		peer := s.m.lay.rank(0, 0, 0, s.m.lay.coord(r).PP) // the same stage of a healthy lane
		if ratio := float64(fb[r]) / float64(fb[peer]); shown != (ratio > 1.1) {
			t.Errorf("rank %d takes %.3f times its stage's forward_backward, shown by the truth: %v", r, ratio, shown)
		}
	}
	c.Detail = StepOnly
	s = stream(t, c)
	if n := len(s.Truth().Injected[0].Shown); n != 0 {
		t.Errorf("%d ranks can be told from steps alone", n)
	}
	steps := spent(collect(t, s), stepName)
	for r := range c.Ranks() {
		if diff := (steps[r] - steps[0]).Abs(); diff > 50*time.Microsecond {
			t.Errorf("rank %d's steps differ by %s", r, diff)
		}
	}
}
