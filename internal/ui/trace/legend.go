package tracescreen

import (
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// bottomLine is what is being typed, else the answer to the last key, else the
// legend.
func (m *Model) bottomLine() string {
	switch {
	case m.finder.typing:
		return m.findLine()
	case m.note != "":
		return draw.NewLine(m.size.width).Space(gutter).Add(m.theme.Accent, m.note).String()
	}
	return m.legend()
}

// legend is the marks that occur, with their numbers, and the fills of bars; where
// there are no bars, what there is to say.
func (m *Model) legend() string {
	t, l := m.theme, draw.NewLine(m.size.width).Space(gutter)
	for k, n := range m.content.counts() {
		if n > 0 {
			glyph, style := mark(k).look(t)
			l.AddIf(style, glyph+" "+mark(k).counted(n)+"  ")
		}
	}
	if len(m.rows.list) == 0 {
		return l.String()
	}
	if m.rows.widths.bar == 0 { // no bars to explain, but no second title line either
		for _, r := range m.remarks() {
			l.AddIf(r.style, r.text+"  ")
		}
		return l.String()
	}
	for k := computeInk; k <= aroundInk; k++ {
		glyph, style := k.look(t)
		l.AddIf(style, glyph+" "+[...]string{"", run.Compute.String(), run.Wait.String(), run.IO.String(),
			run.Other.String(), "around others"}[k]+"  ")
	}
	return l.String()
}

// counts is how often each mark occurs.
func (c *content) counts() (out [markCount]int) {
	for i := range c.lanes {
		for k, n := range c.lanes[i].counts {
			out[k] += n
		}
	}
	return out
}

// empty says why there is nothing to show.
func (m *Model) empty() []string {
	c := m.content
	switch {
	case len(m.data.Snapshot.Runs) == 0:
		return screen.Teach(m.data)
	case c.in == nil:
		return []string{"Assembling…"}
	case !c.trace.IsZero():
		return m.orFilter("No span of trace " + c.trace.String() + " is retained.")
	case len(c.lanes) == 0 && !m.data.Filter.Empty():
		return []string{"No rank of this run matches the filter:", "", "  " + m.data.Filter.String(), "", m.data.Cleared()}
	case len(c.lanes) == 0:
		return []string{"No rank has sent anything yet."}
	}
	l := c.main()
	switch {
	case !l.there:
		return []string{processName(c.in.Processes[c.process]) + ": " + missingStep(c.at) + ".", "", m.data.Key(screen.Trace, "}") + " goes to the newest finished iteration."}
	case c.at.kind == whole:
		return m.orFilter("No span of " + processName(c.in.Processes[c.process]) + " is here. " + m.data.Key(screen.Trace, "J") + " goes to the next process, " + m.data.Key("", "1") + " to other runs.")
	case c.at.kind == tail:
		return m.orFilter("Nothing has arrived since " + spotText(stepAt(c.steps[len(c.steps)-1])) + " ended: a span arrives only when it ends.")
	case l.lost:
		return m.orFilter("The spans of " + spotText(c.at) + " are no longer retained: evicted to stay within --memory. It took " +
			draw.Duration(float64(l.window.End-l.window.Start)) + ".")
	}
	return m.orFilter("No span of " + spotText(c.at) + " was received.")
}

// orFilter is the reason, or that all spans are hidden by the filter.
func (m *Model) orFilter(why string) []string {
	if m.content.total == 0 {
		return []string{why}
	}
	return []string{"None of the " + draw.Plural(m.content.total, "span") + " here matches the filter:", "",
		"  " + m.data.Filter.String(), "", m.data.Cleared()}
}
