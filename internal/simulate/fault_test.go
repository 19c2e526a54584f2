package simulate

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// spent is the time of each rank in finished spans of the given names, from an
// iteration's export on.
func spent(got *sent, names ...string) map[int]time.Duration {
	d := map[int]time.Duration{}
	for _, name := range names {
		for _, s := range got.named(name) {
			d[s.rank] += duration(s)
		}
	}
	return d
}

// The slow worker computes longest and waits least, and nobody else stands out.
func TestStragglerShowsInComputeAndWait(t *testing.T) {
	for _, slow := range []int{0, 6, 15} {
		c := small(Straggler{Rank: slow, Factor: 1.5})
		got := collect(t, stream(t, c))
		compute := spent(got, "nv.mcore.microbatch.forward", "nv.mcore.microbatch.backward")
		wait := spent(got, "nv.mcore.p2p.recv_forward", "nv.mcore.p2p.recv_backward", "nv.mcore.grad_sync.finish",
			"nv.dl.training.iteration.clip_grad", "nv.mcore.embedding_grads_all_reduce")
		truth := stream(t, c).Truth().Injected[0]
		for r := range 16 {
			inSlow := slices.Contains(truth.Shown, r)
			ratio := float64(compute[r]) / float64(compute[median(compute)])
			if inSlow && (ratio < 1.4 || ratio > 1.6) || !inSlow && (ratio < 0.93 || ratio > 1.07) {
				t.Errorf("slow rank %d: rank %d computes %.3f times the median", slow, r, ratio)
			}
			for _, s := range truth.Shown {
				if !inSlow && wait[r] <= wait[s] {
					t.Errorf("slow rank %d: rank %d waits %s, rank %d only %s", slow, s, wait[s], r, wait[r])
				}
			}
		}
	}
}

// median is the rank with the middle duration.
func median(d map[int]time.Duration) int {
	var ranks []int
	for r := range d {
		ranks = append(ranks, r)
	}
	slices.SortFunc(ranks, func(a, b int) int { return int(d[a] - d[b]) })
	return ranks[len(ranks)/2]
}

func TestStragglerHasAnOnset(t *testing.T) {
	c := small(Straggler{Rank: 2, Factor: 2, From: 3})
	per := map[int]time.Duration{}
	for _, s := range collect(t, stream(t, c)).named("nv.dl.training.iteration") {
		if s.rank == 0 {
			per[number(s.Attributes, "nv.dl.training.step")] = duration(s)
		}
	}
	if per[3] > 1200*time.Millisecond || per[4] < 1500*time.Millisecond {
		t.Errorf("step 3 takes %s, step 4 %s: want the slowdown from step 4 on", per[3], per[4])
	}
}

// A healthy run must not look like one with a straggler.
func TestHealthyRunsAreEven(t *testing.T) {
	for seed := range uint64(30) {
		m, err := newModel(Config{Seed: seed, PP: 4, DP: 8})
		if err != nil {
			t.Fatal(err)
		}
		for pp := range m.PP {
			for dp := range m.DP {
				if f := m.load(3, pp, dp) / m.load(3, pp, (dp+1)%m.DP); f > 1.06 {
					t.Errorf("seed %d: pp %d dp %d computes %.3f times its neighbour", seed, pp, dp, f)
				}
			}
		}
	}
}

func TestTruth(t *testing.T) {
	all := []Fault{
		Straggler{Rank: 6, Factor: 1.5, From: 3}, Hang{Rank: 13, Iteration: 5}, Explosion{PerSecond: 7},
	}
	want := `{"schema":"lensview.truth/v1","run":"sim-7","seed":7,"world_size":16,"tp":2,"cp":1,"pp":2,"dp":4,"microbatches":4,"iterations":6,"detail":"microbatch","naming":"newest","injected":[` +
		`{"kind":"straggler","rank":6,"pp":0,"dp":3,"host":"gpu-0000","iteration":4,"factor":1.5,"unit":"worker","shown":[6,7],"why":"its ranks wait for each other inside of every layer"},` +
		`{"kind":"hang","rank":13,"pp":1,"dp":2,"host":"gpu-0001","iteration":6,"unit":"rank","shown":[13]},` +
		`{"kind":"cardinality","rank":-1,"pp":-1,"dp":-1,"iteration":0,"unit":"metric","shown":[],"tells":"attribute-key","metric":"gateway.session.requests","key":"user.session.id","per_second":7}]}`
	got, err := json.Marshal(stream(t, small(all...)).Truth())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("truth (-want +got):\n%s", d)
	}
	healthy, _ := json.Marshal(stream(t, small()).Truth())
	if !strings.HasSuffix(string(healthy), `"injected":[]}`) {
		t.Errorf("truth of a healthy run: %s", healthy)
	}
}

// What can be told depends on the spans that are sent.
func TestTruthSaysWhatCanBeTold(t *testing.T) {
	lane := []int{4, 5, 12, 13}
	for name, tc := range map[string]struct {
		fault  Fault
		change func(*Config)
		unit   string
		shown  []int
	}{
		"microbatches":              {Straggler{Rank: 5, Factor: 2}, func(*Config) {}, UnitWorker, []int{4, 5}},
		"no peers":                  {Straggler{Rank: 5, Factor: 2}, func(c *Config) { c.TP, c.DP = 1, 8 }, UnitRank, []int{5}},
		"forward_backward":          {Straggler{Rank: 5, Factor: 2}, func(c *Config) { c.Detail = ForwardBackward }, UnitLane, lane},
		"forward_backward, 1 stage": {Straggler{Rank: 5, Factor: 2}, func(c *Config) { c.Detail, c.PP, c.DP = ForwardBackward, 1, 8 }, UnitWorker, []int{4, 5}},
		"steps":                     {Straggler{Rank: 5, Factor: 2}, func(c *Config) { c.Detail = StepOnly }, UnitNone, []int{}},
		"frozen, steps":             {Hang{Rank: 5, Iteration: 2}, func(c *Config) { c.Detail = StepOnly }, UnitRank, []int{5}},
		"stuck, steps":              {Hang{Rank: 5, Iteration: 2, Alive: true}, func(c *Config) { c.Detail = StepOnly }, UnitNone, []int{}},
		"stuck on the host":         {Hang{Rank: 5, Iteration: 2, Alive: true}, func(*Config) {}, UnitRank, []int{5}},
		"stuck in a microbatch":     {Hang{Rank: 5, Iteration: 2, Alive: true, Within: 2}, func(*Config) {}, UnitWorker, []int{4, 5}},
		"the same, coarser":         {Hang{Rank: 5, Iteration: 2, Alive: true, Within: 2}, func(c *Config) { c.Detail = ForwardBackward }, UnitLane, lane},
	} {
		t.Run(name, func(t *testing.T) {
			c := small(tc.fault)
			tc.change(&c)
			got := stream(t, c).Truth().Injected[0]
			if got.Unit != tc.unit || !cmp.Equal(got.Shown, tc.shown) {
				t.Errorf("unit %s, ranks %v, want %s, %v", got.Unit, got.Shown, tc.unit, tc.shown)
			}
		})
	}
}

func TestFaultsAddUp(t *testing.T) {
	e := effects{}
	l := sized(1, 1, 1, 4, 8)
	Straggler{Rank: 2, Factor: 2, From: 3}.inject(l, &e)
	Straggler{Rank: 2, Factor: 1.5, From: 5}.inject(l, &e)
	for i, want := range map[int]float64{2: 1, 3: 2, 5: 3} {
		if got := e.compute(i, 0, 2); got != want {
			t.Errorf("factor in iteration %d is %g, want %g", i, got, want)
		}
	}
	if got := e.compute(9, 0, 1); got != 1 {
		t.Errorf("factor of a healthy worker is %g", got)
	}
}
