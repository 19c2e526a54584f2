package tracescreen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// CopyText is, with the details in focus (Tab), all of them as text, nothing left
// out; else one line that names the span: where it is, how long it took, trace
// and span id.
func (m *Model) CopyText() string {
	lane, i, ok := m.focus()
	if !ok {
		return ""
	}
	if m.detail.focus {
		return m.allDetails()
	}
	if i < 0 {
		return laneText(m.content.in.Processes[m.content.lanes[lane].process]) + "  " + spotText(m.content.lanes[lane].at)
	}
	n := m.content.node(lane, i)
	parts := []string{n.Name(), processName(m.rows.process(n))}
	if m.content.trace.IsZero() {
		parts = append(parts, spotText(m.content.lanes[lane].at))
	}
	if ns, ok := n.Duration(); ok {
		parts = append(parts, draw.Duration(float64(ns)))
	}
	parts = append(parts, "trace "+n.TraceID().String(), "span "+n.ID().String())
	return strings.Join(parts, "  ")
}

func (m *Model) allDetails() string {
	var b strings.Builder
	for _, e := range m.details(0) {
		if e.name != "" {
			b.WriteString("  " + e.name + "  ")
		}
		b.WriteString(e.text + "\n")
	}
	return b.String()
}
