package tracescreen

import (
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// goToSpot asks for another place in the life of the same process.
func (m *Model) goToSpot(at spot) tea.Cmd {
	m.asking.at, m.asking.trace, m.origin = at, run.TraceID{}, nil
	return m.ask()
}

// step goes to the iteration before or after, or to what lies between two.
func (m *Model) step(by int) tea.Cmd {
	c := m.content
	if c.in == nil || len(c.lanes) == 0 {
		return nil
	}
	if !c.trace.IsZero() {
		m.note = "this is a whole trace: " + m.data.Key(screen.Trace, "t") + " goes to the iteration of the span"
		return nil
	}
	at, ok := move(c.in, c.process, c.steps, m.asking.at, by)
	if !ok || at.kind == tail && !m.data.Snapshot.Live && !m.unfinished() {
		m.note = "nothing before this"
		if by > 0 {
			m.note = "this is the newest"
		}
		return nil
	}
	return m.goToSpot(at)
}

func (m *Model) firstStep() tea.Cmd {
	if len(m.content.steps) == 0 {
		m.note = "no step is finished yet"
		return nil
	}
	return m.goToSpot(stepAt(m.content.steps[0]))
}

func (m *Model) lastStep() tea.Cmd {
	if m.content.in == nil {
		return nil
	}
	return m.goToSpot(spot{})
}

// otherRank goes to the next or the previous rank that the filter lets through.
func (m *Model) otherRank(by int) tea.Cmd {
	c := m.content
	if c.in == nil {
		return nil
	}
	list := ranked(c.in, m.data.Filter.Bind(c.in))
	i := slices.Index(list, m.asking.process)
	switch {
	case len(list) == 0:
		m.note = "no rank matches the filter"
		return nil
	case i < 0 && by < 0:
		i = len(list)
	case i+by < 0 || i+by >= len(list):
		m.note = "this is the first rank"
		if by > 0 {
			m.note = "this is the last rank"
		}
		return nil
	}
	m.asking.process, m.asking.trace, m.origin = list[i+by], run.TraceID{}, nil
	if m.asking.at.kind != newest {
		m.asking.at = alongside(c.in, list[i+by], m.asking.at).at
		m.asking.at.attempt = anyAttempt
	}
	return m.ask()
}

// nextPeers goes through the ways in which ranks stand beside each other, those
// with more than one rank.
func (m *Model) nextPeers() tea.Cmd {
	c := m.content
	if c.in == nil || c.process < 0 {
		return nil
	}
	if !c.trace.IsZero() {
		m.note = "this is a whole trace, with all its ranks"
		return nil
	}
	among := ranked(c.in, m.data.Filter.Bind(c.in))
	for by := peers(1); by <= peersCount; by++ {
		next := (m.asking.peers + by) % peersCount
		if next == alone || len(beside(c.in, c.process, next, among)) > 1 {
			if next == m.asking.peers {
				break
			}
			m.asking.peers = next
			return m.ask()
		}
	}
	m.note = "no other rank to show beside this one"
	return nil
}

// toggleTrace shows the whole trace of the span in focus, or of a trace the
// iteration that the span belongs to.
func (m *Model) toggleTrace() tea.Cmd {
	lane, i, ok := m.focus()
	if !ok || i < 0 {
		return nil
	}
	n := m.content.node(lane, i)
	m.want = wanted{n.TraceID(), n.ID()}
	if m.asking.trace.IsZero() {
		from := m.asking
		m.origin = &from
		m.asking.trace = n.TraceID()
		return m.ask()
	}
	if back := m.origin; back != nil {
		m.asking, m.origin = *back, nil
		m.asking.filter = m.data.Filter.String()
		return m.ask()
	}
	return m.toIteration(lane, i)
}

func (m *Model) toIteration(lane, i int) tea.Cmd {
	n := m.content.node(lane, i)
	if n.Run != m.content.in.Index {
		m.note = "this span is of another run: " + m.data.Key("", "1") + " goes there"
		return nil
	}
	w, ok := m.content.in.IterationAt(n.Process, n.Start)
	if !ok {
		m.note = "this span is in no step of " + processName(m.rows.process(n)) + " that is known"
		return nil
	}
	m.asking.process = n.Process
	return m.goToSpot(stepAt(w))
}

// fold folds the row in focus; one that is folded or has nothing inside leads to
// its parent.
func (m *Model) fold() {
	lane, i, ok := m.focus()
	if !ok {
		return
	}
	if m.foldable(lane, i) && !m.folds.folded(lane, i) {
		m.setFold(lane, i, true)
		return
	}
	if i < 0 {
		return
	}
	if parent, ok := m.rows.exact(rowAt{int32(lane), int32(m.content.node(lane, i).Parent)}); ok {
		m.table.MoveTo(parent)
	}
}

func (m *Model) foldable(lane, i int) bool {
	if i < 0 {
		return len(m.content.lanes[lane].tree.Nodes) > 0
	}
	return m.content.node(lane, i).Children > 0
}

func (m *Model) setFold(lane, i int, shut bool) {
	m.folds.set(m.content, lane, i, shut)
	m.relist()
}

// unfold unfolds the row in focus; one that is unfolded leads to what is inside.
func (m *Model) unfold() {
	lane, i, ok := m.focus()
	switch {
	case !ok || !m.foldable(lane, i):
	case m.folds.folded(lane, i):
		m.setFold(lane, i, false)
	default:
		m.table.Move(1)
	}
}

func (m *Model) toggle() {
	if lane, i, ok := m.focus(); ok && m.foldable(lane, i) {
		m.setFold(lane, i, !m.folds.folded(lane, i))
	}
}

func (m *Model) foldAll() {
	shut := m.folds.anyOpen(m.content)
	m.folds.all(m.content, shut)
	m.relist()
	if shut {
		m.note = "folded; " + draw.Plural(len(m.rows.list), "row") + ", " + m.data.Key(screen.Trace, "O") + " unfolds"
	}
}
