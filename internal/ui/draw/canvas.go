package draw

import (
	"math"
)

// canvas is the cells of a plot: dots in braille, or one character a cell.
type canvas struct {
	width, height int
	perX, perY    int // dots in a cell
	dots          []uint8
	owner         []int
	glyphs        []string // marks, over the dots
}

func (p *Plot) canvas() canvas {
	c := canvas{width: p.Cells(), height: max(0, p.Height), perX: 2, perY: 4}
	if p.Theme.ASCII {
		c.perX, c.perY = 1, 1
	}
	n := c.width * c.height
	c.dots, c.owner, c.glyphs = make([]uint8, n), make([]int, n), make([]string, n)
	for i := range c.owner {
		c.owner[i] = none
	}
	return c
}

// cell is what stands in a cell and who drew it; "" for dots, see rune.
func (c *canvas) cell(col, row int) (string, int) {
	i := row*c.width + col
	switch {
	case c.glyphs[i] != "":
		return c.glyphs[i], c.owner[i]
	case c.dots[i] == 0:
		return " ", none
	case c.perX == 1:
		return ".", c.owner[i]
	}
	return "", c.owner[i]
}

// rune is the dots of a cell.
func (c *canvas) rune(col, row int) rune { return 0x2800 + rune(c.dots[row*c.width+col]) }

// braille is the bit of a dot: by column, then from above.
func braille(x, y int) uint8 {
	return [2][4]uint8{{0x01, 0x02, 0x04, 0x40}, {0x08, 0x10, 0x20, 0x80}}[x][y]
}

// dot sets the dot next to a place counted from the upper left one.
func (c *canvas) dot(across, down float64, who int) {
	across, down = math.Round(across), math.Round(down)
	if !(across >= 0 && down >= 0 && across < float64(c.width*c.perX) && down < float64(c.height*c.perY)) {
		return
	}
	x, y := int(across), int(down)
	i := y/c.perY*c.width + x/c.perX
	c.owner[i] = who
	if c.perX == 1 {
		c.dots[i] = 1
		return
	}
	c.dots[i] |= braille(x%2, y%4)
}

// place is a point in dots.
func (c *canvas) place(p *Plot, at XY) (x, y float64) {
	return p.across(at.X) * float64(c.width*c.perX-1), (1 - p.up(at.Y)) * float64(c.height*c.perY-1)
}

func drawable(p XY) bool { return !math.IsNaN(p.Y) && !math.IsInf(p.Y, 0) && !math.IsNaN(p.X) }

// curve draws a curve's segments, and its lonely points as dots.
func (c *canvas) curve(p *Plot, who int) {
	if c.width == 0 || c.height == 0 {
		return
	}
	points := p.Curves[who].Points
	for i, at := range points {
		if !drawable(at) {
			continue
		}
		x, y := c.place(p, at)
		if i+1 < len(points) && drawable(points[i+1]) {
			x1, y1 := c.place(p, points[i+1])
			c.segment(x, y, x1, y1, who)
			continue
		}
		c.dot(x, y, who)
	}
}

// segment draws the part of a straight line that lies inside the edges.
func (c *canvas) segment(x0, y0, x1, y1 float64, who int) {
	last := float64(c.width*c.perX - 1)
	if !(x1 >= 0 && x0 <= last && x1 >= x0) || math.IsNaN(y0+y1) {
		return
	}
	slope := 0.0
	if x1 > x0 {
		slope = (y1 - y0) / (x1 - x0)
	}
	if x0 < 0 {
		x0, y0 = 0, y0-slope*x0
	}
	if x1 > last {
		x1, y1 = last, y0+slope*(last-x0)
	}
	bottom := float64(c.height * c.perY) // one more: what lies just outside ends there
	if math.Max(y0, y1) < -1 || math.Min(y0, y1) > bottom {
		return
	}
	a, b := x0, x1
	a, y0 = clip(a, y0, x1, y1, -1, bottom)
	b, y1 = clip(b, y1, x0, y0, -1, bottom)
	x0, x1 = a, b
	steps := int(math.Ceil(math.Max(x1-x0, math.Abs(y1-y0))))
	for k := 0; k <= steps; k++ {
		f := float64(k) / float64(max(1, steps))
		c.dot(x0+f*(x1-x0), y0+f*(y1-y0), who)
	}
}

// clip moves the end x, y of a straight line to x1, y1 into the heights from low to
// high.
func clip(x, y, x1, y1, low, high float64) (float64, float64) {
	to := math.Max(low, math.Min(y, high))
	if to == y || y1 == y {
		return x, to
	}
	return x + (to-y)/(y1-y)*(x1-x), to
}

// marks sets a curve's mark on its newest point and, from there, on every so
// many cells of it. In ASCII the curve is made of its marks.
func (c *canvas) marks(p *Plot, who int) {
	mark := p.Curves[who].Mark
	if mark == "" || c.width == 0 || c.height == 0 {
		return
	}
	if c.perX == 1 {
		for i := range c.owner {
			if c.owner[i] == who && c.glyphs[i] == "" {
				c.glyphs[i] = mark
			}
		}
		return
	}
	points := p.Curves[who].Points
	next := math.MaxInt
	for i := len(points) - 1; i >= 0; i-- {
		if !drawable(points[i]) {
			continue
		}
		x, y := c.place(p, points[i])
		x, y = math.Round(x), math.Round(y)
		if !(x >= 0 && x < float64(c.width*c.perX) && y >= 0 && y < float64(c.height*c.perY)) {
			continue
		}
		col, row := int(x)/c.perX, int(y)/c.perY
		if col > next {
			continue
		}
		if at := row*c.width + col; c.glyphs[at] == "" {
			c.glyphs[at], c.owner[at] = mark, who
			next = col - MarkEvery
		}
	}
}
