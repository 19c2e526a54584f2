// Package metricsscreen answers "the numbers": the metrics of the run in focus
// with their roll-ups, and each as a chart over time, by rank, group or attribute,
// of one run or of several, with what is missing, not finite or began again marked
// and counted.
package metricsscreen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Model is the screen: a list, and over it the chart of one metric.
type Model struct {
	theme  theme.Theme
	keys   keyMap
	data   screen.Data
	list   list
	finder finder
	chart  *chart // nil while the list is shown
	last   *chart // the chart that was closed last: opening its metric again shows it as it was
	note   string // answer to the last key
	size   size
}

type size struct{ width, height int }

// New is the screen without data.
func New(t theme.Theme) *Model {
	return &Model{theme: t, keys: newKeys(), list: newList(t), data: screen.Data{Snapshot: &store.Snapshot{}}}
}

// Title names the screen.
func (m *Model) Title() string { return "Metrics" }

// Capturing is true while text to find is typed or a column to sort by chosen.
func (m *Model) Capturing() bool { return m.finder.typing || m.table().Choosing() }

// table is the table that keys go to.
func (m *Model) table() *draw.Table {
	if m.chart != nil {
		return m.chart.table
	}
	return m.list.table
}

// SetSize gives the screen its cells.
func (m *Model) SetSize(width, height int) {
	s := size{max(0, width), max(0, height)}
	if s == m.size {
		return
	}
	m.size = s
	m.layOut()
}

func (m *Model) layOut() {
	m.list.resize(m.size)
	if m.chart != nil {
		m.chart.resize(m.size)
	}
}

// SetData looks at what has arrived.
func (m *Model) SetData(d screen.Data) tea.Cmd {
	same := m.data.Snapshot == d.Snapshot && m.data.Run == d.Run && m.data.Filter == d.Filter && m.data.Marks == d.Marks
	if m.data.Run != d.Run {
		m.list.answer = listAnswer{}
	}
	m.data = d
	if same {
		return nil
	}
	return m.ask()
}

// ask starts the answer to what is shown.
func (m *Model) ask() tea.Cmd {
	if m.chart != nil {
		return tea.Batch(m.list.ask(m.data), m.chart.ask(m.data))
	}
	return m.list.ask(m.data)
}

// Update takes keys, mouse and the answers of its own work.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if next, mine := m.list.update(msg); mine {
		return next
	}
	for _, c := range []*chart{m.chart, m.last} {
		if c == nil {
			continue
		}
		if next, mine := c.update(msg); mine {
			c.resize(m.size)
			return next
		}
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	}
	return nil
}

func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	m.note = ""
	switch {
	case m.finder.typing:
		m.findKey(k)
		return nil
	case m.table().Choosing():
		if m.table().ChooseKey(k) {
			m.arrange()
		}
		return nil
	}
	for _, a := range m.actions() {
		if key.Matches(k, a.on) {
			return a.do()
		}
	}
	m.table().HandleKey(k)
	return nil
}

// arrange sorts the rows that are shown anew.
func (m *Model) arrange() {
	if m.chart != nil {
		m.chart.arrange()
		return
	}
	m.list.arrange()
}

// open shows the chart of the metric in focus.
func (m *Model) open() tea.Cmd {
	row, ok := m.list.focus()
	if !ok {
		return nil
	}
	return m.openMetric(row.Metric.Name)
}

func (m *Model) openMetric(name string) tea.Cmd {
	m.chart = m.last
	if m.chart == nil || m.chart.name != name || m.chart.run != m.data.Run {
		m.chart = newChart(m.theme, m.data.Run, name)
		m.chart.keys = m.data.Keys
	}
	m.last = nil
	m.layOut()
	return m.chart.ask(m.data)
}

// Back closes the innermost thing that is open.
func (m *Model) Back() bool {
	switch {
	case m.table().CloseChoice():
	case m.chart != nil:
		m.list.table.Select(m.chart.name)
		m.chart, m.last = nil, m.chart
	case m.finder.text != "":
		m.finder = finder{}
		m.list.table.SetSearch("")
	default:
		return false
	}
	return true
}

// Release lets go of the spans of the last snapshot, and of the points of a chart
// that is closed.
func (m *Model) Release() {
	m.data.Snapshot = m.data.Snapshot.WithoutSpans()
	if m.last != nil {
		m.last = m.last.settings()
	}
}
