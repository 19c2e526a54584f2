package draw

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

// TableKeys are the keys a table answers by itself.
type TableKeys struct {
	Up, Down, PageUp, PageDown, HalfUp, HalfDown, Top, Bottom key.Binding
}

// DefaultTableKeys are arrows, vim's and pager keys.
func DefaultTableKeys() TableKeys {
	bind := func(help, what string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
	}
	return TableKeys{
		Up:       bind("↑/k", "up", "up", "k"),
		Down:     bind("↓/j", "down", "down", "j"),
		PageUp:   bind("PgUp", "page up", "pgup", "ctrl+b"),
		PageDown: bind("PgDn", "page down", "pgdown", "ctrl+f"),
		HalfUp:   bind("^U", "half a page up", "ctrl+u"),
		HalfDown: bind("^D", "half a page down", "ctrl+d"),
		Top:      bind("g", "first", "g", "home"),
		Bottom:   bind("G", "last", "G", "end"),
	}
}

// Bindings is all of them, for the help overlay.
func (k TableKeys) Bindings() []key.Binding {
	return []key.Binding{k.Up, k.Down, k.PageUp, k.PageDown, k.HalfUp, k.HalfDown, k.Top, k.Bottom}
}

// Keys are the table's keys, for a screen's help.
func (t *Table) Keys() TableKeys { return t.keys }

// HandleKey moves the cursor when the key is one of the table's, and reports
// whether it was.
func (t *Table) HandleKey(k tea.KeyMsg) bool {
	page := max(1, t.body())
	for _, m := range []struct {
		on key.Binding
		to int
	}{
		{t.keys.Up, t.cursor - 1}, {t.keys.Down, t.cursor + 1},
		{t.keys.PageUp, t.cursor - page}, {t.keys.PageDown, t.cursor + page},
		{t.keys.HalfUp, t.cursor - (page+1)/2}, {t.keys.HalfDown, t.cursor + (page+1)/2},
		{t.keys.Top, 0}, {t.keys.Bottom, t.rows.Len() - 1},
	} {
		if key.Matches(k, m.on) {
			t.MoveTo(m.to)
			t.chosen = t.cursor > 0
			return true
		}
	}
	return false
}

// Hit is what lies at a place of a table.
type Hit struct {
	Row     int    // -1 when no row is there
	Column  string // "" when no column is there
	Heading bool
}

// Hit tells what lies at x, y relative to the table's upper left cell.
func (t *Table) Hit(x, y int) Hit {
	h := Hit{Row: -1, Heading: y == 0}
	if x < 0 || y < 0 || x >= t.width || y >= t.height {
		return Hit{Row: -1}
	}
	for _, p := range t.layout {
		if x >= p.at && x < p.at+p.width {
			h.Column = t.columns[p.column].ID
		}
	}
	if row := t.offset + y - 1; y > 0 && row < t.rows.Len() {
		h.Row = row
	}
	return h
}

// MouseEvent is what a mouse message meant to a table.
type MouseEvent uint8

// What a mouse message may mean.
const (
	MouseNothing MouseEvent = iota
	MouseMoved              // wheel, or a click on another row
	MouseOpened             // a click on the row in focus: like Enter
	MouseSorted             // a click on a sortable heading: Sort changed
)

// wheelStep is how many rows one notch of the wheel moves.
const wheelStep = 3

// HandleMouse takes a mouse message with coordinates relative to the table.
func (t *Table) HandleMouse(m tea.MouseMsg) MouseEvent {
	if m.Action != tea.MouseActionPress {
		return MouseNothing
	}
	switch m.Button {
	case tea.MouseButtonWheelUp:
		t.Scroll(-wheelStep)
		t.chosen = t.cursor > 0
		return MouseMoved
	case tea.MouseButtonWheelDown:
		t.Scroll(wheelStep)
		t.chosen = t.cursor > 0
		return MouseMoved
	case tea.MouseButtonLeft:
		return t.click(t.Hit(m.X, m.Y))
	}
	return MouseNothing
}

func (t *Table) click(h Hit) MouseEvent {
	switch {
	case h.Heading && h.Column != "" && t.SortBy(h.Column):
		return MouseSorted
	case h.Row < 0:
		return MouseNothing
	case h.Row == t.cursor:
		return MouseOpened
	}
	t.MoveTo(h.Row)
	t.chosen = t.cursor > 0
	return MouseMoved
}
