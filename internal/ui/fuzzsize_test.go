package ui

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// FuzzSizes draws every screen, alone and in the program, at sizes of any kind,
// with what lies over it: no view is larger than its place.
func FuzzSizes(f *testing.F) {
	snaps := worlds(f)
	for _, size := range [][2]uint8{{1, 1}, {2, 1}, {1, 2}, {40, 12}, {80, 24}, {120, 40}, {200, 3}, {3, 200}, {39, 12}, {40, 11}, {255, 255}} {
		f.Add(size[0], size[1], size[0]+size[1], size[1])
	}
	f.Add(uint8(0), uint8(7), uint8(0), uint8(34)) // styles without a cell
	f.Fuzz(func(t *testing.T, width, height, which, over uint8) {
		ascii := theme.New(theme.Options{ASCII: over%2 == 0, Profile: theme.Profile(over % 4)})
		p := start(t, snaps[int(which)%len(snaps)], func(o *Options) { o.Theme, o.Screens = ascii, everyScreen(ascii) })
		e := p.app.opts.Screens[int(which)%len(p.app.opts.Screens)]
		p.press(p.app.keys.screenFor(e.Name))
		for _, keys := range [][]string{nil, {"G"}, {"enter"}, {"esc", ":", "down", "down"}, {"esc", "?"}, {"esc", "/", "r", "a", "="}, {"esc", "r", "x"}}[:1+int(over)%7] {
			p.press(keys...)
			p.send(tea.WindowSizeMsg{Width: int(width), Height: int(height)})
			uitest.Inside(t, p.view(), int(width), int(height))
			uitest.Harmless(t, p.view())
			e.Screen.SetSize(int(width), int(height)) // below the least of the program, too
			uitest.Inside(t, e.Screen.View(), int(width), int(height))
		}
	})
}
