package metricsscreen

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// Commands are what this screen does with an argument.
func (m *Model) Commands() []screen.Command {
	out := []screen.Command{{Name: "metric", About: "chart of a metric", Arg: "NAME", Values: m.names, Do: m.openNamed}}
	if m.chart != nil {
		out = append(out, screen.Command{Name: "group", About: "lines of the chart by", Arg: "BY", Values: m.chart.groupings, Do: m.groupBy})
	}
	return out
}

func (m *Model) names() []string {
	var out []string
	for i := range m.list.rows.list {
		out = append(out, m.list.rows.list[i].Metric.Name)
	}
	return out
}

// openNamed opens the chart of a metric: of the name, else of the only one that
// holds the text.
func (m *Model) openNamed(text string) tea.Cmd {
	var hits []string
	for _, name := range m.names() {
		if name == text {
			hits = []string{name}
			break
		}
		if strings.Contains(name, text) {
			hits = append(hits, name)
		}
	}
	switch len(hits) {
	case 0:
		return screen.Say("there is no metric " + text)
	case 1:
		m.list.table.Select(hits[0])
		return m.openMetric(hits[0])
	}
	return screen.Say("several metrics hold " + text + ": " + strings.Join(hits[:min(len(hits), 4)], ", "))
}

// groupBy groups by a fact or attribute; any attribute may be typed.
func (m *Model) groupBy(by string) tea.Cmd {
	if m.chart == nil || by == "" {
		return nil
	}
	m.chart.by = by
	return m.chart.ask(m.data)
}
