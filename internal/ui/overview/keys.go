package overviewscreen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"
)

type keyMap struct{ open, next, up, down, pageUp, pageDown, top, bottom key.Binding }

func bind(help, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
}

func newKeys() keyMap {
	return keyMap{
		open: bind("Enter", "go where the line in focus leads", "enter"),
		next: bind("n", "what to look at next", "n"),
		up:   bind("↑/k", "up", "up", "k"), down: bind("↓/j", "down", "down", "j"),
		pageUp: bind("PgUp", "page up", "pgup", "ctrl+b"), pageDown: bind("PgDn", "page down", "pgdown", "ctrl+f"),
		top: bind("g", "first line", "g", "home"), bottom: bind("G", "last line", "G", "end"),
	}
}

// ShortHelp is the footer's keys.
func (m *Model) ShortHelp() []key.Binding {
	return []key.Binding{bind("Enter", "go there", "enter"), bind("n", "next to look at", "n"), bind("↑↓", "lines", "up", "down")}
}

// FullHelp is all keys.
func (m *Model) FullHelp() [][]key.Binding {
	k := &m.keys
	return [][]key.Binding{{k.open, k.next}, {k.up, k.down, k.pageUp, k.pageDown, k.top, k.bottom}}
}

func (m *Model) key(k tea.KeyMsg) tea.Cmd {
	page := max(1, m.size.height-1)
	for _, a := range []struct {
		on key.Binding
		do func()
	}{
		{m.keys.next, m.nextJump},
		{m.keys.up, func() { m.step(-1) }}, {m.keys.down, func() { m.step(1) }},
		{m.keys.pageUp, func() { m.page(-page) }}, {m.keys.pageDown, func() { m.page(page) }},
		{m.keys.top, func() { m.page(-len(m.lines)) }}, {m.keys.bottom, func() { m.page(len(m.lines)) }},
	} {
		if key.Matches(k, a.on) {
			a.do()
			return nil
		}
	}
	if key.Matches(k, m.keys.open) {
		return m.open()
	}
	return nil
}

// mouse scrolls, moves the focus and, on the line in focus, opens it.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if msg.Action != tea.MouseActionPress {
		return nil
	}
	switch msg.Button {
	case tea.MouseButtonWheelUp:
		m.page(-wheel)
	case tea.MouseButtonWheelDown:
		m.page(wheel)
	case tea.MouseButtonLeft:
		i := m.top + msg.Y
		if msg.Y < 0 || msg.Y >= m.size.height || i >= len(m.lines) || m.lines[i].do == nil {
			return nil
		}
		if i == m.focus() {
			return m.open()
		}
		m.focusOn(i)
	}
	return nil
}

const wheel = 3
