package draw

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"
)

// sortMenu is the columns one may sort by, as a list to choose from.
type sortMenu struct {
	typed  Input
	offers []Column
	at     int
}

// ChooseSort opens the list of what the table can be sorted by, those columns
// among them for which there is no room.
func (t *Table) ChooseSort() {
	t.menu = &sortMenu{}
	t.menu.offers = t.offered()
	for i, c := range t.menu.offers {
		if c.ID == t.sort.Column {
			t.menu.at = i
		}
	}
	t.dirty = true
}

// Choosing reports that the list is open: then all keys are for ChooseKey.
func (t *Table) Choosing() bool { return t.menu != nil }

// CloseChoice closes the list, and reports whether it was open.
func (t *Table) CloseChoice() bool {
	was := t.menu != nil
	t.menu, t.dirty = nil, true
	return was
}

// offered is the sortable columns that hold what was typed, those first that
// begin with it.
func (t *Table) offered() []Column {
	var first, rest []Column
	typed := strings.ToLower(t.menu.typed.Value())
	for _, c := range t.columns {
		name := strings.ToLower(strings.TrimSpace(c.Title))
		switch {
		case !c.Sortable:
		case strings.HasPrefix(name, typed):
			first = append(first, c)
		case strings.Contains(name, typed):
			rest = append(rest, c)
		}
	}
	return append(first, rest...)
}

// ChooseKey takes a key while the list is open. It reports whether another sort
// was chosen: Enter on the column in force turns its direction.
func (t *Table) ChooseKey(k tea.KeyMsg) bool {
	m := t.menu
	t.dirty = true
	switch k.String() {
	case "esc":
		t.menu = nil
	case "enter":
		t.menu = nil
		return len(m.offers) > 0 && t.SortBy(m.offers[m.at].ID)
	case "down", "tab":
		m.move(1)
	case "up", "shift+tab":
		m.move(-1)
	default:
		if m.typed.HandleKey(k) {
			m.offers, m.at = t.offered(), 0
		}
	}
	return false
}

func (m *sortMenu) move(by int) {
	if n := len(m.offers); n > 0 {
		m.at = (m.at + by + n) % n
	}
}

const (
	menuPrompt = "sort by: "
	menuMost   = 16 // offers in sight
)

// over draws the list over the last lines of the table.
func (m *sortMenu) over(t *Table, lines []string) []string {
	list := m.lines(t, min(menuMost, len(lines)-3))
	list = list[max(0, len(list)-len(lines)):]
	return append(lines[:len(lines)-len(list)], list...)
}

func (m *sortMenu) lines(t *Table, most int) []string {
	most = max(1, most)
	first := max(0, m.at-most+1)
	var out []string
	for i := first; i < len(m.offers) && i < first+most; i++ {
		out = append(out, m.line(t, i))
	}
	field, _ := m.typed.View(t.theme, max(0, t.width-len(menuPrompt)-menuHint))
	prompt := NewLine(t.width).Add(t.theme.Key, menuPrompt).Drawn(field, max(0, t.width-len(menuPrompt)-menuHint))
	hint := "type, or ↑↓; Enter, Esc"
	if len(m.offers) == 0 {
		hint = "no such column"
	}
	return append(append([]string{NewLine(t.width).Add(t.theme.Dim, strings.Repeat(t.theme.Glyphs.Rule, max(0, t.width))).String()}, out...),
		prompt.Add(t.theme.Dim, hint).String())
}

// menuHint is the cells that the hint takes.
const menuHint = 24

// line is one column, with the direction in which it would be sorted.
func (m *sortMenu) line(t *Table, i int) string {
	c := m.offers[i]
	l := NewLine(t.width)
	style := t.theme.Plain
	if i == m.at {
		style = t.theme.Selected
		l.Add(style, t.theme.Glyphs.Cursor+" ")
	} else {
		l.Space(gutter)
	}
	l.Fit(style, strings.TrimSpace(c.Title), min(16, t.width/2), false)
	desc, about := c.DescBy, ""
	if c.ID == t.sort.Column {
		desc, about = !t.sort.Desc, ", turned"
	}
	word := "smallest first"
	if desc {
		word = "largest first"
	}
	return l.Add(t.theme.Dim, " "+word+about).String()
}
