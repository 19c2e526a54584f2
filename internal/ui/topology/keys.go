package topologyscreen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

type keyMap struct {
	open, measure, back, unit, role, worst      key.Binding
	up, down, left, right, stageLeft, stageNext key.Binding
	pageUp, pageDown, top, bottom, first, last  key.Binding
}

func bind(help, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
}

func newKeys() keyMap {
	return keyMap{
		open:    bind("Enter", "trace of the rank's last iteration; of a worker: its ranks", "enter"),
		measure: bind("m", "measure", "m"),
		back:    bind("M", "previous measure", "M"),
		unit:    bind("b", "cell: rank or worker", "b"),
		role:    bind("o", "next role", "o"),
		worst:   bind("w", "largest value; again: the next", "w"),

		up: bind("↑/k", "up", "up", "k"), down: bind("↓/j", "down", "down", "j"),
		left: bind("←/h", "left", "left", "h"), right: bind("→/l", "right", "right", "l"),
		stageLeft: bind("H", "previous stage", "H"), stageNext: bind("L", "next stage", "L"),
		pageUp: bind("PgUp", "page up", "pgup", "ctrl+b"), pageDown: bind("PgDn", "page down", "pgdown", "ctrl+f"),
		top: bind("g", "first line", "g"), bottom: bind("G", "last line", "G"),
		first: bind("Home", "first cell of the line", "home"), last: bind("End", "last cell of the line", "end"),
	}
}

// ShortHelp is the footer's keys.
func (m *Model) ShortHelp() []key.Binding {
	open := bind("Enter", "trace", "enter")
	if m.board.unit == workers {
		open = bind("Enter", "its ranks", "enter")
	}
	return []key.Binding{open, m.keys.measure, m.keys.unit, bind("w", "largest", "w"), bind("↑↓←→", "move", "up", "down", "left", "right")}
}

// FullHelp is all keys.
func (m *Model) FullHelp() [][]key.Binding {
	k := &m.keys
	return [][]key.Binding{
		{k.open, k.measure, k.back, k.unit, k.role, k.worst},
		{k.up, k.down, k.left, k.right, k.stageLeft, k.stageNext, k.pageUp, k.pageDown, k.top, k.bottom, k.first, k.last},
	}
}

// action is what a key does.
type action struct {
	on key.Binding
	do func() tea.Cmd
}

func quiet(f func()) func() tea.Cmd { return func() tea.Cmd { f(); return nil } }

func (m *Model) actions() []action {
	k := &m.keys
	move := func(lines, cols int) func() tea.Cmd { return quiet(func() { m.move(lines, cols) }) }
	const far = 1 << 30
	return []action{
		{k.open, m.open}, {k.measure, func() tea.Cmd { return m.nextMeasure(1) }}, {k.back, func() tea.Cmd { return m.nextMeasure(-1) }},
		{k.unit, m.toggleUnit}, {k.role, m.nextRole}, {k.worst, quiet(m.nextWorst)},
		{k.up, move(-1, 0)}, {k.down, move(1, 0)}, {k.left, move(0, -1)}, {k.right, move(0, 1)},
		{k.stageLeft, quiet(func() { m.move(0, -m.board.block) })}, {k.stageNext, quiet(func() { m.move(0, m.board.block) })},
		{k.pageUp, quiet(func() { m.move(-max(1, m.window.lines), 0) })}, {k.pageDown, quiet(func() { m.move(max(1, m.window.lines), 0) })},
		{k.top, move(-far, 0)}, {k.bottom, move(far, 0)}, {k.first, move(0, -far)}, {k.last, move(0, far)},
	}
}

func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	for _, a := range m.actions() {
		if key.Matches(k, a.on) {
			if !key.Matches(k, m.keys.worst) {
				m.worst = 0
			}
			return a.do()
		}
	}
	return nil
}
