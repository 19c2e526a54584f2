package spansscreen

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// CopyText is what one pastes elsewhere to find the row again: of a span its id,
// of a group its value, which mostly is a span name; without any run the lines for
// a job script.
func (m *Model) CopyText() string {
	if m.slow != nil {
		if p, ok := m.slow.focus(); ok {
			return p.ID.String()
		}
		return ""
	}
	if at, ok := m.focus(); ok {
		g := m.shown.list[at].group
		return branchText(g.By, g.Value, g.Known)
	}
	listeners := m.data.Snapshot.Receiver.Listeners
	if len(m.data.Snapshot.Runs) > 0 || len(listeners) == 0 {
		return ""
	}
	return strings.Join(screen.JobLines(), "\n") + "\n"
}

// copyAll copies the row in focus: of a span where it is and both ids, of a group
// all its figures with names.
func (m *Model) copyAll() tea.Cmd {
	if m.slow != nil {
		if p, ok := m.slow.focus(); ok {
			return screen.Copy(p.Name + "  rank " + rankText(p) + "  " + draw.Seconds(p.Duration) + "  trace " + p.TraceID.String() + "  span " + p.ID.String())
		}
	} else if at, ok := m.focus(); ok {
		return screen.Copy(m.rowText(at))
	}
	return screen.Say("nothing is selected here that could be copied")
}

func (m *Model) rowText(at int) string {
	parts := []string{pathText(m.shown.path(at))}
	for _, c := range columns(0)[1:] {
		if text := strings.TrimSpace(m.shown.Cell(at, c.ID).Text); text != "" {
			parts = append(parts, strings.TrimSpace(c.Title)+" "+text)
		}
	}
	return strings.Join(parts, "  ")
}
