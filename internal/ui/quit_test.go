package ui

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func losing(t testing.TB) *program {
	return start(t, training(t), func(o *Options) {
		o.Loss = func(s *store.Snapshot, _ string) string {
			if len(s.Runs) == 0 {
				return ""
			}
			return "What was received is recorded nowhere."
		}
	})
}

func TestQuitAsksWhenSomethingWouldBeLost(t *testing.T) {
	p := losing(t)
	p.press("3", "q")
	p.wants(p.view(), "recorded nowhere. Quit?")
	p.press("q")
	if p.quit || p.app.over != nil {
		t.Error("q q quits, or the question stays")
	}
	for _, no := range []string{"n", "esc", "enter"} {
		p.press("q", no)
		if p.quit || p.app.over != nil {
			t.Errorf("%s to the question: quit %v", no, p.quit)
		}
	}
	p.press("q", "x", "1")
	p.wants(p.view(), "Quit?")
	p.press("y")
	if !p.quit {
		t.Error("y does not quit")
	}
}

func TestQuitAsksNothingWhenNothingIsLost(t *testing.T) {
	for _, p := range []*program{start(t, training(t)), start(t, uitest.Snapshot(t), func(o *Options) {
		o.Loss = func(s *store.Snapshot, _ string) string { return strings.Repeat("lost", len(s.Runs)) }
	})} {
		p.press("3", "q")
		if !p.quit {
			t.Error("q asks although nothing is lost")
		}
	}
}

func TestKillAsksNothing(t *testing.T) {
	p := losing(t)
	p.press("ctrl+c")
	if !p.quit {
		t.Error("^C asks")
	}
}

func TestEscComesBackFromAScreenReachedByItsKey(t *testing.T) {
	p := start(t, training(t))
	p.press("3", "i", "esc")
	p.wants(p.header(), "3 Ranks")
	p.press("esc")
	p.wants(p.header(), "3 Ranks")
	p.press("1", "enter", "3", "esc") // the key of the screen that is there changes nothing
	p.wants(p.header(), "1 Runs")
}
