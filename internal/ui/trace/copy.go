package tracescreen

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// CopyText is what one pastes elsewhere to find the row again: of a span its id,
// of a whole rank its name and place.
func (m *Model) CopyText() string {
	lane, i, ok := m.focus()
	if !ok {
		return ""
	}
	if i < 0 {
		return laneText(m.content.in.Processes[m.content.lanes[lane].process]) + "  " + spotText(m.content.lanes[lane].at)
	}
	return m.content.node(lane, i).ID().String()
}

// copyAll copies all that is known of the row, nothing left out.
func (m *Model) copyAll() tea.Cmd {
	text := draw.FactText(m.details(0))
	if text == "" {
		return screen.Say("nothing is selected here that could be copied")
	}
	return screen.Copy(text)
}
