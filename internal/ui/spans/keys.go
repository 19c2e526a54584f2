package spansscreen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

type keyMap struct {
	open, group, ungroup, sort, left, right, turn key.Binding
	fold, unfold, toggle, all, histogram, whole   key.Binding
	slow, prevSlow, failed, prevFailed            key.Binding
	table                                         draw.TableKeys
}

func bind(help, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
}

func newKeys() keyMap {
	return keyMap{
		open:      bind("Enter", "slowest spans", "enter"),
		group:     bind("b", "group by", "b"),
		ungroup:   bind("B", "names only", "B"),
		sort:      bind("s", "sort by: choose a column", "s"),
		left:      bind("<", "sort by the column to the left", "<"),
		right:     bind(">", "sort by the column to the right", ">"),
		turn:      bind("S", "turn the order", "S"),
		fold:      bind("←/h", "fold; again: to the group around", "left", "h"),
		unfold:    bind("→/l", "unfold", "right", "l"),
		toggle:    bind("o", "fold or unfold", "o"),
		all:       bind("Tab", "fold or unfold all", "tab"),
		histogram: bind("v", "histogram", "v"),
		whole:     bind("Y", "copy the row with all figures", "Y"),

		slow:       bind("w", "next slow: by the longest span, then the next", "w"),
		prevSlow:   bind("W", "previous slow", "W"),
		failed:     bind("x", "next with errors", "x"),
		prevFailed: bind("^X", "previous with errors", "ctrl+x"),
		table:      draw.DefaultTableKeys(),
	}
}

// ShortHelp is the footer's keys.
func (m *Model) ShortHelp() []key.Binding {
	sort := bind("s", "sort", "s")
	switch {
	case m.prompt != nil:
		return m.prompt.keys()
	case m.table.Choosing():
		return []key.Binding{bind("Enter", "sort", "enter"), bind("Esc", "cancel", "esc"), bind("↑/↓", "choose", "up", "down"), bind("type", "to narrow")}
	case m.slow != nil:
		return []key.Binding{bind("Enter", "trace", "enter"), bind("Esc", "back", "esc"), m.keys.histogram}
	case len(m.seen.by) > 0:
		return []key.Binding{m.keys.open, m.keys.group, bind("←→", "fold", "left", "right"), sort, m.keys.histogram}
	}
	return []key.Binding{m.keys.open, m.keys.group, sort, bind("w", "next slow", "w"), m.keys.histogram}
}

// FullHelp is all keys.
func (m *Model) FullHelp() [][]key.Binding {
	k := &m.keys
	return [][]key.Binding{
		{bind("Enter", "slowest spans of the row; there: its trace", "enter"), k.group, k.ungroup, k.sort, k.left, k.right, k.turn},
		{k.fold, k.unfold, k.toggle, k.all, k.histogram},
		{k.slow, k.prevSlow, k.failed, k.prevFailed, k.whole},
		k.table.Bindings(),
	}
}

// action is what a key does.
type action struct {
	on key.Binding
	do func() tea.Cmd
}

// quiet is an action without a command.
func quiet(f func()) func() tea.Cmd { return func() tea.Cmd { f(); return nil } }

// anywhere is the keys that work on the table and on the list of the slowest.
func (m *Model) anywhere() []action {
	return []action{
		{m.keys.group, quiet(m.ask)},
		{m.keys.ungroup, func() tea.Cmd { return m.groupBy(nil) }},
		{m.keys.histogram, quiet(m.togglePane)},
		{m.keys.whole, m.copyAll},
		{m.keys.slow, func() tea.Cmd { return m.nextSlow(1) }}, {m.keys.prevSlow, func() tea.Cmd { return m.nextSlow(-1) }},
		{m.keys.failed, func() tea.Cmd { return m.nextFailed(1) }}, {m.keys.prevFailed, func() tea.Cmd { return m.nextFailed(-1) }},
	}
}

func (m *Model) onTable() []action {
	k := &m.keys
	return []action{
		{k.open, quiet(m.openSlow)},
		{k.sort, quiet(m.table.ChooseSort)}, {k.turn, quiet(m.turn)},
		{k.left, quiet(func() { m.table.MoveSort(-1); m.table.Resort(m.arrange) })},
		{k.right, quiet(func() { m.table.MoveSort(1); m.table.Resort(m.arrange) })},
		{k.fold, quiet(m.fold)}, {k.unfold, quiet(func() { m.setShut(false) })},
		{k.toggle, quiet(m.toggle)}, {k.all, quiet(m.foldAll)},
	}
}

func (m *Model) onSlow() []action { return []action{{m.keys.open, m.slow.open}} }

func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	if m.prompt != nil {
		return m.promptKey(k)
	}
	if m.table.Choosing() {
		if m.table.ChooseKey(k) {
			m.table.Resort(m.arrange)
		}
		return nil
	}
	table, actions := m.table, m.onTable
	if m.slow != nil {
		table, actions = m.slow.table, m.onSlow
	}
	for _, a := range append(m.anywhere(), actions()...) {
		if key.Matches(k, a.on) {
			m.jumped = m.jumped && key.Matches(k, m.keys.slow, m.keys.prevSlow)
			return a.do()
		}
	}
	m.jumped = false
	table.HandleKey(k)
	return nil
}

func (m *Model) togglePane() {
	m.pane.toggle(m.layout().pane > 0)
	m.layOut()
}

// turn turns the order; the first time it chooses one.
func (m *Model) turn() {
	if column := m.table.Sort().Column; column != "" {
		m.table.SortBy(column)
	} else {
		m.table.MoveSort(1)
	}
	m.table.Resort(m.arrange)
}
