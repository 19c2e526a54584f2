package draw

import (
	"math"
	"strings"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Sparkline is the last width values as one line of exactly width cells, oldest
// left, from the lowest to the highest of them. A value that is not a finite
// number is a blank: a gap, not a zero. When all are equal the line is flat in
// the middle.
func Sparkline(values []float64, width int, g theme.Glyphs) string {
	if width <= 0 {
		return ""
	}
	if len(values) > width {
		values = values[len(values)-width:]
	}
	low, high := Range(values)
	return sparkline(values, width, low, high, g)
}

// SteadySparkline is Sparkline with a scale that spans at least a share of the
// values' size, so that a series that hardly moves looks like one: with 0.2,
// differences of a percent are flat and a fifth is the whole height.
func SteadySparkline(values []float64, width int, share float64, g theme.Glyphs) string {
	if width <= 0 {
		return ""
	}
	values = values[max(0, len(values)-width):]
	low, high := Range(values)
	if short := share*math.Max(math.Abs(low), math.Abs(high)) - (high - low); short > 0 {
		low, high = low-short/2, high+short/2
	}
	return sparkline(values, width, low, high, g)
}

func sparkline(values []float64, width int, low, high float64, g theme.Glyphs) string {
	var b strings.Builder
	b.WriteString(Spaces(width - len(values)))
	for _, v := range values {
		b.WriteString(sparkGlyph(v, low, high, g.Spark))
	}
	return b.String()
}

func sparkGlyph(v, low, high float64, levels []string) string {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		return " "
	case !(high > low):
		return levels[len(levels)/2-1]
	}
	n := int((v - low) / (high - low) * float64(len(levels)))
	return levels[max(0, min(n, len(levels)-1))]
}

// Range is the lowest and highest finite value; NaN and NaN when there is none.
func Range(values []float64) (low, high float64) {
	low, high = math.NaN(), math.NaN()
	for _, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		if !(low <= v) {
			low = v
		}
		if !(high >= v) {
			high = v
		}
	}
	return low, high
}
