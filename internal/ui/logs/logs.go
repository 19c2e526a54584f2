// Package logsscreen answers "what it said": the log records of the run in focus
// in order of arrival, narrowed by severity and filter, searched, followed while
// they arrive, each with all that was sent and a way to its trace and back.
package logsscreen

import (
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
	theme   theme.Theme
	keys    keyMap
	data    screen.Data
	records records // of the run in focus
	least   level   // records below are left out
	job     screen.Job[question, answer]
	scan    *scanner // the job's own
	seen    answer   // the last answer
	table   *draw.Table
	follow  follow
	finder  finder
	detail  detail
	note    string // answer to the last key
	size    size
}

type size struct{ width, height int }

// New is the screen without data.
func New(t theme.Theme) *Model {
	return &Model{theme: t, keys: newKeys(), table: draw.NewTable(t, columns(0, 0)...), scan: &scanner{},
		follow: follow{on: true}, data: screen.Data{Snapshot: &store.Snapshot{}}}
}

// Title names the screen.
func (m *Model) Title() string { return "Logs" }

// Capturing is true while text to find is typed.
func (m *Model) Capturing() bool { return m.finder.typing }

// SetSize gives the screen its cells.
func (m *Model) SetSize(width, height int) {
	s := size{max(0, width), max(0, height)}
	if s == m.size {
		return
	}
	m.size = s
	m.layOut()
}

// SetData looks at what has arrived.
func (m *Model) SetData(d screen.Data) tea.Cmd {
	same := m.data.Snapshot == d.Snapshot && m.data.Run == d.Run && m.data.Filter == d.Filter
	if m.data.Run != d.Run {
		m.follow, m.seen = follow{on: true}, answer{}
	}
	m.data = d
	if same {
		return nil
	}
	m.records = recordsOf(d.Snapshot.Run(d.Run))
	m.show()
	return m.ask()
}

// Update takes keys, mouse and the answers of its own work.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if a, fresh, mine, next := m.job.Take(msg); mine {
		if fresh {
			m.seen = a
			m.show()
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

func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	m.note = ""
	if m.finder.typing {
		m.findKey(k)
		return nil
	}
	if m.detail.focus && m.detail.pane.HandleKey(k, m.keys.table) {
		return nil
	}
	for _, a := range m.actions() {
		if key.Matches(k, a.on) {
			return a.do()
		}
	}
	if m.table.HandleKey(k) {
		m.moved()
	}
	return nil
}

// show puts what was found into the table: the newest one in focus while it is
// followed, else the one that was.
func (m *Model) show() {
	m.table.SetRows(&rows{theme: m.theme, records: &m.records, list: m.seen.shown, dates: m.dates()})
	if m.follow.on {
		m.table.MoveTo(len(m.seen.shown) - 1)
	}
}

// focus is the record under the cursor; ok is false when there is none, or when
// it was evicted since.
func (m *Model) focus() (rec *run.Log, ok bool) {
	at, ok := m.table.Cursor()
	if !ok || at >= len(m.seen.shown) {
		return nil, false
	}
	rec = m.records.at(m.seen.shown[at])
	return rec, rec != nil
}

// Back closes the innermost thing that is open: the details, what is found.
func (m *Model) Back() bool {
	switch {
	case m.detail.open:
		m.detail = detail{}
		m.layOut()
	case m.finder.text != "":
		m.finder = finder{}
		m.table.SetSearch("")
	default:
		return false
	}
	return true
}

// Release lets go of the records of the last snapshot. The cursor stays: it holds
// a record's number.
func (m *Model) Release() {
	m.data.Snapshot = m.data.Snapshot.WithoutSpans()
	m.records.run, m.records.chunks = nil, nil
	m.detail.of = ""
}
