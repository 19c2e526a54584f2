package topologyscreen

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// headLines is the lines above the grid, without those of problems: the summary
// and two of headings.
const headLines = 3

func (m *Model) lines() []string {
	p := m.parts()
	lines := []string{m.summary()}
	for _, text := range m.seen.grid.Problems[:p.problems] {
		lines = append(lines, draw.NewLine(m.size.width).Add(m.theme.Warn, m.theme.Glyphs.Warn+" "+text).String())
	}
	lines = append(lines, m.heads(), m.axis())
	for i := range m.window.lines {
		lines = append(lines, m.gridLine(m.window.top+i))
	}
	lines = append(lines, m.medians())
	for range p.grid - m.window.lines {
		lines = append(lines, draw.Spaces(m.size.width))
	}
	lines = append(lines, m.legend())
	if p.notes > 0 {
		lines = append(lines, m.notes())
	}
	return append(lines, m.focusLines(p.focus)...)
}

// summaryLeast is the room that the position leaves to the rest of the summary.
const summaryLeast = 12

// summary is how many ranks there are, along what, and what a cell is.
func (m *Model) summary() string {
	t, g := m.theme, &m.seen.grid
	where := m.position()
	if draw.Width(where)+summaryLeast > m.size.width {
		where = ""
	}
	l := draw.NewLine(m.size.width - draw.Width(where)).Space(2)
	if len(g.Roles) > 1 {
		l.AddIf(t.Accent, roleWord(g.Role)+"  ")
	}
	style := t.Strong
	if g.Seen < g.World {
		style = t.Warn
	}
	l.Add(style, seenText(g))
	l.AddIf(t.Plain, "  "+sizesText(g))
	if m.board.unit == workers {
		if !l.AddIf(t.Accent, "  a cell a worker of "+draw.Plural(g.Sizes.TP*g.Sizes.CP, "rank")) {
			l.AddIf(t.Accent, "  cell: worker")
		}
	} else {
		l.AddIf(t.Dim, "  a cell a rank")
	}
	l.AddIf(t.Dim, "  medians of "+draw.Plural(m.seen.steps, "clean step"))
	if m.stale() {
		l.AddIf(t.Warn, "  measuring")
	}
	if where == "" {
		return l.String()
	}
	return draw.NewLine(m.size.width).Drawn(l.String(), m.size.width-draw.Width(where)).Add(t.Dim, where).String()
}

// stale reports that the grid is not yet that of what was asked for.
func (m *Model) stale() bool {
	return m.seen.measure != m.measure || m.seen.question.role != m.role
}

func roleWord(role string) string {
	if role == "" {
		return "no role"
	}
	return role
}

func seenText(g *analysis.Grid) string {
	if g.World <= 0 {
		return draw.Plural(g.Seen, "rank") + " seen"
	}
	return draw.Count(g.Seen) + " of " + draw.Plural(g.World, "rank")
}

func sizesText(g *analysis.Grid) string {
	z := g.Sizes
	text := "tp " + draw.Count(z.TP) + " × pp " + draw.Count(z.PP) + " × dp " + draw.Count(z.DP)
	if z.CP > 1 {
		text += " × cp " + draw.Count(z.CP)
	}
	return text
}

// position is which part of the grid is on screen, when it is not all.
func (m *Model) position() string {
	b, w := &m.board, &m.window
	var out []string
	if w.lines > 0 && w.lines < len(b.lines) {
		first, last := b.place(w.top, 0, m.at).dp, b.place(w.top+w.lines-1, b.cols, m.at).dp
		out = append(out, fmt.Sprintf("dp %d–%d of %s", first, last, draw.Count(b.sizes.DP)))
	}
	if w.cols < b.cols {
		first, last := w.left/b.block, (w.left+w.cols-1)/b.block
		out = append(out, fmt.Sprintf("pp %d–%d of %s", first, last, draw.Count(b.sizes.PP)))
	}
	return strings.Join(out, ", ")
}

// heads is the stages above their blocks, and the word over the medians of lines.
func (m *Model) heads() string {
	b := &m.board
	l := draw.NewLine(m.size.width)
	m.eachBlock(func(i, x, width int) {
		text := b.heads[i].label
		if b.wrap == 0 && (width > len(text)+3 || l.Used() <= b.left()) {
			text = "pp " + text
		}
		if x >= l.Used()+1 || l.Used() == 0 {
			l.To(x).Add(m.theme.Heading, text)
		}
	})
	return l.To(m.medianAt()).Add(m.theme.Heading, draw.PadLeft(medianWord, max(m.seen.scale.width, len(medianWord)))).String()
}

// eachBlock calls f for every block that begins on screen.
func (m *Model) eachBlock(f func(i, x, width int)) {
	b, w := &m.board, &m.window
	for i := range b.heads {
		from, to := max(i*b.block, w.left), min((i+1)*b.block, w.left+w.cols)
		if from < to {
			f(i, b.left()+b.x(from)-b.x(w.left), b.span(from, to))
		}
	}
}

// medianAt is where the medians of lines stand.
func (m *Model) medianAt() int {
	b, w := &m.board, &m.window
	return b.left() + b.span(w.left, w.left+w.cols) + medianGap
}

// axis is the tensor-parallel coordinates, and a mark over the cursor's column.
func (m *Model) axis() string {
	b, w := &m.board, &m.window
	l := draw.NewLine(m.size.width)
	_, focus := b.find(m.at)
	for col := w.left; col < w.left+w.cols; col++ {
		l.To(b.left() + b.x(col) - b.x(w.left))
		switch {
		case col == focus:
			l.Add(m.theme.Accent, m.theme.Glyphs.Down)
		case b.unit == ranks && b.wrap == 0 && b.block > 1:
			l.Add(m.theme.Dim, m.coordinate(col))
		}
	}
	return l.String()
}

func (m *Model) coordinate(col int) string {
	tp := col % m.board.sizes.TP
	if !m.board.form.valued {
		return strconv.Itoa(tp % 10)
	}
	text := "tp" + strconv.Itoa(tp)
	if z := m.board.sizes; z.CP > 1 {
		text = "cp" + strconv.Itoa(col/z.TP%z.CP) + " " + text
	}
	return draw.Truncate(text, m.board.form.cell)
}

// medians is the median of each stage beneath its block: a number where there is
// room, else a shade.
func (m *Model) medians() string {
	b := &m.board
	l := draw.NewLine(m.size.width)
	if b.wrap > 0 {
		return l.String()
	}
	l.Space(gutter).Add(m.theme.Heading, medianWord)
	m.eachBlock(func(i, x, width int) {
		v := b.heads[i].median
		l.To(x)
		if text := m.seen.scale.number(v); draw.Width(text) <= width {
			if b.form.valued { // below the numbers, not below their shades
				l.Space(min(shadeCells, width-draw.Width(text)))
			}
			l.Add(m.theme.Strong, text)
		} else {
			m.shade(l, v, width)
		}
	})
	return l.String()
}

// gridLine is one line of the grid.
func (m *Model) gridLine(n int) string {
	b, w := &m.board, &m.window
	line := &b.lines[n]
	l := draw.NewLine(m.size.width)
	focusLine, focus := b.find(m.at)
	if n != focusLine {
		focus = -1
		l.Space(gutter)
	} else {
		l.Add(m.theme.Accent, m.theme.Glyphs.Cursor).Space(gutter - 1)
	}
	l.Fit(m.theme.Dim, line.label, b.left()-gutter-labelGap, false)
	for col := w.left; col < min(w.left+w.cols, len(line.cells)); col++ {
		l.To(b.left() + b.x(col) - b.x(w.left))
		m.drawCell(l, line.cells[col], col == focus)
	}
	l.To(m.medianAt())
	if !math.IsNaN(line.median) {
		l.Add(m.theme.Strong, draw.PadLeft(m.seen.scale.number(line.median), max(m.seen.scale.width, len(medianWord))))
	}
	return l.String()
}
