// Package cardinalityscreen answers "what will hurt": the attributes of metrics
// that have too many values or never stop getting new ones, and the other
// conventions that the telemetry of a run breaks, each with what to do about it.
package cardinalityscreen

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
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
	job    screen.Job[question, answer]
	seen   answer // the last one
	shown  rows   // what the table shows
	table  *draw.Table
	detail draw.Detail
	all    bool // keys that have few values, too
	width  int
	height int
}

// New is the screen without data.
func New(t theme.Theme) *Model {
	m := &Model{theme: t, keys: newKeys(), table: draw.NewTable(t, columns()...), data: screen.Data{Snapshot: &store.Snapshot{}}}
	m.table.SetSort(draw.Sort{Column: "level", Desc: true})
	return m
}

// Title names the screen.
func (m *Model) Title() string { return "Cardinality" }

// Capturing is true while a column to sort by is chosen.
func (m *Model) Capturing() bool { return m.table.Choosing() }

// Back closes the innermost thing that is open.
func (m *Model) Back() bool {
	if m.table.CloseChoice() {
		return true
	}
	was := m.detail.Close()
	m.layOut()
	return was
}

// Release lets go of the spans of the last snapshot.
func (m *Model) Release() { m.data.Snapshot = m.data.Snapshot.WithoutSpans() }

// SetSize gives the screen its cells: a line of what was looked at, the table with
// its details, a line of legend.
func (m *Model) SetSize(width, height int) {
	m.width, m.height = max(0, width), max(0, height)
	m.layOut()
}

// Around the table: the summary, and the legend where there is room.
const legendFrom = 8

func (m *Model) body() int {
	if m.height < legendFrom {
		return m.height - 1
	}
	return m.height - 2
}

func (m *Model) layOut() { m.table.SetSize(m.detail.Resize(m.width, m.body())) }

// SetData starts looking.
func (m *Model) SetData(d screen.Data) tea.Cmd {
	same := m.data.Snapshot == d.Snapshot && m.data.Run == d.Run
	m.data = d
	m.detail.Scroll, m.detail.Shut = d.Key(screen.Cardinality, "tab"), d.Key("", "esc")
	if same {
		return nil
	}
	return m.job.Start(question{d.Run}, func() answer { return look(d) })
}

// Update takes keys, mouse and the answers of its own work.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if seen, fresh, mine, next := m.job.Take(msg); mine {
		if fresh {
			m.seen = seen
			m.arrange()
		}
		return next
	}
	switch msg := msg.(type) {
	case tea.KeyMsg:
		return m.key(msg)
	case tea.MouseMsg:
		m.mouse(msg)
	}
	return nil
}

func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	if m.table.Choosing() {
		if m.table.ChooseKey(k) {
			m.table.Resort(m.arrange)
		}
		return nil
	}
	m.tell()
	if m.detail.HandleKey(k, m.keys.table) {
		return nil
	}
	for _, a := range m.actions() {
		if key.Matches(k, a.on) {
			return a.do()
		}
	}
	m.table.HandleKey(k)
	return nil
}

func (m *Model) mouse(msg tea.MouseMsg) {
	msg.Y--
	if m.table.Choosing() || m.detail.HandleMouse(msg) {
		return
	}
	switch m.table.HandleMouse(msg) {
	case draw.MouseSorted:
		m.table.Resort(m.arrange)
	case draw.MouseOpened:
		m.toggle()
	}
}

func (m *Model) toggle() {
	if len(m.shown.list) > 0 {
		m.detail.Toggle()
		m.layOut()
	}
}

// arrange sorts and shows what was found.
func (m *Model) arrange() {
	m.shown = newRows(m.theme, &m.seen, m.all, m.table.Sort(), m.table.ColumnWidth)
	first := m.table.Key() == ""
	m.table.SetRows(m.shown)
	if first {
		m.table.MoveTo(1) // the first one below its heading
	}
}

func (m *Model) tell() {
	m.detail.Show(m.theme, m.table.Key()+"\x00\x00"+m.seen.stamp(m.table.Key()), m.facts)
}

// CopyText is the row in focus as one sentence, and without any run the lines for
// a job script.
func (m *Model) CopyText() string {
	if at, ok := m.focus(); ok && !at.group {
		return at.text()
	}
	listeners := m.data.Snapshot.Receiver.Listeners
	if len(m.data.Snapshot.Runs) > 0 || len(listeners) == 0 {
		return ""
	}
	return strings.Join(screen.JobLines(), "\n") + "\n"
}

// focus is the row under the cursor; ok is false when there is none.
func (m *Model) focus() (row, bool) {
	i, ok := m.table.Cursor()
	if !ok || i >= len(m.shown.list) {
		return row{}, false
	}
	return m.shown.list[i], true
}
