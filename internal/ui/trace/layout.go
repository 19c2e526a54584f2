package tracescreen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// parts is where things are on the screen: one or two lines of what is shown, the
// table, the details beside or below it, and a line of legend.
type parts struct {
	titles int
	bottom bool
	table  size
	pane   size // of the details; zero when closed
	side   bool // details beside the table, else below it
}

// The heights below which there is no second title line, and no legend.
const (
	twoTitles  = 14
	oneLegend  = 6
	sideFrom   = 120 // columns
	tallEnough = 12  // lines of body that both table and details get a part of
)

func divide(s size, details bool) parts {
	p := parts{titles: min(1, s.height), bottom: s.height >= oneLegend}
	if s.height >= twoTitles {
		p.titles = 2
	}
	body := s.height - p.titles
	if p.bottom {
		body--
	}
	p.table = size{s.width, max(0, body)}
	if details {
		p.open(body)
	}
	return p
}

// open makes room for the details.
func (p *parts) open(body int) {
	switch {
	case p.table.width >= sideFrom:
		p.side = true
		p.pane = size{p.table.width * 2 / 5, max(0, body)}
		p.table.width -= p.pane.width + 1
	case body >= tallEnough:
		p.pane = size{p.table.width, body * 11 / 20}
		p.table.height = body - p.pane.height - 1
	default: // one at a time
		p.pane = size{p.table.width, max(0, body-1)}
		p.table.height = 0
	}
}

// layOut gives everything its place after a change of size or of content.
func (m *Model) layOut() {
	p := divide(m.size, m.detail.open)
	m.table.SetSize(p.table.width, p.table.height)
	m.rows.widths = arrange(p.table.width, m.content.senders > 1)
	if p.side {
		p.pane.height-- // its heading
	}
	m.detail.resize(p.pane)
	m.relist()
}

// relist lists the rows anew, after something was folded.
func (m *Model) relist() {
	m.rows.theme, m.rows.content, m.rows.folds = m.theme, m.content, &m.folds
	m.rows.list = visible(m.content, &m.folds)
	m.redraw()
}

// redraw shows the same rows on another axis or with other words marked.
func (m *Model) redraw() {
	m.rows.origins = m.content.origins(m.time.aligned(m.content))
	if m.time.on {
		m.time.view = m.time.view.inside(m.extent())
	}
	m.rows.axis = axis{m.shownTime(), m.rows.widths.bar}
	m.rows.find = m.finder.text
	m.table.SetColumns(m.rows.widths.columns(m.rows.axis.ruler(m.theme.Glyphs))...)
	m.table.SetRows(m.rows)
}

// View is what is shown, the table, the details and the legend.
func (m *Model) View() string {
	if m.size.height == 0 {
		return ""
	}
	p := divide(m.size, m.detail.open)
	lines := make([]string, 0, m.size.height)
	lines = append(lines, m.titles(p.titles)...)
	lines = append(lines, m.body(p)...)
	if p.bottom {
		lines = append(lines, m.bottomLine())
	}
	return draw.Block(lines, m.size.width, m.size.height)
}

func (m *Model) body(p parts) []string {
	if len(m.rows.list) == 0 {
		height := m.size.height - p.titles
		if p.bottom {
			height--
		}
		return strings.Split(draw.Message(m.empty(), m.size.width, height), "\n")
	}
	var table []string
	if p.table.height > 0 {
		table = strings.Split(m.table.View(), "\n")
	}
	if !m.detail.open {
		return table
	}
	pane := m.paneLines(p)
	if !p.side {
		return append(append(table, m.paneRule(p)), pane...)
	}
	divider := m.theme.Dim.Render(m.theme.Glyphs.Divider)
	for i := range table {
		table[i] += divider + pane[i]
	}
	return table
}
