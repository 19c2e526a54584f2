package ui

import (
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// routed is the answer of a screen's command on its way back to it.
type routed struct {
	to  screen.Name
	msg tea.Msg
}

// from wraps a screen's command, so that its answer finds the screen again, on
// top or not. Messages to the program itself pass as they are.
func (a *App) from(name screen.Name, cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() tea.Msg {
		switch msg := cmd().(type) {
		case nil:
			return nil
		case tea.BatchMsg:
			for i, c := range msg {
				msg[i] = a.from(name, c)
			}
			return msg
		case screen.OpenMsg, screen.FilterMsg, screen.NoticeMsg, screen.MarkMsg, screen.CopyMsg, tea.QuitMsg:
			return msg
		default:
			return routed{to: name, msg: msg}
		}
	}
}

func (a *App) route(r routed) tea.Cmd {
	s, ok := a.screens[r.to]
	if !ok {
		return nil
	}
	return a.from(r.to, s.Update(r.msg))
}
