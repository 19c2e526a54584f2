package ui

import (
	"fmt"
	"testing"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"

	tea "github.com/charmbracelet/bubbletea"
)

// whole is the program with every screen there is.
func whole(t testing.TB) *program {
	t.Helper()
	return start(t, training(t), func(o *Options) {
		th := o.Theme
		o.Screens = everyScreen(th)
	})
}

func everyScreen(t theme.Theme) []Entry { return Screens(t) }

func TestEveryScreenAtEverySize(t *testing.T) {
	p := whole(t)
	for _, e := range p.app.opts.Screens {
		p.send(tea.WindowSizeMsg{Width: 120, Height: 40})
		p.press(p.app.keys.screenFor(e.Name))
		if p.app.top != e.Name {
			t.Fatalf("the key of %s shows %s", e.Name, p.app.top)
		}
		for _, size := range [][2]int{{40, 12}, {80, 24}, {160, 45}, {200, 60}, {1, 1}, {0, 0}, {41, 13}} {
			p.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			uitest.Inside(t, p.view(), size[0], size[1])
			uitest.Harmless(t, p.view())
		}
	}
}

func TestFromARankToItsTraceAndBack(t *testing.T) {
	p := whole(t)
	p.press("3", "j", "j", "enter")
	p.wants(p.header(), "7 Trace")
	p.press("esc")
	p.wants(p.header(), "3 Ranks")
}

// Every screen in the program, in ASCII and in colour.
func TestEveryScreenIsDrawn(t *testing.T) {
	s := training(t)
	s.Memory = store.Memory{Budget: 512 << 20, Data: 383 << 20, Used: 244 << 10, Fixed: 600 << 10, Chunks: 1} // differs from run to run
	drawn := func(th theme.Theme) *program {
		return start(t, s, func(o *Options) { o.Theme, o.Screens = th, everyScreen(th) })
	}
	plain, coloured := drawn(theme.New(theme.Options{ASCII: true})), drawn(uitest.Coloured())
	for _, e := range plain.app.opts.Screens {
		for _, size := range uitest.Sizes() {
			name := fmt.Sprintf("whole-%s-%dx%d", e.Name, size[0], size[1])
			for _, p := range []*program{plain, coloured} {
				p.send(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
				p.press(p.app.keys.screenFor(e.Name))
			}
			uitest.Golden(t, name, plain.view())
			uitest.GoldenColour(t, name, coloured.view())
		}
	}
}
