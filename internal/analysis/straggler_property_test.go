package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// noisyRun is a random run: sizes, noise, and sometimes a slow worker.
type noisyRun struct {
	toy
	slow []int // ranks of the slow worker, nil for none
	busy [][]float64
}

func newNoisyRun(r *rand.Rand) noisyRun {
	n := noisyRun{toy: toy{tp: 1 + r.IntN(2), pp: 1 + r.IntN(3), dp: 3 + r.IntN(4), micro: 2, steps: 24, length: 2000}}
	world := n.tp * n.pp * n.dp
	worker := r.IntN(2*n.pp*n.dp) - n.pp*n.dp
	factor := 1.2 + r.Float64()
	n.busy = make([][]float64, world)
	for rank := range world {
		if worker >= 0 && rank/n.tp == worker {
			n.slow = append(n.slow, rank)
		}
	}
	noise := make([]float64, n.steps*world/n.tp)
	for i := range noise {
		noise[i] = 1 + .02*r.NormFloat64()
	}
	for rank := range world {
		stage := rank / (n.tp * n.dp)
		for step := range n.steps {
			x := (500 + 150*float64(stage)) * noise[step*world/n.tp+rank/n.tp]
			if slices.Contains(n.slow, rank) {
				x *= factor
			}
			n.busy[rank] = append(n.busy[rank], x)
		}
	}
	n.compute = func(rank, step int) float64 { return n.busy[rank][step] }
	return n
}

func slowRanks(d Diagnosis) (out []int) {
	for _, x := range d.Stragglers.Found {
		out = append(out, x.Ranks...)
	}
	slices.Sort(out)
	return out
}

// TestRandomRuns: the slow worker is named and nobody else, and nobody where
// there is none.
func TestRandomRuns(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	for i := range 40 {
		n := newNoisyRun(r)
		d := n.diagnose(t, DiagnoseOptions{})
		if got := slowRanks(d); !slices.Equal(got, n.slow) {
			t.Errorf("run %d (tp %d, pp %d, dp %d): ranks %v, want %v; %q", i, n.tp, n.pp, n.dp, got, n.slow, d.Stragglers.CannotTell)
		}
	}
}

// TestAHealthyRankMore: one more healthy lane names nobody else.
func TestAHealthyRankMore(t *testing.T) {
	r := rand.New(rand.NewPCG(33, 34))
	for i := range 15 {
		n := newNoisyRun(r)
		n.pp = 1 // so that one more lane only appends ranks
		few, slow := n, slices.DeleteFunc(slices.Clone(n.slow), func(rank int) bool { return rank >= n.tp*n.dp })
		more := n
		more.dp++
		more.compute = func(rank, step int) float64 {
			if rank >= n.tp*n.dp {
				return 500
			}
			return n.busy[rank][step]
		}
		for name, c := range map[string]toy{"before": few.toy, "after": more.toy} {
			if got := slowRanks(c.diagnose(t, DiagnoseOptions{})); !slices.Equal(got, slow) {
				t.Errorf("run %d, %s: %v, want %v", i, name, got, slow)
			}
		}
	}
}

// TestRanksInAnotherOrder: what ranks are numbered and in which order they come
// does not matter.
func TestRanksInAnotherOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(35, 36))
	for i := range 15 {
		n := newNoisyRun(r)
		n.dp, n.tp, n.pp = n.tp*n.dp, 1, 1 // of the first stage, each rank its own worker
		before := n.diagnose(t, DiagnoseOptions{})
		order := r.Perm(n.dp)
		m := n.toy
		m.more = func(rank int) []run.Attr { return []run.Attr{str("host.name", fmt.Sprint("node", order[rank]/4))} }
		m.compute = func(rank, step int) float64 { return n.busy[order[rank]][step] }
		after := m.diagnose(t, DiagnoseOptions{})
		var back []int
		for _, rank := range slowRanks(after) {
			back = append(back, order[rank])
		}
		slices.Sort(back)
		if want := slowRanks(before); !slices.Equal(back, want) {
			t.Errorf("run %d: %v, before %v", i, back, want)
		}
		for rank, w := range after.Stragglers.Workers {
			if o := before.Stragglers.Workers[order[rank]]; w.BusyRatio != o.BusyRatio || w.Score != o.Score || w.WorstIn != o.WorstIn {
				t.Errorf("run %d: rank %d has ratio %g, rank %d had %g", i, rank, w.BusyRatio, order[rank], o.BusyRatio)
			}
		}
	}
}

// TestOtherUnitsOfTime: a run that is slower by a factor has the same ratios.
func TestOtherUnitsOfTime(t *testing.T) {
	r := rand.New(rand.NewPCG(37, 38))
	for range 10 {
		n := newNoisyRun(r)
		m := n.toy
		factor := []float64{.25, 4, 60}[r.IntN(3)]
		m.length *= factor
		m.compute = func(rank, step int) float64 { return factor * n.busy[rank][step] }
		a, b := n.diagnose(t, DiagnoseOptions{}), m.diagnose(t, DiagnoseOptions{})
		if !slices.Equal(slowRanks(a), slowRanks(b)) {
			t.Errorf("× %g: %v, before %v", factor, slowRanks(b), slowRanks(a))
		}
		for i, w := range a.Stragglers.Workers {
			if o := b.Stragglers.Workers[i]; !near(w.BusyRatio, o.BusyRatio, 1e-4) || !near(w.Score, o.Score, 1e-4) || math.Abs(w.WaitGap-o.WaitGap) > 1e-4 {
				t.Errorf("× %g: %+v, before %+v", factor, o, w)
			}
		}
		if !near(a.WhatIf.Slowdown, b.WhatIf.Slowdown, 1e-4) {
			t.Errorf("× %g: S %g, before %g", factor, b.WhatIf.Slowdown, a.WhatIf.Slowdown)
		}
	}
}

// TestFailureModes: what the data lack is said, and nobody is blamed for it.
func TestFailureModes(t *testing.T) {
	uuid := func(r int) []run.Attr {
		return []run.Attr{str("nv.dl.run.uuid", fmt.Sprint("attempt-of-", r))}
	}
	tests := []struct {
		name     string
		run      toy
		want     []string
		coverage string
		compared int
	}{
		{"ranks that never came", toy{dp: 8, steps: 25, compute: one(900, 2), skip: func(r, _ int) bool { return r > 5 }}, []string{"rank 2"}, "6 of 8 ranks", 6},
		{"the slow rank does not export", toy{dp: 8, steps: 25, compute: one(900, 2), skip: func(r, _ int) bool { return r == 2 }}, []string{}, "7 of 8 ranks", 7},
		{"one rank of each worker", toy{tp: 4, dp: 4, steps: 25, compute: one(900, 4, 5, 6, 7), skip: func(r, _ int) bool { return r%4 != 0 }}, []string{"worker 4–7"}, "4 of 16 ranks", 4},
		{"one rank in all", toy{dp: 8, steps: 25, compute: one(900, 2), skip: func(r, _ int) bool { return r != 2 }}, nil, "1 of 8 ranks", 1},
		{"clocks an hour apart", toy{dp: 8, steps: 25, compute: one(900, 2), skew: func(r int) float64 { return float64(r-4) * 3.6e6 }}, []string{"rank 2"}, "8 of 8 ranks", 8},
		{"each rank lacks other steps", toy{dp: 8, steps: 60, compute: one(900, 2), skip: func(r, s int) bool { return (r+s)%10 == 0 }}, []string{"rank 2"}, "8 of 8 ranks", 8},
		{"a rank that went silent long ago", toy{dp: 8, steps: 150, compute: one(900, 2), skip: func(r, s int) bool { return r == 5 && s > 5 }}, []string{"rank 2"}, "8 of 8 ranks", 7},
		{"an attempt for each process", toy{dp: 4, steps: 25, compute: one(900, 2), more: uuid}, []string{"rank 2"}, "4 of 4 ranks", 4},
		{"a last stage that takes twice as long", toy{pp: 2, dp: 4, micro: 4, steps: 25, length: 2000, compute: one(1200, 4, 5, 6, 7)}, []string{}, "8 of 8 ranks", 8},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := tt.run.diagnose(t, DiagnoseOptions{})
			if got := unitsOf(d.Stragglers.Found); !slices.Equal(got, tt.want) || (got == nil) != (tt.want == nil) {
				t.Errorf("named %v, want %v; cannot tell %q", got, tt.want, d.Stragglers.CannotTell)
			}
			if d.Coverage.String() != tt.coverage || d.Coverage.Compared != tt.compared {
				t.Errorf("%s, %d compared; want %s, %d", d.Coverage, d.Coverage.Compared, tt.coverage, tt.compared)
			}
		})
	}
}

// TestARestartOnAnotherHost: the new life is looked at, not the old one.
func TestARestartOnAnotherHost(t *testing.T) {
	f := newFeed(t)
	life := func(n int, slow int) toy {
		return toy{dp: 4, steps: 25, compute: one(900, slow), skew: func(int) float64 { return float64(n) * 1e6 }, more: func(r int) []run.Attr {
			return []run.Attr{str("nv.dl.run.uuid", fmt.Sprint("life", n)), str("host.name", fmt.Sprintf("host%d-%d", n, r)), num("process.pid", int64(100*n+r))}
		}}
	}
	life(0, 1).send(f)
	f.now += 1000e9
	second := life(1, 3)
	second.steps = 4
	second.send(f)
	s, r := f.look()
	d := Diagnose(s, r, DiagnoseOptions{})
	if got := unitsOf(d.Stragglers.Found); len(got) > 0 {
		t.Errorf("after four steps of the second life: %v", got)
	}
	if d.Stall.Limit != usual().StallFirst {
		t.Errorf("limit %g (%s)", d.Stall.Limit, d.Stall.LimitWhy)
	}
	life(1, 3).send(f)
	s, r = f.look()
	d = Diagnose(s, r, DiagnoseOptions{})
	if got := unitsOf(d.Stragglers.Found); !slices.Equal(got, []string{"rank 3"}) || !slices.Equal(d.Stragglers.Found[0].Hosts, []string{"host1-3"}) {
		t.Errorf("after the second life: %v", d.Stragglers.Found)
	}
}

// TestARankThatHasNotComeBack is suspected when the others wait for it.
func TestARankThatHasNotComeBack(t *testing.T) {
	f := newFeed(t)
	life := func(n, steps int, away int) {
		toy{dp: 4, steps: steps, skip: func(r, _ int) bool { return r == away }, skew: func(int) float64 { return float64(n) * 1e6 }, more: func(r int) []run.Attr {
			return []run.Attr{str("nv.dl.run.uuid", fmt.Sprint("life", n)), num("process.pid", int64(100*n+r))}
		}}.send(f)
	}
	life(0, 10, -1)
	f.now += 1000e9
	life(1, 8, 2)
	d := after(f, 60)
	if len(d.Stall.Suspects) != 1 || !slices.Equal(d.Stall.Suspects[0].Ranks, []int{2}) || d.Verdict.State != VerdictStalled {
		t.Errorf("%+v, suspects %+v", d.Verdict, d.Stall.Suspects)
	}
}

// TestPartsCoverAll: every place once, whatever the number.
func TestPartsCoverAll(t *testing.T) {
	for _, n := range []int{0, 1, 511, 512, 513, 5000} {
		seen := make([]int32, n)
		inParts(n, func(from, to int) {
			for i := from; i < to; i++ {
				seen[i]++
			}
		})
		for i, k := range seen {
			if k != 1 {
				t.Fatalf("%d of %d was visited %d times", i, n, k)
			}
		}
	}
}
