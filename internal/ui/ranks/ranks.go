// Package ranksscreen answers "which rank": a row for every process of the run in
// focus, sorted and grouped as one likes, with the statistics of each group.
package ranksscreen

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
	theme   theme.Theme
	keys    keyMap
	data    screen.Data
	job     screen.Job[question, measured]
	kept    *kept    // the job's
	seen    measured // the last answer
	table   *draw.Table
	shown   rows            // what the table shows
	hidden  int             // processes of earlier attempts left out
	by      int             // index in groupings
	shut    map[string]bool // groups that are folded
	earlier bool            // show attempts that were replaced
	marked  map[string]bool // ranks, by key
	detail  draw.Detail     // the resource of the row in focus
	width   int
	height  int
}

// question is what the ranks depend on besides the snapshot's version.
type question struct {
	run, filter string
	all         bool // of every run
}

// New is the screen without data.
func New(t theme.Theme) *Model {
	m := &Model{theme: t, keys: newKeys(), table: draw.NewTable(t, columns()...), shut: map[string]bool{}, marked: map[string]bool{}, kept: &kept{},
		data: screen.Data{Snapshot: &store.Snapshot{}}}
	m.table.SetSort(draw.Sort{Column: "rank"})
	return m
}

// Title names the screen.
func (m *Model) Title() string { return "Ranks" }

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

// SetData starts measuring.
func (m *Model) SetData(d screen.Data) tea.Cmd {
	same := m.data.Snapshot == d.Snapshot && m.data.Run == d.Run && m.data.Filter == d.Filter
	m.data = d
	m.detail.Scroll, m.detail.Shut = d.Key(screen.Ranks, "tab"), d.Key("", "esc")
	if same {
		return nil
	}
	return m.measure()
}

func (m *Model) measure() tea.Cmd {
	d, all, k := m.data, m.grouping() == "run", m.kept
	return m.job.Start(question{d.Run, d.Filter.String(), all}, func() measured { return measure(d, all, k) })
}

func (m *Model) grouping() string { return groupings()[m.by] }

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
	m.table.HandleKey(k)
	return nil
}

// group goes to the next grouping. By run means of every run, so it measures.
func (m *Model) group() tea.Cmd {
	before := m.grouping()
	m.by, m.shut = (m.by+1)%len(groupings()), map[string]bool{}
	m.arrange()
	if (before == "run") != (m.grouping() == "run") {
		return m.measure()
	}
	return nil
}

func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	msg.Y--
	if m.table.Choosing() || m.detail.HandleMouse(msg) {
		return nil
	}
	switch m.table.HandleMouse(msg) {
	case draw.MouseSorted:
		m.table.Resort(m.arrange)
	case draw.MouseOpened:
		return m.open()
	}
	return nil
}

// focus is the row under the cursor; ok is false when there is none.
func (m *Model) focus() (row, bool) {
	i, ok := m.table.Cursor()
	if !ok {
		return row{}, false
	}
	return m.shown.list[i], true
}

// open shows a rank's last iteration, and folds or unfolds a group.
func (m *Model) open() tea.Cmd {
	at, ok := m.focus()
	if !ok {
		return nil
	}
	if g := at.group; g != nil {
		m.shut[g.Value] = !m.shut[g.Value]
		m.arrange()
		return nil
	}
	k := at.rank
	return screen.Open(screen.Trace, screen.Target{
		Run: k.run.ID, Process: k.Process, HasProcess: true,
		Iteration: k.Iteration, HasIteration: k.HasIteration,
	})
}

// CopyText is the row in focus, with names, and without any run the lines for a
// job script.
func (m *Model) CopyText() string {
	if at, ok := m.focus(); ok {
		return m.shown.text(at)
	}
	listeners := m.data.Snapshot.Receiver.Listeners
	if len(m.data.Snapshot.Runs) > 0 || len(listeners) == 0 {
		return ""
	}
	return strings.Join(screen.JobLines(), "\n") + "\n"
}
