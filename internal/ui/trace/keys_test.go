package tracescreen

import (
	"strings"
	"testing"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

var (
	_ screen.Screen   = (*Model)(nil)
	_ screen.Targeter = (*Model)(nil)
	_ screen.Copier   = (*Model)(nil)
	_ screen.Backer   = (*Model)(nil)
)

// TestKeysShadowNothing: no key of the program, nor one that UI.md keeps for
// another screen, and none twice.
func TestKeysShadowNothing(t *testing.T) { uitest.KeysShadowNothing(t, New(plain())) }

// TestEveryKeyIsInTheHelp: what does something is listed, with a word.
func TestEveryKeyIsInTheHelp(t *testing.T) {
	m := New(plain())
	listed := map[string]bool{}
	for _, group := range m.FullHelp() {
		for _, b := range group {
			if b.Help().Key == "" || b.Help().Desc == "" {
				t.Errorf("%v has no help", b.Keys())
			}
			for _, key := range b.Keys() {
				listed[key] = true
			}
		}
	}
	for _, a := range m.actions() {
		for _, key := range a.on.Keys() {
			if !listed[key] {
				t.Errorf("%q is not listed", key)
			}
		}
	}
	for _, b := range m.ShortHelp() {
		for _, key := range b.Keys() {
			if !listed[key] {
				t.Errorf("the footer's %q is not listed", key)
			}
		}
	}
	if len(m.ShortHelp()) != 5 {
		t.Errorf("the footer has %d keys", len(m.ShortHelp()))
	}
}

// TestKeysWithoutData do no harm.
func TestKeysWithoutData(t *testing.T) {
	for name, m := range map[string]*Model{"new": New(plain()), "empty": open(t, newFeed(t).Store, "")} {
		m.SetSize(80, 22)
		for _, a := range m.actions() {
			uitest.Press(m, a.on.Keys()[0])
			uitest.Inside(t, m.View(), 80, 22)
		}
		if m.Back(); m.Title() != "Trace" {
			t.Errorf("%s: %s", name, m.Title())
		}
	}
}

func TestMouse(t *testing.T) {
	m := open(t, simulated(t, small(), 12*time.Second), "")
	m.SetSize(80, 22)
	send := func(msg tea.MouseMsg) { uitest.Settle(m, m.Update(msg)); m.View() }
	wheel := func(b tea.MouseButton, ctrl bool) tea.MouseMsg {
		return tea.MouseMsg{X: 10, Y: 8, Action: tea.MouseActionPress, Button: b, Ctrl: ctrl}
	}
	send(uitest.Click(10, 6)) // two title lines, a heading, then row 3
	if row, _ := m.table.Cursor(); row != 3 {
		t.Errorf("a click went to row %d", row)
	}
	send(uitest.Click(10, 6))
	if !m.detail.open {
		t.Error("a second click opens no details")
	}
	send(tea.MouseMsg{X: 10, Y: 18, Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
	if m.detail.pane.Offset() != 3 {
		t.Errorf("the wheel scrolled the details to %d", m.detail.pane.Offset())
	}
	if send(uitest.Click(10, 18)); !m.detail.focus {
		t.Error("a click on the details does not focus them")
	}
	m.Back()
	before := m.rows.Len()
	send(uitest.Click(gutter+1, 6)) // the fold mark of forward_backward
	if m.rows.Len() >= before {
		t.Errorf("a click on the fold mark leaves %d rows of %d", m.rows.Len(), before)
	}
	send(uitest.Click(gutter+1, 6))
	if m.rows.Len() != before {
		t.Errorf("and again: %d rows of %d", m.rows.Len(), before)
	}
	if send(wheel(tea.MouseButtonWheelDown, false)); m.table.Position() != "4–21 of 25" {
		t.Errorf("the wheel scrolled to %s", m.table.Position())
	}
	if send(wheel(tea.MouseButtonWheelUp, true)); !m.time.on {
		t.Error("Ctrl and the wheel do not zoom")
	}
	from := m.time.view.from
	if send(wheel(tea.MouseButtonWheelRight, false)); m.time.view.from <= from {
		t.Error("the wheel to the right does not pan")
	}
	send(wheel(tea.MouseButtonWheelLeft, false))
	if send(wheel(tea.MouseButtonWheelDown, true)); m.time.on {
		t.Error("Ctrl and the wheel do not zoom out")
	}
}

// TestFooterWhileTyping names the keys of the text.
func TestFooterWhileTyping(t *testing.T) {
	m := openTrace(t, family(t), uitest.TraceID(1))
	uitest.Press(m, "f")
	if got := m.ShortHelp()[0].Help().Key; got != "Enter" || !strings.Contains(text(m), "find: ") {
		t.Errorf("footer begins with %s", got)
	}
}
