package spansscreen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

type keyMap struct {
	open, group, ungroup, sort, turn     key.Binding
	fold, unfold, toggle, all, histogram key.Binding
	table                                draw.TableKeys
}

func bind(help, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
}

func newKeys() keyMap {
	return keyMap{
		open:      bind("Enter", "slowest spans", "enter"),
		group:     bind("b", "group by", "b"),
		ungroup:   bind("B", "names only", "B"),
		sort:      bind("s", "sort", "s"),
		turn:      bind("S", "turn the order", "S"),
		fold:      bind("←/h", "fold; again: to the group around", "left", "h"),
		unfold:    bind("→/l", "unfold", "right", "l"),
		toggle:    bind("o", "fold or unfold", "o"),
		all:       bind("Tab", "fold or unfold all", "tab"),
		histogram: bind("v", "histogram", "v"),
		table:     draw.DefaultTableKeys(),
	}
}

// ShortHelp is the footer's keys.
func (m *Model) ShortHelp() []key.Binding {
	switch {
	case m.prompt != nil:
		return m.prompt.keys()
	case m.slow != nil:
		return []key.Binding{bind("Enter", "trace", "enter"), bind("Esc", "back", "esc"), m.keys.histogram}
	case len(m.seen.by) > 0:
		return []key.Binding{m.keys.open, m.keys.group, bind("←→", "fold", "left", "right"), m.keys.sort, m.keys.histogram}
	}
	return []key.Binding{m.keys.open, m.keys.group, m.keys.sort, m.keys.turn, m.keys.histogram}
}

// FullHelp is all keys.
func (m *Model) FullHelp() [][]key.Binding {
	k := &m.keys
	return [][]key.Binding{
		{bind("Enter", "slowest spans of the row; there: its trace", "enter"), k.group, k.ungroup, k.sort, k.turn},
		{k.fold, k.unfold, k.toggle, k.all, k.histogram},
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
	}
}

func (m *Model) onTable() []action {
	k := &m.keys
	return []action{
		{k.open, quiet(m.openSlow)},
		{k.sort, quiet(func() { m.table.NextSort(); m.arrange() })}, {k.turn, quiet(m.turn)},
		{k.fold, quiet(m.fold)}, {k.unfold, quiet(func() { m.setShut(false) })},
		{k.toggle, quiet(m.toggle)}, {k.all, quiet(m.foldAll)},
	}
}

func (m *Model) onSlow() []action { return []action{{m.keys.open, m.slow.open}} }

func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	if m.prompt != nil {
		return m.promptKey(k)
	}
	table, actions := m.table, m.onTable
	if m.slow != nil {
		table, actions = m.slow.table, m.onSlow
	}
	for _, a := range append(m.anywhere(), actions()...) {
		if key.Matches(k, a.on) {
			return a.do()
		}
	}
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
		m.table.NextSort()
	}
	m.arrange()
}
