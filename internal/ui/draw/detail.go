package draw

import (
	"cmp"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// Detail is a pane with facts about the row of a table that is in focus: beside
// the table on a wide screen, below it on a narrow one, and in its place where
// there is no room for both. The zero Detail is closed.
type Detail struct {
	Scroll, Shut string // how the keys are written that scroll and close it; "" is Tab and Esc

	pane    Pane
	open    bool
	focus   bool // keys scroll it
	of      string
	wrapped int // to how many cells
	width   int // of the whole
	height  int
	side    bool
	instead bool
}

// From which size on a pane stands beside the table, and below it.
const (
	besideFrom = 120
	belowFrom  = 12
)

// IsOpen reports whether the pane is there.
func (d *Detail) IsOpen() bool { return d.open }

// HasFocus reports whether keys scroll the pane.
func (d *Detail) HasFocus() bool { return d.focus }

// Toggle opens or closes the pane.
func (d *Detail) Toggle() {
	d.open = !d.open
	d.focus, d.of = false, ""
	d.pane.Top()
}

// Close closes it, and reports whether it was open.
func (d *Detail) Close() bool {
	was := d.open
	d.open, d.focus = false, false
	return was
}

// Resize gives table and pane their cells of a screen's part, and says how many
// the table has.
func (d *Detail) Resize(width, height int) (tableWidth, tableHeight int) {
	d.width, d.height = max(0, width), max(0, height)
	d.side, d.instead = d.width >= besideFrom, false
	w, h := d.width, d.height
	switch {
	case !d.open:
		return w, h
	case d.side:
		pane := w * 2 / 5
		d.pane.SetSize(pane, h-1)
		return w - pane - 1, h
	case h >= belowFrom:
		pane := h * 11 / 20
		d.pane.SetSize(w, pane)
		return w, h - pane - 1
	}
	d.instead = true
	d.pane.SetSize(w, h-1)
	return w, 0
}

// Show fills the pane, unless it shows this key at this width already; facts is
// asked only then. A key is a row, behind two zero bytes followed by what else the
// facts depend on: newer facts of the same row leave the pane where it stands.
func (d *Detail) Show(t theme.Theme, key string, facts func() []Fact) {
	if !d.open {
		return
	}
	if key == d.of && d.wrapped == d.pane.width {
		return
	}
	if d.of != "" && rowOf(key) != rowOf(d.of) {
		d.pane.Top()
	}
	d.of, d.wrapped = key, d.pane.width
	d.pane.SetAligned(t, facts())
}

func rowOf(key string) string {
	if i := strings.LastIndex(key, "\x00\x00"); i >= 0 {
		return key[:i]
	}
	return key
}

// HandleKey takes the keys that are for the pane: Tab goes there and back, and
// while it has the focus, or stands alone, others scroll it.
func (d *Detail) HandleKey(k tea.KeyMsg, on TableKeys) bool {
	switch {
	case !d.open:
		return false
	case k.String() == "tab":
		d.focus = !d.focus
		return true
	}
	return (d.focus || d.instead) && d.pane.HandleKey(k, on)
}

// HandleMouse scrolls when the mouse is over the pane, and reports whether it was.
// Coordinates are those of the part that was given to Resize.
func (d *Detail) HandleMouse(m tea.MouseMsg) bool {
	over := d.open && (d.instead || d.side && m.X >= d.width-d.pane.width || !d.side && m.Y >= d.height-d.pane.height-1)
	if over {
		d.pane.HandleMouse(m)
	}
	return over
}

// Join is the view of the table with the pane's, in the cells of Resize.
func (d *Detail) Join(t theme.Theme, table, title string) string {
	if !d.open {
		return table
	}
	tab, esc := cmp.Or(d.Scroll, "Tab"), cmp.Or(d.Shut, "Esc")
	hint := tab + ": scroll, " + esc + ": close"
	if d.focus {
		hint = "scrolling, " + tab + ": back"
	}
	head := d.pane.Head(t, title, hint, d.pane.width)
	pane := append([]string{head}, d.pane.Visible()...)
	switch {
	case d.instead:
		return Block(pane, d.width, d.height)
	case !d.side:
		return Block(append(strings.Split(table, "\n"), pane...), d.width, d.height)
	}
	divider := t.Dim.Render(t.Glyphs.Divider)
	lines := strings.Split(table, "\n")
	for i := range lines {
		lines[i] += divider + pane[min(i, len(pane)-1)]
	}
	return Block(lines, d.width, d.height)
}
