package draw

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// View is exactly height lines of exactly width cells. It is made anew only
// after something changed.
func (t *Table) View() string {
	if t.dirty {
		t.view, t.dirty = t.draw(), false
	}
	return t.view
}

func (t *Table) draw() string {
	lines := make([]string, 0, t.height)
	if t.height > 0 {
		lines = append(lines, t.heading())
	}
	for row := t.offset; row < t.rows.Len() && len(lines) < t.height; row++ {
		lines = append(lines, t.line(row))
	}
	if t.menu != nil && t.height > 0 {
		for len(lines) < t.height {
			lines = append(lines, Spaces(t.width))
		}
		lines = t.menu.over(t, lines)
	}
	return Block(lines, t.width, t.height)
}

func (t *Table) heading() string {
	l := NewLine(t.width)
	for _, p := range t.layout {
		c := t.columns[p.column]
		l.To(p.at).Fit(t.theme.Heading, t.title(c), p.width, c.Right)
	}
	return l.String()
}

func (t *Table) title(c Column) string {
	if c.ID != t.sort.Column {
		return c.Title
	}
	mark := t.theme.Glyphs.Ascending
	if t.sort.Desc {
		mark = t.theme.Glyphs.Desc
	}
	return c.Title + mark
}

// line is a row as drawn before, when it is not the cursor's.
func (t *Table) line(row int) string {
	if row == t.cursor {
		return t.row(row)
	}
	if old, ok := t.kept[row]; ok {
		return old
	}
	if len(t.kept) > 4*t.height { // far more than is in sight
		clear(t.kept)
	}
	line := t.row(row)
	t.kept[row] = line
	return line
}

func (t *Table) row(row int) string {
	group, focus := t.isGroup(row), row == t.cursor && !t.still
	base, over := theme.Style{}, false
	if group {
		base, over = t.theme.Group, true
	}
	if focus {
		base, over = t.theme.Selected, true
	}
	l := NewLine(t.width)
	if focus {
		l.Add(base, t.theme.Glyphs.Cursor+" ")
	}
	if group {
		t.groupCells(l, row, base)
	} else {
		t.cells(l, row, base, over)
	}
	if focus {
		l.Add(base, Spaces(l.Left()))
	}
	return l.String()
}

func (t *Table) isGroup(row int) bool {
	g, ok := t.rows.(Grouper)
	return ok && g.IsGroup(row)
}

func (t *Table) cells(l *Line, row int, base theme.Style, over bool) {
	for _, p := range t.layout {
		c := t.columns[p.column]
		cell := t.rows.Cell(row, c.ID)
		style := cell.Style
		if over {
			style = base
		}
		l.Add(base, Spaces(p.at-l.Used()))
		if cell.Drawn != "" && !over && cell.DrawnWidth <= p.width {
			t.drawn(l, cell, p.width, c.Right)
			continue
		}
		t.text(l, cell.Text, p.width, c.Right, style)
	}
}

func (t *Table) drawn(l *Line, cell Cell, width int, right bool) {
	if right {
		l.Space(width - cell.DrawnWidth)
	}
	at := l.Used()
	l.Drawn(cell.Drawn, cell.DrawnWidth)
	if !right {
		l.To(at + width)
	}
}

// text writes one cell, with the search's hits marked in it.
func (t *Table) text(l *Line, s string, width int, right bool, style theme.Style) {
	if t.search == "" {
		l.Fit(style, s, width, right)
		return
	}
	s = Fit(Clean(s), min(width, l.Left()), right)
	var b strings.Builder
	highlight(&b, s, t.search, style, t.theme.Match)
	l.Drawn(b.String(), Width(s))
}

// groupCells writes a group row: a cell may run on over empty ones to its right.
func (t *Table) groupCells(l *Line, row int, base theme.Style) {
	texts := make([]string, len(t.layout))
	for i, p := range t.layout {
		texts[i] = Clean(t.rows.Cell(row, t.columns[p.column].ID).Text)
	}
	for i := 0; i < len(t.layout); {
		p := t.layout[i]
		end, next := p.at+p.width, i+1
		for next < len(t.layout) && texts[next] == "" && !t.columns[p.column].Right {
			end = t.layout[next].at + t.layout[next].width
			next++
		}
		l.Add(base, Spaces(p.at-l.Used()))
		t.text(l, texts[i], end-p.at, t.columns[p.column].Right, base)
		i = next
	}
}
