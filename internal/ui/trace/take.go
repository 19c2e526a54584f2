package tracescreen

import (
	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
)

// take shows an answer. Of the same place, the cursor stays on its span and the
// view on its time; of another, on the row and the part of time that correspond.
func (m *Model) take(c *content) {
	old, name := m.content, m.focusName()
	moved := !samePlace(old, c)
	if moved || old.filter != c.filter {
		m.note = ""
	}
	m.content, m.asking = c, c.question
	m.folds.adopt(c)
	m.slow = slowList{}
	m.time.follow(old, c, moved)
	m.layOut()
	if moved {
		m.nearest(name)
	}
	m.goWanted()
}

// samePlace reports whether two answers are of the same thing, one newer than the
// other: a step that was not finished before is the same thing.
func samePlace(a, b *content) bool {
	if a.in == nil || b.in == nil || a.in.ID != b.in.ID || a.process != b.process || a.trace != b.trace {
		return false
	}
	return a.peers == b.peers && (a.at == b.at || a.at == b.asked.at)
}

// focusName is the name of the span in focus, "" when there is none.
func (m *Model) focusName() string {
	row, ok := m.table.Cursor()
	if !ok {
		return ""
	}
	return m.rowName(row)
}

// focus is what the cursor is on: a lane and a node in it, −1 for the lane.
func (m *Model) focus() (lane, node int, ok bool) {
	row, ok := m.table.Cursor()
	if !ok {
		return 0, 0, false
	}
	at := m.rows.list[row]
	return int(at.lane), int(at.node), true
}

// node is a node of a lane.
func (c *content) node(lane, node int) *analysis.Node { return &c.lanes[lane].tree.Nodes[node] }

// nearestRows is how far from its row a span of the same name is looked for.
const nearestRows = 200

// nearest moves the cursor to the nearest row with a name: iterations and ranks
// look alike, but not row by row.
func (m *Model) nearest(name string) {
	row, ok := m.table.Cursor()
	if !ok || name == "" {
		return
	}
	for by := range nearestRows {
		for _, at := range []int{row - by, row + by} {
			if at >= 0 && at < len(m.rows.list) && m.rowName(at) == name {
				m.table.MoveTo(at)
				return
			}
		}
	}
}

func (m *Model) rowName(row int) string {
	at := m.rows.list[row]
	if at.node < 0 {
		return ""
	}
	return m.content.node(int(at.lane), int(at.node)).Name()
}

// goWanted puts the cursor on the span that was asked for.
func (m *Model) goWanted() {
	w := m.want
	if w.id.IsZero() {
		return
	}
	m.want = wanted{}
	for k := range m.content.lanes {
		nodes := m.content.lanes[k].tree.Nodes
		for i := range nodes {
			if nodes[i].ID() == w.id && (w.trace.IsZero() || nodes[i].TraceID() == w.trace) {
				m.goTo(k, i)
				return
			}
		}
	}
	m.note = "span " + w.id.String() + " is not among these: evicted, or of another iteration"
}

// goTo unfolds what hides a node and puts the cursor on it.
func (m *Model) goTo(lane, node int) {
	m.folds.reveal(m.content, lane, node)
	m.relist()
	if row, ok := m.rows.row(lane, node); ok {
		m.table.MoveTo(row)
	}
	m.intoView(lane, node)
}

// intoView pans the time so that a node's start or end can be seen.
func (m *Model) intoView(lane, node int) {
	s := m.rows.stretchOf(m.content.node(lane, node), lane)
	if !m.time.on || s.from < m.time.view.to && s.to > m.time.view.from {
		return
	}
	m.time.view = m.time.view.shift(s.from - m.time.view.from - m.time.view.long()/4).inside(m.extent())
	m.redraw()
}

// anyAttempt in a spot stands for the one that has the iteration.
const anyAttempt = run.Unknown
