// Package stepsscreen answers "when": a heat map of ranks and iterations, shaded by
// how much longer a rank computed than its like, or by a class of its step's time.
package stepsscreen

import (
	tea "github.com/charmbracelet/bubbletea"

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
	measure measure // asked for
	job     screen.Job[question, answer]
	reader  *reader // the job's
	seen    answer
	rank    int  // row in focus, by its place among the ranks
	at      spot // iteration in focus
	newest  bool // the focus follows the newest iteration
	zoomed  bool // a line a rank, also where they do not all fit
	window  window
	grid    [][]tile // of the lines and columns on screen
	want    screen.Target
	worst   int // how often the next worst was asked for
}

type size struct{ width, height int }

// New is the screen without data.
func New(t theme.Theme) *Model {
	return &Model{theme: t, keys: newKeys(), data: screen.Data{Snapshot: &store.Snapshot{}}, reader: newReader(), newest: true}
}

// Title names the screen.
func (m *Model) Title() string { return "Steps" }

// Capturing is false: this screen takes no text.
func (m *Model) Capturing() bool { return false }

// SetSize gives the screen its cells.
func (m *Model) SetSize(width, height int) {
	if s := (size{max(0, width), max(0, height)}); s != m.size {
		m.size = s
		m.arrange()
	}
}

// SetData starts reading a snapshot.
func (m *Model) SetData(d screen.Data) tea.Cmd {
	same := m.data.Snapshot == d.Snapshot && m.data.Run == d.Run && m.data.Filter == d.Filter
	if m.data.Run != d.Run {
		m.rank, m.newest, m.zoomed = 0, true, false
	}
	m.data = d
	if same && m.covered() {
		return nil
	}
	return m.ask()
}

// SetTarget puts the focus on a process and an iteration.
func (m *Model) SetTarget(t screen.Target) tea.Cmd {
	m.want = t
	m.goWanted()
	return m.askMore()
}

func (m *Model) ask() tea.Cmd {
	d, q := m.data, question{run: m.data.Run, measure: m.measure}
	if d.Filter != nil {
		q.filter = d.Filter.String()
	}
	r, end, cols := m.reader, m.end(), m.room().cols
	return m.job.Start(q, func() answer { return r.read(d, q, end, cols) })
}

// askMore asks for the columns on screen where they were not read.
func (m *Model) askMore() tea.Cmd {
	if m.covered() {
		return nil
	}
	return m.ask()
}

// Update takes keys, mouse and the answers of its own work.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, fresh, mine, next := m.job.Take(msg); mine {
		if fresh {
			m.take(a)
		}
		return tea.Batch(next, m.after(fresh))
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return tea.Batch(m.key(msg), m.askMore())
	case tea.MouseMsg:
		return tea.Batch(m.mouse(msg), m.askMore())
	}
	return nil
}

// after asks for what an answer lacks because the window moved meanwhile.
func (m *Model) after(fresh bool) tea.Cmd {
	if !fresh || m.seen.in == nil {
		return nil
	}
	return m.askMore()
}

// take shows an answer: the focus stays on its rank and iteration.
func (m *Model) take(a answer) {
	key := m.rankKey()
	m.seen = a
	m.rank = m.place(key)
	m.goWanted()
	m.arrange()
}

// View is the screen.
func (m *Model) View() string {
	if m.size.width == 0 || m.size.height == 0 {
		return ""
	}
	if len(m.seen.rows) == 0 || len(m.seen.points) == 0 {
		return draw.Message(m.empty(), m.size.width, m.size.height)
	}
	return draw.Block(m.lines(), m.size.width, m.size.height)
}

func (m *Model) empty() []string {
	switch {
	case len(m.data.Snapshot.Runs) == 0:
		return screen.Teach(m.data)
	case m.seen.in == nil:
		return []string{"Reading the iterations of this run."}
	case len(m.seen.points) == 0:
		return []string{"No iteration was finished yet: a column for each appears here, newest right."}
	case m.seen.filter != "":
		return []string{"The filter lets no rank through. " + m.data.Cleared()}
	}
	return []string{"No rank of this run has finished an iteration."}
}

// Release lets go of the spans of the last snapshot, and of what the job keeps.
func (m *Model) Release() {
	m.data.Snapshot = m.data.Snapshot.WithoutSpans()
	if m.seen.in != nil {
		m.seen.in = m.seen.in.WithoutSpans()
	}
	m.reader = newReader()
}
