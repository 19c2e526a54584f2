package tracescreen

import (
	"slices"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// timeView is which part of the time is shown, and what the ranks' times count
// from.
type timeView struct {
	on    bool // only a part is shown
	view  stretch
	align alignment
}

type alignment uint8

const (
	byItself alignment = iota // by clock, unless the clocks are too far apart
	byClock
	byStart
)

// aligned reports whether each rank counts from its own start.
func (t timeView) aligned(c *content) bool {
	if len(c.lanes) < 2 {
		return false
	}
	return t.align == byStart || t.align == byItself && c.apart() > c.longest()/2
}

// apart is how far apart the starts of the lanes are, in nanoseconds.
func (c *content) apart() float64 {
	from, to := uint64(0), uint64(0)
	for i := range c.lanes {
		l := &c.lanes[i]
		if !l.there {
			continue
		}
		if to == 0 {
			from, to = l.window.Start, l.window.Start
		}
		from, to = min(from, l.window.Start), max(to, l.window.Start)
	}
	return float64(to - from)
}

// longest is the length of the longest lane in nanoseconds.
func (c *content) longest() float64 {
	most := uint64(0)
	for i := range c.lanes {
		if l := &c.lanes[i]; l.there {
			most = max(most, l.window.End-l.window.Start)
		}
	}
	return float64(most)
}

// origins is the time of 0 by lane.
func (c *content) origins(aligned bool) []uint64 {
	out := make([]uint64, len(c.lanes))
	first := c.first()
	for i := range out {
		out[i] = first
		if aligned && c.lanes[i].there {
			out[i] = c.lanes[i].window.Start
		}
	}
	return out
}

// first is the earliest start of a lane.
func (c *content) first() uint64 {
	var starts []uint64
	for i := range c.lanes {
		if c.lanes[i].there {
			starts = append(starts, c.lanes[i].window.Start)
		}
	}
	if len(starts) == 0 {
		return 0
	}
	return slices.Min(starts)
}

// extent is all the time there is to show.
func (m *Model) extent() stretch {
	c := m.content
	if m.time.aligned(c) {
		return stretch{0, max(c.longest(), 1)}
	}
	end := uint64(0)
	for i := range c.lanes {
		if c.lanes[i].there {
			end = max(end, c.lanes[i].window.End)
		}
	}
	return stretch{0, max(float64(int64(end-c.first())), c.longest(), 1)}
}

// follow keeps the view on its time when new content counts from another one.
func (t *timeView) follow(old, c *content, moved bool) {
	if t.on && !moved && !t.aligned(c) {
		t.view = t.view.shift(float64(int64(old.first() - c.first())))
	}
}

func (m *Model) shownTime() stretch {
	if m.time.on {
		return m.time.view
	}
	return m.extent()
}

// zoomBy makes the time shown shorter or longer by a factor, around the span in
// focus.
func (m *Model) zoomBy(factor float64) {
	all, view := m.extent(), m.shownTime()
	around := view.mid()
	if lane, i, ok := m.focus(); ok && i >= 0 {
		s := m.rows.stretchOf(m.content.node(lane, i), lane)
		if seen := (stretch{max(s.from, view.from), min(s.to, view.to)}); seen.from <= seen.to {
			around = seen.mid()
		}
	}
	m.zoomTo(view.zoomed(factor, around).inside(all))
}

func (m *Model) zoomTo(s stretch) {
	m.time.on, m.time.view = s.long() < m.extent().long(), s
	m.redraw()
}

// zoomToSpan shows the time of the span in focus, and the whole when it is shown
// already.
func (m *Model) zoomToSpan() {
	lane, i, ok := m.focus()
	if !ok || i < 0 {
		return
	}
	s := m.rows.stretchOf(m.content.node(lane, i), lane)
	margin := max(s.long()/20, minZoom/2)
	s = stretch{s.from - margin, s.to + margin}.inside(m.extent())
	if m.time.on && m.time.view == s {
		m.zoomOff()
		return
	}
	m.zoomTo(s)
}

func (m *Model) zoomOff() {
	m.time.on = false
	m.redraw()
}

// pan moves the view by a share of itself.
func (m *Model) pan(by float64) {
	if !m.time.on {
		m.note = "all the time is shown: " + m.data.Key(screen.Trace, "+") + " zooms in"
		return
	}
	m.time.view = m.time.view.shift(by * m.time.view.long()).inside(m.extent())
	m.redraw()
}

func (m *Model) toggleAlign() {
	if len(m.content.lanes) < 2 {
		m.note = "one rank only: " + m.data.Key(screen.Trace, "v") + " shows others beside it"
		return
	}
	shut := m.time.aligned(m.content)
	m.time.align = byStart
	if shut {
		m.time.align = byClock
	}
	m.time.on = false
	m.redraw()
	m.note = m.clockText()
}
