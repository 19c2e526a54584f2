package stepsscreen

import (
	"math"
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

func (m *Model) lines() []string {
	r := m.room()
	out := []string{m.summary(), m.medians(r)}
	for y := range m.grid {
		out = append(out, m.mapLine(y, r))
	}
	out = append(out, m.axis(r))
	for range r.lines - len(m.grid) {
		out = append(out, draw.Spaces(m.size.width))
	}
	out = append(out, m.legend())
	return append(out, m.reading(1+r.notes)...)
}

// summary is how much there is, and what a line is.
func (m *Model) summary() string {
	t, w := m.theme, &m.window
	l := draw.NewLine(m.size.width).Space(gutter)
	l.Add(t.Strong, draw.Plural(len(m.seen.rows), m.unit())).Add(t.Plain, " × "+draw.Plural(len(m.seen.points), "iteration"))
	if w.cols < len(m.seen.points) {
		l.AddIf(t.Dim, ", "+draw.Count(w.cols)+" on screen")
	}
	switch {
	case w.bucket > 1:
		l.AddIf(t.Accent, "  a line is the worst of "+draw.Count(w.bucket)+" ranks: "+m.data.Key(screen.Steps, "z")+" for each")
	case w.lines < len(m.seen.rows):
		l.AddIf(t.Accent, "  a line a rank: "+m.data.Key(screen.Steps, "z")+" for all")
	}
	if m.seen.measure != m.measure {
		l.AddIf(t.Warn, "  measuring")
	}
	return l.String()
}

func (m *Model) unit() string {
	if m.seen.rows[0].rank == run.Unknown {
		return "process"
	}
	return "rank"
}

// medians is the step of the median rank as a line, so that what all ranks share
// is seen apart from what one has alone.
func (m *Model) medians(r room) string {
	w := &m.window
	v := make([]float64, w.cols)
	for x := range v {
		v[x] = math.NaN()
		if p := &m.seen.points[w.left+x]; p.Excluded == "" {
			v[x] = p.Median
		}
	}
	l := draw.NewLine(m.size.width).Space(gutter).Fit(m.theme.Dim, "step", r.label-gutter, false)
	for _, g := range draw.SteadySparkline(v, w.cols, 0.2, m.theme.Glyphs) {
		l.Add(m.theme.Good, strings.Repeat(string(g), w.cell))
	}
	return l.String()
}

// label is the ranks of a line.
func (m *Model) label(line int) string {
	from, to := m.bucketOf(line)
	a, b := &m.seen.rows[from], &m.seen.rows[to-1]
	switch {
	case a.rank == run.Unknown:
		return a.name()
	case from+1 == to:
		return strconv.Itoa(a.rank)
	}
	return strconv.Itoa(a.rank) + "–" + strconv.Itoa(b.rank)
}

// mapLine is one line of the map. Neighbours of one look are written together.
func (m *Model) mapLine(y int, r room) string {
	w := &m.window
	l := draw.NewLine(m.size.width)
	focus := -1
	if w.top+y == m.rank/w.bucket {
		l.Add(m.theme.Accent, m.theme.Glyphs.Cursor)
		focus = m.seen.find(m.at) - w.left
	}
	l.To(gutter).Fit(m.theme.Dim, m.label(w.top+y), r.label-gutter-1, true).Space(1)
	var text strings.Builder
	var style theme.Style
	cells := 0
	flush := func() {
		l.Drawn(style.Render(text.String()), cells)
		text.Reset()
		cells = 0
	}
	for x := range m.grid[y] {
		glyph, look := m.look(m.grid[y][x])
		if x == focus {
			look, glyph = m.focused(look, glyph)
		}
		if look.On() != style.On() {
			flush()
			style = look
		}
		for range w.cell {
			text.WriteString(glyph)
		}
		cells += w.cell
	}
	flush()
	return l.String()
}

// focused is the look of the cell in focus. Without colours the marks on the axis
// and at the line's begin tell where it is.
func (m *Model) focused(look theme.Style, glyph string) (theme.Style, string) {
	if m.theme.Selected.IsPlain() {
		return look, glyph
	}
	return m.theme.Selected, glyph
}

// look is the glyph and style of a tile.
func (m *Model) look(t tile) (string, theme.Style) {
	if t.state == measured {
		if level, ok := m.seen.scale.level(float64(t.value)); ok {
			s := m.theme.Shade(level)
			return s.Glyph, s.Style
		}
	}
	return m.mark(t.state)
}

// mark is how a state without a value is drawn: none of them is a shade.
func (m *Model) mark(s state) (string, theme.Style) {
	switch s {
	case missing:
		return m.theme.Glyphs.No, m.theme.Bad
	case leftOut:
		return "_", m.theme.Dim
	case notYet:
		return " ", theme.Style{}
	case alone:
		return "1", m.theme.Dim
	}
	return "?", m.theme.Dim
}

// axis is the iterations at both ends and at the cursor, with a mark under its
// column and where the run was started again.
func (m *Model) axis(r room) string {
	w, t := &m.window, m.theme
	at := m.seen.find(m.at) - w.left
	cells := make([]string, w.cols*w.cell)
	for x := range cells {
		cells[x] = " "
		if i := w.left + x/w.cell; x%w.cell == 0 && i > 0 && m.seen.points[i].Attempt != m.seen.points[i-1].Attempt {
			cells[x] = t.Glyphs.Divider
		}
	}
	cells[at*w.cell] = t.Glyphs.Up
	write := func(x int, text string) {
		x = clamp(x, 0, len(cells)-len(text))
		for k := range text {
			if x < 0 || x+k >= len(cells) || cells[x+k] != " " {
				return
			}
		}
		for k := range text {
			cells[x+k] = text[k : k+1]
		}
	}
	number := func(x int) string { return strconv.FormatInt(m.seen.points[w.left+x].Iteration, 10) }
	write(at*w.cell+1, number(at))
	write(0, number(0)+" ")
	write(len(cells), " "+number(w.cols-1))
	l := draw.NewLine(m.size.width).Space(gutter).Fit(t.Dim, "iter", r.label-gutter, false)
	return l.Add(t.Dim, strings.Join(cells, "")).String()
}
