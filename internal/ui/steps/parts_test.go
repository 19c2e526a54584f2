package stepsscreen

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// column of measured values; NaN is one that the rank has not.
func columnOf(v ...float32) *column {
	c := &column{values: v, states: make([]state, len(v))}
	for i := range v {
		if isNaN(v[i]) {
			c.states[i] = noValue
		}
	}
	return c
}

func TestScaleOfTimes(t *testing.T) {
	nan := float32(math.NaN())
	for _, test := range []struct {
		name      string
		cols      []*column
		low, high float64
	}{
		{"nothing", nil, math.NaN(), math.NaN()},
		{"nothing measured", []*column{columnOf(nan, nan), nil}, math.NaN(), math.NaN()},
		{"noise is no finding", []*column{columnOf(1, 1.001)}, 1, 1.1},
		{"from the least to the most", []*column{columnOf(1, 3), columnOf(2, nan)}, 1, 3},
	} {
		s := newScale(stepTime, test.cols)
		if math.Abs(s.low-test.low) > 1e-6 || math.Abs(s.high-test.high) > 1e-6 || math.IsNaN(test.low) != math.IsNaN(s.low) {
			t.Errorf("%s: %v to %v", test.name, s.low, s.high)
		}
	}
	many := make([]float32, 1000)
	for i := range many {
		many[i] = 1 + float32(i%2)
	}
	many[500] = 1000
	if s := newScale(stepTime, []*column{columnOf(many...)}); s.high != 2 {
		t.Errorf("one step of a thousand flattens all others: up to %v", s.high)
	}
}

// The ends of ratios change seldom, so that shades mean the same from frame to
// frame.
func TestScaleOfRatios(t *testing.T) {
	for most, want := range map[float32]float64{0.9: 1.2, 1.01: 1.2, 1.3: 1.5, 1.9: 2, 2.5: 3, 40: 3} {
		s := newScale(slowdown, []*column{columnOf(0.5, most)})
		if s.low != 1 || s.high != want {
			t.Errorf("up to %v: %v to %v, want %v", most, s.low, s.high, want)
		}
		if level, ok := s.level(0.5); level != 0 || !ok {
			t.Errorf("faster than others is level %d", level)
		}
	}
	if _, ok := newScale(slowdown, nil).level(math.NaN()); ok {
		t.Error("no value has a shade")
	}
}

func TestMiddle(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for n := 1; n < 12; n++ {
		v := make([]float32, n)
		for i := range v {
			v[i] = rng.Float32()
		}
		sorted := slices.Sorted(slices.Values(v))
		want := sorted[n/2]
		if n%2 == 0 {
			want = (sorted[n/2-1] + sorted[n/2]) / 2
		}
		if got := middle(v); got != want {
			t.Errorf("%d values: %v, want %v", n, got, want)
		}
	}
}

// A tile is the worst of its ranks against a look at each of them.
func TestWorstOfABucket(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		c := columnOf(make([]float32, 8)...)
		m := &Model{seen: answer{rows: make([]row, 8), points: []analysis.StepPoint{{Iteration: 5}}, cols: []*column{c}}}
		for k := range c.values {
			c.states[k], c.values[k] = state(rng.IntN(int(leftOut)+1)), rng.Float32()
			m.seen.rows[k].last = spot{0, int64(rng.IntN(10))}
		}
		got := m.worstOf(0, 2, 7)
		best, gravest := float32(-1), notYet
		for k := 2; k < 7; k++ {
			s := c.states[k]
			if s == notYet && m.seen.rows[k].last.iteration > 5 {
				s = missing
			}
			if s == measured {
				best = max(best, c.values[k])
			} else {
				gravest = max(gravest, s)
			}
		}
		switch {
		case best >= 0 && (got.state != measured || got.value != best || c.values[got.row] != best):
			t.Fatalf("%+v, want %v of %+v", got, best, c)
		case best < 0 && got.state != gravest:
			t.Fatalf("%+v, want state %d of %+v", got, gravest, c)
		}
	}
	m := &Model{seen: answer{cols: []*column{nil}}}
	if got := m.worstOf(0, 0, 3); got.state != notYet {
		t.Errorf("not read yet: %+v", got)
	}
}

func TestAloneInItsStage(t *testing.T) {
	m := open(t, cases(t)["1-rank"], "")
	if got := m.CopyText(); !strings.Contains(got, "no other rank of its stage to compare it with") {
		t.Error(got)
	}
	if view := draw.ASCII(m.View()); !strings.Contains(view, "no clean step has it; m for another") || !strings.Contains(view, "1 alone in its stage") {
		t.Error(view)
	}
	uitest.Press(m, "m")
	if view := draw.ASCII(m.View()); !strings.Contains(view, "step s . 1.000") {
		t.Error(view)
	}
}

func TestMeasuresGoRound(t *testing.T) {
	m := open(t, cases(t)["slow"], "")
	var got []string
	for range int(measureCount) + 1 {
		got = append(got, m.seen.measure.String())
		uitest.Press(m, "m")
	}
	if d := cmp.Diff([]string{"slowdown", "step", "compute", "wait", "io", "other", "slowdown"}, got); d != "" {
		t.Error(d)
	}
	uitest.Press(m, "M", "M", "M")
	if m.seen.measure != ioTime {
		t.Error(m.seen.measure)
	}
}

func TestFindAnIteration(t *testing.T) {
	a := &answer{points: []analysis.StepPoint{{Iteration: 2}, {Iteration: 4}, {Iteration: 5}, {Attempt: 1, Iteration: 3}}}
	for _, test := range []struct {
		s    spot
		want int
	}{{spot{0, 1}, 0}, {spot{0, 4}, 1}, {spot{0, 3}, 1}, {spot{0, 9}, 3}, {spot{1, 3}, 3}, {spot{1, 9}, 3}, {spot{1 << 30, 0}, 3}} {
		if got := a.find(test.s); got != test.want {
			t.Errorf("%v: %d, want %d", test.s, got, test.want)
		}
	}
}

func TestReasons(t *testing.T) {
	for word, want := range map[string]string{"first": "the first of its attempt", "gc": "a long garbage collection", "skipped": "marked as skipped",
		"checkpoint": "checkpoint", "graph_capture": "graph capture"} {
		if got := reasonText(word); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A restarted run: the rank has one row, its columns are parted on the axis.
func TestARowIsARankThroughItsAttempts(t *testing.T) {
	r := row{rank: 3}
	r.add(&store.Process{Attempt: 0, HasIteration: true, Iteration: 40}, 1)
	r.add(&store.Process{Attempt: 1, HasIteration: true, Iteration: 7}, 9)
	if r.last != (spot{1, 7}) || len(r.processes) != 2 {
		t.Errorf("%+v", r)
	}
	var none row
	none.add(&store.Process{}, 4)
	if none.last.compare(spot{0, 0}) >= 0 || none.key() == r.key() {
		t.Errorf("%+v", none)
	}
}

// From one size to any other and back the view is as before.
func TestSizesThereAndBack(t *testing.T) {
	for _, keys := range [][]string{nil, {"w"}, {"G", "home"}, {"z", "G"}} {
		m := open(t, cases(t)["1024"], "")
		m.SetSize(80, 24)
		uitest.Press(m, keys...)
		before := m.View()
		for _, size := range [][2]int{{1, 1}, {0, 0}, {3, 200}, {200, 3}, {20, 5}, {80, 24}} {
			m.SetSize(size[0], size[1])
			uitest.Inside(t, m.View(), size[0], size[1])
		}
		if m.View() != before {
			t.Errorf("after %q the view changed:\n%s\n\n%s", keys, before, m.View())
		}
	}
}
