package analysis

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// plainTime is the formula of the specification, written down as it stands there.
func plainTime(g *stepGrid, fix fixed) float64 {
	total := 0.0
	for s := range g.steps {
		slowest := 0.0
		for d := range g.dp {
			longest, sum := 0.0, 0.0
			for p := range g.pp {
				c := g.c[s*g.pp*g.dp+p*g.dp+d]
				if fix(p, d) {
					c = g.mean
				}
				longest = math.Max(longest, c)
				sum += c
			}
			slowest = math.Max(slowest, (g.micro-1)*longest+sum)
		}
		total += slowest
	}
	return total/float64(g.steps) + g.tail
}

func TestStepTimesOfAGrid(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		g := &stepGrid{pp: 1 + r.IntN(4), dp: 1 + r.IntN(4), steps: 1 + r.IntN(5), micro: float64(1 + r.IntN(8)), tail: r.Float64()}
		for range g.steps * g.pp * g.dp {
			g.c = append(g.c, .5+r.Float64())
		}
		for _, c := range g.c {
			g.mean += c / float64(len(g.c))
		}
		all := func(int, int) bool { return true }
		some := func(p, d int) bool { return (p+d)%2 == 0 }
		for _, fix := range []fixed{none, some, all} {
			if a, b := g.time(fix), plainTime(g, fix); !near(a, b, 1e-12) {
				t.Fatalf("time %g, want %g", a, b)
			}
		}
		if a, b := g.equal(), plainTime(g, all); !near(a, b, 1e-12) {
			t.Fatalf("equal %g, want %g", a, b)
		}
		for d := range g.dp {
			if a, b := g.exceptLane(d), plainTime(g, func(_, at int) bool { return at != d })/g.equal(); !near(a, b, 1e-12) {
				t.Fatalf("all but lane %d: %g, want %g", d, a, b)
			}
		}
		for p := range g.pp {
			if a, b := g.exceptStage(p), plainTime(g, func(at, _ int) bool { return at != p })/g.equal(); !near(a, b, 1e-12) {
				t.Fatalf("all but stage %d: %g, want %g", p, a, b)
			}
		}
	}
}

// TestCauses: what would have to be fixed.
func TestCauses(t *testing.T) {
	rotating := func(r, s int) float64 {
		if r == s%8 {
			return 900
		}
		return 600
	}
	coord := func(pp, dp int) run.Coord {
		c := run.UnknownCoord()
		c.PP, c.DP = pp, dp
		return c
	}
	tests := []struct {
		name   string
		run    toy
		cause  Cause
		worker run.Coord // the zero Coord: any
		approx bool
	}{
		{"nothing", toy{pp: 2, dp: 4, micro: 4, steps: 25}, CauseNone, run.Coord{}, false},
		{"a worker", toy{pp: 2, dp: 4, micro: 4, steps: 25, compute: one(900, 6)}, CauseWorker, coord(1, 2), false},
		{"the last stage", toy{pp: 4, dp: 2, micro: 4, steps: 25, compute: one(900, 6, 7)}, CauseStage, run.Coord{}, false},
		{"rotating", toy{dp: 8, micro: 4, steps: 25, compute: rotating}, CauseRotating, run.Coord{}, false},
		{"several workers", toy{pp: 2, dp: 8, micro: 4, steps: 25, compute: one(900, 0, 5, 9, 12)}, CauseGlobal, run.Coord{}, false},
		{"a worker by forward_backward", toy{dp: 4, steps: 25, compute: one(900, 2)}, CauseWorker, coord(0, 2), true},
		{"a lane by forward_backward", toy{pp: 2, dp: 4, steps: 25, compute: one(900, 2, 6)}, CauseWorker, coord(-1, 2), true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := tt.run.diagnose(t, DiagnoseOptions{}).WhatIf
			if w.Cause != tt.cause || w.Approximate != tt.approx || len(w.CannotTell) > 0 {
				t.Errorf("%+v", w)
			}
			if tt.worker != (run.Coord{}) && w.Worker != tt.worker {
				t.Errorf("worker %+v, want %+v", w.Worker, tt.worker)
			}
			if (w.Slowdown >= usual().Slowdown) != (tt.cause != CauseNone) {
				t.Errorf("S %g", w.Slowdown)
			}
		})
	}
}

func TestWhatIfCannotTell(t *testing.T) {
	tests := []struct {
		name, why string
		run       toy
	}{
		{"no sizes", "the parallel sizes are not known", toy{dp: 4, unsized: true, micro: 4, steps: 25}},
		{"a worker missing", "3 of 4 workers sent steps", toy{dp: 4, micro: 4, steps: 25, skip: func(r, _ int) bool { return r == 2 }}},
		{"one worker", "nothing to compare it with", toy{micro: 4, steps: 25}},
		{"no compute", "neither microbatches nor forward_backward", toy{dp: 4, micro: -1, steps: 25}},
		{"too early", "2 clean steps", toy{dp: 4, micro: 4, steps: 3}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := tt.run.diagnose(t, DiagnoseOptions{}).WhatIf
			if len(w.CannotTell) != 1 || !contains(w.CannotTell, tt.why) || w.Cause != "" || !math.IsNaN(w.Slowdown) {
				t.Errorf("%+v", w)
			}
		})
	}
}

// A slow worker of the last stage is the worker, not the stage: that is slow with
// it alone.
func TestASlowWorkerOfTheLastStage(t *testing.T) {
	d := toy{pp: 2, dp: 8, micro: 4, steps: 25, compute: one(900, 11)}.diagnose(t, DiagnoseOptions{})
	if w := d.WhatIf; w.Cause != CauseWorker || len(w.Ranks) != 1 || w.Ranks[0] != 11 {
		t.Errorf("%s %v: worker %.3f, stage %.3f", w.Cause, w.Ranks, w.WorkerShare, w.StageShare)
	}
}

// A slow host all of whose workers are of the last stage does not make the stage
// slow.
func TestASlowHostOfTheLastStage(t *testing.T) {
	d := toy{pp: 2, dp: 8, micro: 4, steps: 25, compute: one(1200, 12, 13, 14, 15)}.diagnose(t, DiagnoseOptions{})
	if w := d.WhatIf; w.Cause == CauseStage || w.Cause == CauseNone || w.StageShare < half {
		t.Errorf("%s: worker %.3f, stage %.3f", w.Cause, w.WorkerShare, w.StageShare)
	}
	if got := unitsOf(d.Stragglers.Found); len(got) != 1 || got[0] != "host 12–15" {
		t.Errorf("named %v", got)
	}
}
