// Package tracescreen answers "why": the spans of one iteration of one rank, of
// several ranks beside each other, or of one trace, as a waterfall that can be
// folded, zoomed and searched, with all that is known of the span in focus.
package tracescreen

import (
	"sync/atomic"

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
	job     screen.Job[question, *content]
	asking  question                  // what is to be shown; the last answer may still be of another
	latest  *atomic.Pointer[question] // asking, for work that begins late
	content *content                  // the last answer, nil before the first
	want    wanted                    // a span to go to as soon as it is there
	folds   folding
	table   *draw.Table
	rows    rows // what the table shows
	time    timeView
	finder  finder
	slow    slowList
	detail  detail
	origin  *question // from where a trace was opened with t
	note    string    // answer to the last key
	size    size
}

type size struct{ width, height int }

// wanted is a span to put the cursor on; no ids mean none.
type wanted struct {
	trace run.TraceID // zero: of any trace
	id    run.SpanID
}

// New is the screen without data.
func New(t theme.Theme) *Model {
	m := &Model{
		theme: t, keys: newKeys(), folds: newFolding(), table: draw.NewTable(t), latest: &atomic.Pointer[question]{},
		data: screen.Data{Snapshot: &store.Snapshot{}}, content: &content{snapshot: &store.Snapshot{}},
	}
	m.asking = question{process: run.Unknown}
	m.rows.content = m.content
	return m
}

// Title names the screen.
func (m *Model) Title() string { return "Trace" }

// Capturing is true while text to find is typed.
func (m *Model) Capturing() bool { return m.finder.typing }

// SetSize gives the screen its cells.
func (m *Model) SetSize(width, height int) {
	if s := (size{max(0, width), max(0, height)}); s != m.size {
		m.size = s
		m.layOut()
	}
}

// SetData starts assembling.
func (m *Model) SetData(d screen.Data) tea.Cmd {
	same := m.data.Snapshot == d.Snapshot && m.data.Run == d.Run && m.data.Filter == d.Filter
	m.data = d
	if same {
		return nil
	}
	if d.Run != m.asking.run {
		m.asking = question{run: d.Run, process: run.Unknown, peers: m.asking.peers}
		m.origin, m.want = nil, wanted{}
	}
	m.asking.filter = d.Filter.String()
	return m.ask()
}

// ask starts the answer to what is asked for, on the newest data.
func (m *Model) ask() tea.Cmd {
	d, q, before, latest := m.data, m.asking, m.content, m.latest
	latest.Store(&q)
	return m.job.Start(q, func() *content {
		if *latest.Load() != q { // overtaken before it began: nobody waits for it
			return nil
		}
		return build(d, q, before)
	})
}

// SetTarget goes to an iteration of a process, or to a trace, and to a span in
// it.
func (m *Model) SetTarget(t screen.Target) tea.Cmd {
	q := m.asking
	m.note = ""
	if t.Run != "" && m.data.Snapshot.Run(t.Run) == nil {
		m.note = "run " + t.Run + " is not here"
		return nil
	}
	if t.Run != "" && t.Run != q.run {
		q = question{run: t.Run, process: run.Unknown, filter: q.filter}
	}
	if t.HasProcess && t.Process >= 0 {
		q.process, q.at, q.trace = t.Process, spot{}, run.TraceID{}
	}
	switch {
	case t.HasIteration:
		q.at, q.trace = spot{kind: atStep, attempt: anyAttempt, iteration: t.Iteration}, run.TraceID{}
	case !t.TraceID.IsZero():
		q.trace = t.TraceID
	}
	if t.Lanes {
		q.peers = matching
	}
	m.origin = nil
	m.want = wanted{t.TraceID, t.SpanID}
	m.asking = q
	return m.ask()
}

// Update takes keys, mouse and the answers of its own work.
func (m *Model) Update(msg tea.Msg) tea.Cmd {
	if c, fresh, mine, next := m.job.Take(msg); mine {
		switch {
		case fresh && c != nil && c.asked == m.asking:
			m.take(c)
		case fresh && next == nil: // it was decided otherwise since
			return m.ask()
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
	m.table.HandleKey(k)
	return nil
}

// Back closes the innermost thing that is open: the details, what is found, a
// trace that was opened from an iteration.
func (m *Model) Back() bool {
	switch {
	case m.detail.open:
		m.detail.close()
		m.layOut()
	case m.finder.text != "":
		m.finder = finder{}
		m.redraw()
	default:
		return false
	}
	return true
}
