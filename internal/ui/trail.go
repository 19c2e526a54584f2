package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// waypoint is a screen that was left for another one.
type waypoint struct {
	screen screen.Name
	jumped bool          // left by the key of another screen: q does not go back there
	before *query.Filter // the filter there; nil when it was not narrowed on the way
	narrow *query.Filter // what it was narrowed to
}

// show puts a screen on top, with the newest data and the right size.
func (a *App) show(name screen.Name) tea.Cmd {
	a.leave(name)
	a.top = name
	return a.refresh()
}

// jump shows a screen by its key. Esc comes back once; what was gone into before
// is forgotten.
func (a *App) jump(name screen.Name) tea.Cmd {
	if name != a.top {
		a.trail = []waypoint{{screen: a.top, jumped: true}}
	}
	return a.show(name)
}

// leave lets the screen on top let go of its spans, when another follows.
func (a *App) leave(next screen.Name) {
	if r, ok := a.screen().(screen.Releaser); ok && next != a.top {
		r.Release()
	}
}

// open follows a request to go somewhere.
func (a *App) open(msg screen.OpenMsg) tea.Cmd {
	s, ok := a.screens[msg.Screen]
	if !ok {
		return nil
	}
	from := waypoint{screen: a.top}
	if msg.Narrow != "" {
		f, err := query.Parse(msg.Narrow)
		if err != nil {
			return screen.Say(err.Error())
		}
		from.before, from.narrow = a.filter, f
		a.filter = f
	}
	if msg.Screen != a.top {
		a.trail = append(a.trail, from)
	}
	if msg.Target.Run != "" {
		a.feed.focus(msg.Target.Run)
	}
	cmds := []tea.Cmd{a.show(msg.Screen)}
	if t, ok := s.(screen.Targeter); ok {
		cmds = append(cmds, a.from(msg.Screen, t.SetTarget(msg.Target)))
	}
	return tea.Batch(cmds...)
}

// goBack returns to the screen before, and to its filter unless that was changed
// since.
func (a *App) goBack() {
	last := a.trail[len(a.trail)-1]
	a.trail = a.trail[:len(a.trail)-1]
	if last.before != nil && a.filter == last.narrow {
		a.filter = last.before
	}
	a.leave(last.screen)
	a.top = last.screen
}
