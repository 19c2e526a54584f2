package stepsscreen

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// legend is what the shades stand for, and what is none. With little room every
// second shade is named, or every fourth.
func (m *Model) legend() string {
	s, t := m.seen.scale, m.theme
	l := draw.NewLine(m.size.width).Space(gutter).Add(t.Strong, s.measure.String())
	if math.IsNaN(s.low) {
		l.Add(t.Dim, ": no clean step has it; "+m.data.Key(screen.Steps, "m")+" for another")
	}
	marks := m.marks()
	kept := 0
	for _, k := range marks {
		kept += draw.Width(k.text) + 4
	}
	if !math.IsNaN(s.low) {
		m.shades(l, kept)
	}
	for _, k := range marks {
		glyph, style := m.mark(k.state)
		if draw.Width(k.text)+4 <= l.Left() {
			l.Space(2).Add(style, glyph).Add(t.Dim, " "+k.text)
		}
	}
	return l.String()
}

// shades names as many shades as there is room for beside what is kept free.
func (m *Model) shades(l *draw.Line, kept int) {
	s, t := m.seen.scale, m.theme
	each, step := 1+1+1+s.width, 1
	if name := " " + s.unitName(); s.measure.timed() || l.Left()-kept-draw.Width(name) >= theme.Levels*each {
		l.AddIf(t.Dim, name)
	} else {
		l.AddIf(t.Dim, " ×")
	}
	for step < theme.Levels-1 && (theme.Levels+step-1)/step*each > l.Left()-kept {
		step *= 2
	}
	for level := 0; level < theme.Levels; level += step {
		shade := t.Shade(level)
		l.Space(1).Drawn(shade.Cell, 1).Add(t.Dim, " "+s.number(s.bound(level)))
	}
}

// named is a state with its word.
type named struct {
	state state
	text  string
}

// marks is the states besides measured that are on screen.
func (m *Model) marks() []named {
	there := [missing + 1]bool{}
	for y := range m.grid {
		for x := range m.grid[y] {
			there[m.grid[y][x].state] = true
		}
	}
	var out []named
	for _, k := range []named{{missing, "missing"}, {leftOut, "left out"}, {noValue, "not measured"}, {alone, "alone in its stage"}} {
		if there[k.state] {
			out = append(out, k)
		}
	}
	return out
}
