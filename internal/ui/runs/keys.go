package runsscreen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

type keyMap struct {
	open, sort, left, right, turn, mark, unmark, resource key.Binding
	table                                                 draw.TableKeys
}

func bind(help, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
}

func newKeys() keyMap {
	return keyMap{
		open:     bind("Enter", "its ranks", "enter"),
		sort:     bind("s", "sort by: choose a column", "s"),
		left:     bind("<", "sort by the column to the left", "<"),
		right:    bind(">", "sort by the column to the right", ">"),
		turn:     bind("S", "turn the order", "S"),
		mark:     bind("m", "mark the run for comparison, or not", "m"),
		unmark:   bind("M", "unmark all runs", "M"),
		resource: bind("o", "what its processes share, and in what they differ", "o"),
		table:    draw.DefaultTableKeys(),
	}
}

// ShortHelp is the footer's keys.
func (m *Model) ShortHelp() []key.Binding {
	if m.table.Choosing() {
		return []key.Binding{bind("Enter", "sort", "enter"), bind("Esc", "cancel", "esc"), bind("↑/↓", "choose", "up", "down"), bind("type", "to narrow")}
	}
	return []key.Binding{m.keys.open, bind("s", "sort", "s"), bind("m", "mark", "m"), bind("o", "resource", "o"), m.keys.turn}
}

// FullHelp is all keys.
func (m *Model) FullHelp() [][]key.Binding {
	k := &m.keys
	return [][]key.Binding{{k.open, k.sort, k.left, k.right, k.turn, k.mark, k.unmark, k.resource}, k.table.Bindings()}
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
		{k.open, m.open},
		{k.sort, quiet(m.table.ChooseSort)},
		{k.left, sorted(func() { m.table.MoveSort(-1) })}, {k.right, sorted(func() { m.table.MoveSort(1) })},
		{k.turn, sorted(func() { m.table.SortBy(m.table.Sort().Column) })},
		{k.mark, m.mark}, {k.unmark, func() tea.Cmd { return screen.Mark("") }},
		{k.resource, func() tea.Cmd { m.detail.Toggle(); m.layOut(); return m.compare() }},
	}
}

// mark marks the run in focus for comparison, or not any more, and goes to the
// next row.
func (m *Model) mark() tea.Cmd {
	run := m.table.Key()
	if run == "" {
		return nil
	}
	m.table.Move(1)
	return screen.Mark(run)
}
