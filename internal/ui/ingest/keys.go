package ingestscreen

import (
	"github.com/charmbracelet/bubbles/key"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

type keyMap struct {
	next, prev key.Binding
	table      draw.TableKeys
}

func newKeys() keyMap {
	return keyMap{
		next:  key.NewBinding(key.WithKeys("tab", "l", "right"), key.WithHelp("Tab", "next list")),
		prev:  key.NewBinding(key.WithKeys("shift+tab", "h", "left"), key.WithHelp("S-Tab", "list before")),
		table: draw.DefaultTableKeys(),
	}
}

// ShortHelp is the footer's keys.
func (m *Model) ShortHelp() []key.Binding {
	return []key.Binding{m.keys.next, m.keys.table.Down, m.keys.table.Up, m.keys.table.PageDown}
}

// FullHelp is all keys.
func (m *Model) FullHelp() [][]key.Binding {
	return [][]key.Binding{{m.keys.next, m.keys.prev}, m.keys.table.Bindings()}
}
