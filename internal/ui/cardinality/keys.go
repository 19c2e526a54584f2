package cardinalityscreen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

type keyMap struct {
	open, all, sort, left, right, turn, whole key.Binding
	table                                     draw.TableKeys
}

func bind(help, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
}

func newKeys() keyMap {
	return keyMap{
		open:  bind("Enter", "details: examples and what to do", "enter"),
		all:   bind("a", "all keys, or only those with too many values", "a"),
		sort:  bind("s", "sort by: choose a column", "s"),
		left:  bind("<", "sort by the column to the left", "<"),
		right: bind(">", "sort by the column to the right", ">"),
		turn:  bind("S", "turn the order", "S"),
		whole: bind("Y", "copy all that is known of the row", "Y"),
		table: draw.DefaultTableKeys(),
	}
}

// ShortHelp is the footer's keys.
func (m *Model) ShortHelp() []key.Binding {
	if m.table.Choosing() {
		return []key.Binding{bind("Enter", "sort", "enter"), bind("Esc", "cancel", "esc"), bind("↑/↓", "choose", "up", "down"), bind("type", "to narrow")}
	}
	return []key.Binding{bind("Enter", "what to do", "enter"), bind("a", "all keys", "a"), bind("s", "sort", "s"), m.keys.turn, m.keys.table.Down}
}

// FullHelp is all keys.
func (m *Model) FullHelp() [][]key.Binding {
	k := &m.keys
	return [][]key.Binding{{k.open, k.all, k.sort, k.left, k.right, k.turn, k.whole}, k.table.Bindings()}
}

// action is what a key does.
type action struct {
	on key.Binding
	do func() tea.Cmd
}

func (m *Model) actions() []action {
	k := &m.keys
	quiet := func(f func()) func() tea.Cmd { return func() tea.Cmd { f(); return nil } }
	sorted := func(f func()) func() tea.Cmd { return quiet(func() { f(); m.table.Resort(m.arrange) }) }
	return []action{
		{k.open, quiet(m.toggle)},
		{k.all, quiet(func() { m.all = !m.all; m.arrange() })},
		{k.sort, quiet(m.table.ChooseSort)},
		{k.left, sorted(func() { m.table.MoveSort(-1) })}, {k.right, sorted(func() { m.table.MoveSort(1) })},
		{k.turn, sorted(func() { m.table.SortBy(m.table.Sort().Column) })},
		{k.whole, m.copyAll},
	}
}

func (m *Model) copyAll() tea.Cmd {
	text := draw.FactText(m.facts())
	if text == "" {
		return screen.Say("nothing is selected here that could be copied")
	}
	return screen.Copy(text)
}
