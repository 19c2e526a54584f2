package store

import (
	"math"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// cellOf sends a first step and then step 1 with the children, and gives the cell
// of the latter.
func cellOf(t *testing.T, children ...run.Span) Cell {
	t.Helper()
	f := newFixture(t)
	f.send(rank(0), stepSpan(0))
	f.send(rank(0), append(children, stepSpan(1))...)
	r := f.only()
	c, ok := r.Columns[len(r.Columns)-1].Cell(0)
	if !ok || r.Columns[len(r.Columns)-1].Iteration != 1 {
		t.Fatal("step 1 has no cell")
	}
	return c
}

func TestWhereComputeComesFrom(t *testing.T) {
	micro := func(id uint64, name string) run.Span {
		return child(1, id, "nv.mcore.microbatch."+name, 100*id, 100*id+50)
	}
	tests := []struct {
		name  string
		spans []run.Span
		level ComputeLevel
		micro uint16
	}{
		{"none", nil, NoCompute, 0},
		{"waits only", []run.Span{child(1, 1, "all_reduce", 0, 10)}, NoCompute, 0},
		{"named", []run.Span{child(1, 1, "policy_training", 0, 10)}, NamedCompute, 0},
		{"forward_backward", []run.Span{child(1, 1, "x.forward_backward", 0, 10), child(1, 2, "policy_training", 0, 10)}, ForwardBackward, 0},
		{"microbatches", []run.Span{
			child(1, 9, "x.forward_backward", 0, 900),
			micro(1, "forward"), micro(2, "forward"), micro(3, "backward"),
		}, Microbatch, 2},
		{"backward passes only", []run.Span{micro(1, "backward"), micro(2, "backward"), micro(3, "backward")}, Microbatch, 3},
		{"a pass of no length", []run.Span{child(1, 1, "nv.mcore.microbatch.forward", 10, 10)}, Microbatch, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if c := cellOf(t, tt.spans...); c.Level != tt.level || c.Microbatches != tt.micro {
				t.Errorf("level %d of %d microbatches, want %d of %d", c.Level, c.Microbatches, tt.level, tt.micro)
			}
		})
	}
}

func TestGarbageCollectionIsNoCompute(t *testing.T) {
	tests := []struct {
		name        string
		spans       []run.Span
		compute, gc float64
		heavy       bool
	}{
		{"beside", []run.Span{child(1, 1, "x.forward_backward", 0, 600), child(1, 2, "nv.gc_collect", 700, 740)}, .6, .04, false},
		{"within", []run.Span{child(1, 1, "x.forward_backward", 0, 600), child(1, 2, "nv.gc_collect", 100, 200)}, .5, .1, true},
		{"half within", []run.Span{child(1, 1, "x.forward_backward", 0, 600), child(1, 2, "nv.gc_collect", 550, 650)}, .55, .1, true},
		{"two that overlap", []run.Span{child(1, 1, "x.forward_backward", 0, 600), child(1, 2, "nv.gc_collect", 100, 200), child(1, 3, "nv.gc_collect", 150, 250)}, .45, .15, true},
		{"longer than the step", []run.Span{child(1, 1, "x.forward_backward", 0, 600), child(1, 2, "nv.gc_collect", 900, 1500)}, .6, .1, true},
		{"without compute", []run.Span{child(1, 2, "nv.gc_collect", 0, 30)}, 0, .03, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := cellOf(t, tt.spans...)
			if math.Abs(float64(c.Compute)-tt.compute) > 1e-6 || math.Abs(c.GC()-tt.gc) > 1e-4 {
				t.Errorf("compute %g, gc %g, want %g and %g", c.Compute, c.GC(), tt.compute, tt.gc)
			}
			if heavy := c.facts()&uint32(HasGC) != 0; heavy != tt.heavy || c.Flags&HasGC == 0 {
				t.Errorf("heavy %t, want %t; flags %b", heavy, tt.heavy, c.Flags)
			}
		})
	}
}

func TestTheLastWaitOfAStep(t *testing.T) {
	tests := []struct {
		name  string
		spans []run.Span
		at    float64 // seconds after the step's start, −1 for none
	}{
		{"none", []run.Span{child(1, 1, "x.forward_backward", 0, 600)}, -1},
		{"at the very start", []run.Span{child(1, 1, "grad_sync.start", 0, 10)}, -1}, // no name of a wait
		{"one", []run.Span{child(1, 1, "all_reduce", 600, 700)}, .6},
		{"the last collective, not the optimizer", []run.Span{
			child(1, 1, "x.p2p.recv_forward", 100, 200), child(1, 2, "x.grad_sync.start", 0, 10),
			child(1, 3, "x.grad_sync.finish", 610, 700), child(1, 4, "x.optimizer", 700, 900),
		}, .61},
		{"the last of any kind where there is no collective", []run.Span{child(1, 1, "x.p2p.recv_forward", 100, 200), child(1, 2, "x.optimizer", 700, 900)}, .7},
		{"at 0", []run.Span{child(1, 1, "all_reduce", 0, 10)}, 0},
	}
	tests[1].spans[0].Name = "sync"
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			at, ok := cellOf(t, tt.spans...).LastWait()
			if ok != (tt.at >= 0) || ok && math.Abs(at-tt.at) > 1e-4 {
				t.Errorf("last wait at %g, %t; want %g", at, ok, tt.at)
			}
		})
	}
}
