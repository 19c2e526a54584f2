package overviewscreen

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Of the part with the steps: its lines besides the plot, and at least and most of
// the plot.
const (
	stepsOther = 3
	plotLeast  = 3
	plotMost   = 16
	stepsLeast = stepsOther + plotLeast
)

// Marks of the two curves.
const (
	medianMark  = "m"
	slowestMark = "s"
)

// steps is how long steps took: the median rank and the slowest, iteration by
// iteration, what stands out among them below. Room is how many lines there are.
func (p *page) steps(room int) {
	s := &p.of.steps
	p.stepsHead()
	if len(s.Points) == 0 {
		return
	}
	plot := p.plot(max(plotLeast, min(room-stepsOther, plotMost)))
	for _, l := range plot.Lines() {
		p.lines = append(p.lines, line{drawn: l})
	}
	p.strip(&plot)
	p.stepsLegend()
}

// stepsHead is the newest figures, which are the curves' legend.
func (p *page) stepsHead() {
	s := &p.of.steps
	if len(s.Points) == 0 {
		p.said("steps", p.theme.Dim, "no iteration was finished yet", 1, "steps", p.opens(screen.Steps))
		return
	}
	at := s.Points[len(s.Points)-1]
	slowest := slowestMark + " slowest rank " + draw.Seconds(at.Slowest)
	if at.SlowestRank != run.Unknown && at.Slowest > at.Median*alike {
		slowest += fmt.Sprintf(" (rank %d)", at.SlowestRank)
	}
	pieces := []piece{
		{p.theme.Good, medianMark + " median rank " + draw.Seconds(at.Median)}, {p.theme.Warn, slowest},
		{theme.Style{}, "usual " + draw.Seconds(at.Rolling)},
		{p.theme.Dim, draw.Count(p.of.counted.Complete) + " of " + draw.Count(p.of.counted.Seen) + " clean"},
	}
	p.flow("steps", pieces, 1, "steps", p.opens(screen.Steps))
}

// alike is up to how many times the median the slowest rank is nobody: ranks wait for
// each other, and one of them ends last.
const alike = 1.02

// shown is the newest points that the plot has cells for.
func (p *page) shown() []analysis.StepPoint {
	all, cells := p.of.steps.Points, max(1, p.width-labelCells)
	if !p.theme.ASCII {
		cells *= 2
	}
	return all[max(0, len(all)-cells):]
}

// beyond is how many usual steps the plot is high at most: one that takes a
// hundred would flatten all others.
const beyond = 3

// spreadLeast is the least share of a step that the plot is high: noise shall not
// look like a finding.
const spreadLeast = 0.2

func (p *page) plot(height int) draw.Plot {
	points := p.shown()
	median := draw.Curve{Mark: medianMark, Style: p.theme.Good}
	slowest := draw.Curve{Mark: slowestMark, Style: p.theme.Warn}
	low, high, usual := math.NaN(), math.NaN(), math.NaN()
	for i, at := range points {
		m, s := at.Median, at.Slowest
		if at.Excluded != "" {
			m, s = math.NaN(), math.NaN()
		}
		median.Points = append(median.Points, draw.XY{X: float64(i), Y: m})
		slowest.Points = append(slowest.Points, draw.XY{X: float64(i), Y: s})
		low, high = math.Min(orFirst(low, m), orFirst(m, low)), math.Max(orFirst(high, s), orFirst(s, high))
		usual = orFirst(at.Rolling, usual)
	}
	if !math.IsNaN(usual) {
		high = math.Min(high, beyond*usual)
	}
	if short := spreadLeast*high - (high - low); short > 0 {
		low, high = low-short/2, high+short/2
	}
	unit := draw.UnitFor(high * 1e9)
	return draw.Plot{Theme: p.theme, Width: p.width, Height: height, Gutter: min(labelCells+1, p.width), X1: float64(max(1, len(points)-1)),
		Y0: low, Y1: high, Cursor: math.NaN(), Curves: []draw.Curve{slowest, median}, Label: func(y float64) string { return unit.Format(y * 1e9) }}
}

// orFirst is a, or b where a is not known.
func orFirst(a, b float64) float64 {
	if math.IsNaN(a) {
		return b
	}
	return a
}

// event is what may stand out about an iteration.
type event uint8

const (
	nothing event = iota
	leftOut
	slowOdd
	spike
	irregular
	shifted
	eventCount
)

func (p *page) eventOf(at *analysis.StepPoint) event {
	switch {
	case slices.ContainsFunc(p.of.steps.Shifts, func(x analysis.Shift) bool { return x.Attempt == at.Attempt && x.Iteration == at.Iteration }):
		return shifted
	case at.Irregular:
		return irregular
	case at.Spike:
		return spike
	case at.SlowestOddity:
		return slowOdd
	case at.Excluded != "":
		return leftOut
	}
	return nothing
}

// look is the mark of an event.
func (p *page) look(e event) (string, theme.Style) {
	g := p.theme.Glyphs
	switch e {
	case leftOut:
		return g.Missing, p.theme.Dim
	case slowOdd:
		return slowestMark, p.theme.Warn
	case spike:
		return g.Ascending, p.theme.Warn
	case irregular:
		return g.Bad, p.theme.Bad
	case shifted:
		return g.Marked, p.theme.Bad
	}
	return " ", theme.Style{}
}

// strip is a line of marks below the plot, one for each cell: the gravest of its
// iterations.
func (p *page) strip(plot *draw.Plot) {
	worst := make([]event, plot.Cells())
	points := p.shown()
	for i := range points {
		if cell, ok := plot.Column(float64(i)); ok {
			worst[cell] = max(worst[cell], p.eventOf(&points[i]))
		}
	}
	l := draw.NewLine(p.width).To(plot.Gutter-1).Add(p.theme.Dim, p.theme.Glyphs.Divider)
	for _, e := range worst {
		glyph, style := p.look(e)
		l.Add(style, glyph)
	}
	p.put("", nil, l, "")
}

// stepsLegend is which iterations are drawn, and what the marks are.
func (p *page) stepsLegend() {
	points := p.shown()
	first, last := points[0].Iteration, points[len(points)-1].Iteration
	pieces := []piece{{p.theme.Dim, draw.Name(first) + "–" + draw.Name(last)}}
	counts := [eventCount]int{}
	for i := range points {
		counts[p.eventOf(&points[i])]++
	}
	for i := len(p.of.steps.Shifts) - 1; i >= 0 && i >= len(p.of.steps.Shifts)-2; i-- {
		x := p.of.steps.Shifts[i]
		glyph, style := p.look(shifted)
		pieces = append(pieces, piece{style, fmt.Sprintf("%s %+.1f%% from %s on", glyph, 100*x.Change, draw.Name(x.Iteration))})
	}
	for _, x := range []struct {
		event event
		word  string
	}{{irregular, irregularWord(p.of.steps.IrregularRatio)}, {spike, "spike"}, {slowOdd, "the slowest rank only"}, {leftOut, "left out" + p.why()}} {
		if counts[x.event] > 0 {
			glyph, style := p.look(x.event)
			pieces = append(pieces, piece{style, glyph + " " + draw.Count(counts[x.event]) + " " + x.word})
		}
	}
	p.flow("", pieces, p.room(1, 2, 2), "", nil)
}

func irregularWord(ratio float64) string {
	if ratio == 2 {
		return "twice the usual"
	}
	return fmt.Sprintf("%g times the usual", ratio)
}

// why is why iterations are left out.
func (p *page) why() string {
	counts := map[string]int{}
	points := p.shown()
	for i := range points {
		if points[i].Excluded != "" {
			counts[points[i].Excluded]++
		}
	}
	var parts []string
	for _, word := range sortedKeys(counts) {
		parts = append(parts, fmt.Sprintf("%s %s", draw.Count(counts[word]), strings.ReplaceAll(word, "_", " ")))
	}
	if len(parts) == 0 {
		return ""
	}
	return ": " + strings.Join(parts, ", ")
}

func sortedKeys(m map[string]int) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b string) int {
		if m[a] != m[b] {
			return m[b] - m[a]
		}
		return strings.Compare(a, b)
	})
	return out
}
