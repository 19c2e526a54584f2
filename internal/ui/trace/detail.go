package tracescreen

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// detail is the pane with all that is known of the span in focus.
type detail struct {
	open, focus bool
	size        size
	offset      int
	of          string   // identity of the row it was made for
	in          *content // from which answer
	width       int      // it was wrapped to
	lines       []string // drawn, of exactly width cells
}

func (d *detail) resize(s size) {
	d.size = s
	d.scroll(0)
}

func (d *detail) close() { *d = detail{} }

// scroll moves by so many lines, within what there is.
func (d *detail) scroll(by int) {
	d.offset = max(0, min(d.offset+by, len(d.lines)-d.size.height))
}

// handleKey scrolls, and reports whether the key was for that.
func (d *detail) handleKey(k tea.KeyMsg, on draw.TableKeys) bool {
	page := max(1, d.size.height-1)
	for _, m := range []struct {
		on key.Binding
		by int
	}{
		{on.Up, -1}, {on.Down, 1}, {on.PageUp, -page}, {on.PageDown, page},
		{on.HalfUp, -(page + 1) / 2}, {on.HalfDown, (page + 1) / 2}, {on.Top, -len(d.lines)}, {on.Bottom, len(d.lines)},
	} {
		if key.Matches(k, m.on) {
			d.scroll(m.by)
			return true
		}
	}
	return false
}

func (m *Model) toggleDetails() {
	if m.detail.open {
		m.detail.close()
	} else if len(m.rows.list) > 0 {
		m.detail.open = true
	}
	m.layOut()
}

// focusDetails lets the cursor keys scroll the details, or the table again.
func (m *Model) focusDetails() {
	if !m.detail.open {
		m.toggleDetails()
	}
	m.detail.focus = m.detail.open && !m.detail.focus
}

// paneLines is exactly as many lines as the pane has, of its width.
func (m *Model) paneLines(p parts) []string {
	m.detail.refresh(m, p.pane.width)
	lines := make([]string, 0, p.pane.height)
	if p.side && p.pane.height > 0 {
		lines = append(lines, m.paneHead(draw.NewLine(p.pane.width)).String())
	}
	for i := m.detail.offset; i < len(m.detail.lines) && len(lines) < p.pane.height; i++ {
		lines = append(lines, m.detail.lines[i])
	}
	for len(lines) < p.pane.height {
		lines = append(lines, draw.Spaces(p.pane.width))
	}
	return lines
}

// paneRule is the line above a pane that lies below the table.
func (m *Model) paneRule(p parts) string {
	l := m.paneHead(draw.NewLine(p.pane.width))
	return l.Add(m.theme.Dim, strings.Repeat(m.theme.Glyphs.Rule, max(0, l.Left()))).String()
}

func (m *Model) paneHead(l *draw.Line) *draw.Line {
	t, d := m.theme, &m.detail
	style, hint := t.Dim, "Tab: scroll"
	if d.focus {
		style, hint = t.Title, "scrolling, Tab: back"
	}
	l.Add(style, t.Glyphs.Rule+" details ")
	if n := len(d.lines); n > d.size.height {
		l.AddIf(t.Dim, draw.Count(d.offset+1)+"–"+draw.Count(min(n, d.offset+d.size.height))+" of "+draw.Count(n)+" ")
		l.AddIf(t.Dim, "("+hint+") ")
	}
	return l
}

// refresh makes the lines of the row in focus, if they are not those at hand.
func (d *detail) refresh(m *Model, width int) {
	if d.of == m.table.Key() && d.in == m.content && d.width == width {
		return
	}
	if d.of != m.table.Key() {
		d.offset = 0
	}
	d.of, d.in, d.width = m.table.Key(), m.content, width
	d.lines = nil
	for _, p := range m.details(maxEvents) {
		d.lines = append(d.lines, p.lines(m.theme, width)...)
	}
	d.scroll(0)
}

// entry is one thing said of a span: a heading, a remark, or a value under its
// name.
type entry struct {
	style theme.Style
	name  string
	text  string
}

// nameCells lines up the values of short names.
const nameCells = 9

// maxShown is how much of one value is shown, in bytes. y copies all of it.
const maxShown = 4_000

// lines is an entry, wrapped. Values with line breaks keep them.
func (e entry) lines(t theme.Theme, width int) []string {
	text := e.text
	if len(text) > maxShown {
		text = strings.ToValidUTF8(text[:maxShown], "") + draw.Ellipsis + " (" + draw.Count(len(text)-maxShown) + " bytes more)"
	}
	parts := strings.Split(text, "\n")
	if e.name == "" {
		return wrapped(parts, " ", "", e.style, t, width)
	}
	name := draw.Clean(e.name)
	if len(parts) > 1 {
		out := wrapped([]string{name}, "  ", name, e.style, t, width)
		return append(out, wrapped(parts, "    ", "", e.style, t, width)...)
	}
	name = draw.PadRight(name, max(nameCells, draw.Width(name)))
	return wrapped([]string{name + "  " + text}, "  ", name, e.style, t, width)
}

// wrapped draws parts behind a lead; what they begin with may be a name.
func wrapped(parts []string, lead, name string, style theme.Style, t theme.Theme, width int) []string {
	var out []string
	for _, part := range parts {
		for _, line := range draw.Wrap(lead+part, width) {
			l := draw.NewLine(width)
			if rest, ok := strings.CutPrefix(line, lead+name); ok && name != "" {
				l.Add(t.Accent, lead+name)
				line, name = rest, ""
			}
			out = append(out, l.Add(style, line).String())
		}
	}
	return out
}
