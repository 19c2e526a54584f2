package spansscreen

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

var (
	_ screen.Screen = (*Model)(nil)
	_ screen.Copier = (*Model)(nil)
	_ screen.Backer = (*Model)(nil)
)

func TestKeysShadowNothing(t *testing.T) { uitest.KeysShadowNothing(t, New(plain())) }

func TestEveryKeyIsInTheHelp(t *testing.T) {
	m := open(t, ofRanks(t, 1), "")
	listed, global := uitest.KeysOf(m.FullHelp()...), uitest.GlobalKeys(t)
	check := func(b key.Binding) {
		for _, k := range b.Keys() {
			if listed[k] == "" && !global[k] {
				t.Errorf("%q is not listed", k)
			}
		}
	}
	for _, a := range append(m.anywhere(), m.onTable()...) {
		check(a.on)
	}
	states := map[string]func(){"table": func() {}, "groups": func() { group(m, "rank") }, "slowest": func() { uitest.Press(m, "enter") }}
	for _, name := range []string{"table", "groups", "slowest"} {
		states[name]()
		if n := len(m.ShortHelp()); n < 3 || n > 5 {
			t.Errorf("%s: the footer has %d keys", name, n)
		}
		for _, b := range m.ShortHelp() {
			check(b)
		}
	}
	for _, a := range m.onSlow() {
		check(a.on)
	}
	m.Back()
	uitest.Press(m, "b")
	if !m.Capturing() || len(m.ShortHelp()) != 5 {
		t.Error("while a grouping is typed, keys are text and the footer says which are not")
	}
}

func TestKeysWithoutDataDoNoHarm(t *testing.T) {
	for name, m := range map[string]*Model{"new": New(plain()), "empty": open(t, ofRanks(t, 0), "")} {
		m.SetSize(80, 22)
		for k := range uitest.KeysOf(m.FullHelp()...) {
			uitest.Press(m, k)
			uitest.Inside(t, m.View(), 80, 22)
			m.Back()
		}
		if m.Title() != "Spans" || m.CopyText() != "" && name == "new" {
			t.Errorf("%s: %q copies %q", name, m.Title(), m.CopyText())
		}
	}
}
