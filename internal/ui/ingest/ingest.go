// Package ingestscreen answers "is what I see complete": what was received and
// what became of it, per signal and per sender, with the accounting identity
// checked at every look, the memory, the listeners and what they refused.
package ingestscreen

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Model is the screen.
type Model struct {
	theme  theme.Theme
	keys   keyMap
	snap   *store.Snapshot
	width  int
	height int
	pane   pane
	tables [paneCount]*draw.Table
	job    screen.Job[struct{}, []run.Notice]
	said   []run.Notice // what there is to say, gravest first
	checks *checks      // the job's
	view   string
	stale  bool
}

// pane is one of the lists in the lower part.
type pane uint8

const (
	senders pane = iota
	refused
	notices
	paneCount
)

// New is the screen without data.
func New(t theme.Theme) *Model {
	m := &Model{theme: t, keys: newKeys(), snap: &store.Snapshot{}, checks: new(checks), stale: true}
	m.tables[senders] = draw.NewTable(t, senderColumns()...)
	m.tables[refused] = draw.NewTable(t, refusedColumns()...)
	m.tables[notices] = draw.NewTable(t, noticeColumns()...)
	return m
}

// Title names the screen.
func (m *Model) Title() string { return "Ingest" }

// Capturing is false: this screen takes no text.
func (m *Model) Capturing() bool { return false }

// SetSize gives the screen its cells.
func (m *Model) SetSize(width, height int) {
	if width == m.width && height == m.height {
		return
	}
	m.width, m.height = width, height
	m.arrange()
}

// SetData takes a snapshot. Filter and run make no difference here: what is
// complete is a question about the whole instance.
func (m *Model) SetData(d screen.Data) tea.Cmd {
	m.snap = d.Snapshot
	m.tables[senders].SetRows(senderRowsOf(m.theme, m.snap))
	m.tables[refused].SetRows(refusedRows{m.snap})
	m.tables[notices].SetRows(noticeRows{m.theme, m.snap.Now, m.said})
	m.arrange()
	s, checks := m.snap, m.checks
	return m.job.Start(struct{}{}, func() []run.Notice { return allNotices(s, checks) })
}

// Update takes keys and mouse.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	m.stale = true
	if said, _, mine, next := m.job.Take(msg); mine {
		m.said = said
		m.tables[notices].SetRows(noticeRows{m.theme, m.snap.Now, m.said})
		return next
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		switch {
		case key.Matches(msg, m.keys.next):
			m.pane = (m.pane + 1) % paneCount
		case key.Matches(msg, m.keys.prev):
			m.pane = (m.pane + paneCount - 1) % paneCount
		default:
			m.table().HandleKey(msg)
		}
	case tea.MouseMsg:
		m.mouse(msg)
	}
	return nil
}

func (m *Model) table() *draw.Table { return m.tables[m.pane] }

func (m *Model) mouse(msg tea.MouseMsg) {
	strip := len(m.head())
	if msg.Y == strip && msg.Action == tea.MouseActionPress && msg.Button == tea.MouseButtonLeft {
		m.pane = m.paneAt(msg.X)
		return
	}
	msg.Y -= strip + 1
	if msg.Y >= 0 || msg.Button != tea.MouseButtonLeft {
		m.table().HandleMouse(msg)
	}
}

// CopyText is the line in focus.
func (m *Model) CopyText() string {
	row, ok := m.table().Cursor()
	if !ok {
		return ""
	}
	return m.rowText(row)
}

// arrange gives the lists what the fixed lines above leave.
func (m *Model) arrange() {
	m.stale = true
	for p, t := range m.tables {
		t.SetSize(m.width, max(0, m.height-len(m.head())-1-m.detailHeight(pane(p))))
	}
}

// detailHeight is how many lines show the text of the row in focus in full: a
// table has one line for it, a sentence that says what to do needs more.
func (m *Model) detailHeight(p pane) int {
	if p == senders || m.height < tall {
		return 0
	}
	return 4
}

// View is the fixed lines, the strip of panes and the pane in focus.
func (m *Model) View() string {
	if m.stale {
		m.view, m.stale = m.draw(), false
	}
	return m.view
}

func (m *Model) draw() string {
	lines := append(m.head(), m.strip())
	if n := m.height - len(lines); n > 0 {
		lines = append(lines, strings.Split(m.body(n), "\n")...)
	}
	return draw.Block(lines, m.width, m.height)
}

func (m *Model) body(height int) string {
	if row, ok := m.table().Cursor(); ok {
		return draw.Block(append(strings.Split(m.table().View(), "\n"), m.detail(row)...), m.width, height)
	}
	return draw.Message([]string{"  " + nothing(m.pane)}, m.width, height)
}

// detail is the text of a row in full, below a line.
func (m *Model) detail(row int) []string {
	n := m.detailHeight(m.pane)
	if n == 0 {
		return nil
	}
	lines := []string{draw.NewLine(m.width).Add(m.theme.Dim, strings.Repeat(m.theme.Glyphs.Rule, m.width)).String()}
	return append(lines, strings.Split(draw.Message([]string{"  " + m.rowText(row)}, m.width, n-1), "\n")...)
}

func nothing(p pane) string {
	return [...]string{"no sender yet", "nothing was refused", "nothing to say"}[p]
}
