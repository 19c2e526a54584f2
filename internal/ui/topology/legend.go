package topologyscreen

import (
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// legend is what the shades stand for: the measure, and where each shade begins.
// With little room every second shade is named, or every fourth.
func (m *Model) legend() string {
	s := m.seen.scale
	l := draw.NewLine(m.size.width).Space(2).Add(m.theme.Strong, m.seen.measure.String())
	if math.IsNaN(s.low) {
		return l.Add(m.theme.Dim, ": no clean step has it yet").String()
	}
	if m.size.width < 60 {
		l.Add(m.theme.Dim, " "+s.unit.Name)
	} else {
		l.Add(m.theme.Dim, " in "+s.unit.Name+" from")
	}
	each := 2 + s.width + 1
	step := 1
	for step < 4 && (theme.Levels/step+1)*each+3 > l.Left() {
		step *= 2
	}
	for level := 0; level < theme.Levels; level += step {
		shade := m.theme.Shade(level)
		l.Space(1).Drawn(shade.Cell, 1).Space(1).Add(m.theme.Dim, s.number(s.bound(level)))
	}
	l.AddIf(m.theme.Dim, " to "+s.number(s.high))
	return l.String()
}

// counted is a state with how many cells have it.
type counted struct {
	state state
	text  string
	n     int
}

// count finds the states other than measured that cells are in.
func (m *Model) count() []counted {
	all := []counted{{neverSeen, "never seen", 0}, {noValue, "no clean step with " + m.seen.measure.String(), 0}, {filtered, "blank: not in the filter", 0}}
	n := len(m.seen.workers)
	if m.board.unit == ranks {
		n = len(m.seen.grid.Cells)
	}
	for i := range n {
		if s := m.stateOf(i); s != measured {
			all[s-1].n++
		}
	}
	return slices.DeleteFunc(all, func(c counted) bool { return c.n == 0 })
}

// notes explains what is not a shade, and where coordinates come from.
func (m *Model) notes() string {
	l := draw.NewLine(m.size.width).Space(2)
	for _, c := range m.states {
		glyph, style := m.mark(c.state)
		text := c.text + " " + draw.Count(c.n)
		if draw.Width(text)+4 > l.Left() {
			break
		}
		if c.state != filtered {
			l.Add(style, glyph).Space(1)
		}
		l.Add(m.theme.Dim, text).Space(2)
	}
	if m.stepsAlike() {
		l.AddIf(m.theme.Dim, "ranks wait for each other, so steps are alike: "+m.data.Key(screen.Topology, "m")+" for compute  ")
	}
	if g := &m.seen.grid; m.seen.derived {
		if !l.AddIf(m.theme.Dim, m.theme.Glyphs.Derived+" coordinates follow from ranks and sizes, "+g.Order) {
			l.AddIf(m.theme.Dim, m.theme.Glyphs.Derived+" derived coordinates")
		}
	}
	return l.String()
}

// alike is the share up to which step times say nothing of who is slow.
const alike = 0.05

// stepsAlike reports that they do not.
func (m *Model) stepsAlike() bool {
	g := &m.seen.grid
	return m.seen.measure == analysis.StepTime && g.Seen > 1 && g.High <= g.Low*(1+alike)
}
