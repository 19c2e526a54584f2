package tracescreen

import (
	"math"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// ink is what one cell of a bar shows.
type ink uint8

const (
	blank ink = iota
	computeInk
	waitInk
	ioInk
	otherInk
	aroundInk // within a span, and in none of those inside it
	beforeInk // it goes on to the left
	afterInk  // it goes on to the right
	cutInk    // it was cut here by the shutdown
	inkCount
)

func inkOf(c run.Class) ink {
	switch c {
	case run.Compute:
		return computeInk
	case run.Wait:
		return waitInk
	case run.IO:
		return ioInk
	case run.Step:
		return aroundInk
	}
	return otherInk
}

// look is the cell of an ink.
func (k ink) look(t theme.Theme) (glyph string, style theme.Style) {
	g := t.Glyphs
	before, after := "‹", "›"
	if t.ASCII {
		before, after = "<", ">"
	}
	glyph = [...]string{" ", g.Compute, g.Wait, g.IO, g.Other, g.Rule, before, after, g.Truncated}[k]
	style = [...]theme.Style{{}, t.Compute, t.Wait, t.IO, t.Other, t.Dim, t.Dim, t.Dim, t.Warn}[k]
	return glyph, style
}

// rendered is cells as text, plain and in colours.
func rendered(t theme.Theme, cells []ink) draw.Cell {
	var text, drawn strings.Builder
	for i := 0; i < len(cells); {
		j := i + 1
		for j < len(cells) && cells[j] == cells[i] {
			j++
		}
		glyph, style := cells[i].look(t)
		part := strings.Repeat(glyph, j-i)
		text.WriteString(part)
		style.Write(&drawn, part)
		i = j
	}
	return draw.Cell{Text: text.String(), Drawn: drawn.String(), DrawnWidth: len(cells)}
}

// barCell is a node on the time axis: what has nothing inside is solid, what is
// folded shows what is inside, and what is unfolded is a line above it.
func (r rows) barCell(l *lane, at rowAt, n *analysis.Node) draw.Cell {
	if n.Marks.Has(analysis.NoTime) {
		return draw.Cell{Text: "no sane time", Style: r.theme.Warn}
	}
	cells := make([]ink, r.axis.cells)
	s := r.stretchOf(n, int(at.lane))
	switch {
	case n.Children == 0:
		fill(cells, r.axis, s, r.class(n))
	case r.folds.folded(int(at.lane), int(at.node)):
		r.blend(cells, l, int(at.lane), int(at.node)+1, n.SubtreeEnd, s)
	default:
		fill(cells, r.axis, s, aroundInk)
	}
	ends(cells, r.axis, s, n)
	return rendered(r.theme, cells)
}

// laneBar is all that a rank did at the finest.
func (r rows) laneBar(l *lane, k int) draw.Cell {
	if !l.there {
		return draw.Cell{Text: "not there: " + missingStep(l.at), Style: r.theme.Dim}
	}
	cells := make([]ink, r.axis.cells)
	from := float64(int64(l.window.Start - r.origins[k]))
	s := stretch{from, from + float64(l.window.End-l.window.Start)}
	r.blend(cells, l, k, 0, len(l.tree.Nodes), s)
	return rendered(r.theme, cells)
}

func (r rows) class(n *analysis.Node) ink {
	return inkOf(r.content.snapshot.Runs[n.Run].Names[n.Chunk.NameID(n.Row)].Phase.Class)
}

// stretchOf is the time of a node on the axis of its lane.
func (r rows) stretchOf(n *analysis.Node, lane int) stretch {
	ns, _ := n.Duration()
	from := float64(int64(n.Start - r.origins[lane]))
	return stretch{from, from + float64(ns)}
}

// cellsOf is the cells of a stretch, at least one, as far as they are in view;
// empty when none is.
func cellsOf(a axis, s stretch) (from, to int) {
	x, y := a.at(s.from), a.at(s.to)
	if y < 0 || x >= float64(a.cells) {
		return 0, 0
	}
	from = int(math.Max(0, math.Floor(x)))
	to = int(math.Min(float64(a.cells), math.Max(float64(from+1), math.Round(y))))
	return from, to
}

func fill(cells []ink, a axis, s stretch, k ink) {
	from, to := cellsOf(a, s)
	for i := from; i < to; i++ {
		cells[i] = k
	}
}

// ends marks where a bar goes on beyond what is shown, and what its end means.
func ends(cells []ink, a axis, s stretch, n *analysis.Node) {
	if len(cells) == 0 {
		return
	}
	x, y, last := a.at(s.from), a.at(s.to), len(cells)-1
	if x < -0.5 || y < 0 {
		cells[0] = beforeInk
	}
	if y > float64(len(cells))+0.5 || x >= float64(len(cells)) {
		cells[last] = afterInk
		return
	}
	_, to := cellsOf(a, s)
	switch {
	case to == 0:
	case n.SpanMarks.Has(run.Truncated):
		cells[to-1] = cutInk
	case n.Marks.Has(analysis.StillOpen):
		cells[to-1] = afterInk
	}
}

// blend paints a stretch with what the nodes from … to, that have nothing inside
// them, did in it. What has a third of the time gets every third cell: shares are
// carried from cell to cell, but nothing is painted where it was not.
func (r rows) blend(cells []ink, l *lane, lane, from, to int, s stretch) {
	var took shares
	for k := range took {
		took[k] = make([]float64, len(cells))
	}
	for i := from; i < to; i++ {
		n := &l.tree.Nodes[i]
		if n.Children > 0 || n.Marks.Has(analysis.NoTime|analysis.Outside) || l.hides(i) {
			continue
		}
		r.axis.spread(took[r.class(n)], r.stretchOf(n, lane))
	}
	r.axis.spread(took[blank], s)
	took.rest()
	first, end := cellsOf(r.axis, s)
	var owed [aroundInk + 1]float64
	for i := first; i < end; i++ {
		cells[i] = took.pick(i, &owed)
	}
}

// shares is how much of each cell each ink takes. Until rest is called blank is
// all there is to take.
type shares [aroundInk + 1][]float64

// spread adds a stretch to the cells it touches, as shares of each.
func (a axis) spread(cells []float64, s stretch) {
	x, y := a.at(s.from), a.at(s.to)
	from, to := int(math.Max(0, math.Floor(x))), int(math.Min(float64(len(cells)), math.Ceil(y)))
	for i := from; i < to; i++ {
		cells[i] += math.Min(y, float64(i+1)) - math.Max(x, float64(i))
	}
}

// rest gives to aroundInk what no span explains.
func (s *shares) rest() {
	for i, all := range s[blank] {
		for k := computeInk; k < aroundInk; k++ {
			all -= s[k][i]
		}
		s[aroundInk][i] += math.Max(0, all)
	}
}

// pick is the ink that has got least of what it should have, up to cell i.
func (s *shares) pick(i int, owed *[aroundInk + 1]float64) ink {
	best, most := aroundInk, math.Inf(-1)
	for k := computeInk; k <= aroundInk; k++ {
		owed[k] += s[k][i]
		if s[k][i] > 0 && owed[k] > most {
			best, most = k, owed[k]
		}
	}
	owed[best]--
	return best
}
