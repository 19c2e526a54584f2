package comparescreen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

type keyMap struct {
	open, a, b, swap, windows, earlier, later, muchEarlier, muchLater, halves key.Binding
	flagged, up, down, pageUp, pageDown, top, bottom                          key.Binding
}

func bind(help, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
}

func newKeys() keyMap {
	return keyMap{
		open: bind("Enter", "spans of the phase in focus", "enter"),
		a:    bind("a", "next run as A", "a"), b: bind("b", "next run as B", "b"),
		swap:    bind("x", "swap A and B", "x"),
		windows: bind("w", "two windows of one run, or two runs", "w"),
		earlier: bind("[", "windows part an iteration earlier", "["), later: bind("]", "windows part an iteration later", "]"),
		muchEarlier: bind("{", "windows part ten iterations earlier", "{"), muchLater: bind("}", "windows part ten iterations later", "}"),
		halves:  bind("=", "windows are halves", "="),
		flagged: bind("n", "next change that matters", "n"),
		up:      bind("↑/k", "up", "up", "k"), down: bind("↓/j", "down", "down", "j"),
		pageUp: bind("PgUp", "page up", "pgup", "ctrl+b"), pageDown: bind("PgDn", "page down", "pgdown", "ctrl+f"),
		top: bind("g", "first line", "g", "home"), bottom: bind("G", "last line", "G", "end"),
	}
}

// ShortHelp is the footer's keys.
func (m *Model) ShortHelp() []key.Binding {
	out := []key.Binding{bind("Enter", "spans", "enter"), bind("n", "next change", "n"), bind("w", "windows or runs", "w"), bind("x", "swap", "x")}
	if m.seen.windows {
		return append(out, bind("[ ]", "move the border", "[", "]"))
	}
	return append(out, bind("a b", "other runs", "a", "b"))
}

// FullHelp is all keys.
func (m *Model) FullHelp() [][]key.Binding {
	k := &m.keys
	return [][]key.Binding{
		{k.open, k.flagged, k.a, k.b, k.swap, k.windows, k.earlier, k.later, k.muchEarlier, k.muchLater, k.halves},
		{k.up, k.down, k.pageUp, k.pageDown, k.top, k.bottom},
	}
}

func quiet(f func()) func() tea.Cmd { return func() tea.Cmd { f(); return nil } }

func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	page := max(1, m.size.height-1)
	const ten = 10
	for _, a := range []struct {
		on key.Binding
		do func() tea.Cmd
	}{
		{m.keys.open, m.open}, {m.keys.flagged, quiet(m.nextFlagged)}, {m.keys.a, m.nextA}, {m.keys.b, m.nextB}, {m.keys.swap, m.swap}, {m.keys.windows, m.toggleWindows},
		{m.keys.earlier, func() tea.Cmd { return m.moveSplit(-1) }}, {m.keys.later, func() tea.Cmd { return m.moveSplit(1) }},
		{m.keys.muchEarlier, func() tea.Cmd { return m.moveSplit(-ten) }}, {m.keys.muchLater, func() tea.Cmd { return m.moveSplit(ten) }},
		{m.keys.halves, m.halves},
		{m.keys.up, quiet(func() { m.move(-1) })}, {m.keys.down, quiet(func() { m.move(1) })},
		{m.keys.pageUp, quiet(func() { m.move(-page) })}, {m.keys.pageDown, quiet(func() { m.move(page) })},
		{m.keys.top, quiet(func() { m.move(-len(m.lines)) })}, {m.keys.bottom, quiet(func() { m.move(len(m.lines)) })},
	} {
		if key.Matches(k, a.on) {
			return a.do()
		}
	}
	return nil
}

// mouse moves the focus; a click on the line in focus is Enter.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if msg.Action != tea.MouseActionPress {
		return nil
	}
	const wheel = 3
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		m.move(-wheel)
	case tea.MouseButtonWheelDown:
		m.move(wheel)
	case tea.MouseButtonLeft:
		i := m.top + msg.Y
		if msg.Y < 0 || msg.Y >= m.size.height || i >= len(m.lines) {
			return nil
		}
		if i == m.at {
			return m.open()
		}
		m.at = i
	}
	return nil
}
