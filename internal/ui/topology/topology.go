// Package topologyscreen answers "which group": the ranks of a run as a grid along
// its parallel dimensions, a shade for the chosen measure, and the median of every
// line and stage.
package topologyscreen

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Model is the screen.
type Model struct {
	theme   theme.Theme
	keys    keyMap
	data    screen.Data
	size    size
	measure analysis.Measure // asked for
	role    string           // asked for; "" is the one with most ranks
	cell    unit             // what a cell is, asked for
	job     screen.Job[question, answer]
	seen    answer // the last answer
	board   board
	states  []counted // of its cells
	at      place     // the cell in focus
	window  window
	want    screen.Target // to go to once there is an answer
	worst   int           // how often the next largest was asked for
}

type size struct{ width, height int }

// New is the screen without data.
func New(t theme.Theme) *Model {
	return &Model{theme: t, keys: newKeys(), data: screen.Data{Snapshot: &store.Snapshot{}}}
}

// Title names the screen.
func (m *Model) Title() string { return "Topology" }

// Capturing is false: this screen takes no text.
func (m *Model) Capturing() bool { return false }

// SetSize gives the screen its cells.
func (m *Model) SetSize(width, height int) {
	if s := (size{max(0, width), max(0, height)}); s != m.size {
		m.size = s
		m.arrange()
	}
}

// SetData starts measuring.
func (m *Model) SetData(d screen.Data) tea.Cmd {
	same := m.data.Snapshot == d.Snapshot && m.data.Run == d.Run && m.data.Filter == d.Filter
	if m.data.Run != d.Run {
		m.role = ""
	}
	m.data = d
	if same {
		return nil
	}
	return m.ask()
}

// SetTarget puts the cursor on a process of the run, and shows a measure.
func (m *Model) SetTarget(t screen.Target) tea.Cmd {
	m.want = t
	m.goWanted()
	for _, x := range analysis.Measures() {
		if t.Measure == x.String() && x != m.measure {
			m.measure = x
			return m.ask()
		}
	}
	return nil
}

func (m *Model) ask() tea.Cmd {
	d, q := m.data, question{run: m.data.Run, measure: m.measure, role: m.role}
	if d.Filter != nil {
		q.filter = d.Filter.String()
	}
	return m.job.Start(q, func() answer { return measure(d, q) })
}

// Update takes keys, mouse and the answers of its own work.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, fresh, mine, next := m.job.Take(msg); mine {
		if fresh {
			m.seen = a
			m.arrange()
			m.goWanted()
		}
		return next
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case tea.MouseMsg:
		return m.mouse(msg)
	}
	return nil
}

// arrange lays the grid out for the size, and keeps the cursor on its place.
func (m *Model) arrange() {
	m.board = layOut(&m.seen, m.cell, m.size.width, m.room())
	m.states = m.count()
	m.at = m.at.within(m.seen.grid.Sizes)
	m.follow()
}

// View is the screen.
func (m *Model) View() string {
	if m.size.width == 0 || m.size.height == 0 {
		return ""
	}
	if len(m.seen.grid.Cells) == 0 {
		return draw.Message(m.empty(), m.size.width, m.size.height)
	}
	return draw.Block(m.lines(), m.size.width, m.size.height)
}
