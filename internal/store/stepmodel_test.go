package store

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// randomSteps is n steps of a rank with random children, some nested, some
// beneath an evaluation, some with gaps; the children of a step are within it.
func randomSteps(r *rand.Rand, n int) (out [][]run.Span) {
	names := []string{"megatron.microbatch.forward", "megatron.microbatch.backward", "megatron.forward_backward", "all_reduce",
		"megatron.optimizer", "megatron.dataloader.next", "something", "megatron.evaluate", "nv.gc_collect", "save_checkpoint"}
	at, id := uint64(0), uint64(1e6)
	for i := range n {
		id++
		step := sp(id, 0, "megatron.train_step", at, at+uint64(500+r.IntN(1000))*ms, num("megatron.iteration", int64(i)))
		spans := []run.Span{step}
		for range r.IntN(30) {
			id++
			parent := spans[r.IntN(len(spans))]
			room := parent.End - parent.Start
			from := parent.Start + uint64(r.Int64N(int64(room)))
			s := sp(id, 0, names[r.IntN(len(names))], 0, 0)
			s.Parent, s.Start, s.End = parent.ID, from, from+uint64(r.Int64N(int64(parent.End-from)+1))
			if s.End > s.Start {
				spans = append(spans, s)
			}
		}
		out = append(out, spans)
		at = step.End - t0 + uint64(r.IntN(3))*100*ms
	}
	return out
}

// plainCell computes the cell of a step from its spans, root first.
func plainCell(spans []run.Span) Cell {
	phases := run.DefaultPhases()
	byID := map[run.SpanID]run.Span{}
	for _, s := range spans {
		byID[s.ID] = s
	}
	var sets [run.ClassCount][]interval
	var compute [computeLevels][]interval
	var c Cell
	var gc []interval
	for _, s := range spans[1:] {
		name := s.Name
		for p, ok := s, true; ok; p, ok = byID[p.Parent] { // the covering ancestor nearest to the root
			if phases.Of(p.Name).Covers() {
				name = p.Name
			}
		}
		c.Flags |= infoOf(phases.Of(s.Name)).breaks
		info, iv := infoOf(phases.Of(name)), interval{s.Start, s.End}
		if phases.Of(s.Name).Name == run.PhaseGC {
			gc = append(gc, iv)
		}
		if info.class == run.Compute {
			compute[info.level] = append(compute[info.level], iv)
		} else {
			sets[info.class] = append(sets[info.class], iv)
		}
	}
	c.Step = seconds(spans[0].End - spans[0].Start)
	c.Wait, c.IO, c.Other = plainUnion(sets[run.Wait]), plainUnion(sets[run.IO]), plainUnion(sets[run.Other])
	c.Flags |= ComputeIsUmbrella
	for level, ivs := range compute {
		if len(ivs) > 0 {
			c.Compute = plainUnion(append(slices.Clone(ivs), gc...)) - plainUnion(gc)
			if level == microbatch {
				c.Flags &^= ComputeIsUmbrella
			}
		}
	}
	return c
}

// plainUnion adds up the stretches between all borders that some interval covers.
func plainUnion(ivs []interval) float32 {
	var borders []uint64
	for _, iv := range ivs {
		borders = append(borders, iv.from, iv.to)
	}
	slices.Sort(borders)
	var ns uint64
	for i := 1; i < len(borders); i++ {
		if slices.ContainsFunc(ivs, func(iv interval) bool { return iv.from <= borders[i-1] && borders[i] <= iv.to }) {
			ns += borders[i] - borders[i-1]
		}
	}
	return seconds(ns)
}

// TestCellsEqualAPlainComputation sends random steps in several orders and cuts.
func TestCellsEqualAPlainComputation(t *testing.T) {
	orders := map[string]func(r *rand.Rand, spans []run.Span) [][]run.Span{
		"as spans end, one request a step": func(_ *rand.Rand, spans []run.Span) [][]run.Span {
			slices.Reverse(spans) // a child has a later place than its parent
			return [][]run.Span{spans}
		},
		"as spans end, one by one": func(_ *rand.Rand, spans []run.Span) (out [][]run.Span) {
			slices.Reverse(spans)
			for _, s := range spans {
				out = append(out, []run.Span{s})
			}
			return out
		},
		"root first": func(_ *rand.Rand, spans []run.Span) [][]run.Span {
			return [][]run.Span{spans[:1], spans[1:]}
		},
		"in any order": func(r *rand.Rand, spans []run.Span) [][]run.Span {
			r.Shuffle(len(spans), func(i, j int) { spans[i], spans[j] = spans[j], spans[i] })
			cut := r.IntN(len(spans))
			return [][]run.Span{spans[:cut], spans[cut:]}
		},
		"in two requests": func(r *rand.Rand, spans []run.Span) [][]run.Span {
			slices.Reverse(spans)
			cut := r.IntN(len(spans))
			return [][]run.Span{spans[:cut], spans[cut:]}
		},
	}
	for name, order := range orders {
		t.Run(name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(21, 22))
			f := newFixture(t)
			var want []Cell
			for _, spans := range randomSteps(r, 60) {
				want = append(want, plainCell(spans))
				for _, part := range order(r, slices.Clone(spans)) {
					if len(part) > 0 {
						f.send(rank(0), part...)
					}
				}
			}
			want[0].Flags |= FirstOfAttempt
			checkCells(t, f.only(), want)
		})
	}
}

// checkCells compares the cells of process 0.
func checkCells(t *testing.T, r *Run, want []Cell) {
	t.Helper()
	if len(r.Columns) != len(want) {
		t.Fatalf("columns = %d, want %d", len(r.Columns), len(want))
	}
	near := func(a, b float32) bool { return math.Abs(float64(a-b)) < 1e-6 }
	for i, w := range want {
		c, ok := r.Columns[i].Cell(0)
		if !ok {
			t.Fatalf("iteration %d has no cell", i)
		}
		if c.Flags != w.Flags || !near(c.Step, w.Step) || !near(c.Compute, w.Compute) || !near(c.Wait, w.Wait) || !near(c.IO, w.IO) || !near(c.Other, w.Other) {
			t.Errorf("iteration %d: %s, want %s", i, show(c), show(w))
		}
	}
}

func show(c Cell) string {
	return fmt.Sprintf("step %g compute %g wait %g io %g other %g flags %08b", c.Step, c.Compute, c.Wait, c.IO, c.Other, c.Flags)
}
