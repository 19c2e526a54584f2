package comparescreen

import (
	"fmt"
	"math"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// page is the lines of the screen while they are written.
type page struct {
	theme theme.Theme
	width int // of a line, without the gutter
	size  size
	of    *answer
	form  form
	lines []line
}

func newPage(t theme.Theme, s size, a *answer) *page {
	p := &page{theme: t, width: max(0, s.width-gutter), size: s, of: a}
	p.form = formOf(p.width)
	return p
}

func (p *page) all() []line {
	c := &p.of.comparison
	p.headline()
	p.side("A", &c.A)
	p.side("B", &c.B)
	for _, text := range c.Differ {
		p.said(p.theme.Warn, p.theme.Glyphs.Warn+" not judged: "+text)
	}
	for _, text := range c.CannotTell {
		p.said(p.theme.Warn, "? cannot tell: "+text)
	}
	if text := c.Thresholds.String(); text != "" {
		p.said(p.theme.Dim, "judged by own thresholds: "+text)
	}
	for _, text := range c.WhoIsSlow() {
		p.said(p.theme.Accent, text)
	}
	p.differences()
	p.shares()
	p.resources()
	p.only("A", c.OnlyA)
	p.only("B", c.OnlyB)
	return p.lines
}

func (p *page) put(l *draw.Line, text string, flagged bool, do tea.Cmd) {
	p.lines = append(p.lines, line{drawn: l.To(p.width).String(), text: strings.TrimSpace(text), flagged: flagged, do: do})
}

func (p *page) said(style theme.Style, text string) {
	for i, part := range draw.Wrap(text, max(1, p.width)) {
		if i > 0 {
			text = ""
		}
		p.put(draw.NewLine(p.width).Add(style, part), text, false, nil)
	}
}

// headline is the answer in a line.
func (p *page) headline() {
	c := &p.of.comparison
	flagged := c.Flagged()
	switch {
	case len(c.CannotTell) > 0:
		p.said(p.theme.Warn, "Times cannot be compared.")
	case !c.Comparable():
		p.said(p.theme.Warn, "The sides are not alike: differences are shown, and none is judged.")
	case len(flagged) == 0:
		p.said(p.theme.Good, "No change of the times matters.")
	default:
		text := fmt.Sprintf("%s: a step of B takes %s", draw.Plural(len(flagged), "change")+" of times", longer(c.Step.Change))
		p.said(p.theme.Strong, text)
	}
}

func longer(change float64) string {
	switch {
	case math.IsNaN(change):
		return "as long as can be told"
	case math.Abs(change) < 0.0005:
		return "as long as one of A"
	case change < 0:
		return fmt.Sprintf("%.1f%% less than one of A", -100*change)
	}
	return fmt.Sprintf("%.1f%% longer than one of A", 100*change)
}

// side is who is compared.
func (p *page) side(word string, s *analysis.SideFacts) {
	l := draw.NewLine(p.width).Add(p.theme.Strong, word+"  ").Add(p.theme.Accent, s.Name)
	var parts []string
	if s.Name != s.Run {
		parts = append(parts, "run "+s.Run)
	}
	parts = append(parts, ranksText(s), draw.Plural(s.Steps, "clean step"))
	if s.Steps > 0 && !p.of.windows {
		parts = append(parts, fmt.Sprintf("%d–%d", s.First, s.Last))
	}
	if s.GlobalBatch != run.Unknown {
		parts = append(parts, "batch "+draw.Count(s.GlobalBatch))
	}
	if s.Sequence != run.Unknown {
		parts = append(parts, "sequence "+draw.Count(s.Sequence))
	}
	for _, x := range parts {
		l.AddIf(theme.Style{}, "  "+x)
	}
	p.put(l, word+"  "+s.Name+"  "+strings.Join(parts, "  "), false, nil)
}

func ranksText(s *analysis.SideFacts) string {
	if s.World == run.Unknown {
		return draw.Plural(s.Ranks, "rank")
	}
	return draw.Count(s.Ranks) + " of " + draw.Plural(s.World, "rank")
}

// resources is what the processes say of themselves and the sides do not share.
func (p *page) resources() {
	all := p.of.comparison.Resources
	if len(all) == 0 {
		return
	}
	p.heading("resource attributes", "A", "B")
	name := max(8, min(p.width*2/5, 40))
	value := max(1, (p.width-name-2)/2)
	for _, d := range all {
		l := draw.NewLine(p.width).Fit(p.theme.Accent, d.Key, name, false).Space(1)
		l.Fit(theme.Style{}, sent(d.A), value, false).Space(1).Fit(theme.Style{}, sent(d.B), value, false)
		p.put(l, d.Key+": "+sent(d.A)+" in A, "+sent(d.B)+" in B", false, screen.Open(screen.Ranks, screen.Target{Run: p.of.b}))
	}
}

func sent(s string) string {
	if s == "" {
		return "not sent"
	}
	return s
}

// heading begins a part, after a blank line where there is room.
func (p *page) heading(name, a, b string) {
	if p.size.height >= 16 {
		p.put(draw.NewLine(p.width), "", false, nil)
	}
	l := draw.NewLine(p.width)
	if a == "" {
		p.put(l.Add(p.theme.Heading, name), name, false, nil)
		return
	}
	cells := max(8, min(p.width*2/5, 40))
	value := max(1, (p.width-cells-2)/2)
	l.Fit(p.theme.Heading, name, cells, false).Space(1).Fit(p.theme.Heading, a, value, false).Space(1).Fit(p.theme.Heading, b, value, false)
	p.put(l, name, false, nil)
}

// mostOnly is how many names that only one side has are listed.
const mostOnly = 50

func (p *page) only(side string, names []string) {
	if len(names) == 0 {
		return
	}
	p.heading("spans only in "+side, "", "")
	for i, n := range names {
		if i == mostOnly {
			p.said(p.theme.Dim, "and "+draw.Count(len(names)-i)+" more")
			return
		}
		of := p.of.a
		if side == "B" {
			of = p.of.b
		}
		p.put(draw.NewLine(p.width).Add(p.theme.Accent, draw.ShortName(draw.Clean(n), p.width)), n, false, p.spans(of, "name="+query.Quote(n)))
	}
}

// spans is the command that shows spans that match, besides of the filter in force.
func (p *page) spans(id, filter string) tea.Cmd {
	if p.of.filter != "" {
		filter = "(" + p.of.filter + ") and (" + filter + ")"
	}
	return screen.OpenNarrowed(screen.Spans, screen.Target{Run: id}, filter)
}
