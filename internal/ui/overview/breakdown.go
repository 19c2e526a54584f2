package overviewscreen

import (
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// breakdown is where the time of a step goes.
func (p *page) breakdown() {
	b := &p.of.slow.breakdown
	open := p.opens(screen.Spans)
	if len(b.Rows) == 0 {
		p.said("time", p.theme.Dim, "cannot tell where it goes: "+b.CannotTell, 2, "time", open)
		return
	}
	l := p.label("time")
	var pieces []draw.Piece
	for _, r := range inOrder(b.Rows) {
		fill, style := p.fill(r.Class)
		pieces = append(pieces, draw.Piece{Share: r.Share, Style: style, Fill: fill})
	}
	width := max(0, l.Left()-2)
	l.Add(p.theme.Dim, "[").Drawn(draw.Stack(pieces, width), width).Add(p.theme.Dim, "]")
	p.put("time", open, l, "")
	p.flow("", p.shares(), p.room(2, 3, 3), "", nil)
	if b.CannotTell != "" {
		p.said("", p.theme.Warn, b.CannotTell, p.room(1, 2, 2), "", nil)
	}
	if p.size.height >= tallest {
		p.phases()
	}
}

// inOrder is the classes in an order that does not change while their shares do.
func inOrder(rows []analysis.BreakdownRow) []analysis.BreakdownRow {
	order := []string{"productive", "compute", "wait", "idle", "overhead", "io", "wasted", "other", analysis.Dark}
	out := slices.Clone(rows)
	slices.SortStableFunc(out, func(a, b analysis.BreakdownRow) int {
		return slices.Index(order, a.Class) - slices.Index(order, b.Class)
	})
	return out
}

// fill is how a class is drawn. Dark time is what no span covers: it stays empty.
func (p *page) fill(class string) (string, theme.Style) {
	t, g := p.theme, p.theme.Glyphs
	switch class {
	case "compute", "productive":
		return g.Compute, t.Compute
	case "wait", "idle":
		return g.Wait, t.Wait
	case "io", "overhead":
		return g.IO, t.IO
	case analysis.Dark:
		return g.Dark, t.Dim
	}
	return g.Other, t.Other
}

// shares is the legend of the bar, with what else is known of a step's time.
func (p *page) shares() []piece {
	b := &p.of.slow.breakdown
	var out []piece
	for _, r := range inOrder(b.Rows) {
		fill, style := p.fill(r.Class)
		if r.Class == analysis.Dark {
			fill, style = "blank", p.theme.Dim
			if r.Share > darkMuch {
				style = p.theme.Warn
			}
		}
		text := fill + " " + r.Class + " " + draw.Percent(r.Share)
		if p.width >= 100 {
			text += " " + draw.Seconds(r.Seconds)
		}
		out = append(out, piece{style, text})
	}
	out = append(out, p.bubble()...)
	if g := b.Goodput.Share; !math.IsNaN(g) {
		out = append(out, piece{theme.Style{}, "goodput " + draw.Percent(g)})
	}
	about := draw.Seconds(b.Step) + " a step, " + b.Coverage()
	if b.Approximate {
		about += ", about: spans are gone"
	}
	return append(out, piece{p.theme.Dim, about})
}

// darkMuch is the share of dark time that deserves a question.
const darkMuch = 0.2

// bubble is how long the pipeline stands idle, where there is one.
func (p *page) bubble() []piece {
	b := &p.of.slow.bubble
	if b.Stages < 2 || b.CannotTell != "" {
		return nil
	}
	style := theme.Style{}
	text := "pipeline bubble " + draw.Percent(b.Observed) + ", " + draw.Percent(b.Expected) + " by design"
	if b.Warn {
		style, text = p.theme.Warn, p.theme.Glyphs.Warn+" "+text
	}
	return []piece{{style, text}}
}

// phases is the parts of the step that take longest, by name.
func (p *page) phases() {
	const most, name = 6, 28
	for i, r := range p.of.slow.breakdown.ByPhase {
		if i == most {
			return
		}
		fill, style := p.fill(r.Class)
		text := r.Phase
		if r.Class == analysis.Dark {
			text, fill = "dark: in no span", p.theme.Glyphs.Missing
		}
		l := p.label("").Fit(theme.Style{}, draw.ShortName(draw.Clean(text), name), name, false).Space(1)
		l.Fit(p.theme.Dim, r.Class, 9, false).Fit(theme.Style{}, draw.Seconds(r.Seconds), 8, true).Fit(theme.Style{}, draw.Percent(r.Share), 8, true).Space(2)
		if n := int(math.Round(math.Min(r.Share, 1) * float64(l.Left()))); r.Share > 0 {
			for range max(n, 1) {
				l.Add(style, fill)
			}
		}
		p.put("", nil, l, "")
	}
}
