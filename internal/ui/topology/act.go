package topologyscreen

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// move moves the cursor; at the ends it stays.
func (m *Model) move(lines, cols int) {
	b := &m.board
	if len(b.lines) == 0 {
		return
	}
	line, col := b.find(m.at)
	line = clamp(line+lines, 0, len(b.lines)-1)
	col = clamp(col+cols, 0, len(b.lines[line].cells)-1)
	m.at = b.place(line, col, m.at)
	m.follow()
}

// nextMeasure goes through the measures.
func (m *Model) nextMeasure(by int) tea.Cmd {
	all := analysis.Measures()
	at := slices.Index(all, m.measure)
	m.measure = all[(at+by+len(all))%len(all)]
	return m.ask()
}

// toggleUnit makes a cell a rank or a worker.
func (m *Model) toggleUnit() tea.Cmd {
	z := m.seen.grid.Sizes
	switch {
	case len(m.board.lines) == 0:
		return nil
	case z.TP*z.CP == 1:
		return screen.Say("tp and cp are 1: every worker is a rank")
	case m.board.unit == ranks:
		m.cell = workers
	default:
		m.cell = ranks
	}
	m.arrange()
	return nil
}

// nextRole goes through the roles that have ranks.
func (m *Model) nextRole() tea.Cmd {
	roles := m.seen.grid.Roles
	if len(roles) < 2 {
		return screen.Say("there is only one role that has ranks")
	}
	at := slices.Index(roles, m.seen.grid.Role)
	m.role = roles[(at+1)%len(roles)]
	return m.ask()
}

// nextWorst goes to the cell with the largest value, then to the next largest.
func (m *Model) nextWorst() {
	order := m.byValue()
	if len(order) == 0 {
		return
	}
	at := order[m.worst%len(order)]
	m.worst++
	if m.board.unit == ranks {
		m.at = placeOf(at, m.seen.grid.Sizes)
	} else {
		m.at = place{tp: m.at.tp, cp: m.at.cp, dp: at % m.seen.grid.Sizes.DP, pp: at / m.seen.grid.Sizes.DP}
	}
	m.follow()
}

// byValue is the cells that have a value, the largest first.
func (m *Model) byValue() []int {
	n := len(m.seen.workers)
	if m.board.unit == ranks {
		n = len(m.seen.grid.Cells)
	}
	order := make([]int, 0, n)
	for i := range n {
		if !math.IsNaN(m.value(i)) {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(m.value(b), m.value(a)) })
	return order
}

// value is what cell i shows, NaN when it has none or is filtered out.
func (m *Model) value(i int) float64 {
	if m.board.unit == workers {
		return m.seen.workers[i].Value
	}
	if c := &m.seen.grid.Cells[i]; c.Shown {
		return c.Value
	}
	return math.NaN()
}

// open shows a rank's last iteration, or the ranks of a worker.
func (m *Model) open() tea.Cmd {
	if len(m.board.lines) == 0 {
		return nil
	}
	if m.board.unit == workers {
		return screen.OpenNarrowed(screen.Ranks, screen.Target{Run: m.seen.in.ID}, m.groupFilter())
	}
	c := &m.seen.grid.Cells[m.at.rank(m.seen.grid.Sizes)]
	if c.Process < 0 {
		return screen.Say(rankWord(c) + " was never seen: there is no trace of it")
	}
	return screen.Open(screen.Trace, screen.Target{Run: m.seen.in.ID, Process: c.Process, HasProcess: true,
		Iteration: c.Iteration, HasIteration: c.HasIteration})
}

// groupFilter is the filter in force, narrowed to the worker in focus.
func (m *Model) groupFilter() string {
	text := "pp=" + strconv.Itoa(m.at.pp) + " and dp=" + strconv.Itoa(m.at.dp)
	if g := &m.seen.grid; len(g.Roles) > 1 && g.Role != "" {
		text += " and role=" + query.Quote(g.Role)
	}
	if f := m.data.Filter; f != nil && !f.Empty() {
		text = "(" + f.String() + ") and " + text
	}
	return text
}

// goWanted puts the cursor on the process that was asked for, once its grid is
// there.
func (m *Model) goWanted() {
	w := m.want
	if !w.HasProcess || m.seen.in == nil || w.Run != "" && w.Run != m.seen.in.ID {
		return
	}
	m.want = screen.Target{}
	for i := range m.seen.grid.Cells {
		if m.seen.grid.Cells[i].Process == w.Process {
			m.at = placeOf(i, m.seen.grid.Sizes)
			m.follow()
			return
		}
	}
}

// mouse moves the cursor; a click on the cell in focus is Enter.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if msg.Action != tea.MouseActionPress || len(m.board.lines) == 0 {
		return nil
	}
	m.worst = 0
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		m.move(-3, 0)
	case tea.MouseButtonWheelDown:
		m.move(3, 0)
	case tea.MouseButtonLeft:
		return m.click(msg.X, msg.Y)
	}
	return nil
}

func (m *Model) click(x, y int) tea.Cmd {
	line := m.window.top + y - m.parts().problems - headLines
	if y < m.parts().problems+headLines || line >= m.window.top+m.window.lines {
		return nil
	}
	for col := m.window.left; col < min(m.window.left+m.window.cols, len(m.board.lines[line].cells)); col++ {
		from := m.board.left() + m.board.x(col) - m.board.x(m.window.left)
		if x < from || x >= from+m.board.form.cell {
			continue
		}
		to := m.board.place(line, col, m.at)
		if to == m.at {
			return m.open()
		}
		m.at = to
		m.follow()
	}
	return nil
}
