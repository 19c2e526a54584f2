package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// confirm asks before something is lost. Only y goes on: no key that is pressed
// twice by mistake.
type confirm struct {
	theme theme.Theme
	text  string
	do    func() tea.Cmd
}

func (c *confirm) keys() []key.Binding {
	return []key.Binding{bind("y", "yes", "y", "Y"), bind("n/Esc", "no", "n", "esc")}
}

func (c *confirm) key(k tea.KeyMsg) (tea.Msg, bool) {
	switch k.String() {
	case "y", "Y":
		return doMsg(c.do), true
	case "n", "N", "esc", "q", "enter":
		return nil, true
	}
	return nil, false
}

func (c *confirm) lines(width, _ int) []string {
	lines := []string{draw.NewLine(width).String()}
	for _, l := range draw.Wrap(c.text, max(1, width-2)) {
		lines = append(lines, draw.NewLine(width).Space(2).Add(c.theme.Strong, l).String())
	}
	return append(lines, draw.NewLine(width).String())
}
