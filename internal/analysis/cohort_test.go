package analysis

import (
	"math"
	"testing"
)

// unitOf is a unit with one compute time a step.
func unitOf(c ...float64) *unit {
	u := &unit{kind: UnitRank, source: FromMicrobatches, c: c, w: make([]float64, len(c)), t: make([]float64, len(c)), meet: make([]float64, len(c))}
	u.summarize()
	return u
}

func TestSpreadHasAFloor(t *testing.T) {
	c := &cohort{limits: usual(), units: []*unit{unitOf(600), unitOf(600), unitOf(600), unitOf(603)}}
	c.measure()
	if c.compute != 600 || c.spread != 3 || c.low != 600 {
		t.Errorf("middle %g, spread %g, lower quartile %g", c.compute, c.spread, c.low)
	}
	if c.beyond(c.units[3]) {
		t.Error("half a percent is beyond the limits")
	}
}

func TestWhoIsWorst(t *testing.T) {
	nan := math.NaN()
	tests := []struct {
		name  string
		units []*unit
		top   []int
		n     int
	}{
		{"one of three", []*unit{unitOf(1, 1, 5), unitOf(2, 2, 2), unitOf(1, 1, 1)}, []int{1, 2, 0}, 3},
		{"ties count for nobody", []*unit{unitOf(1, 2), unitOf(1, 1), unitOf(1, 2)}, []int{0, 0, 0}, 2},
		{"too few there", []*unit{unitOf(5, 5), unitOf(nan, 1), unitOf(nan, 1)}, []int{1, 0, 0}, 1},
		{"one alone", []*unit{unitOf(5)}, []int{0}, 0},
		{"none", nil, []int{}, 0},
	}
	for _, tt := range tests {
		c := &cohort{limits: usual(), units: tt.units}
		top, n := c.mostIn(func(u *unit) []float64 { return u.c }, 0)
		for i := range tt.top {
			if top[i] != tt.top[i] || n != tt.n {
				t.Errorf("%s: %v in %d, want %v in %d", tt.name, top, n, tt.top, tt.n)
				break
			}
		}
	}
}

// TestPersistence: half of the steps, and more than chance gives one of several
// units. The probabilities are those of tables.
func TestPersistence(t *testing.T) {
	if p := binomialTail(10, 8, .5); !near(p, .0546875, 1e-9) {
		t.Errorf("P(X ≥ 8 of 10, ½) = %g", p)
	}
	if p := binomialTail(20, 0, .3); !near(p, 1, 1e-9) {
		t.Errorf("P(X ≥ 0) = %g", p)
	}
	for _, tt := range []struct {
		count, n, units int
		want            bool
	}{
		{20, 20, 4, true}, {9, 20, 64, false}, {10, 20, 64, true}, {10, 20, 4, false}, {3, 3, 4, false}, {3, 3, 64, true}, {0, 0, 4, false}, {20, 20, 2, true}, {6, 6, 2, false},
	} {
		if got := persistent(tt.count, tt.n, tt.units); got != tt.want {
			t.Errorf("%d of %d steps among %d: %t", tt.count, tt.n, tt.units, got)
		}
	}
}

func TestUnitsOfOtherSourcesAreLeftOut(t *testing.T) {
	c := &cohort{limits: usual(), units: []*unit{unitOf(1, 1, 1), unitOf(1, 1, 1), unitOf(1, 1, 1), unitOf(1)}}
	c.units[2].source = FromForwardBackward
	units, source, left := c.comparable()
	if len(units) != 2 || source != FromMicrobatches || left != 2 {
		t.Errorf("%d units from %s, %d left out", len(units), source, left)
	}
}
