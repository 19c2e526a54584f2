// Package runsscreen answers "which runs are there, and which needs me": a row a
// run. It also says how a run is at a glance, for the header.
package runsscreen

import (
	"math"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
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
	job    screen.Job[string, summary] // the question is the filter's text
	runs   []analysis.RunRow
	states verdicts
	kept   *Kept // the job's
	table  *draw.Table
	detail draw.Detail // the resources of the run in focus
	ask    screen.Job[asked, comparison]
	found  comparison
	follow bool // the cursor is to go where the focus went
	chosen bool // the cursor was put where it is
	width  int
	height int
}

// New is the screen without data.
func New(t theme.Theme) *Model {
	m := &Model{theme: t, keys: newKeys(), kept: &Kept{}, table: draw.NewTable(t, columns()...),
		data: screen.Data{Snapshot: &store.Snapshot{}}}
	m.table.SetSort(draw.Sort{Column: "heard"})
	return m
}

// Title names the screen.
func (m *Model) Title() string { return "Runs" }

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

// SetSize gives the screen its cells: one line for what is shown, then the table.
func (m *Model) SetSize(width, height int) {
	m.width, m.height = width, height
	m.layOut()
}

func (m *Model) layOut() { m.table.SetSize(m.detail.Resize(m.width, m.height-1)) }

// SetData starts summing up.
func (m *Model) SetData(d screen.Data) tea.Cmd {
	same := m.data.Snapshot == d.Snapshot && m.data.Filter == d.Filter
	moved := m.data.Run != d.Run || m.data.Marks != d.Marks
	if d.Run != m.data.Run && !m.chosen && m.data.Run != "" && m.table.Key() == m.data.Run {
		m.follow = true
	}
	m.data = d
	m.detail.Scroll, m.detail.Shut = d.Key(screen.Runs, "tab"), d.Key("", "esc")
	if moved {
		m.arrange()
	}
	if same {
		return nil
	}
	return tea.Batch(m.compare(), m.job.Start(d.Filter.String(), func() summary { return summarize(d, m.kept) }))
}

// Update takes keys, mouse and the answers of its own work.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if runs, fresh, mine, next := m.job.Take(msg); mine {
		if fresh {
			m.runs, m.states = runs.runs, runs.verdicts
			m.arrange()
		}
		return next
	}
	if found, fresh, mine, next := m.ask.Take(msg); mine {
		if fresh {
			m.found = found
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
	m.put(m.table.HandleKey(k))
	return m.compare()
}

// put remembers that the cursor was moved: then it stays.
func (m *Model) put(moved bool) {
	m.chosen = m.chosen || moved
	m.follow = m.follow && !moved
}

func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	msg.Y--
	if m.table.Choosing() || m.detail.HandleMouse(msg) {
		return nil
	}
	before := m.table.Key()
	event := m.table.HandleMouse(msg)
	m.put(m.table.Key() != before)
	switch event {
	case draw.MouseSorted:
		m.table.Resort(m.arrange)
	case draw.MouseOpened:
		return m.open()
	}
	return m.compare()
}

// open puts the run into focus and shows its ranks.
func (m *Model) open() tea.Cmd {
	if m.table.Key() == "" {
		return nil
	}
	return screen.Open(screen.Ranks, screen.Target{Run: m.table.Key()})
}

// arrange sorts and shows what was summed up.
func (m *Model) arrange() {
	sort := m.table.Sort()
	sortRuns(m.runs, sort.Column, sort.Desc)
	defer func() { m.follow = m.follow && !m.table.Select(m.data.Run) }()
	m.table.SetRows(rows{theme: m.theme, focus: m.data.Run, marks: m.data.Marks, unit: unitOf(m.runs), runs: m.runs, verdicts: m.states})
}

func unitOf(runs []analysis.RunRow) draw.Unit {
	longest := 0.0
	for i := range runs {
		if v := runs[i].StepP50; !math.IsNaN(v) {
			longest = math.Max(longest, v)
		}
	}
	return draw.UnitFor(longest * 1e9)
}

// CopyText is the id of the run under the cursor, and without any run the lines
// for a job script.
func (m *Model) CopyText() string {
	listeners := m.data.Snapshot.Receiver.Listeners
	if len(m.data.Snapshot.Runs) > 0 || len(listeners) == 0 {
		return m.table.Key()
	}
	return strings.Join(screen.JobLines(), "\n") + "\n"
}

// View is how many runs there are, then the table.
func (m *Model) View() string {
	if len(m.runs) == 0 {
		return draw.Message(m.empty(), m.width, m.height)
	}
	l := draw.NewLine(m.width).Space(2).Add(m.theme.Strong, draw.Plural(len(m.runs), "run"))
	if n := len(m.data.Snapshot.Runs) - len(m.runs); n > 0 {
		l.AddIf(m.theme.Dim, "  "+draw.Count(n)+" more do not match the filter")
	}
	if n := len(m.data.Marks.Runs()); n > 0 {
		l.AddIf(m.theme.Accent, "  "+draw.Count(n)+" marked for comparison")
	}
	l.AddIf(m.theme.Dim, "  "+strings.TrimSpace(m.theme.Glyphs.Live+" the one the other screens show"))
	head := l.Right(m.theme.Dim, m.table.Position()).String()
	m.tell()
	return draw.Under([]string{head}, m.detail.Join(m.theme, m.table.View(), "resources"), m.width, m.height)
}

func (m *Model) empty() []string {
	if len(m.data.Snapshot.Runs) > 0 {
		return []string{"No run matches the filter:", "", "  " + m.data.Filter.String(), "", m.data.Cleared()}
	}
	return screen.Teach(m.data)
}
