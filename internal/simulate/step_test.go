package simulate

import (
	"math"
	"testing"
	"time"
)

// The bubble of a 1F1B pipeline is (p−1)/m of the ideal time (Narayanan et al.).
// Transfers and stages of unequal weight add a little.
func TestPipelineBubble(t *testing.T) {
	for _, tc := range []struct {
		pp, micros int
		want       float64
	}{{1, 8, 0}, {2, 4, 0.25}, {4, 8, 0.375}, {4, 32, 0.09375}, {8, 8, 0.875}, {8, 64, 0.109375}} {
		m, err := newModel(Config{Seed: 3, PP: tc.pp, Microbatches: tc.micros})
		if err != nil {
			t.Fatal(err)
		}
		l := newLane(m)
		l.compute(5, 0, 0, nil)
		var work, first, last int64
		for i := range l.fwd {
			work += l.fwd[i] + l.bwd[i]
		}
		first = l.begin[0]
		for p := range l.end {
			first, last = min(first, l.begin[p]), max(last, l.end[p])
		}
		ideal := float64(work) / float64(tc.pp)
		if got := (float64(last-first) - ideal) / ideal; got < tc.want-0.01 || got > tc.want*1.05+0.05 {
			t.Errorf("p=%d m=%d: bubble %.4f, want about %.4f", tc.pp, tc.micros, got, tc.want)
		}
	}
}

func TestStepTakesAboutWhatIsAsked(t *testing.T) {
	for _, c := range []Config{{PP: 4, DP: 8, TP: 2}, {DP: 32}, {PP: 8, Microbatches: 4}, {PP: 4, Microbatches: 64, Step: 20 * time.Second}} {
		m, err := newModel(c)
		if err != nil {
			t.Fatal(err)
		}
		p := newPlanner(m)
		warm := p.plan()
		s := p.plan()
		if took := float64(s.stepEnd-s.start) / float64(m.Step); took < 0.9 || took > 1.1 {
			t.Errorf("%+v: a step took %.3f of what was asked", c, took)
		}
		if warm.stepEnd-warm.start < 2*(s.stepEnd-s.start) {
			t.Errorf("first step %s, second %s: no warm-up", time.Duration(warm.stepEnd-warm.start), time.Duration(s.stepEnd-s.start))
		}
		if warm.start != int64(m.Startup) || s.start != warm.end || warm.end <= warm.stepEnd {
			t.Errorf("slots %+v, %+v do not follow each other", warm, s)
		}
	}
}

// The plan of an iteration and the spans computed again from it must agree.
func TestSpansAgreeWithThePlan(t *testing.T) {
	c := small(Straggler{Rank: 5, Factor: 1.4, From: 1})
	c.CheckpointEvery, c.EvalEvery, c.GCEvery = 2, 3, 2
	m, err := newModel(c)
	if err != nil {
		t.Fatal(err)
	}
	p, cache := newPlanner(m), newCache(m)
	for s := p.plan(); s != nil; s = p.plan() {
		latest := make([]int64, m.PP)
		for dp := range m.DP {
			for pp := range m.PP {
				var last event
				for _, e := range cache.events(s, pp, dp) {
					if e.end < last.end {
						t.Fatalf("iteration %d pp %d dp %d: %+v ends before %+v", s.index, pp, dp, e, last)
					}
					if last = e; e.kind == kSyncFinish {
						latest[pp] = max(latest[pp], e.start)
						if e.end != s.sync[pp] {
							t.Errorf("gradient sync ends at %d, plan says %d", e.end, s.sync[pp])
						}
					}
				}
			}
		}
		for pp, at := range latest {
			if at+m.cost.sync != s.sync[pp] {
				t.Errorf("iteration %d: stage %d synchronises at %d, its slowest lane comes at %d", s.index, pp, s.sync[pp], at)
			}
		}
		cache.before(s.index + 1)
		if len(cache.held) != 0 {
			t.Errorf("cache keeps %d slots", len(cache.held))
		}
	}
}

func TestEvery(t *testing.T) {
	for _, tc := range []struct {
		i, period int
		want      bool
	}{{0, 1, false}, {1, 1, true}, {3, 4, true}, {4, 4, false}, {7, 4, true}, {5, 0, false}} {
		if got := every(tc.i, tc.period); got != tc.want {
			t.Errorf("every(%d, %d) = %v", tc.i, tc.period, got)
		}
	}
}

func TestAfterSaturates(t *testing.T) {
	for _, tc := range [][3]int64{{1, 2, 3}, {never, 5, never}, {5, never, never}, {never, never, never}, {never + 9, 1, never}} {
		if got := after(tc[0], tc[1]); got != tc[2] {
			t.Errorf("after(%d, %d) = %d, want %d", tc[0], tc[1], got, tc[2])
		}
	}
}

func TestTotals(t *testing.T) {
	c := Config{Step: time.Second}
	bounds := c.stepBounds()
	var all totals
	for i, ms := range []int64{100, 500, 1000, 1100, 99_000} {
		all = all.add(ms*1e6, 10, i == 1, bounds)
	}
	if all.steps != 5 || all.tokens != 40 || all.skipped != 1 || all.lasted != 99_000e6 {
		t.Errorf("totals %+v", all)
	}
	if all.sum != 101_700 || all.least != 100 || all.most != 99_000 {
		t.Errorf("sum %g, least %g, most %g", all.sum, all.least, all.most)
	}
	want := map[int]uint64{0: 2, 4: 1, 6: 1, stepBuckets: 1}
	for b, n := range all.buckets {
		if n != want[b] {
			t.Errorf("bucket %d holds %d, want %d", b, n, want[b])
		}
	}
}

func TestValuesAreThoseOfATraining(t *testing.T) {
	m, err := newModel(Config{DP: 8, NaNEvery: 10})
	if err != nil {
		t.Fatal(err)
	}
	p := newPlanner(m)
	var early, late values
	for i := range 400 {
		v := m.values(p.plan())
		if math.IsNaN(v.gradNorm) != (i%10 == 9) {
			t.Fatalf("iteration %d: gradient norm %g", i, v.gradNorm)
		}
		if v.loss <= 0 || v.rate <= 0 || v.rate > peakRate || v.tokensPerSec <= 0 || v.tflops <= 0 {
			t.Fatalf("iteration %d: %+v", i, v)
		}
		if i == 0 {
			early = v
		}
		late = v
	}
	if late.loss > early.loss*0.7 {
		t.Errorf("loss went from %g to %g", early.loss, late.loss)
	}
}
