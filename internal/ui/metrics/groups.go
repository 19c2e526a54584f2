package metricsscreen

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// groupRows is the table below a chart.
type groupRows struct{ *chart }

// Len is the number of groups.
func (r *groupRows) Len() int { return len(r.groups) }

// Key is a group's identity.
func (r *groupRows) Key(i int) string { return r.groups[i].Key }

// Cell is one place of the table.
func (r *groupRows) Cell(i int, column string) draw.Cell {
	g, t := r.groups[i], r.theme
	switch column {
	case "label":
		return draw.Cell{Text: r.mark(g) + " " + g.Label}
	case "at":
		v, word := r.valueAt(g)
		if word != "" {
			return draw.Cell{Text: word, Style: t.Bad}
		}
		return numberCell(v, t)
	case "newest":
		return lastCell(g.Newest, g.Series == 1 && g.LastTime > 0, t)
	case "series", "points", "count":
		if v := r.figure(g, column); !math.IsNaN(v) {
			return draw.Cell{Text: draw.Short(v)}
		}
		return draw.Cell{Text: draw.Missing, Style: t.Dim}
	case "bad":
		return countCell(uint64(g.NotFinite), t.Glyphs.Bad, t.Bad, t)
	case "gaps":
		return countCell(uint64(g.Gaps), t.Glyphs.Missing, t.Warn, t)
	case "resets":
		return countCell(uint64(g.Resets), resetMark, t.Warn, t)
	case "p50", "p95", "p99":
		return draw.Cell{Text: percentileText(r.spreadOf(g), column)}
	}
	return numberCell(r.figure(g, column), t)
}

// percentileText is a percentile from buckets: about so much, or what its bucket
// says of it.
func percentileText(d *analysis.Distribution, column string) string {
	q := map[string]float64{"p50": 0.50, "p95": 0.95, "p99": 0.99}[column]
	v, low, high := d.Quantile(q)
	switch {
	case !math.IsNaN(v) && low == high:
		return draw.Number(v)
	case !math.IsNaN(v):
		return aboutMark + draw.Number(v)
	case math.IsNaN(low) || math.IsInf(low, 0) && math.IsInf(high, 0):
		return draw.Missing
	case math.IsInf(low, 0):
		return "≤" + draw.Number(high)
	}
	return ">" + draw.Number(low)
}

// aboutMark stands before a value that is known to lie in a bucket only.
const aboutMark = "~"

// mostCostly is how many groups are sorted by what has to be made of each first.
const mostCostly = 2048

// columns is the table's columns: of buckets and their percentiles, or of values.
func (c *chart) columns() []draw.Column {
	label := 14
	if c.size.width >= 100 {
		label = 30
	}
	number := func(id, title string, cells, priority int) draw.Column {
		return draw.Column{ID: id, Title: title, Min: cells, Priority: priority, Right: true, Sortable: true, DescBy: true}
	}
	costly := func(id, title string, cells, priority int) draw.Column {
		col := number(id, title, cells, priority)
		col.Sortable = len(c.groups) <= mostCostly
		return col
	}
	out := []draw.Column{{ID: "label", Title: c.answer.By, Min: label, Max: 70, Last: true, Sortable: true}}
	if c.isDistribution() {
		return append(out,
			costly("count", "count", 6, 2), costly("p50", "p50", 10, 1), costly("p95", "p95", 10, 1), costly("p99", "p99", 10, 3),
			costly("dmean", "mean", 9, 4), costly("dmin", "min", 9, 5), costly("dmax", "max", 9, 5),
			number("series", "series", 6, 8), number("resets", "resets", 6, 9))
	}
	return append(out,
		costly("at", "at cursor", draw.NumberCells, 1), number("newest", "newest", draw.NumberCells, 3),
		number("min", "min", draw.NumberCells, 4), number("mean", "mean", draw.NumberCells, 4), number("max", "max", draw.NumberCells, 4),
		number("bad", "NaN/Inf", 7, 5), number("gaps", "gaps", 5, 6), number("resets", "resets", 6, 6),
		number("series", "series", 6, 8), number("points", "points", 6, 9))
}
