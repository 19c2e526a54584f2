package topologyscreen

import (
	"math"
	"strings"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// state is what a cell has instead of a value.
type state uint8

const (
	measured  state = iota
	neverSeen       // nothing was received from its ranks
	noValue         // seen, but without a clean step or this measure
	filtered        // the filter lets none of its ranks through
)

// stateOf is the state of cell i.
func (m *Model) stateOf(i int) state {
	if m.board.unit == workers {
		w := &m.seen.workers[i]
		switch {
		case w.Seen == 0:
			return neverSeen
		case w.Shown == 0:
			return filtered
		case math.IsNaN(w.Value):
			return noValue
		}
		return measured
	}
	c := &m.seen.grid.Cells[i]
	switch {
	case c.Process < 0:
		return neverSeen
	case !c.Shown:
		return filtered
	case math.IsNaN(c.Value):
		return noValue
	}
	return measured
}

// mark is the glyph of a state, none of which is a shade.
func (m *Model) mark(s state) (string, theme.Style) {
	switch s {
	case neverSeen:
		return m.theme.Glyphs.No, m.theme.Warn
	case noValue:
		return "?", m.theme.Dim
	}
	return " ", m.theme.Dim
}

// drawCell draws cell i in exactly form.cell cells.
func (m *Model) drawCell(l *draw.Line, i int, focus bool) {
	f := &m.board.form
	s := m.stateOf(i)
	if s != measured {
		glyph, style := m.mark(s)
		if focus && s == filtered && m.theme.Selected.IsPlain() {
			glyph = "_"
		}
		m.drawIn(l, style, draw.PadRight(glyph, f.cell), focus)
		return
	}
	v := m.value(i)
	level, _ := m.seen.scale.level(v)
	shade := m.theme.Shade(level)
	switch {
	case f.valued:
		m.drawIn(l, shade.Style, shade.Glyph+" "+draw.PadLeft(m.seen.scale.number(v), f.cell-shadeCells), focus)
	case f.cell == 1 && !focus:
		l.Drawn(shade.Cell, 1)
	default:
		m.drawIn(l, shade.Style, strings.Repeat(shade.Glyph, f.cell), focus)
	}
}

func (m *Model) drawIn(l *draw.Line, style theme.Style, text string, focus bool) {
	if focus && !m.theme.Selected.IsPlain() {
		style = m.theme.Selected
	}
	l.Add(style, text)
}

// shade is a value in a few cells, as the grid shows it.
func (m *Model) shade(l *draw.Line, v float64, width int) {
	level, ok := m.seen.scale.level(v)
	if !ok {
		l.Space(width)
		return
	}
	s := m.theme.Shade(level)
	l.Add(s.Style, strings.Repeat(s.Glyph, width))
}
