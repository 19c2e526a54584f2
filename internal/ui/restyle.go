package ui

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

func themeNames() []string { return []string{"dark", "light", "mono"} }

// restyle takes another theme. The screens are made anew: what was sorted, folded
// or selected in them is as at the start.
func (a *App) restyle(name string) tea.Cmd {
	if !slices.Contains(themeNames(), name) {
		return screen.Say("there is no theme " + name + "; there are " + strings.Join(themeNames(), ", "))
	}
	o := a.opts.Theme.Options
	o.Dark = name != "light"
	o.Profile = a.profile
	if name == "mono" {
		o.Profile = theme.None
	}
	a.opts.Theme = theme.New(o)
	a.opts.Screens = a.opts.Restyle(a.opts.Theme)
	for _, e := range a.opts.Screens {
		a.screens[e.Name] = e.Screen
	}
	return a.refresh()
}
