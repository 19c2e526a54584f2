package ui

import (
	"slices"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// act is something that can be done by name: on the command line, and by its key
// when it has one.
type act struct {
	name, about string
	key         string          // as the help shows it, "" for none
	arg         string          // what may follow the name, "" for nothing
	needs       bool            // the argument
	values      func() []string // what the argument may be, for completion; nil when that is open
	do          func(arg string) tea.Cmd
}

// doMsg asks the program to do something, from an overlay.
type doMsg func() tea.Cmd

// acts is everything that can be done on the screen on top, from the same key
// maps as the help: the program's own actions, the screens, what the screen on
// top can do.
func (a *App) acts() []act {
	out := append(a.ownActs(), a.screenActs()...)
	if c, ok := a.screen().(screen.Commander); ok {
		for _, one := range c.Commands() {
			out = append(out, act{name: one.Name, about: one.About, arg: one.Arg, needs: one.Arg != "", values: one.Values,
				do: func(arg string) tea.Cmd { return a.from(a.top, one.Do(arg)) }})
		}
	}
	for _, b := range a.screenBindings(a.top) {
		if name := slug(b.Help().Desc); !slices.ContainsFunc(out, func(o act) bool { return o.name == name }) {
			out = append(out, act{name: name, about: b.Help().Desc, key: b.Help().Key, do: func(string) tea.Cmd { return a.toScreen(keyMsg(b.original)) }})
		}
	}
	return out
}

// plain makes an act of a binding and what it does.
func (a *App) plain(name string, b key.Binding, do func() tea.Cmd) act {
	return act{name: name, about: b.Help().Desc, key: b.Help().Key, do: func(string) tea.Cmd { return do() }}
}

func (a *App) ownActs() []act {
	k := &a.keys
	out := []act{
		{name: "filter", about: k.filter.Help().Desc, key: k.filter.Help().Key, arg: "EXPRESSION", do: func(arg string) tea.Cmd {
			if arg == "" {
				arg = a.filter.String()
			} else if parses(arg) {
				return a.setFilter(arg)
			}
			return a.edit(arg) // which says what is wrong, and where
		}},
		{name: "ranks-only", about: k.ranks.Help().Desc, key: k.ranks.Help().Key, arg: "0-7,12", do: func(arg string) tea.Cmd {
			if arg == "" {
				return a.askRanks()
			}
			return a.filterRanks(arg)
		}},
		a.plain("clear", k.clear, a.clearFilter), a.plain("pause", k.pause, a.pause), a.plain("copy", k.copy, a.copy),
		{name: "export", about: k.export.Help().Desc, key: k.export.Help().Key, arg: "FILE", do: a.export},
		a.plain("help", k.help, a.help), a.plain("back", k.back, func() tea.Cmd { a.back(); return a.refresh() }),
		a.plain("quit", k.quit, a.leaveProgram), a.plain("suspend", k.suspend, suspend),
		a.plain("redraw", k.redraw, func() tea.Cmd { return tea.ClearScreen }),
		{name: "run", about: "look at another run", arg: "ID", needs: true, values: a.runIDs, do: a.chooseRun},
	}
	if a.opts.Record != nil {
		out = append(out, act{name: "record", about: k.record.Help().Desc, key: k.record.Help().Key, arg: "DIR", do: a.record})
	}
	if a.opts.StopLoading != nil {
		out = append(out, act{name: "stop-loading", about: "read no more of the files; what was read stays", do: func(string) tea.Cmd {
			a.opts.StopLoading()
			return screen.Say("no more is read")
		}})
	}
	if a.opts.Restyle != nil {
		out = append(out, act{name: "theme", about: "other colours; the screens begin anew", arg: "NAME", needs: true, values: themeNames, do: a.restyle})
	}
	return out
}

func (a *App) screenActs() []act {
	var out []act
	for _, s := range a.keys.screens {
		if _, there := a.screens[s.name]; there {
			out = append(out, a.plain(string(s.name), s.key, func() tea.Cmd { return a.jump(s.name) }))
		}
	}
	return out
}

func (a *App) runIDs() []string {
	var out []string
	for _, r := range a.feed.shown.Runs {
		out = append(out, r.ID)
	}
	return out
}

func (a *App) chooseRun(id string) tea.Cmd {
	if a.feed.shown.Run(id) == nil {
		return screen.Say("there is no run " + id)
	}
	a.feed.focus(id)
	return a.refresh()
}

// slug is the name of an action from what the help says of it: its first words.
func slug(about string) string {
	if i := strings.IndexAny(about, ";:,(."); i > 0 {
		about = about[:i]
	}
	return strings.Join(strings.Fields(strings.ToLower(about)), "-")
}
