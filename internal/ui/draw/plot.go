package draw

import (
	"math"
	"strings"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// XY is a point of a curve. A Y that is no finite number breaks the curve: a gap,
// never a zero.
type XY struct{ X, Y float64 }

// Curve is one line of a Plot. Mark, one cell, stands on it here and there and
// tells it from others without colour; a curve without one is a companion, drawn
// thin.
type Curve struct {
	Mark   string
	Style  theme.Style
	Points []XY // X never falls
}

// Plot is curves in Width × Height cells, of which the first Gutter hold the
// labels of the values. Where the theme has more than ASCII a cell holds 2 × 4
// dots.
type Plot struct {
	Theme         theme.Theme
	Width, Height int
	Gutter        int
	X0, X1        float64 // left and right edge
	Y0, Y1        float64 // lower and upper edge; equal: everything in the middle
	Curves        []Curve // later ones lie on top
	Cursor        float64 // X of a vertical line, NaN for none
	Label         func(y float64) string
}

// MarkEvery is about how many cells lie between two marks of a curve.
const MarkEvery = 24

// Lines is exactly Height lines of exactly Width cells.
func (p *Plot) Lines() []string {
	c := p.canvas()
	for i := range p.Curves {
		c.curve(p, i)
	}
	for i := range p.Curves {
		c.marks(p, i)
	}
	out := make([]string, max(0, p.Height))
	for row := range out {
		out[row] = p.line(&c, row)
	}
	return out
}

// Cells is the width of the part with the curves.
func (p *Plot) Cells() int { return max(0, p.Width-p.Gutter) }

// Column is the cell, counted from the gutter's end, that an X falls into; ok is
// false outside.
func (p *Plot) Column(x float64) (cell int, ok bool) {
	f := p.across(x) * float64(p.Cells())
	if math.IsNaN(x) || !(f >= 0 && f <= float64(p.Cells())) {
		return 0, false
	}
	return min(int(f), p.Cells()-1), p.Cells() > 0
}

// At is the X in the middle of a cell, counted from the gutter's end.
func (p *Plot) At(cell int) float64 {
	return p.X0 + (float64(cell)+0.5)/float64(max(1, p.Cells()))*(p.X1-p.X0)
}

// across is where X lies between the edges, 0 … 1.
func (p *Plot) across(x float64) float64 { return between(x, p.X0, p.X1) }

// up is where Y lies between the edges, 0 … 1.
func (p *Plot) up(y float64) float64 { return between(y, p.Y0, p.Y1) }

// between is where v lies from low to high; in the middle when these are equal.
func between(v, low, high float64) float64 {
	if !(high > low) {
		return 0.5
	}
	if span := high - low; !math.IsInf(span, 0) {
		return (v - low) / span
	}
	return (v/2 - low/2) / (high/2 - low/2)
}

func (p *Plot) line(c *canvas, row int) string {
	l := NewLine(p.Width)
	if p.Gutter > 0 {
		l.Fit(p.Theme.Dim, p.label(row), p.Gutter-1, true).Add(p.Theme.Dim, p.Theme.Glyphs.Divider)
	}
	cursor := -1
	if cell, ok := p.Column(p.Cursor); ok {
		cursor = cell
	}
	var run strings.Builder
	owner, cells := none, 0
	flush := func() {
		if cells > 0 {
			l.Drawn(p.styleOf(owner).Render(run.String()), cells)
		}
		run.Reset()
		cells = 0
	}
	for col := range c.width {
		glyph, who := c.cell(col, row)
		if col == cursor {
			glyph, who = cursorCell(glyph, who, p.Theme.Glyphs)
		}
		if who != owner {
			flush()
			owner = who
		}
		if glyph == "" {
			run.WriteRune(c.rune(col, row))
		} else {
			run.WriteString(glyph)
		}
		cells++
	}
	flush()
	return l.String()
}

// Owners of a cell besides curves.
const (
	none      = -1
	theCursor = -2
)

func cursorCell(glyph string, who int, g theme.Glyphs) (string, int) {
	if who == none {
		return g.Divider, theCursor
	}
	return glyph, who
}

func (p *Plot) styleOf(owner int) theme.Style {
	switch owner {
	case none:
		return theme.Style{}
	case theCursor:
		return p.Theme.Strong
	}
	return p.Curves[owner].Style
}

// label is the value at a line: of the upper edge, the middle and the lower edge.
func (p *Plot) label(row int) string {
	if p.Label == nil || math.IsNaN(p.Y0) || math.IsNaN(p.Y1) {
		return ""
	}
	switch {
	case !(p.Y1 > p.Y0):
		if row == p.Height/2 {
			return p.Label(p.Y0)
		}
	case row == 0:
		return p.Label(p.Y1)
	case row == p.Height-1:
		return p.Label(p.Y0)
	case row == p.Height/2 && p.Height >= 5:
		return p.Label(p.Y0/2 + p.Y1/2)
	}
	return ""
}
