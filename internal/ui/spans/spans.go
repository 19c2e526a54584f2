// Package spansscreen answers "which operation": the durations of spans by name,
// put together by run, rank, stage or any attribute, each group with statistics of
// its own. Truncated and invalid spans stand beside the figures, never inside.
package spansscreen

import (
	"context"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Model is the screen.
type Model struct {
	theme  theme.Theme
	keys   keyMap
	data   screen.Data
	size   size
	by     []string // how spans are to be grouped, outermost first
	asker  screen.Resting[question, answer]
	seen   answer // the last answer
	folds  folds
	shown  rows
	table  *draw.Table
	pane   pane    // histogram of the row in focus
	slow   *slow   // the slowest spans of a row, nil while closed
	prompt *prompt // asks for a grouping, nil while closed
	jumped bool    // the row in focus was gone to by how slow it is
}

type size struct{ width, height int }

// New is the screen without data.
func New(t theme.Theme) *Model {
	return &Model{theme: t, keys: newKeys(), table: draw.NewTable(t, columns(0)...),
		data: screen.Data{Snapshot: &store.Snapshot{}}}
}

// Title names the screen.
func (m *Model) Title() string { return "Spans" }

// Capturing is true while a grouping is typed or a column to sort by is chosen.
func (m *Model) Capturing() bool { return m.prompt != nil || m.table.Choosing() }

// SetSize gives the screen its cells.
func (m *Model) SetSize(width, height int) {
	s := size{max(0, width), max(0, height)}
	if s == m.size {
		return
	}
	if s.width != m.size.width {
		m.table.SetColumns(columns(s.width)...)
	}
	m.size = s
	m.layOut()
}

// layOut gives the tables what the lines around them leave.
func (m *Model) layOut() {
	l := m.layout()
	m.table.SetSize(m.size.width, l.table)
	if m.slow != nil {
		m.slow.table.SetSize(m.size.width, l.table)
	}
}

// SetData starts measuring.
func (m *Model) SetData(d screen.Data) tea.Cmd {
	same := m.data.Snapshot == d.Snapshot && m.data.Run == d.Run && m.data.Filter == d.Filter
	m.data = d
	if same {
		return m.look() // the size may have changed
	}
	return tea.Batch(m.measure(), m.look())
}

// measure asks for the statistics.
func (m *Model) measure() tea.Cmd {
	d, q, by := m.data, m.question(), slices.Clone(m.by)
	return m.asker.Start(q, func(ctx context.Context) answer { return measure(ctx, d, q, by) })
}

// Update takes keys, mouse and the answers of its own work.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, fresh, mine, next := m.asker.Take(msg); mine {
		if fresh && a.err == nil {
			m.take(a)
		}
		return tea.Batch(next, m.look())
	}
	if next, mine := m.looked(msg); mine {
		return next
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return tea.Batch(m.key(msg), m.look())
	case tea.MouseMsg:
		return tea.Batch(m.mouse(msg), m.look())
	}
	return nil
}

// take shows an answer.
func (m *Model) take(a answer) {
	if a.question != m.seen.question {
		m.folds = foldsFor(a.table)
	}
	m.seen = a
	m.arrange()
}

// arrange makes rows of the groups: sorted, folded.
func (m *Model) arrange() {
	m.shown = m.build()
	m.table.SetRows(&m.shown)
	m.layOut()
}
