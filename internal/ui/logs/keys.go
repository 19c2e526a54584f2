package logsscreen

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

type keyMap struct {
	details, pane, least, more, follow, trace, copyAll key.Binding
	find, next, prev, error, prevError                 key.Binding
	table                                              draw.TableKeys
}

func bind(help, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
}

func newKeys() keyMap {
	return keyMap{
		details:   bind("Enter", "details", "enter"),
		pane:      bind("Tab", "to the details and back, to scroll them", "tab"),
		least:     bind("s", "severity", "s"),
		more:      bind("S", "less severe ones too", "S"),
		follow:    bind("F", "follow the newest, or stop", "F"),
		trace:     bind("t", "trace", "t"),
		copyAll:   bind("Y", "copy all that is known of the record", "Y"),
		find:      bind("f", "find", "f"),
		next:      bind("n", "next found", "n"),
		prev:      bind("N", "previous found", "N"),
		error:     bind("x", "next error", "x"),
		prevError: bind("^X", "previous error", "ctrl+x"),
		table:     draw.DefaultTableKeys(),
	}
}

// ShortHelp is the footer's keys.
func (m *Model) ShortHelp() []key.Binding {
	if m.finder.typing {
		return []key.Binding{bind("Enter", "keep", "enter"), bind("Esc", "cancel", "esc"), bind("↓/↑", "next", "down", "up")}
	}
	k := &m.keys
	return []key.Binding{k.details, k.least, k.error, k.find, k.trace}
}

// FullHelp is all keys.
func (m *Model) FullHelp() [][]key.Binding {
	k := &m.keys
	return [][]key.Binding{
		{k.details, k.pane, bind("t", "trace of the record; back comes back to it", "t"), k.copyAll},
		{bind("s", "more severe ones only: info, warn, error", "s"), k.more, k.follow},
		{bind("f", "find in what records say", "f"), k.next, k.prev, k.error, k.prevError},
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

func (m *Model) actions() []action {
	k := &m.keys
	return []action{
		{k.details, quiet(m.toggleDetails)}, {k.pane, quiet(m.focusDetails)},
		{k.least, func() tea.Cmd { m.nextLeast(1); return m.ask() }}, {k.more, func() tea.Cmd { m.nextLeast(-1); return m.ask() }},
		{k.follow, quiet(func() { m.setFollow(!m.follow.on) })},
		{k.trace, m.trace}, {k.copyAll, m.copyAll},
		{k.find, quiet(m.startFind)}, {k.next, quiet(func() { m.nextFound(1) })}, {k.prev, quiet(func() { m.nextFound(-1) })},
		{k.error, quiet(func() { m.nextError(1) })}, {k.prevError, quiet(func() { m.nextError(-1) })},
	}
}

// mouse: the wheel scrolls what is under it, a click goes to a record, a second
// one opens its details.
func (m *Model) mouse(msg tea.MouseMsg) tea.Cmd {
	if msg.Action != tea.MouseActionPress || m.finder.typing {
		return nil
	}
	m.note = ""
	p := m.parts()
	if m.onPane(p, msg) {
		m.detail.pane.HandleMouse(msg)
		m.detail.focus = m.detail.focus || msg.Button == tea.MouseButtonLeft
		return nil
	}
	msg.Y -= p.head
	if msg.Y < 0 || msg.Y >= p.table.height {
		return nil
	}
	m.detail.focus = m.detail.focus && msg.Button != tea.MouseButtonLeft
	switch m.table.HandleMouse(msg) {
	case draw.MouseMoved:
		m.moved()
	case draw.MouseOpened:
		m.toggleDetails()
	}
	return nil
}

func (m *Model) onPane(p parts, msg tea.MouseMsg) bool {
	switch {
	case !m.detail.open:
		return false
	case p.side:
		return msg.X > p.table.width
	}
	return msg.Y >= p.head+p.table.height
}
