package draw

import (
	"math"
	"slices"
	"testing"
)

func TestCompareLeavesWhatIsNoFigureLast(t *testing.T) {
	nan := math.NaN()
	for desc, want := range map[bool][]float64{
		false: {math.Inf(-1), -1, 0, 2, math.Inf(1), nan, nan},
		true:  {math.Inf(1), 2, 0, -1, math.Inf(-1), nan, nan},
	} {
		got := []float64{nan, 2, math.Inf(1), -1, nan, math.Inf(-1), 0}
		slices.SortStableFunc(got, func(a, b float64) int { return Compare(a, b, desc) })
		same := func(a, b float64) bool { return a == b || math.IsNaN(a) && math.IsNaN(b) }
		if !slices.EqualFunc(got, want, same) {
			t.Errorf("desc %v: %v, want %v", desc, got, want)
		}
	}
}

func TestTrueLast(t *testing.T) {
	for _, tt := range []struct {
		a, b bool
		want int
	}{{false, false, 0}, {true, true, 0}, {true, false, 1}, {false, true, -1}} {
		if got := TrueLast(tt.a, tt.b); got != tt.want {
			t.Errorf("%v, %v: %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}
