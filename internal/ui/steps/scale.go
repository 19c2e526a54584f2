package stepsscreen

import (
	"math"
	"slices"
	"strconv"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// scale is what the shades stand for.
type scale struct {
	measure   measure
	low, high float64 // NaN when nothing was measured
	unit      draw.Unit
	width     int // cells of the widest number
}

// sampled is how many values the scale looks at, about.
const sampled = 20_000

// leastSpread is the smallest share by which the scale's ends differ: a map that
// shows noise in all shades looks like a finding.
const leastSpread = 0.1

// newScale spans the values that were read but the largest half percent: one step
// that takes a hundred times as long would flatten all others.
func newScale(m measure, cols []*column) scale {
	s := scale{measure: m, low: math.NaN(), high: math.NaN(), unit: draw.UnitFor(0), width: 1}
	v := sample(cols)
	if len(v) == 0 {
		return s
	}
	slices.Sort(v)
	s.low, s.high = float64(v[0]), float64(v[min(len(v)-1, len(v)*995/1000)])
	if !m.timed() {
		s.ratios(float64(v[len(v)-1]))
	}
	s.high = math.Max(s.high, s.low*(1+leastSpread))
	s.unit = draw.UnitFor(s.high * 1e9)
	s.width = max(draw.Width(s.number(s.low)), draw.Width(s.number(s.high)))
	return s
}

// ratios sets ends that seldom change: from as long as the others to the next of
// some round figures.
func (s *scale) ratios(most float64) {
	s.low, s.high = 1, 3
	for _, high := range []float64{1.2, 1.5, 2, 3} {
		if most <= high {
			s.high = high
			return
		}
	}
}

func sample(cols []*column) []float32 {
	n := 0
	for _, c := range cols {
		if c != nil {
			n += len(c.values)
		}
	}
	every, k := max(1, n/sampled), 0
	var out []float32
	for _, c := range cols {
		if c == nil {
			continue
		}
		for i, s := range c.states {
			if k++; k%every == 0 && s == measured && !isNaN(c.values[i]) {
				out = append(out, c.values[i])
			}
		}
	}
	return out
}

func isNaN(v float32) bool { return v != v }

// number is a value without its unit.
func (s scale) number(v float64) string {
	if math.IsNaN(v) {
		return draw.Missing
	}
	if !s.measure.timed() {
		return strconv.FormatFloat(v, 'f', 2, 64)
	}
	text := s.unit.Format(v * 1e9)
	return text[:len(text)-len(s.unit.Name)]
}

// unitName stands once before all numbers.
func (s scale) unitName() string {
	if s.measure.timed() {
		return s.unit.Name
	}
	return "× the median of the stage"
}

// level is the shade of a value; ok is false for NaN.
func (s scale) level(v float64) (int, bool) { return theme.Level(v, s.low, s.high) }

// bound is where a level begins.
func (s scale) bound(level int) float64 {
	return s.low + (s.high-s.low)*float64(level)/theme.Levels
}
