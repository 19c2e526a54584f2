package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// quit goes back out of what was gone into, and leaves the program where there is
// nothing to go back to.
func (a *App) quit() tea.Cmd {
	if b, ok := a.screen().(screen.Backer); ok && b.Back() {
		return nil
	}
	if n := len(a.trail); n > 0 && !a.trail[n-1].jumped {
		a.back()
		return a.refresh()
	}
	return a.leaveProgram()
}

// leaveProgram quits, and asks first when something would be lost.
func (a *App) leaveProgram() tea.Cmd {
	if a.opts.Loss == nil {
		return tea.Quit
	}
	loss := a.opts.Loss(a.feed.newest, a.keys.record.Help().Key)
	if loss == "" {
		return tea.Quit
	}
	a.over = &confirm{theme: a.opts.Theme, text: loss + " Quit?  y yes  n no", do: func() tea.Cmd { return tea.Quit }}
	return nil
}
