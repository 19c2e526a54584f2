package simulate

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// slots plans the first n slots of a run.
func slots(t *testing.T, m *model, n int) []*slot {
	t.Helper()
	p := newPlanner(m)
	var list []*slot
	for range n {
		list = append(list, p.plan())
	}
	return list
}

// Whatever is asked for in whatever order, the cache answers as a fresh one.
func TestCacheAnswersAsAFreshOne(t *testing.T) {
	m, err := newModel(Config{PP: 2, DP: 3, Microbatches: 2, CheckpointEvery: 2})
	if err != nil {
		t.Fatal(err)
	}
	all := slots(t, m, 6)
	c := newCache(m)
	for n, ask := range [][3]int{ // iteration, stage, lane
		{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {3, 1, 0}, {4, 0, 0}, {2, 0, 0}, {2, 0, 1}, {3, 1, 1}, {5, 1, 2}, {0, 0, 0},
	} {
		want := newCache(m).events(all[ask[0]], ask[1], ask[2])
		got := c.events(all[ask[0]], ask[1], ask[2])
		if d := cmp.Diff(want, got, cmp.AllowUnexported(event{})); d != "" {
			t.Fatalf("question %d, %v (-fresh +cached):\n%s", n, ask, d)
		}
	}
}

func TestCacheGivesBackItsRoom(t *testing.T) {
	m, err := newModel(Config{PP: 2, Microbatches: 2})
	if err != nil {
		t.Fatal(err)
	}
	all := slots(t, m, 50)
	c := newCache(m)
	for i, s := range all {
		c.events(s, 0, 0)
		c.before(i - 2)
		if n := len(c.held) + len(c.spare); n > 5 {
			t.Fatalf("after %d iterations the cache has %d", i+1, n)
		}
	}
	c.before(1000)
	if len(c.held) != 0 {
		t.Errorf("%d iterations are still held", len(c.held))
	}
	c.before(0) // nothing there any more
}
