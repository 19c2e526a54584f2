package runsscreen

import (
	"github.com/charmbracelet/bubbles/key"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

type keyMap struct {
	open, sort, turn key.Binding
	table            draw.TableKeys
}

func newKeys() keyMap {
	bind := func(help, what string, keys ...string) key.Binding {
		return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
	}
	return keyMap{
		open:  bind("Enter", "its ranks", "enter"),
		sort:  bind("s", "sort", "s"),
		turn:  bind("S", "turn the order", "S"),
		table: draw.DefaultTableKeys(),
	}
}

// ShortHelp is the footer's keys.
func (m *Model) ShortHelp() []key.Binding {
	return []key.Binding{m.keys.open, m.keys.sort, m.keys.turn, m.keys.table.Down, m.keys.table.Up}
}

// FullHelp is all keys.
func (m *Model) FullHelp() [][]key.Binding {
	return [][]key.Binding{{m.keys.open, m.keys.sort, m.keys.turn}, m.keys.table.Bindings()}
}
