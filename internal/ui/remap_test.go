package ui

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func withKeys(t testing.TB, own Keys) (*App, error) {
	t.Helper()
	th := whole(t).app.opts.Theme
	return New(Options{Theme: th, Source: &source{snap: training(t)}, Screens: everyScreen(th), Keys: own})
}

func TestOwnKeys(t *testing.T) {
	p := start(t, training(t), func(o *Options) {
		o.Screens = everyScreen(o.Theme)
		o.Keys = Keys{
			"":           {"quit": {"ctrl+q"}, "pause": {"space", "f5"}},
			screen.Ranks: {"group-by": {"g"}, "first": {"home"}, "turn-the-order": {"S", "F"}},
		}
	})
	p.press("3", "q") // q means nothing now
	if p.quit {
		t.Error("q quits although another key was chosen")
	}
	p.press("b")
	p.wants(p.view(), "62 of 64 ranks seen")
	p.lacks(p.view(), "by host")
	p.press("g")
	p.wants(p.view(), "by host")
	p.press("?")
	p.typed("group by")
	p.wants(p.view(), "  g ")
	p.press("esc", " ")
	p.wants(p.header(), "PAUSED")
	p.command("group-by")
	p.wants(p.view(), "by tp")
}

// While nothing has come the footer has the keys that do something, as they are now.
func TestFooterUntilDataCome(t *testing.T) {
	for want, own := range map[string]Keys{
		"y copy the line  i what came": nil, "f3 copy the line  I what came": {"": {"copy": {"f3"}, "ingest": {"I"}}},
	} {
		p := start(t, uitest.Snapshot(t), func(o *Options) { o.Screens, o.Keys = everyScreen(o.Theme), own })
		for _, e := range p.app.opts.Screens {
			p.send(tea.WindowSizeMsg{Width: 80, Height: 24})
			p.command(string(e.Name))
			if e.Name != screen.Ingest {
				p.wants(p.view(), want)
			}
		}
	}
	file := uitest.Snapshot(t)
	file.Receiver.Listeners = nil
	p := start(t, file)
	p.wants(p.view(), "i what came")
	p.lacks(p.view(), "copy the line")
}

func TestOwnKeysThatDoNotFit(t *testing.T) {
	for want, own := range map[string]Keys{
		`no action "quitt"`:                       {"": {"quitt": {"x"}}},
		`no screen "rankz"`:                       {"rankz": {"sort": {"x"}}},
		`ranks has no action "srt"`:               {screen.Ranks: {"srt": {"x"}}},
		`"y" is both copy and quit`:               {"": {"quit": {"y"}}},
		`on ranks "b" is both group-by`:           {"": {"quit": {"b"}}},
		`on ranks "q" is both turn-the-order and`: {screen.Ranks: {"turn-the-order": {"q"}}},
		`"a" is both`:                             {screen.Ranks: {"turn-the-order": {"a"}}},
	} {
		_, err := withKeys(t, own)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", own, err, want)
		}
	}
}

func TestKeyMessagesHaveTheirNames(t *testing.T) {
	p := whole(t)
	for _, e := range p.app.opts.Screens {
		for _, b := range p.app.screenBindings(e.Name) {
			for _, k := range b.Keys() {
				if got := keyMsg(k).String(); got != k {
					t.Errorf("%s: the key %q calls itself %q", e.Name, k, got)
				}
			}
		}
	}
}
