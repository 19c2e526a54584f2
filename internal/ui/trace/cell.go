package tracescreen

import (
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

func (r rows) nodeCell(l *lane, at rowAt, column string) draw.Cell {
	n := &l.tree.Nodes[at.node]
	switch column {
	case "span":
		return r.nameCell(l, at, n)
	case "marks":
		return marksCell(r.theme, marksOf(n), r.widths.marks)
	case "sender":
		return draw.Cell{Text: senderText(r.process(n)), Style: r.theme.Accent}
	case "start":
		return draw.Cell{Text: startText(n, r.origins[at.lane]), Style: r.theme.Dim}
	case "time":
		return r.timeCell(n)
	}
	return r.barCell(l, at, n)
}

func (r rows) process(n *analysis.Node) *store.Process {
	return r.content.snapshot.Runs[n.Run].Processes[n.Process]
}

// senderText is a rank, else the service.
func senderText(p *store.Process) string {
	if p.ID.Rank == run.Unknown {
		return p.ID.Service
	}
	return "rank " + strconv.Itoa(p.ID.Rank)
}

// nameCell is indentation, whether it is folded, the name, and what is folded
// into it.
func (r rows) nameCell(l *lane, at rowAt, n *analysis.Node) draw.Cell {
	depth := n.Depth
	if len(r.content.lanes) > 1 {
		depth++
	}
	shut := r.folds.folded(int(at.lane), int(at.node))
	lead := indent(depth, r.widths.span) + foldGlyph(r.theme.Glyphs, n.Children, shut) + " "
	inside, bad := "", ""
	if shut {
		inside = " +" + draw.Count(n.SubtreeEnd-int(at.node)-1)
		if k := l.errorsBelow(int(at.node)); k > 0 {
			bad = " " + draw.Count(k) + r.theme.Glyphs.Bad
		}
	}
	room := r.widths.span - draw.Width(lead) - draw.Width(inside) - draw.Width(bad)
	name := draw.ShortName(draw.Clean(n.Name()), max(room, min(minName, r.widths.span-draw.Width(lead))))
	line := draw.NewLine(r.widths.span).Add(r.theme.Dim, lead)
	line.Drawn(draw.Highlight(name, r.find, r.nameStyle(l, at, n), r.theme.Match), draw.Width(name))
	line.Add(r.theme.Dim, inside).Add(r.theme.Bad, bad)
	return draw.Cell{Text: lead + name + inside + bad, Drawn: line.String(), DrawnWidth: r.widths.span}
}

func (r rows) nameStyle(l *lane, at rowAt, n *analysis.Node) theme.Style {
	switch {
	case l.isInside(int(at.node)):
		return r.theme.Dim
	case n.SpanMarks.Has(run.Failed):
		return r.theme.Bad
	case n.Marks.Has(analysis.NoTime) || truncatedMark.on(n):
		return r.theme.Warn
	}
	return r.theme.Plain
}

// indent is the blanks before a name: as deep as the name keeps its cells, then
// the depth as a number.
func indent(depth, cells int) string {
	room := max(0, cells-foldCells-minName)
	step := 2
	if room < 2*minIndent {
		step = 1
	}
	if depth*step <= room {
		return draw.Spaces(depth * step)
	}
	return draw.PadLeft(strconv.Itoa(depth)+" ", room)
}

func foldGlyph(g theme.Glyphs, children int, shut bool) string {
	switch {
	case children == 0:
		return " "
	case shut:
		return g.Folded
	}
	return g.Unfolded
}

// marksCell is the gravest marks that fit.
func marksCell(t theme.Theme, marks []mark, cells int) draw.Cell {
	line := draw.NewLine(cells)
	var text strings.Builder
	for _, k := range marks[:min(len(marks), cells)] {
		glyph, style := k.look(t)
		line.Add(style, glyph)
		text.WriteString(glyph)
	}
	return draw.Cell{Text: text.String(), Drawn: line.String(), DrawnWidth: cells}
}

// startText is how long after the origin a node starts.
func startText(n *analysis.Node, origin uint64) string {
	if n.Marks.Has(analysis.NoTime) {
		return draw.Missing
	}
	return signed(float64(int64(n.Start - origin)))
}

func signed(ns float64) string {
	if ns < 0 {
		return draw.Duration(ns)
	}
	return "+" + draw.Duration(ns)
}

// timeCell is how long a node took. What is no measurement is dim.
func (r rows) timeCell(n *analysis.Node) draw.Cell {
	ns, ok := n.Duration()
	switch {
	case !ok:
		return draw.Cell{Text: draw.Missing, Style: r.theme.Dim}
	case n.Marks.Has(analysis.StillOpen) && ns == 0:
		return draw.Cell{Text: "open", Style: r.theme.Dim}
	case n.Marks.Has(analysis.StillOpen):
		return draw.Cell{Text: "≥" + draw.Duration(float64(ns)), Style: r.theme.Dim}
	case n.SpanMarks.Has(run.Truncated):
		return draw.Cell{Text: draw.Duration(float64(ns)), Style: r.theme.Dim}
	}
	return draw.Cell{Text: draw.Duration(float64(ns))}
}

// laneCell is the row of a whole rank.
func (r rows) laneCell(l *lane, k int, column string) draw.Cell {
	p := r.content.in.Processes[l.process]
	switch column {
	case "span":
		lead := foldGlyph(r.theme.Glyphs, len(l.tree.Nodes), r.folds.heads[k]) + " "
		text := draw.Truncate(lead+draw.Clean(laneText(p)), r.widths.span)
		return draw.Cell{Text: text, Style: r.theme.Group}
	case "marks":
		var marks []mark
		for k := range markCount {
			if l.counts[k] > 0 {
				marks = append(marks, k)
			}
		}
		return marksCell(r.theme, marks, r.widths.marks)
	case "start":
		if l.there {
			return draw.Cell{Text: signed(float64(int64(l.window.Start - r.origins[k]))), Style: r.theme.Dim}
		}
	case "time":
		if !l.there {
			return draw.Cell{Text: draw.Missing, Style: r.theme.Dim}
		}
		return draw.Cell{Text: draw.Duration(float64(l.window.End - l.window.Start))}
	case "bar":
		return r.laneBar(l, k)
	}
	return draw.Cell{}
}

// laneText names a rank by its place.
func laneText(p *store.Process) string {
	return strings.Join(append([]string{processName(p)}, placeWords(p)...), " ")
}

func processName(p *store.Process) string {
	switch {
	case p.ID.Rank != run.Unknown:
		return "rank " + strconv.Itoa(p.ID.Rank)
	case p.ID.Instance != "":
		return p.ID.Instance
	}
	return p.ID.Service
}

// placeWords are the coordinates and the host, as far as they are known.
func placeWords(p *store.Process) []string {
	var out []string
	for _, c := range []struct {
		word string
		at   int
	}{{"tp", p.Coord.TP}, {"pp", p.Coord.PP}, {"dp", p.Coord.DP}} {
		if c.at != run.Unknown {
			out = append(out, c.word+strconv.Itoa(c.at))
		}
	}
	if p.ID.Host != "" {
		out = append(out, p.ID.Host)
	}
	return out
}
