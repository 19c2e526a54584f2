// Package comparescreen answers "what changed": two runs, or two windows of one,
// phase by phase, with what else differs between them.
package comparescreen

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Model is the screen.
type Model struct {
	theme theme.Theme
	keys  keyMap
	data  screen.Data
	size  size
	pick  pick // what the user chose; the rest follows from marks and runs
	job   screen.Job[question, answer]
	kept  *kept // the job's
	seen  answer
	lines []line
	at    int // line in focus
	top   int // first line on screen below the head
}

type size struct{ width, height int }

// New is the screen without data.
func New(t theme.Theme) *Model {
	return &Model{theme: t, keys: newKeys(), data: screen.Data{Snapshot: &store.Snapshot{}}, kept: &kept{}}
}

// Title names the screen.
func (m *Model) Title() string { return "Compare" }

// Capturing is false: this screen takes no text.
func (m *Model) Capturing() bool { return false }

// SetSize gives the screen its cells.
func (m *Model) SetSize(width, height int) {
	if s := (size{max(0, width), max(0, height)}); s != m.size {
		m.size = s
		m.compose()
	}
}

// SetData starts comparing.
func (m *Model) SetData(d screen.Data) tea.Cmd {
	same := m.data.Snapshot == d.Snapshot && m.data.Run == d.Run && m.data.Filter == d.Filter && m.data.Marks == d.Marks
	if m.data.Marks != d.Marks { // marking says what is to be compared
		m.pick = pick{}
	}
	m.data = d
	if same {
		return nil
	}
	return m.ask()
}

func (m *Model) ask() tea.Cmd {
	d, q, kept := m.data, m.question(), m.kept
	return m.job.Start(q, func() answer { return kept.compare(d, q) })
}

// Update takes keys, mouse and the answers of its own work.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, fresh, mine, next := m.job.Take(msg); mine {
		if fresh {
			m.seen = a
			m.compose()
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

// compose writes the page anew.
func (m *Model) compose() {
	m.lines = nil
	if m.seen.found {
		m.lines = newPage(m.theme, m.size, &m.seen).all()
	}
	m.hold()
}

// View is the screen.
func (m *Model) View() string {
	if m.size.width == 0 || m.size.height == 0 {
		return ""
	}
	if !m.seen.found {
		return draw.Message(m.empty(), m.size.width, m.size.height)
	}
	out := make([]string, 0, m.size.height)
	for i := m.top; i < len(m.lines) && len(out) < m.size.height; i++ {
		l := draw.NewLine(m.size.width)
		if i == m.at {
			l.Add(m.theme.Selected, m.theme.Glyphs.Cursor)
		}
		l.To(gutter).Drawn(m.lines[i].drawn, max(0, m.size.width-gutter))
		out = append(out, l.String())
	}
	return draw.Block(out, m.size.width, m.size.height)
}

func (m *Model) empty() []string {
	if len(m.data.Snapshot.Runs) == 0 {
		return screen.Teach(m.data)
	}
	if m.seen.why != "" {
		return []string{m.seen.why, "", "Two runs are compared when they are marked: " + m.data.Key(screen.Runs, "m") + " on Runs (" + m.data.Key("", "1") + ").",
			"Without marks, the first and the second half of the run in focus."}
	}
	return []string{"Comparing."}
}

// Release lets go of the spans of the last snapshot, and of what the job keeps.
func (m *Model) Release() {
	m.data.Snapshot = m.data.Snapshot.WithoutSpans()
	m.kept = &kept{}
}
