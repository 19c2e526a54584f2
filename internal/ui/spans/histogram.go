package spansscreen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// The histogram's cells: bars between a title and two lines of axis.
const (
	barLines   = 5
	paneLines  = barLines + 3
	paneMargin = 2
	buckets    = 72 // fit into 80 columns, halves of them into 40
)

// chart draws a histogram in barLines + 2 lines.
type chart struct {
	theme theme.Theme
	width int
	cells int // of one bucket
	h     *analysis.Histogram
	stats *analysis.Stats // nil when the row is not in the table any more
}

// newChart fits a histogram into a width.
func newChart(t theme.Theme, width int, h analysis.Histogram) chart {
	room := max(1, width-2*paneMargin)
	for len(h.Counts) > room {
		h = halved(h)
	}
	return chart{theme: t, width: width, cells: room / len(h.Counts), h: &h}
}

// halved puts neighbouring buckets together.
func halved(h analysis.Histogram) analysis.Histogram {
	out := make([]uint64, (len(h.Counts)+1)/2)
	for i, n := range h.Counts {
		out[i/2] += n
	}
	h.Counts = out
	return h
}

func (c *chart) lines() []string {
	out := make([]string, 0, paneLines)
	top := tallest(c.h.Counts)
	for line := barLines - 1; line >= 0; line-- {
		out = append(out, c.bars(line, top))
	}
	return append(out, c.axis(), c.bounds())
}

func tallest(counts []uint64) (top uint64) {
	for _, n := range counts {
		top = max(top, n)
	}
	return top
}

// bars is one line of all bars, counted from below. Whatever is not empty shows.
func (c *chart) bars(line int, top uint64) string {
	levels := c.theme.Glyphs.Spark
	var b strings.Builder
	for _, n := range c.h.Counts {
		steps := 0
		if n > 0 {
			steps = max(1, int(float64(n)/float64(top)*float64(barLines*len(levels))))
		}
		glyph := " "
		if over := steps - line*len(levels); over > 0 {
			glyph = levels[min(over, len(levels))-1]
		}
		b.WriteString(strings.Repeat(glyph, c.cells))
	}
	return draw.NewLine(c.width).Space(paneMargin).Add(c.theme.Accent, b.String()).String()
}

// axis is a rule with the percentiles on it: each name behind its mark, or
// before it where the rule ends.
func (c *chart) axis() string {
	l := draw.NewLine(c.width).Space(paneMargin)
	end := min(c.width, paneMargin+len(c.h.Counts)*c.cells)
	rule := func(to int) { l.Add(c.theme.Dim, strings.Repeat(c.theme.Glyphs.Rule, max(0, min(to, end)-l.Used()))) }
	for _, p := range c.percentiles() {
		at, text := paneMargin+p.bucket*c.cells, c.theme.Glyphs.Divider+p.names
		if at+draw.Width(text) > end {
			text = p.names + c.theme.Glyphs.Divider
			at -= len(p.names)
		}
		rule(at)
		l.Add(c.theme.Strong, text)
	}
	rule(end)
	return l.String()
}

type percentile struct {
	bucket int
	names  string
}

// percentiles is where they stand; those that would run into each other are
// written together, at the place of the first.
func (c *chart) percentiles() []percentile {
	if c.stats == nil {
		return nil
	}
	const room = len("p50 p95 p99||")
	var out []percentile
	for _, p := range []struct {
		name  string
		value float64
	}{{"p50", c.stats.P50}, {"p95", c.stats.P95}, {"p99", c.stats.P99}} {
		if unknown(p.value) {
			continue
		}
		at := c.h.Bucket(p.value)
		if n := len(out); n > 0 && (at-out[n-1].bucket)*c.cells < room {
			out[n-1].names += " " + p.name
			continue
		}
		out = append(out, percentile{at, p.name})
	}
	return out
}

// boundEvery is how many cells there are from one labelled bound to the next.
const boundEvery = 18

// bounds is the durations along the axis.
func (c *chart) bounds() string {
	l := draw.NewLine(c.width).Space(paneMargin)
	cells := len(c.h.Counts) * c.cells
	last := draw.Seconds(c.h.Max)
	for at := 0; at+boundEvery/2+draw.Width(last) < cells; at += boundEvery {
		l.To(paneMargin+at).Add(c.theme.Dim, draw.Seconds(c.h.Bound(at/c.cells)))
	}
	return l.To(paneMargin+cells-draw.Width(last)).Add(c.theme.Dim, last).String()
}

// histogram is the pane: a title, then the chart, or in words what needs none.
func (m *Model) histogram(lines int) []string {
	if lines == 0 {
		return nil
	}
	to, ok := m.target()
	found := &m.pane.last
	l := draw.NewLine(m.size.width).Space(paneMargin)
	if !ok || found.key != to.key || found.buckets == 0 {
		return []string{l.String()}
	}
	l.Add(m.theme.Title, pathText(to.path)).Add(m.theme.Dim, ": how long "+draw.Plural(found.Counted, "retained span")+" took")
	h := &found.Histogram
	switch {
	case found.Counted == 0:
		return []string{l.String(), m.words("no retained span of these has a duration")}
	case len(h.Counts) == 1:
		return []string{l.String(), m.words("all took " + draw.Seconds(h.Min))}
	}
	if h.Approximate {
		l.AddIf(m.theme.Dim, ", within 1 %")
	}
	l.Right(m.theme.Dim, "highest bar "+draw.Count(tallest(h.Counts))+"  ")
	c := newChart(m.theme, m.size.width, *h)
	if at, ok := m.shown.at[to.key]; ok {
		c.stats = &m.shown.list[at].group.Stats
	}
	return append([]string{l.String()}, c.lines()...)
}

func (m *Model) words(text string) string {
	return draw.NewLine(m.size.width).Space(paneMargin).Text(text).String()
}

// pathText is the way to a group: "pp 1, rank 3, forward".
func pathText(path []analysis.Branch) string {
	parts := make([]string, len(path))
	for i, b := range path {
		parts[i] = branchText(b.By, b.Value, b.Known)
	}
	return strings.Join(parts, ", ")
}
