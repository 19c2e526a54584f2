package topologyscreen

import (
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

var (
	_ screen.Screen   = (*Model)(nil)
	_ screen.Copier   = (*Model)(nil)
	_ screen.Targeter = (*Model)(nil)
)

func TestKeysShadowNothing(t *testing.T) { uitest.KeysShadowNothing(t, New(plain())) }

func TestEveryKeyIsInTheHelp(t *testing.T) {
	m := open(t, ofRanks(t, 8), "")
	listed := uitest.KeysOf(m.FullHelp()...)
	check := func(b key.Binding) {
		for _, k := range b.Keys() {
			if listed[k] == "" {
				t.Errorf("%q is not listed", k)
			}
		}
	}
	for _, a := range m.actions() {
		check(a.on)
	}
	for _, u := range []unit{ranks, workers} {
		m.cell = u
		m.arrange()
		if n := len(m.ShortHelp()); n != 5 {
			t.Errorf("the footer has %d keys", n)
		}
		for _, b := range m.ShortHelp() {
			check(b)
		}
	}
}

func TestKeysWithoutDataDoNoHarm(t *testing.T) {
	for name, m := range map[string]*Model{"new": New(plain()), "empty": open(t, ofRanks(t, 0), "")} {
		m.SetSize(80, 22)
		for k := range uitest.KeysOf(m.FullHelp()...) {
			uitest.Press(m, k)
			m.Update(uitest.Click(10, 5))
			uitest.Inside(t, m.View(), 80, 22)
		}
		if m.Title() != "Topology" || m.Capturing() || m.CopyText() != "" && name == "new" {
			t.Errorf("%s: %q copies %q", name, m.Title(), m.CopyText())
		}
	}
}
