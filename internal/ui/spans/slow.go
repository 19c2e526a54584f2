package spansscreen

import (
	"slices"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// mostSlow is how many of the slowest spans are listed.
const mostSlow = 100

// slow is the slowest spans of one group, and below them those that are in no
// statistic.
type slow struct {
	target
	table   *draw.Table
	counted uint64
	beside  uint64
	arrived bool // there was an answer
	rows    slowRows
}

// openSlow lists the slowest spans of the row in focus.
func (m *Model) openSlow() {
	to, ok := m.target()
	if !ok {
		return
	}
	m.slow = &slow{target: to, table: draw.NewTable(m.theme, slowColumns(to)...)}
	m.slow.table.SetSort(draw.Sort{Column: "duration", Desc: true})
	m.layOut()
}

// Back closes the innermost thing that is open.
func (m *Model) Back() bool {
	switch {
	case m.table.CloseChoice():
	case m.prompt != nil:
		m.prompt = nil
	case m.slow != nil:
		m.slow = nil
	default:
		return false
	}
	m.layOut()
	return true
}

// take shows an answer.
func (s *slow) take(t theme.Theme, found analysis.Picked) {
	s.counted, s.beside, s.arrived = found.Counted, found.Beside, true
	s.rows = slowRows{theme: t, width: func() int { return s.table.ColumnWidth("name") }, list: append(append([]analysis.PickedSpan(nil), found.Slowest...), found.Cut...)}
	s.table.SetRows(s.rows)
}

func (s *slow) focus() (*analysis.PickedSpan, bool) {
	at, ok := s.table.Cursor()
	if !ok || at >= len(s.rows.list) {
		return nil, false
	}
	return &s.rows.list[at], true
}

// open shows the trace at the span.
func (s *slow) open() tea.Cmd {
	p, ok := s.focus()
	if !ok {
		return nil
	}
	return screen.Open(screen.Trace, screen.Target{
		Run: p.Run.ID, Process: p.Process, HasProcess: true,
		Iteration: p.Iteration, HasIteration: p.HasIteration, TraceID: p.TraceID, SpanID: p.ID,
	})
}

// slowRows is the content of the list.
type slowRows struct {
	theme theme.Theme
	width func() int // of the column of names
	list  []analysis.PickedSpan
}

func (r slowRows) Len() int { return len(r.list) }

func (r slowRows) Key(i int) string {
	p := &r.list[i]
	return p.Run.ID + "\x00" + strconv.Itoa(p.Process) + "\x00" + string(p.TraceID[:]) + string(p.ID[:]) + strconv.FormatUint(p.Start, 16)
}

func (r slowRows) Cell(i int, column string) draw.Cell {
	p := &r.list[i]
	switch column {
	case "duration":
		if p.Marks.Has(run.NoDuration) {
			return draw.Cell{Text: "(" + draw.Seconds(p.Duration) + ")", Style: r.theme.Dim}
		}
		return draw.Cell{Text: draw.Seconds(p.Duration) + noMark}
	case "rank":
		return draw.Cell{Text: rankText(p), Style: r.theme.Accent}
	case "host":
		return draw.Cell{Text: p.Run.Processes[p.Process].ID.Host}
	case "iteration":
		if p.HasIteration {
			return draw.Cell{Text: draw.Name(p.Iteration)}
		}
		return draw.Cell{Text: draw.Missing, Style: r.theme.Dim}
	case "start":
		return draw.Cell{Text: startText(p)}
	case "name":
		return draw.Cell{Text: short(p.Name, r.width(), 0)}
	case "run":
		return draw.Cell{Text: p.Run.ID}
	}
	return draw.Cell{Text: marksText(p.Marks), Style: r.theme.Warn}
}

func rankText(p *analysis.PickedSpan) string {
	if n := p.Run.Processes[p.Process].ID.Rank; n != run.Unknown {
		return strconv.Itoa(n)
	}
	return draw.Missing
}

// startText is the sender's clock as it was sent, in UTC.
func startText(p *analysis.PickedSpan) string {
	if p.Marks.Has(run.ZeroStart | run.BadTime) {
		return draw.Missing
	}
	return time.Unix(0, int64(p.Start)).UTC().Format("01-02 15:04:05.000")
}

// marksText is what is unusual about a span, in words.
func marksText(k run.Mark) string {
	var out []string
	for _, m := range []struct {
		mark run.Mark
		word string
	}{
		{run.Failed, "error"}, {run.Truncated, "truncated"}, {run.Open, "open"},
		{run.EndsBefore, "ends before it starts"}, {run.ZeroStart, "no start"}, {run.BadTime, "impossible time"},
		{run.OddTruncate, "odd hint of truncation"}, {run.Versions, "2 versions"},
	} {
		if k.Has(m.mark) {
			out = append(out, m.word)
		}
	}
	return strings.Join(out, ", ")
}

// slowColumns leaves out what is the same for all: the run where there is only
// one, and whatever the group is of.
func slowColumns(of target) []draw.Column {
	all := []draw.Column{
		{ID: "duration", Title: "duration", Min: 9, Right: true},
		{ID: "rank", Title: "rank", Min: 6, Right: true, Priority: 1},
		{ID: "host", Title: "host", Min: 10, Max: 24, Priority: 6},
		{ID: "iteration", Title: "iter", Min: 7, Right: true, Priority: 2},
		{ID: "start", Title: "start (UTC)", Min: 18, Priority: 3},
		{ID: "name", Title: "span", Min: 22, Max: 50, Priority: 5, Last: true},
		{ID: "marks", Title: "marks", Min: 9, Max: 24, Priority: 4, Last: true},
		{ID: "run", Title: "run", Min: 12, Max: 24, Priority: 7, Last: true},
	}
	return slices.DeleteFunc(all, func(c draw.Column) bool {
		if c.ID == "run" && !slices.Contains(of.by, "run") {
			return true
		}
		return slices.ContainsFunc(of.path, func(b analysis.Branch) bool { return b.By == c.ID })
	})
}
