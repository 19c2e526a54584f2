package spansscreen

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// mouse gives the table what happens on it. A click on a folding mark folds.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if m.prompt != nil || m.table.Choosing() {
		return nil
	}
	msg.Y--
	if m.slow != nil {
		if m.slow.table.HandleMouse(msg) == draw.MouseOpened {
			return m.slow.open()
		}
		return nil
	}
	if m.foldClick(msg) {
		return nil
	}
	switch m.table.HandleMouse(msg) {
	case draw.MouseSorted:
		m.table.Resort(m.arrange)
	case draw.MouseOpened:
		m.openSlow()
	}
	return nil
}

func (m *Model) foldClick(msg tea.MouseMsg) bool {
	hit := m.table.Hit(msg.X, msg.Y)
	if msg.Action != tea.MouseActionPress || msg.Button != tea.MouseButtonLeft || hit.Row < 0 || !m.shown.IsGroup(hit.Row) {
		return false
	}
	if mark := 2 + 2*m.shown.list[hit.Row].depth; msg.X < mark || msg.X > mark+1 {
		return false
	}
	m.table.MoveTo(hit.Row)
	m.toggle()
	return true
}
