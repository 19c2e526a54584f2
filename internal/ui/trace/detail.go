package tracescreen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// detail is the pane with all that is known of the span in focus.
type detail struct {
	open, focus bool
	pane        draw.Pane
	of          string   // identity of the row it was made for
	in          *content // from which answer
	width       int      // it was wrapped to
}

func (d *detail) resize(s size) { d.pane.SetSize(s.width, s.height) }

func (d *detail) close() { *d = detail{} }

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
	lines = append(lines, m.detail.pane.Visible()...)
	return lines[:min(len(lines), p.pane.height)]
}

// paneRule is the line above a pane that lies below the table.
func (m *Model) paneRule(p parts) string {
	l := m.paneHead(draw.NewLine(p.pane.width))
	return l.Add(m.theme.Dim, strings.Repeat(m.theme.Glyphs.Rule, max(0, l.Left()))).String()
}

func (m *Model) paneHead(l *draw.Line) *draw.Line {
	t, d := m.theme, &m.detail
	tab := m.data.Key(screen.Trace, "tab")
	style, hint := t.Dim, tab+": scroll"
	if d.focus {
		style, hint = t.Title, "scrolling, "+tab+": back"
	}
	l.Add(style, t.Glyphs.Rule+" details ")
	if at := d.pane.Position(); at != "" {
		l.AddIf(t.Dim, at+" ")
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
		d.pane.Top()
	}
	d.of, d.in, d.width = m.table.Key(), m.content, width
	d.pane.SetFacts(m.theme, m.details(maxEvents))
}
