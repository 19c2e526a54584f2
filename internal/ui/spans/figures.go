package spansscreen

import (
	"math"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// The marks of a figure. Each is explained in the legend while it is in use.
const (
	fewMark   = "*" // behind a percentile of few spans
	aboutMark = "~" // before a percentile that comes from a sketch
	noMark    = " " // numbers line up with those that bear a mark
)

// countText is exact as long as it fits into its column, if that is shown; the line of the row in
// focus has all digits.
func countText(n uint64, width int) string {
	if text := draw.Count(n); width == 0 || len(text) <= width {
		return text
	}
	return draw.Short(float64(n))
}

// duration is a figure of time with its marks: a percentile says when it comes
// from few spans, or from a sketch.
func duration(s *analysis.Stats, column string) string {
	if s.N == 0 {
		return padded(draw.Missing, column)
	}
	text := timeText(figure(s, column))
	few := false
	switch column {
	case "p50":
	case "p95":
		few = s.FewP95()
	case "p99":
		few = s.FewP99()
	default:
		return text
	}
	if s.Sample == 0 {
		return padded(text, column)
	}
	if s.Approximate {
		text = aboutMark + text
	}
	if few {
		return text + fewMark
	}
	return padded(text, column)
}

// timeText is seconds in at most 8 cells: the hours of thousands of days, as many
// ranks add up to, are left out rather than cut.
func timeText(sec float64) string {
	text := draw.Seconds(sec)
	if days, _, ok := strings.Cut(text, "d"); ok && len(text) > 8 {
		return days + "d"
	}
	return text
}

// padded leaves room for the mark that other rows bear.
func padded(text, column string) string {
	if column == "p95" || column == "p99" {
		return text + noMark
	}
	return text
}

// marked is which marks the table bears.
type marked struct{ few, about, beside bool }

func (k *marked) see(s *analysis.Stats) {
	k.few = k.few || s.Sample > 0 && s.FewP99()
	k.about = k.about || s.Approximate
	k.beside = k.beside || s.Truncated+s.Invalid > 0
}

// unknown reports that a figure is not there.
func unknown(v float64) bool { return math.IsNaN(v) }
