package metricsscreen

import (
	"math"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// labelCells is the gutter left of the curves.
const labelCells = draw.NumberCells + 2

func (c *chart) plotCells() int { return max(0, c.size.width-labelCells) }

// plotLines is the curves, below them a strip of marks where something is odd, and
// the axis of time.
func (c *chart) plotLines() []string {
	p := c.plot()
	lines := p.Lines()
	if c.parts.strip {
		lines = append(lines, c.strip(&p))
	}
	return append(lines, c.axis(&p))
}

func (c *chart) plot() draw.Plot {
	from, to := c.span()
	p := draw.Plot{Theme: c.theme, Width: c.size.width, Height: c.parts.plot, Gutter: min(labelCells, c.size.width),
		X1: to - from, Y0: math.NaN(), Y1: math.NaN(), Cursor: math.NaN(), Label: draw.Number}
	if !math.IsNaN(c.time.cursor) {
		p.Cursor = c.at() - from
	}
	at := c.focus()
	for _, g := range c.drawn() {
		style := c.style(g)
		lines := c.linesOf(g)
		for k := len(lines) - 1; k >= 0; k-- {
			if k > 0 && g != at {
				continue // companions of the group in focus only
			}
			curve := draw.Curve{Style: style, Points: c.curvePoints(g, lines[k].Points, from)}
			if k == 0 {
				curve.Mark = c.mark(g)
			} else {
				curve.Style = c.theme.Dim
			}
			p.Curves = append(p.Curves, curve)
		}
	}
	p.Y0, p.Y1 = rangeOf(p.Curves, p.X1)
	return p
}

// style is the look of a group's line. Marks tell lines apart, colours help.
func (c *chart) style(g *analysis.MetricGroup) theme.Style {
	t := c.theme
	if g == c.focus() {
		return t.Strong
	}
	styles := []theme.Style{t.Accent, t.Good, t.Other, t.Warn}
	return styles[int(c.mark(g)[0])%len(styles)]
}

func (c *chart) curvePoints(g *analysis.MetricGroup, points []analysis.Point, from float64) []draw.XY {
	out := make([]draw.XY, 0, len(points))
	for _, p := range points {
		y := p.Value
		if p.Marks.Has(analysis.Gap) {
			y = math.NaN()
		}
		out = append(out, draw.XY{X: c.x(g, p.Time) - from, Y: y})
	}
	return out
}

// rangeOf is the smallest and largest value in sight.
func rangeOf(curves []draw.Curve, long float64) (low, high float64) {
	low, high = math.NaN(), math.NaN()
	for _, curve := range curves {
		for _, p := range curve.Points {
			if p.X < 0 || p.X > long || math.IsNaN(p.Y) || math.IsInf(p.Y, 0) {
				continue
			}
			if !(low <= p.Y) {
				low = p.Y
			}
			if !(high >= p.Y) {
				high = p.Y
			}
		}
	}
	return low, high
}

// strip is one line with a mark below every column in which a drawn line has a
// point that is not finite, a gap, or began again.
func (c *chart) strip(p *draw.Plot) string {
	marks := make([]analysis.PointMark, p.Cells())
	from, _ := c.span()
	for _, g := range c.drawn() {
		for _, at := range c.linesOf(g)[0].Points {
			if at.Marks == 0 {
				continue
			}
			if cell, ok := p.Column(c.x(g, at.Time) - from); ok {
				marks[cell] |= at.Marks
			}
		}
	}
	l := draw.NewLine(c.size.width).Fit(c.theme.Dim, "marks", labelCells-1, true).Add(c.theme.Dim, c.theme.Glyphs.Divider)
	for _, m := range marks {
		glyph, style := c.look(m)
		l.Add(style, glyph)
	}
	return l.String()
}

// look is the mark of the worst that is odd about a point.
func (c *chart) look(m analysis.PointMark) (string, theme.Style) {
	switch {
	case m.Has(analysis.NotFinite):
		return c.theme.Glyphs.Bad, c.theme.Bad
	case m.Has(analysis.Reset):
		return resetMark, c.theme.Warn
	case m.Has(analysis.Gap):
		return c.theme.Glyphs.Missing, c.theme.Warn
	}
	return " ", theme.Style{}
}

// axis is the time at both ends and at the cursor.
func (c *chart) axis(p *draw.Plot) string {
	from, to := c.span()
	l := draw.NewLine(c.size.width).Space(labelCells)
	if math.IsNaN(from) {
		return l.String()
	}
	left, right := c.timeText(from, to-from), c.timeText(to, to-from)
	if age := c.ageText(to); age != "" {
		right = age + "  " + right
	}
	l.Add(c.theme.Dim, left)
	if cell, ok := p.Column(p.Cursor); ok {
		text := c.timeText(c.at(), to-from)
		at := max(l.Used()+1, min(labelCells+cell-draw.Width(text)/2, c.size.width-draw.Width(text)))
		if at+draw.Width(text)+draw.Width(right)+1 <= c.size.width {
			l.To(at).Add(c.theme.Strong, text)
		} else if at+draw.Width(text) <= c.size.width {
			return l.To(at).Add(c.theme.Strong, text).String()
		}
	}
	return l.Right(c.theme.Dim, right).String()
}

// legend is what the lines in the chart are, and what is odd with how often.
func (c *chart) legend() string {
	t, s := c.theme, &c.answer.PointStats
	l := draw.NewLine(c.size.width).Space(gutter)
	for _, odd := range []struct {
		n     int
		mark  string
		style theme.Style
		word  string
	}{
		{s.NotFinite, t.Glyphs.Bad, t.Bad, "not finite"}, {s.Gaps, t.Glyphs.Missing, t.Warn, "no value recorded"}, {s.Resets, resetMark, t.Warn, "began again"},
		{c.answer.Lost, t.Glyphs.Warn, t.Warn, "without a time that can be"}, {c.answer.Unkept, t.Glyphs.Warn, t.Warn, "series found no room"},
	} {
		if odd.n > 0 && !(c.isDistribution() && odd.mark == t.Glyphs.Missing) { // a point without a sum has no mean, but it has buckets
			l.AddIf(odd.style, odd.mark+" "+draw.Count(odd.n)+" "+odd.word+"  ")
		}
	}
	if c.isDistribution() {
		l.AddIf(t.Dim, aboutMark+" somewhere in its bucket, whose bounds stand below")
	} else if at := c.focus(); at != nil {
		l.AddIf(t.Dim, c.mark(at)+" "+c.lineText(at)+"  ")
	}
	if n := len(c.answer.Groups); n > drawnGroups && !c.isDistribution() {
		l.AddIf(t.Dim, "the first "+draw.Count(drawnGroups)+" of "+draw.Count(n)+" lines and the one in focus")
	}
	return l.String()
}

// lineText is what a group's line is made of.
func (c *chart) lineText(g *analysis.MetricGroup) string {
	lines := c.linesOf(g)
	if len(lines) == 0 || lines[0].Name == "" {
		return strings.TrimSpace(g.Label)
	}
	text := lines[0].Name + " of " + draw.Count(g.Series) + " series"
	if len(lines) > 1 {
		text += ", thin: smallest and largest"
	}
	return text
}
