package simulate

import (
	"testing"
	"time"
)

// The parts of a healthy step add up to about the step.
func TestCostsAddUp(t *testing.T) {
	for _, c := range []Config{{PP: 1, Microbatches: 1}, {PP: 4, Microbatches: 8}, {PP: 16, Microbatches: 64}} {
		c.Step = 10 * time.Second
		k := c.costs()
		pipeline := k.compute * float64(c.Microbatches+c.PP-1)
		rest := k.data + k.syncStart + k.dark + k.tail + k.layernorm + k.embedding + k.sync + k.clip + k.optimizer + k.closing
		if sum := (pipeline + float64(rest)) / float64(c.Step); sum < 0.95 || sum > 1.05 {
			t.Errorf("%d stages, %d microbatches: parts are %.3f of the step", c.PP, c.Microbatches, sum)
		}
	}
}

func TestLoadOfStages(t *testing.T) {
	m, err := newModel(Config{PP: 4, DP: 2, Faults: []Fault{Straggler{Rank: 2, Factor: 3, From: 5}}})
	if err != nil {
		t.Fatal(err)
	}
	design := func(i, pp, dp int) float64 { return m.load(i, pp, dp) / m.cost.compute / m.skew[m.worker(pp, dp)] }
	for _, tc := range []struct {
		i, pp, dp int
		want      float64
	}{
		{1, 0, 0, firstStage}, {1, 1, 0, 1}, {1, 3, 1, lastStage}, {0, 1, 0, warmupFactor}, {4, 1, 0, 1}, {5, 1, 0, 3}, {5, 1, 1, 1},
	} {
		if got := design(tc.i, tc.pp, tc.dp); got < tc.want-1e-9 || got > tc.want+1e-9 {
			t.Errorf("iteration %d, stage %d, lane %d: %.3f times the usual, want %.3f", tc.i, tc.pp, tc.dp, got, tc.want)
		}
	}
}

// Of two models of one configuration each draw is the same.
func TestModelsOfOneConfigAreEqual(t *testing.T) {
	plan := func() *slot {
		m, err := newModel(small())
		if err != nil {
			t.Fatal(err)
		}
		return slots(t, m, 3)[2]
	}
	a, b := plan(), plan()
	if a.stepEnd != b.stepEnd || a.norm != b.norm || a.totals != b.totals {
		t.Errorf("%+v\n%+v", a, b)
	}
}
