package metricsscreen

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// resetMark stands where a counter began again.
const resetMark = "R"

func isHistogram(m *store.Metric) bool {
	switch m.Kind.String() {
	case "histogram", "exponential_histogram", "summary":
		return true
	}
	return false
}

// kindText is the kind of a metric in a word.
func kindText(m *store.Metric) string {
	switch m.Kind.String() {
	case "sum":
		if m.Monotonic {
			return "counter"
		}
		return "up-down sum"
	case "exponential_histogram":
		return "exp histogram"
	}
	return m.Kind.String()
}

// temporalityText says whether points count on; "" for kinds that cannot.
func temporalityText(m *store.Metric) string {
	switch m.Kind.String() {
	case "sum", "histogram", "exponential_histogram":
		return m.Temporality.String()
	}
	return ""
}

func temporalityCell(m *store.Metric, t theme.Theme) draw.Cell {
	c := draw.Cell{Text: temporalityText(m), Style: t.Dim}
	if c.Text == "unspecified" {
		c.Style = t.Warn
	}
	return c
}

// numberCell is a figure; a value that is not finite is one too: that it was sent
// says something, unlike a value that is missing.
func numberCell(v float64, t theme.Theme) draw.Cell {
	switch {
	case math.IsNaN(v):
		return draw.Cell{Text: draw.Missing, Style: t.Dim}
	case math.IsInf(v, 0):
		return draw.Cell{Text: draw.Number(v), Style: t.Bad}
	}
	return draw.Cell{Text: draw.Number(v)}
}

// lastCell is a newest value; sent says that there is one, so that NaN is what it
// is.
func lastCell(v float64, sent bool, t theme.Theme) draw.Cell {
	if sent && math.IsNaN(v) {
		return draw.Cell{Text: "NaN", Style: t.Bad}
	}
	return numberCell(v, t)
}

// countCell is how often something odd was seen, with its mark.
func countCell(n uint64, mark string, style theme.Style, t theme.Theme) draw.Cell {
	if n == 0 {
		return draw.Cell{Text: "0", Style: t.Dim}
	}
	return draw.Cell{Text: mark + draw.Short(float64(n)), Style: style}
}
