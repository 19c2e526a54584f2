package tracescreen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// titles is up to two lines: whose time this is, and how much of it is shown.
func (m *Model) titles(n int) []string {
	t, c := m.theme, m.content
	first := draw.NewLine(m.size.width).Space(gutter)
	if c.in != nil && len(c.lanes) > 0 {
		m.who(first)
		m.much(first, n)
		if len(m.rows.list) > 0 && divide(m.size, m.detail.open).table.height > 1 {
			first.Right(t.Dim, m.table.Position())
		}
	}
	if n < 2 {
		return []string{first.String()}[:n]
	}
	second := draw.NewLine(m.size.width).Space(gutter)
	for _, r := range m.remarks() {
		if second.Used() > gutter && second.Left() < draw.Width(r.text)+2 {
			continue
		}
		second.Space(2*min(1, second.Used()-gutter)).Add(r.style, r.text)
	}
	return []string{first.String(), second.String()}
}

// who names the rank and the place in its life, or the trace.
func (m *Model) who(l *draw.Line) {
	t, c := m.theme, m.content
	if !c.trace.IsZero() {
		l.Add(t.Accent, "trace "+c.trace.String()[:8]).AddIf(t.Strong, "  "+c.lanes[0].tree.Title())
		return
	}
	p := c.in.Processes[c.process]
	if len(c.lanes) > 1 {
		l.Add(t.Accent, draw.Count(len(c.lanes))+" ranks")
	} else {
		l.Add(t.Accent, processName(p))
	}
	l.Add(t.Strong, "  "+spotText(c.at))
	if len(c.lanes) > 1 {
		return
	}
	if main := c.lanes[0]; main.there && c.total > 0 {
		l.AddIf(t.Plain, "  "+draw.Duration(float64(main.window.End-main.window.Start)))
	}
	if at := placeWords(p); len(at) > 0 {
		l.AddIf(t.Dim, "  "+strings.Join(at, " "))
	}
}

// main is the lane of the chosen process.
func (c *content) main() *lane {
	for i := range c.lanes {
		if c.lanes[i].process == c.process || !c.trace.IsZero() {
			return &c.lanes[i]
		}
	}
	return nil
}

// spotText says where in the life of a process this is.
func spotText(at spot) string {
	n := draw.Name(at.iteration)
	switch at.kind {
	case atStep:
		return "iteration " + n
	case afterStep:
		return "after iteration " + n
	case tail:
		return "unfinished, after iteration " + n
	case head:
		return "before the first step"
	}
	return "no step finished"
}

// much is how many spans there are, and on one line also what is amiss.
func (m *Model) much(l *draw.Line, titles int) {
	c, shown := m.content, m.content.shown()
	text := draw.Plural(c.total, "span")
	if shown < c.total {
		text = draw.Count(shown) + " of " + text
	}
	if c.senders > 1 {
		text += ", " + draw.Count(c.senders) + " processes"
	}
	l.AddIf(m.theme.Plain, "  "+text)
	if titles < 2 && c.lost() {
		l.AddIf(m.theme.Warn, "  partly evicted")
	}
}

// shown is how many spans the filter leaves.
func (c *content) shown() int {
	n := 0
	for i := range c.lanes {
		n += c.lanes[i].shown
	}
	return n
}

// lost reports whether a part of what should be here may have been evicted.
func (c *content) lost() bool {
	for i := range c.lanes {
		if c.lanes[i].lost {
			return true
		}
	}
	return false
}

type remark struct {
	style theme.Style
	text  string
}

// remarks is what is to be said of what is shown, the most important first.
func (m *Model) remarks() []remark {
	t, c := m.theme, m.content
	if c.in == nil || len(c.lanes) == 0 {
		return nil
	}
	var out []remark
	add := func(has bool, style theme.Style, text string) {
		if has && text != "" {
			out = append(out, remark{style, text})
		}
	}
	add(c.total > 0, m.coverageStyle(), m.coverage())
	add(c.at.kind == tail && c.trace.IsZero(), t.Warn, "spans after the last step end")
	add(c.at.kind == tail && c.trace.IsZero(), t.Warn, m.silence())
	add(c.cut > 0, t.Warn, "the newest "+draw.Count(maxWhole)+", "+draw.Count(c.cut)+" older ones left out")
	add(c.total > c.shown(), t.Match, draw.Count(c.total-c.shown())+" hidden by the filter")
	add(m.time.on, t.Accent, m.zoomText())
	if len(c.lanes) > 1 {
		out = append(out, remark{t.Plain, m.lanesText()}, remark{t.Dim, m.clockText()})
	}
	add(c.trace.IsZero() && m.behind() > 0, t.Dim, draw.Count(m.behind())+" newer: "+m.data.Key(screen.Trace, "}"))
	add(m.unfinished(), t.Dim, "unfinished spans: "+m.data.Key(screen.Trace, "]"))
	return out
}

// silence is how long ago a rank sent its last span, by the receiver's clock: what
// is unfinished may hang.
func (m *Model) silence() string {
	c := m.content
	if len(c.lanes) != 1 || c.snapshot.Clock != store.ReceiverClock || c.process < 0 {
		return ""
	}
	if at := c.in.Processes[c.process].LastSpan; at > 0 {
		return "the newest came " + ago(c.snapshot.Now, at)
	}
	return ""
}

func ago(now, then int64) string {
	if age := draw.Age(now, then); age != "now" {
		return age + " ago"
	}
	return "just now"
}

// coverage says what of these spans is retained.
func (m *Model) coverage() string {
	a := m.content.in.Accounts[run.Traces]
	switch {
	case m.content.lost():
		return "part of it may be evicted"
	case a.Evicted == 0:
		return "all received spans retained"
	}
	return "all retained (of the run " + draw.Short(float64(a.Kept)) + ", " + draw.Short(float64(a.Evicted)) + " evicted)"
}

func (m *Model) coverageStyle() theme.Style {
	if m.content.lost() {
		return m.theme.Warn
	}
	return m.theme.Dim
}

func (m *Model) zoomText() string {
	v := m.time.view
	return "zoom " + signed(v.from) + " … " + signed(v.to) + " of " + draw.Duration(m.extent().long())
}

func (m *Model) lanesText() string {
	c := m.content
	text := c.question.peers.String() + " of rank " + rankNumber(c.in.Processes[c.process].ID.Rank)
	if c.question.peers == matching {
		text = "ranks that the filter leaves"
		if m.data.Filter.Empty() {
			text = "all ranks"
		}
	}
	if c.outOf > len(c.lanes) {
		text += ": " + draw.Count(len(c.lanes)) + " of " + draw.Count(c.outOf)
	}
	return text + ", by rank"
}

func (m *Model) clockText() string {
	apart := draw.Duration(m.content.apart())
	if m.time.aligned(m.content) {
		return "each from its own start (" + apart + " apart by clock): " + m.data.Key(screen.Trace, "c")
	}
	return "by clock, starts " + apart + " apart: " + m.data.Key(screen.Trace, "c")
}

// behind is how many finished steps came after this one.
func (m *Model) behind() int {
	c := m.content
	i := indexOf(c.steps, c.at)
	if i < 0 || c.at.kind == head {
		return 0
	}
	return len(c.steps) - 1 - i
}

// unfinished reports whether spans came after the last step, and this is it.
func (m *Model) unfinished() bool {
	c := m.content
	n := len(c.steps)
	if !c.trace.IsZero() || n == 0 || c.at.kind != atStep || m.behind() > 0 {
		return false
	}
	w := c.steps[n-1]
	return c.in.Processes[c.process].End > w.End+slackOf(w)
}

func rankNumber(n int) string {
	if n == run.Unknown {
		return draw.Missing
	}
	return draw.Count(n)
}
