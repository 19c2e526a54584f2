package ranksscreen

import (
	"github.com/charmbracelet/bubbles/key"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

type keyMap struct {
	open, sort, left, right, turn, group, fold, earlier, mark, unmark, lanes, resource key.Binding
	table                                                                              draw.TableKeys
}

func newKeys() keyMap {
	bind := func(help, what string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
	}
	return keyMap{
		open:     bind("Enter", "its last trace", "enter"),
		sort:     bind("s", "sort by: choose a column", "s"),
		left:     bind("<", "sort by the column to the left", "<"),
		right:    bind(">", "sort by the column to the right", ">"),
		turn:     bind("S", "turn the order", "S"),
		group:    bind("b", "group by", "b"),
		fold:     bind("Tab", "fold all groups", "tab"),
		earlier:  bind("a", "earlier attempts", "a"),
		mark:     bind("m", "mark the rank, or not", "m"),
		unmark:   bind("M", "unmark all ranks", "M"),
		lanes:    bind("v", "marked ranks beside each other in Trace", "v"),
		resource: bind("o", "resource of the process: all it says of itself", "o"),
		table:    draw.DefaultTableKeys(),
	}
}

// ShortHelp is the footer's keys.
func (m *Model) ShortHelp() []key.Binding {
	bind := func(help, what string) key.Binding {
		return key.NewBinding(key.WithKeys(help), key.WithHelp(help, what))
	}
	switch {
	case m.table.Choosing():
		return []key.Binding{bind("Enter", "sort"), bind("Esc", "cancel"), bind("↑/↓", "choose"), bind("type", "to narrow")}
	case len(m.marked) > 1:
		return []key.Binding{bind("v", "beside each other"), bind("m", "mark"), bind("M", "unmark all"), m.keys.open, bind("s", "sort")}
	}
	return []key.Binding{m.keys.open, bind("s", "sort"), m.keys.group, bind("o", "resource"), bind("m", "mark")}
}

// FullHelp is all keys.
func (m *Model) FullHelp() [][]key.Binding {
	return [][]key.Binding{
		{m.keys.open, m.keys.sort, m.keys.left, m.keys.right, m.keys.turn, m.keys.group, m.keys.fold, m.keys.earlier},
		{m.keys.mark, m.keys.unmark, m.keys.lanes, m.keys.resource},
		m.keys.table.Bindings(),
	}
}
