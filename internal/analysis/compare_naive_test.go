package analysis

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// normal is a figure of so many iterations and workers with these deviations.
func normal(d *rand.Rand, mean, ofStep, ofWorker float64, steps, workers int) *measured {
	m := &measured{}
	var own []float64
	for range workers {
		own = append(own, 1+ofWorker*d.NormFloat64())
	}
	for range steps {
		m.steps = append(m.steps, mean*medianOf(own)*(1+ofStep*d.NormFloat64()))
	}
	middle := medianOf(own)
	for _, v := range own {
		m.workers = append(m.workers, v/middle)
	}
	return m
}

// TestCoverageOfIntervals draws both sides from known distributions: the interval
// covers the truth about as often as it says, with few and with many workers.
func TestCoverageOfIntervals(t *testing.T) {
	for _, tt := range []struct {
		steps, workers   int
		ofStep, ofWorker float64
	}{{20, 8, 0.01, 0.01}, {40, 16, 0.02, 0.005}, {12, 4, 0.005, 0.01}, {30, 1, 0.02, 0}} {
		covered := 0
		const rounds = 20
		for seed := range uint64(rounds) {
			d := rand.New(rand.NewPCG(seed, 99))
			a, b := normal(d, 1, tt.ofStep, tt.ofWorker, tt.steps, tt.workers), normal(d, 1.1, tt.ofStep, tt.ofWorker, tt.steps, tt.workers)
			if x := compareValues(Difference{}, a, b, 1, usual()); x.Low <= 0.1 && 0.1 <= x.High {
				covered++
			}
		}
		if covered < rounds*17/20 {
			t.Errorf("%+v: covered in %d of %d", tt, covered, rounds)
		}
	}
}

// The same data give the same answer, byte for byte.
func TestComparisonIsReproducible(t *testing.T) {
	a, b := job{1, 3, 20, 0, 1}.run(t), job{2, 3, 20, 0, 1.2}.run(t)
	if d := cmp.Diff(compare(t, a, b), compare(t, a, b), cmpopts.EquateNaNs()); d != "" {
		t.Errorf("twice (-first +second):\n%s", d)
	}
}

// Scaling all times of both sides changes no change.
func TestComparisonScales(t *testing.T) {
	side := func(unit float64, seed uint64, slower float64) *store.Snapshot {
		d := rand.New(rand.NewPCG(seed, 5))
		f := newFeed(t)
		for rank := range 4 {
			for i := range 16 {
				compute := uint64(unit * 600e6 * slower * (1 + 0.01*d.NormFloat64()))
				f.step(trainer(rank, 4), int64(i), uint64(i)*uint64(unit*4e9), compute, uint64(unit*400e6))
			}
		}
		s, _ := f.look()
		return s
	}
	once, thrice := compare(t, side(1, 1, 1), side(1, 2, 1.2)), compare(t, side(3, 1, 1), side(3, 2, 1.2))
	for i, p := range once.Phases {
		q := thrice.Phases[i]
		if p.Name != q.Name || p.Level != q.Level || math.Abs(p.Change-q.Change) > 1e-5 || math.Abs(p.Low-q.Low) > 1e-4 {
			t.Errorf("%+v and %+v", p, q)
		}
	}
	if once.Phases[0].Level != Material {
		t.Errorf("%+v", once.Phases)
	}
}

// Where spans are gone the columns are compared.
func TestComparisonFromColumns(t *testing.T) {
	bare := func(compute uint64) *store.Run {
		f := newFeed(t)
		for rank := range 2 {
			for i := range 12 {
				f.step(trainer(rank, 2), int64(i), uint64(i)*4*sec, compute, 1500*ms-compute)
			}
		}
		_, r := f.look()
		c := *r
		c.Chunks = nil
		return &c
	}
	c, err := Compare(context.Background(), Side{Scope: Scope{Run: bare(600 * ms)}}, Side{Scope: Scope{Run: bare(900 * ms)}})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]float64{}
	for _, p := range c.Phases {
		got[p.Name] = math.Round(100 * p.Change)
	}
	if d := cmp.Diff(map[string]float64{"compute": 50, "wait": -33}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestComparisonIsCancelled(t *testing.T) {
	s := job{1, 2, 8, 0, 1}.run(t)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Compare(ctx, Side{Scope: Scope{Run: s.Runs[0]}}, Side{Scope: Scope{Run: s.Runs[0]}}); err == nil {
		t.Error("a comparison that was called off answers")
	}
}

// A filter narrows both sides.
func TestComparisonOfAFilter(t *testing.T) {
	s := job{1, 4, 12, 0, 1}.run(t)
	r := s.Runs[0]
	one := fakeFilter{process: func(p int) bool { return r.Processes[p].ID.Rank == 2 }}
	c, err := Compare(context.Background(), Side{Scope: Scope{Run: r, Filter: one}}, Side{Scope: Scope{Run: r}})
	if err != nil || c.A.Ranks != 1 || c.B.Ranks != 4 {
		t.Errorf("%d and %d ranks, %v", c.A.Ranks, c.B.Ranks, err)
	}
}

// Many iterations and ranks are looked at in part.
func TestComparisonIsBounded(t *testing.T) {
	f := newFeed(t)
	const ranks, steps = mostComparedRanks + 16, 24
	for rank := range ranks {
		for i := range steps {
			f.step(trainer(rank, ranks), int64(i), uint64(i)*2*sec, 600*ms, 400*ms)
		}
	}
	s, _ := f.look()
	c := compare(t, s, s)
	if c.A.Ranks != mostComparedRanks || c.A.Steps != steps-1 || c.A.World != ranks {
		t.Errorf("%+v", c.A)
	}
}

func TestWhatCannotBeCompared(t *testing.T) {
	zero := &measured{steps: make([]float64, 10)}
	one := &measured{steps: slices.Repeat([]float64{1}, 10)}
	for _, tt := range []struct {
		name   string
		a, b   *measured
		change float64
		level  ChangeLevel
	}{
		{"from nothing", zero, one, math.NaN(), Same}, {"to nothing", one, zero, -1, Material}, {"nothing at all", zero, zero, math.NaN(), Same},
		{"no iterations", &measured{}, one, math.NaN(), Same},
	} {
		d := compareValues(Difference{}, tt.a, tt.b, 1, usual())
		if diff := cmp.Diff(tt.change, d.Change, cmpopts.EquateNaNs()); diff != "" || d.Level != tt.level {
			t.Errorf("%s: %+v", tt.name, d)
		}
	}
	if s := compareShares("io", nil, &measured{steps: slices.Repeat([]float64{0.05}, 10)}, 1, usual()); s.A != 0 || s.Change != 0.05 || s.Level != Material {
		t.Errorf("a share that is new: %+v", s)
	}
}

// Samples of few are widened, of many hardly.
func TestFewCorrection(t *testing.T) {
	before := math.Inf(1)
	for _, n := range []int{2, 3, 4, 8, 16, 64, 1000} {
		if c := fewCorrection(n); c >= before || c <= 1 {
			t.Errorf("%d: %v after %v", n, c, before)
		} else {
			before = c
		}
	}
	if fewCorrection(0) != 1 || fewCorrection(1) != 1 {
		t.Error("nothing to draw is not widened")
	}
}

func TestSidesThatDiffer(t *testing.T) {
	f := func(world, batch, seq int) SideFacts {
		return SideFacts{World: world, GlobalBatch: batch, Sequence: seq}
	}
	for _, tt := range []struct {
		a, b SideFacts
		want int
	}{
		{f(8, 64, 4096), f(8, 64, 4096), 0}, {f(8, 64, 4096), f(16, 64, 4096), 1}, {f(8, 64, 4096), f(16, 128, 8192), 3},
		{f(8, run.Unknown, 4096), f(8, 64, 4096), 0}, {f(run.Unknown, run.Unknown, run.Unknown), f(8, 64, 4096), 0},
	} {
		if got := differ(tt.a, tt.b); len(got) != tt.want {
			t.Errorf("%+v and %+v: %v", tt.a, tt.b, got)
		}
	}
}

// Workers stand by their place, and ranks without one by themselves.
func TestPlaces(t *testing.T) {
	at := func(role string, rank, pp, dp int) workerPlace {
		return placeOf(&store.Process{ID: run.Identity{Role: role, Rank: rank}, Coord: run.Coord{PP: pp, DP: dp}})
	}
	if at("t", 0, 1, 2) != at("t", 1, 1, 2) || at("t", 0, 1, 2) == at("t", 0, 1, 3) || at("t", 0, 1, 2) == at("u", 0, 1, 2) || at("t", 0, 1, 2).stage != 1 {
		t.Error("peers of one worker, or others")
	}
	if a, b := at("t", 0, run.Unknown, 2), at("t", 1, run.Unknown, 2); a == b || a.worker != fmt.Sprint("rank ", 0) {
		t.Errorf("%v and %v", a, b)
	}
}
