package tracescreen

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// mouse: the wheel scrolls what is under it, with Ctrl it zooms; a click goes to
// a row, on its fold mark it folds, a second one opens the details.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if msg.Action != tea.MouseActionPress || m.finder.typing {
		return nil
	}
	m.note = ""
	p := divide(m.size, m.detail.open)
	if m.onPane(p, msg) {
		m.paneMouse(msg)
		return nil
	}
	msg.Y -= p.titles
	switch {
	case msg.Y < 0 || msg.Y >= p.table.height:
	case msg.Ctrl && msg.Button == tea.MouseButtonWheelUp:
		m.zoomBy(0.5)
	case msg.Ctrl && msg.Button == tea.MouseButtonWheelDown:
		m.zoomBy(2)
	case msg.Button == tea.MouseButtonWheelLeft:
		m.pan(-0.25)
	case msg.Button == tea.MouseButtonWheelRight:
		m.pan(0.25)
	default:
		m.tableMouse(msg)
	}
	return nil
}

func (m *Model) onPane(p parts, msg tea.MouseMsg) bool {
	if !m.detail.open {
		return false
	}
	if p.side {
		return msg.X > p.table.width
	}
	return msg.Y >= p.titles+p.table.height
}

func (m *Model) paneMouse(msg tea.MouseMsg) {
	m.detail.pane.HandleMouse(msg)
	if msg.Button == tea.MouseButtonLeft {
		m.detail.focus = true
	}
}

func (m *Model) tableMouse(msg tea.MouseMsg) {
	hit := m.table.Hit(msg.X, msg.Y)
	onMark := msg.Button == tea.MouseButtonLeft && hit.Row >= 0 && m.onFoldMark(hit.Row, msg.X)
	event := m.table.HandleMouse(msg)
	switch {
	case onMark:
		m.toggle()
	case event == draw.MouseOpened:
		m.openRow()
	case msg.Button == tea.MouseButtonLeft:
		m.detail.focus = false
	}
}

// openRow opens the details of a span, and folds or unfolds a lane.
func (m *Model) openRow() {
	if _, i, ok := m.focus(); ok && i < 0 {
		m.toggle()
		return
	}
	m.toggleDetails()
}

// onFoldMark reports whether a column is that of the row's fold mark.
func (m *Model) onFoldMark(row, x int) bool {
	at := m.rows.list[row]
	if at.node < 0 {
		return x == gutter
	}
	depth := m.content.node(int(at.lane), int(at.node)).Depth
	if len(m.content.lanes) > 1 {
		depth++
	}
	return x == gutter+draw.Width(indent(depth, m.rows.widths.span)) && m.foldable(int(at.lane), int(at.node))
}
