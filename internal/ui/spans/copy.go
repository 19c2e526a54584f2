package spansscreen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// CopyText is the row in focus: of a span its ids, of a group all its figures
// with names, and without any run the lines for a job script.
func (m *Model) CopyText() string {
	if m.slow != nil {
		if p, ok := m.slow.focus(); ok {
			return p.Name + "  " + draw.Seconds(p.Duration) + "  trace " + p.TraceID.String() + "  span " + p.ID.String()
		}
		return ""
	}
	if at, ok := m.focus(); ok {
		return m.rowText(at)
	}
	listeners := m.data.Snapshot.Receiver.Listeners
	if len(m.data.Snapshot.Runs) > 0 || len(listeners) == 0 {
		return ""
	}
	return strings.Join(screen.JobLines(listeners), "\n") + "\n"
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
