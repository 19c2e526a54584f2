package stepsscreen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

type keyMap struct {
	open, measure, back, zoom, worst                                              key.Binding
	up, down, left, right, pageUp, pageDown, top, bottom, first, last, more, less key.Binding
}

func bind(help, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
}

func newKeys() keyMap {
	return keyMap{
		open:    bind("Enter", "trace of that rank's iteration", "enter"),
		measure: bind("m", "measure: slowdown, or a class of the step's time", "m"),
		back:    bind("M", "previous measure", "M"),
		zoom:    bind("z", "a line a rank, or all ranks on the screen", "z"),
		worst:   bind("w", "largest value in sight; again: the next", "w"),

		up: bind("↑/k", "up", "up", "k"), down: bind("↓/j", "down", "down", "j"),
		left: bind("←/h", "iteration before", "left", "h"), right: bind("→/l", "iteration after", "right", "l"),
		less: bind("H", "a screen of iterations before", "H"), more: bind("L", "a screen of iterations after", "L"),
		pageUp: bind("PgUp", "page up", "pgup", "ctrl+b"), pageDown: bind("PgDn", "page down", "pgdown", "ctrl+f"),
		top: bind("g", "first rank", "g"), bottom: bind("G", "last rank", "G"),
		first: bind("Home", "oldest iteration", "home"), last: bind("End", "newest iteration, and stay there", "end"),
	}
}

// ShortHelp is the footer's keys.
func (m *Model) ShortHelp() []key.Binding {
	return []key.Binding{bind("Enter", "trace", "enter"), bind("m", "measure", "m"), bind("z", "zoom", "z"), bind("w", "worst", "w"), bind("↑↓←→", "move", "up", "down", "left", "right")}
}

// FullHelp is all keys.
func (m *Model) FullHelp() [][]key.Binding {
	k := &m.keys
	return [][]key.Binding{
		{k.open, k.measure, k.back, k.zoom, k.worst},
		{k.up, k.down, k.left, k.right, k.less, k.more, k.pageUp, k.pageDown, k.top, k.bottom, k.first, k.last},
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
	page, wide := max(1, m.window.lines), max(1, m.window.cols)
	return []action{
		{k.open, m.open}, {k.measure, func() tea.Cmd { return m.nextMeasure(1) }}, {k.back, func() tea.Cmd { return m.nextMeasure(-1) }},
		{k.zoom, quiet(m.zoom)}, {k.worst, quiet(m.nextWorst)},
		{k.up, move(-1, 0)}, {k.down, move(1, 0)}, {k.left, move(0, -1)}, {k.right, move(0, 1)},
		{k.less, move(0, -wide)}, {k.more, move(0, wide)}, {k.pageUp, move(-page, 0)}, {k.pageDown, move(page, 0)},
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
