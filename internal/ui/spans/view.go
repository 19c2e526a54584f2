package spansscreen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// layout is how many lines each part has: one of summary, the table, the
// histogram, the row in focus in full, the legend.
type layout struct{ table, pane, focus, legend int }

// The heights from which parts are there.
const (
	focusFrom   = 8
	legendFrom  = 12
	paneFrom    = 28 // of itself
	tableBeside = 7  // lines that the table keeps beside a pane that was asked for
)

func (m *Model) layout() layout {
	h := m.size.height
	l := layout{table: max(0, h-1)}
	take := func(lines int) int { l.table -= lines; return lines }
	if h >= focusFrom {
		l.focus = take(1)
	}
	if h >= legendFrom && m.slow == nil && m.shown.marks != (marked{}) {
		l.legend = take(1)
	}
	wanted := m.pane.choice == always || m.pane.choice == byRoom && h >= paneFrom
	if wanted && l.table >= paneLines+tableBeside {
		l.pane = take(paneLines)
	}
	return l
}

// View is the screen.
func (m *Model) View() string {
	if m.size.width == 0 || m.size.height == 0 {
		return ""
	}
	lines := m.body()
	if m.prompt != nil {
		lines = over(lines, m.prompt.lines(m.theme, m.size.width, m.size.height))
	}
	return draw.Block(lines, m.size.width, m.size.height)
}

// over puts the last lines in the place of others.
func over(lines, last []string) []string {
	last = last[max(0, len(last)-len(lines)):]
	return append(lines[:len(lines)-len(last)], last...)
}

func (m *Model) body() []string {
	if m.slow == nil && len(m.shown.list) == 0 {
		return strings.Split(draw.Message(m.empty(), m.size.width, m.size.height), "\n")
	}
	l := m.layout()
	table, lines := m.table, []string{m.summary()}
	if m.slow != nil {
		table, lines = m.slow.table, []string{m.slowSummary()}
	}
	if l.table > 0 {
		lines = append(lines, strings.Split(table.View(), "\n")...)
	}
	lines = append(lines, m.fill(m.histogram(l.pane), l.pane)...)
	if l.focus > 0 {
		lines = append(lines, m.focusLine())
	}
	if l.legend > 0 {
		lines = append(lines, m.legend())
	}
	return lines
}

// fill is exactly so many lines.
func (m *Model) fill(lines []string, n int) []string {
	for len(lines) < n {
		lines = append(lines, draw.Spaces(m.size.width))
	}
	return lines[:n]
}

func (m *Model) empty() []string {
	r := m.data.Snapshot.Run(m.data.Run)
	switch {
	case len(m.data.Snapshot.Runs) == 0:
		return screen.Teach(m.data)
	case m.seen.version == 0:
		return []string{"Adding up the spans of this run."}
	case m.data.Filter != nil && !m.data.Filter.Empty():
		return []string{"No span matches the filter:", "", "  " + m.data.Filter.String(), "", m.data.Cleared()}
	case r != nil && len(r.Processes) > 0:
		return []string{"This run has sent no spans yet.",
			"", "Spans come with NEMO_LENS_ENABLED=1, those of each step with NEMO_LENS_SPAN_GROUPS=per_step."}
	}
	return []string{"No spans have arrived yet."}
}

// summary is what is listed, how it is grouped, and what the figures stand on.
func (m *Model) summary() string {
	t := m.theme
	l := draw.NewLine(m.size.width).Space(2).Add(t.Strong, m.listed())
	by := ""
	if len(m.seen.by) > 0 {
		by = "  by " + strings.Join(m.seen.by, ", ")
	}
	full, short := coverageText(m.seen.table.Coverage)
	switch { // the rows show how they are grouped; nothing else shows the coverage
	case draw.Width(draw.Clean(by+full))+2 <= l.Left():
		l.Add(t.Accent, by).Add(t.Dim, "  "+full)
	case draw.Width(draw.Clean(by+short))+2 <= l.Left():
		l.Add(t.Accent, by).Add(t.Dim, "  "+short)
	default:
		l.AddIf(t.Dim, "  "+short)
	}
	if m.seen.question != m.question() {
		l.AddIf(t.Warn, "  adding up")
	}
	return l.Right(t.Dim, m.table.Position()).String()
}

// listed counts what is at top level.
func (m *Model) listed() string {
	n := len(m.seen.table.Groups)
	switch by := m.seen.table.By[0]; by {
	case "name":
		return draw.Plural(n, "span name")
	case "class":
		return draw.Plural(n, "group")
	default:
		if strings.ContainsAny(by, "._") || len(by) == 2 {
			return draw.Plural(n, "group")
		}
		return draw.Plural(n, by)
	}
}

// coverageText says of what the figures are, in two lengths.
func coverageText(c analysis.Coverage) (full, short string) {
	received, retained := draw.Count(c.Received), draw.Count(c.Retained)
	part := draw.Percent(float64(c.Retained) / float64(c.Received))
	switch {
	case c.WholeRun && c.Percentiles:
		return "whole run, " + draw.Plural(c.Received, "span"), "whole run"
	case c.WholeRun:
		return "percentiles over " + retained + " retained of " + received + " spans, the rest whole run", "percentiles of " + part
	}
	return "over " + retained + " retained of " + received + " spans", "of " + part
}

func (m *Model) slowSummary() string {
	t, s := m.theme, m.slow
	l := draw.NewLine(m.size.width).Space(2).Add(t.Strong, "slowest of ").Add(t.Title, pathText(s.path))
	if !s.arrived {
		return l.Add(t.Dim, "  looking").String()
	}
	l.AddIf(t.Dim, "  "+draw.Plural(s.counted+s.beside, "retained span"))
	if s.beside > 0 {
		l.AddIf(t.Warn, ", "+draw.Count(s.beside)+" in no figure (last)")
	}
	return l.Right(t.Dim, s.table.Position()).String()
}

// focusLine is the row in focus in full, for what its columns could not hold.
func (m *Model) focusLine() string {
	if m.slow != nil {
		return m.slowFocusLine()
	}
	at, ok := m.focus()
	l := draw.NewLine(m.size.width)
	if !ok {
		return l.String()
	}
	l.Add(m.theme.Selected, m.theme.Glyphs.Cursor).Space(1)
	parts := m.figures(at)
	for i, p := range parts {
		if i > 0 {
			p = "  " + p
		}
		if !l.AddIf(m.theme.Plain, p) {
			break
		}
	}
	return l.String()
}

// figures is all figures of a row in words, the most telling first.
func (m *Model) figures(at int) []string {
	s := &m.shown.list[at].group.Stats
	out := []string{draw.Plural(s.N, "span")}
	count := func(n uint64, text string) {
		if n > 0 {
			out = append(out, draw.Count(n)+" "+text)
		}
	}
	count(s.Truncated, "truncated, not counted")
	count(s.Invalid, "invalid, not counted")
	count(s.Errors, "with an error")
	if s.N == 0 {
		return out
	}
	if share := m.shown.share(at); share != "" {
		out = append(out, share+" of "+string(m.seen.table.ShareOf))
	} else {
		out = append(out, "all names together")
	}
	return append(out, "p99 "+strings.TrimSpace(duration(s, "p99")),
		"total "+draw.Seconds(s.Total), "mean "+draw.Seconds(s.Mean), "min "+draw.Seconds(s.Min))
}

func (m *Model) slowFocusLine() string {
	p, ok := m.slow.focus()
	l := draw.NewLine(m.size.width)
	if !ok {
		if m.slow.arrived {
			l.Space(2).Add(m.theme.Dim, "none of these spans is retained any more")
		}
		return l.String()
	}
	l.Add(m.theme.Selected, m.theme.Glyphs.Cursor).Space(1)
	l.AddIf(m.theme.Accent, p.Name)
	l.AddIf(m.theme.Dim, "  host "+p.Run.Processes[p.Process].ID.Host)
	l.AddIf(m.theme.Dim, "  span "+p.ID.String())
	l.AddIf(m.theme.Dim, "  trace "+p.TraceID.String())
	return l.String()
}

// legend explains the marks that the table bears.
func (m *Model) legend() string {
	l := draw.NewLine(m.size.width).Space(2)
	k := m.shown.marks
	add := func(on bool, mark, text string) {
		if on && draw.Width(mark+text)+3 <= l.Left() {
			l.Add(m.theme.Strong, mark).Add(m.theme.Dim, " "+text+"  ")
		}
	}
	add(k.beside, "trunc, invalid:", "in no figure")
	add(k.few, fewMark, "few: p95 of < 20, p99 of < 100 spans")
	add(k.about, aboutMark, "within 1 %")
	return l.String()
}
