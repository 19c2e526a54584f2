package logsscreen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// gutter is the cells left of everything.
const gutter = 2

// parts is where things are: a line of what is shown, the table, the details
// beside or below it, and a line about the record in focus.
type parts struct {
	head   int
	table  size
	pane   size // of the details; zero when closed
	side   bool // details beside the table, else below it
	bottom bool
}

const (
	bottomFrom = 6   // lines from which the last one is there
	totalsFrom = 16  // lines from which the whole run has one
	sideFrom   = 120 // columns from which details stand beside the table
	bothFrom   = 12  // lines of body that both table and details get a part of
)

func (m *Model) parts() parts {
	p := parts{head: min(1, m.size.height), bottom: m.size.height >= bottomFrom}
	if m.size.height >= totalsFrom {
		p.head = 2
	}
	body := m.size.height - p.head
	if p.bottom {
		body--
	}
	p.table = size{m.size.width, max(0, body)}
	switch {
	case !m.detail.open:
	case p.table.width >= sideFrom:
		p.side = true
		p.pane = size{p.table.width * 2 / 5, max(0, body)}
		p.table.width -= p.pane.width + 1
	case body >= bothFrom:
		p.pane = size{p.table.width, body * 11 / 20}
		p.table.height = body - p.pane.height
	default: // one at a time
		p.pane = size{p.table.width, max(0, body)}
		p.table.height = 0
	}
	return p
}

func (m *Model) tableWidth() int { return m.parts().table.width }

// layOut gives everything its place after a change of size.
func (m *Model) layOut() {
	p := m.parts()
	m.table.SetColumns(columns(p.table.width, len(m.dates())+1)...)
	m.table.SetSize(p.table.width, p.table.height)
	m.detail.pane.SetSize(p.pane.width, max(0, p.pane.height-1))
	m.show()
}

// View is the screen.
func (m *Model) View() string {
	if m.size.width == 0 || m.size.height == 0 {
		return ""
	}
	if len(m.seen.shown) == 0 && m.seen.least == unset && !m.finder.typing {
		return draw.Message(m.empty(), m.size.width, m.size.height)
	}
	p := m.parts()
	lines := append(make([]string, 0, m.size.height), m.summary())
	if p.head > 1 {
		lines = append(lines, m.totals())
	}
	lines = append(lines, m.body(p)...)
	if p.bottom {
		lines = append(lines, m.bottomLine())
	}
	return draw.Block(lines, m.size.width, m.size.height)
}

func (m *Model) body(p parts) []string {
	var table []string
	if len(m.seen.shown) == 0 && p.table.height > 0 {
		return strings.Split(draw.Message([]string{"No record is that severe. " + m.data.Key(screen.Logs, "S") + " shows less severe ones too."}, m.size.width, p.table.height), "\n")
	}
	if p.table.height > 0 {
		table = strings.Split(m.table.View(), "\n")
	}
	if !m.detail.open || p.pane.height == 0 {
		return table
	}
	pane := m.paneLines(p)
	if !p.side {
		return append(table, pane...)
	}
	divider := m.theme.Dim.Render(m.theme.Glyphs.Divider)
	for i := range table {
		table[i] += divider + pane[i]
	}
	return table
}

// paneLines is a heading and the details in focus.
func (m *Model) paneLines(p parts) []string {
	m.refresh(p.pane.width)
	hint, tab := "", m.data.Key(screen.Logs, "tab")
	if m.detail.pane.Position() != "" {
		hint = "(" + tab + ": scroll)"
	}
	if m.detail.focus {
		hint = "(scrolling, " + tab + ": back)"
	}
	head := m.detail.pane.Head(m.theme, "details", hint, p.pane.width)
	return append([]string{head}, m.detail.pane.Visible()...)
}

// summary is how many records there are, of which severities, and whether new
// ones scroll.
func (m *Model) summary() string {
	t := m.theme
	l := draw.NewLine(m.size.width).Space(gutter).Add(t.Strong, draw.Plural(len(m.seen.shown), "record"))
	if m.seen.least != unset {
		l.AddIf(t.Accent, "  "+m.seen.least.String()+" and worse")
	}
	style := t.Accent
	if !m.follow.on && m.news() > 0 {
		style = t.Warn
	}
	l.AddIf(style, "  "+m.followText())
	for k := fatalLevel; k >= warnLevel; k-- {
		if n := m.seen.counts[k]; n > 0 && !m.sameAsTotals(k) {
			mark, style := k.look(t)
			l.AddIf(style, "  "+mark+" "+draw.Count(n)+" "+k.String())
		}
	}
	if r := m.records.run; r != nil && r.Accounts[run.Logs].Evicted > 0 && m.size.height < totalsFrom {
		l.AddIf(t.Dim, "  "+draw.Count(r.Accounts[run.Logs].Evicted)+" older evicted")
	}
	return l.Right(t.Dim, m.table.Position()).String()
}

// sameAsTotals reports whether the line below says the same of a severity.
func (m *Model) sameAsTotals(k level) bool {
	r := m.records.run
	return r != nil && m.size.height >= totalsFrom && uint64(m.seen.counts[k]) == r.LogLevels[k]
}

// totals is the records of the whole run by severity, also those that are no longer
// held, whatever is shown of them.
func (m *Model) totals() string {
	l := draw.NewLine(m.size.width).Space(gutter)
	r := m.records.run
	if r == nil {
		return l.String()
	}
	t, a := m.theme, r.Accounts[run.Logs]
	l.Add(t.Dim, "whole run  ").Add(t.Plain, draw.Plural(a.Kept+a.Evicted, "record"))
	if a.Evicted > 0 {
		l.AddIf(t.Warn, ", "+draw.Count(a.Kept)+" still held")
	} else {
		l.AddIf(t.Dim, ", all held")
	}
	for i := range levelCount {
		k := fatalLevel - i
		if n := r.LogLevels[k]; n > 0 {
			mark, style := k.look(t)
			l.AddIf(style, "  "+strings.TrimSpace(mark+" "+draw.Count(n)+" "+k.String()))
		}
	}
	return l.String()
}

// bottomLine is what is being typed, else the answer to the last key, else what
// the row in focus had no room for.
func (m *Model) bottomLine() string {
	l := draw.NewLine(m.size.width)
	switch {
	case m.finder.typing:
		return m.findLine()
	case m.note != "":
		return l.Space(gutter).Add(m.theme.Accent, m.note).String()
	}
	rec, ok := m.focus()
	if !ok {
		return l.String()
	}
	l.Add(m.theme.Selected, m.theme.Glyphs.Cursor).Space(1)
	if p := m.records.run.Processes[rec.Process]; p.ID.Host != "" {
		l.AddIf(m.theme.Dim, p.ID.Host+"  ")
	}
	for _, a := range rec.Attrs {
		l.AddIf(m.theme.Plain, a.Key+"="+oneLine(a.Value.String())+"  ")
	}
	if !rec.TraceID.IsZero() {
		l.AddIf(m.theme.Dim, "trace "+rec.TraceID.String()+" ("+m.data.Key(screen.Logs, "t")+")")
	}
	return l.String()
}

// empty says why there is nothing to show.
func (m *Model) empty() []string {
	r := m.records.run
	switch {
	case len(m.data.Snapshot.Runs) == 0:
		return screen.Teach(m.data)
	case !m.seen.asked || m.seen.run != m.data.Run:
		return []string{"Looking at the records of this run."}
	case m.data.Filter != nil && !m.data.Filter.Empty() && r != nil && len(r.Logs) > 0:
		return []string{"No log record matches the filter:", "", "  " + m.data.Filter.String(), "", m.data.Cleared()}
	}
	return []string{"This run has sent no log records.", "",
		"Records come with NEMO_LENS_LOGS_ENABLED=1 (nemo-lens, pkg/telemetry), of other SDKs with " +
			"OTEL_LOGS_EXPORTER=otlp and a handler for the logger. A record that is made inside a span carries its trace, and " + m.data.Key(screen.Logs, "t") + " goes there."}
}
