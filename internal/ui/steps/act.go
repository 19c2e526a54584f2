package stepsscreen

import (
	"cmp"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// move moves the focus by so many lines and iterations; at the ends it stays. At
// the newest iteration it goes along with what comes.
func (m *Model) move(lines, cols int) {
	n := len(m.seen.points)
	if len(m.grid) == 0 {
		return
	}
	if lines != 0 {
		b := m.window.bucket
		last := (len(m.seen.rows) - 1) / b
		m.rank = clamp(m.rank/b+lines, 0, last) * b
	}
	if cols != 0 {
		i := clamp(m.seen.find(m.at)+cols, 0, n-1)
		m.at, m.newest = spotOf(&m.seen.points[i]), i == n-1
	}
	m.arrange()
}

func (m *Model) nextMeasure(by int) tea.Cmd {
	m.measure = measure((int(m.measure) + by + int(measureCount)) % int(measureCount))
	return m.ask()
}

// zoom goes to a line for each rank and back. The worst of the line in focus stays
// in focus.
func (m *Model) zoom() {
	if len(m.grid) == 0 {
		return
	}
	m.rank, _ = m.focus()
	m.zoomed = !m.zoomed
	m.arrange()
}

// nextWorst goes to the largest value in sight, then to the next largest.
func (m *Model) nextWorst() {
	type spot struct{ x, y int }
	var order []spot
	for y := range m.grid {
		for x := range m.grid[y] {
			if m.grid[y][x].state == measured {
				order = append(order, spot{x, y})
			}
		}
	}
	if len(order) == 0 {
		return
	}
	slices.SortStableFunc(order, func(a, b spot) int { return cmp.Compare(m.grid[b.y][b.x].value, m.grid[a.y][a.x].value) })
	to := order[m.worst%len(order)]
	m.worst++
	m.focusOn(to.y, to.x)
}

// focusOn puts the focus on a tile.
func (m *Model) focusOn(y, x int) {
	m.rank = m.grid[y][x].row
	i := m.window.left + x
	m.at, m.newest = spotOf(&m.seen.points[i]), i == len(m.seen.points)-1
	m.arrange()
}

// open shows the trace of the cell in focus.
func (m *Model) open() tea.Cmd {
	if len(m.grid) == 0 {
		return nil
	}
	k, i := m.focus()
	r := &m.seen.rows[k]
	_, process, ok := r.cell(m.seen.in.Columns[i])
	if !ok {
		return screen.Say(r.name() + " sent nothing of this iteration: there is no trace of it")
	}
	return screen.Open(screen.Trace, screen.Target{Run: m.seen.in.ID, Process: process, HasProcess: true,
		Iteration: m.seen.points[i].Iteration, HasIteration: true})
}

// goWanted puts the focus on what was asked for, once it is there.
func (m *Model) goWanted() {
	w := m.want
	if m.seen.in == nil || len(m.seen.rows) == 0 || w.Run != "" && w.Run != m.seen.in.ID {
		return
	}
	m.want = screen.Target{}
	if k := slices.IndexFunc(m.seen.rows, func(r row) bool { return slices.Contains(r.processes, w.Process) }); w.HasProcess && k >= 0 {
		m.rank = k
	}
	if w.HasIteration {
		for i := len(m.seen.points) - 1; i >= 0; i-- {
			if m.seen.points[i].Iteration == w.Iteration {
				m.at, m.newest = spotOf(&m.seen.points[i]), false
				break
			}
		}
	}
	m.arrange()
}

// rankKey is what the row in focus is known by, and place where it stands.
func (m *Model) rankKey() (key int) {
	if m.rank < len(m.seen.rows) {
		return m.seen.rows[m.rank].key()
	}
	return run.Unknown
}

func (m *Model) place(key int) int {
	if i := slices.IndexFunc(m.seen.rows, func(r row) bool { return r.key() == key }); i >= 0 {
		return i
	}
	return clamp(m.rank, 0, max(0, len(m.seen.rows)-1))
}

// mouse moves the focus; a click on the cell in focus is Enter.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if msg.Action != tea.MouseActionPress || len(m.grid) == 0 {
		return nil
	}
	m.worst = 0
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		m.move(-3, 0)
	case tea.MouseButtonWheelDown:
		m.move(3, 0)
	case tea.MouseButtonWheelLeft:
		m.move(0, -3)
	case tea.MouseButtonWheelRight:
		m.move(0, 3)
	case tea.MouseButtonLeft:
		return m.click(msg.X, msg.Y)
	}
	return nil
}

// linesAbove is the summary and the medians.
const linesAbove = 2

func (m *Model) click(x, y int) tea.Cmd {
	y -= linesAbove
	x -= m.room().label
	if y < 0 || y >= len(m.grid) || x < 0 || x/m.window.cell >= m.window.cols {
		return nil
	}
	line, i := m.window.top+y, m.window.left+x/m.window.cell
	if line == m.rank/m.window.bucket && i == m.seen.find(m.at) {
		return m.open()
	}
	m.focusOn(y, x/m.window.cell)
	return nil
}

// CopyText is the cell in focus in words.
func (m *Model) CopyText() string {
	if len(m.grid) == 0 {
		if l := m.data.Snapshot.Receiver.Listeners; len(m.data.Snapshot.Runs) == 0 && len(l) > 0 {
			return strings.Join(screen.JobLines(), "\n") + "\n"
		}
		return ""
	}
	return strings.Join(m.describe(), "  ")
}

// Export is the cells that were read, in figures.
func (m *Model) Export() screen.Export {
	if len(m.grid) == 0 {
		return screen.Export{}
	}
	return screen.Export{Ext: "csv", Text: m.exportText()}
}
