// Package overviewscreen answers "how is this run": the verdict with what it rests
// on and what to look at next, how the steps went, where their time goes, what the
// training itself reports, and what else a person should know.
package overviewscreen

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
	job   screen.Job[question, answer]
	kept  *kept // what the job keeps of earlier answers
	seen  answer
	lines []line
	at    string // what the line in focus is about: it stays when lines come and go
	top   int    // first line on screen
	away  bool   // one scrolled away from the line in focus
	many  int    // processes from which a run is large
}

type size struct{ width, height int }

// New is the screen without data.
func New(t theme.Theme) *Model {
	return &Model{theme: t, keys: newKeys(), data: screen.Data{Snapshot: &store.Snapshot{}}, kept: &kept{}, many: manyProcesses}
}

// Title names the screen.
func (m *Model) Title() string { return "Overview" }

// Capturing is false: this screen takes no text.
func (m *Model) Capturing() bool { return false }

// SetSize gives the screen its cells.
func (m *Model) SetSize(width, height int) {
	if s := (size{max(0, width), max(0, height)}); s != m.size {
		m.size = s
		m.compose()
	}
}

// SetData starts looking at a snapshot.
func (m *Model) SetData(d screen.Data) tea.Cmd {
	same := m.data.Snapshot == d.Snapshot && m.data.Run == d.Run && m.data.Filter == d.Filter
	if m.data.Run != d.Run {
		m.at, m.top, m.away = "", 0, false
	}
	m.data = d
	if same {
		return nil
	}
	q := question{run: d.Run}
	if d.Filter != nil {
		q.filter = d.Filter.String()
	}
	return m.ask(q, m.seen.pending && m.seen.question == q)
}

// ask asks for the whole answer, or of a large run for what is known at once.
func (m *Model) ask(q question, whole bool) tea.Cmd {
	d, kept := m.data, m.kept
	if r := d.Snapshot.Run(q.run); r != nil && len(r.Processes) < m.many {
		whole = true
	}
	return m.job.Start(q, func() answer { return kept.look(d, q, whole) })
}

// Update takes keys, mouse and the answers of its own work.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, fresh, mine, next := m.job.Take(msg); mine {
		if fresh {
			if !a.pending || m.seen.question != a.question || !m.seen.found { // what was seen of it before is better than a part
				m.seen = a
				m.compose()
			}
			if a.pending && next == nil {
				return m.ask(a.question, true)
			}
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

// compose writes the page anew and keeps the line in focus.
func (m *Model) compose() {
	m.lines = nil
	if m.seen.found {
		m.lines = newPage(m.theme, m.size, &m.seen, m.data.Keys).all()
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
	focus := m.focus()
	out := make([]string, 0, m.size.height)
	for i := m.top; i < len(m.lines) && len(out) < m.size.height; i++ {
		l := draw.NewLine(m.size.width)
		if i == focus {
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
	return []string{"Looking at this run."}
}

// Release lets go of the spans of the last snapshot, and of what the job keeps.
func (m *Model) Release() {
	m.data.Snapshot = m.data.Snapshot.WithoutSpans()
	m.kept = &kept{}
}
