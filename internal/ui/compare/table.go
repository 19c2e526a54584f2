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

// form is the cells of the table's columns, 0 for one that has no room.
type form struct{ name, class, figure, diff, change, interval, word int }

// Widths from which on a column is there.
const (
	wordFrom     = 46
	intervalFrom = 70
	diffFrom     = 86
	classFrom    = 96
)

func formOf(width int) form {
	f := form{figure: 7, change: 8, word: 1}
	if width >= wordFrom {
		f.word = 8
	}
	if width >= intervalFrom {
		f.interval = 18
	}
	if width >= diffFrom {
		f.diff = 9
	}
	if width >= classFrom {
		f.class = 9
	}
	taken := 2*(f.figure+1) + f.change + 1 + f.word
	for _, n := range []int{f.interval, f.diff, f.class} {
		if n > 0 {
			taken += n + 1
		}
	}
	f.name = max(0, min(width-taken-1, 34))
	return f
}

// row is one line of the table in words.
type row struct {
	name, class, a, b, diff, change, interval string
	level                                     analysis.ChangeLevel
	follows                                   string
}

func (p *page) row(r row, style theme.Style, do tea.Cmd) {
	f, t := p.form, p.theme
	look := style
	switch r.level {
	case analysis.Material:
		look = t.Bad
	case analysis.Moderate:
		look = t.Warn
	}
	l := draw.NewLine(p.width).Fit(style, draw.ShortName(draw.Clean(r.name), f.name), f.name, false).Space(1)
	if f.class > 0 {
		l.Fit(t.Dim, r.class, f.class, false).Space(1)
	}
	l.Fit(style, r.a, f.figure, true).Space(1).Fit(style, r.b, f.figure, true).Space(1)
	if f.diff > 0 {
		l.Fit(style, r.diff, f.diff, true).Space(1)
	}
	l.Fit(look, r.change, f.change, true).Space(1)
	if f.interval > 0 {
		l.Fit(t.Dim, r.interval, f.interval, true).Space(1)
	}
	l.Add(look, p.word(r, l.Left()))
	text := r.name + "  A " + r.a + "  B " + r.b + "  " + r.diff + "  " + r.change + "  " + r.interval + "  " + p.word(r, 80)
	p.put(l, text, r.level == analysis.Moderate || r.level == analysis.Material, do)
}

// word is how much a change matters: a mark where there is no room for the word.
func (p *page) word(r row, room int) string {
	g := p.theme.Glyphs
	var long, short string
	switch {
	case r.level == analysis.Material:
		long, short = "material", g.Bad
	case r.level == analysis.Moderate:
		long, short = "moderate", g.Warn
	case r.follows != "":
		long, short = "follows "+r.follows, "="
	default:
		return ""
	}
	if p.form.word > 1 && (draw.Width(long) <= room || r.follows != "") {
		return long
	}
	return short
}

func (p *page) titles(name, change string) {
	if p.size.height >= 16 {
		p.put(draw.NewLine(p.width), "", false, nil)
	}
	r := row{name: name, class: "class", a: "A", b: "B", diff: "B-A", change: change, interval: "95% interval"}
	p.row(r, p.theme.Heading, nil)
}

// differences is the step and its phases.
func (p *page) differences() {
	c := &p.of.comparison
	if math.IsNaN(c.Step.A) {
		return
	}
	p.titles("median of", "change")
	p.difference(&c.Step, screen.Open(screen.Steps, screen.Target{Run: p.of.b}))
	for i := range c.Phases {
		d := &c.Phases[i]
		q := query.Quote(d.Name)
		p.difference(d, p.spans(p.of.b, "phase="+q+" or name="+q))
	}
	if d := c.Rate; d != nil {
		p.row(row{name: d.Name, a: draw.Number(d.A), b: draw.Number(d.B), diff: signed(d.B-d.A, draw.Number), change: percent(d.Change),
			interval: interval(d.Low, d.High), level: d.Level}, theme.Style{}, screen.Open(screen.Metrics, screen.Target{Run: p.of.b}))
	}
}

func (p *page) difference(d *analysis.Difference, do tea.Cmd) {
	style := theme.Style{}
	if d.Class == run.Step.String() {
		style = p.theme.Strong
	}
	p.row(row{name: d.Name, class: d.Class, a: draw.Seconds(d.A), b: draw.Seconds(d.B), diff: signed(d.B-d.A, draw.Seconds),
		change: percent(d.Change), interval: interval(d.Low, d.High), level: d.Level, follows: d.Follows}, style, do)
}

// shares is how the classes' parts of the step moved.
func (p *page) shares() {
	c := &p.of.comparison
	if len(c.Shares) == 0 {
		return
	}
	p.titles("median share of a step", "points")
	for _, s := range c.Shares {
		p.row(row{name: s.Class, a: draw.Percent(s.A), b: draw.Percent(s.B), change: points(s.Change), interval: pointsOf(s.Low, s.High), level: s.Level},
			theme.Style{}, p.classSpans(s.Class))
	}
}

// classSpans shows the spans of a class; dark time has none.
func (p *page) classSpans(class string) tea.Cmd {
	switch class {
	case run.Compute.String(), run.Wait.String(), run.IO.String(), run.Other.String():
		return p.spans(p.of.b, "class="+class)
	}
	return nil
}

func signed(v float64, format func(float64) string) string {
	switch {
	case math.IsNaN(v):
		return draw.Missing
	case v > 0:
		return "+" + format(v)
	}
	return format(v)
}

func percent(change float64) string {
	if math.IsNaN(change) || math.IsInf(change, 0) {
		return draw.Missing
	}
	return figure(100*change, 1) + "%"
}

// figure is a signed number with so many decimals, of nothing without a sign.
func figure(v float64, decimals int) string {
	text := fmt.Sprintf("%+.*f", decimals, v)
	if strings.Trim(text, "+-0.") == "" {
		return text[1:]
	}
	return text
}

func interval(low, high float64) string {
	if math.IsNaN(low) || math.IsNaN(high) {
		return ""
	}
	return figure(100*low, 1) + " to " + figure(100*high, 1) + "%"
}

func points(v float64) string {
	if math.IsNaN(v) {
		return draw.Missing
	}
	return figure(100*v, 2)
}

func pointsOf(low, high float64) string {
	if math.IsNaN(low) || math.IsNaN(high) {
		return ""
	}
	return figure(100*low, 2) + " to " + figure(100*high, 2)
}
