package ui

import (
	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// key takes a key: overlay, then the screen while it captures text, then the
// keys of the program, then the screen.
//
// Keys that arrive together, as in a burst over ssh, are one message; here each
// counts for itself. Pasted text stays together.
func (a *App) key(k tea.KeyMsg) tea.Cmd {
	if k.Type != tea.KeyRunes || k.Paste || len(k.Runes) < 2 {
		return a.oneKey(k)
	}
	var cmds []tea.Cmd
	for _, r := range k.Runes {
		one := tea.Key{Type: tea.KeyRunes, Runes: []rune{r}, Alt: k.Alt}
		if r == ' ' {
			one.Type = tea.KeySpace
		}
		cmds = append(cmds, a.oneKey(tea.KeyMsg(one)))
	}
	return tea.Batch(cmds...)
}

func (a *App) oneKey(k tea.KeyMsg) tea.Cmd {
	if key.Matches(k, a.keys.kill) {
		return tea.Quit
	}
	if a.notices.heard() {
		a.resize()
	}
	switch {
	case a.over != nil:
		return a.overlayKey(k)
	case a.screen().Capturing():
		return a.toScreen(k)
	}
	if cmd, ok := a.global(k); ok {
		return cmd
	}
	if k, ok := a.translate(k); ok {
		return a.toScreen(k)
	}
	return nil
}

func (a *App) toScreen(msg tea.Msg) tea.Cmd { return a.from(a.top, a.screen().Update(msg)) }

func (a *App) overlayKey(k tea.KeyMsg) tea.Cmd {
	msg, done := a.over.key(k)
	if done {
		a.over = nil
	}
	if msg == nil {
		return nil
	}
	return a.handle(msg)
}

// global answers the keys of the program; ok is false for any other.
func (a *App) global(k tea.KeyMsg) (tea.Cmd, bool) {
	for _, s := range a.keys.screens {
		if _, there := a.screens[s.name]; there && key.Matches(k, s.key) {
			return a.jump(s.name), true
		}
	}
	for _, g := range []struct {
		on key.Binding
		do func() tea.Cmd
	}{
		{a.keys.filter, func() tea.Cmd { return a.edit(a.filter.String()) }},
		{a.keys.ranks, a.askRanks},
		{a.keys.clear, a.clearFilter},
		{a.keys.pause, a.pause},
		{a.keys.copy, a.copy},
		{a.keys.export, func() tea.Cmd { return a.export("") }},
		{a.keys.record, func() tea.Cmd { return a.record("") }},
		{a.keys.command, a.commandLine},
		{a.keys.help, a.help},
		{a.keys.back, func() tea.Cmd { a.back(); return a.refresh() }},
		{a.keys.quit, a.quit},
		{a.keys.suspend, suspend},
		{a.keys.redraw, func() tea.Cmd { return tea.ClearScreen }},
	} {
		if key.Matches(k, g.on) {
			return g.do(), true
		}
	}
	return nil, false
}

func (a *App) clearFilter() tea.Cmd { return a.setFilter("") }

func (a *App) commandLine() tea.Cmd {
	a.over = newCmdline(a.opts.Theme, a.acts())
	return nil
}

func (a *App) edit(text string) tea.Cmd {
	a.over = newFilterBar(a.opts.Theme, text, a.feed.shown, a.feed.run)
	return nil
}

func (a *App) pause() tea.Cmd {
	a.feed.toggle()
	if a.feed.paused {
		return nil
	}
	return a.refresh()
}

func (a *App) help() tea.Cmd {
	a.over = a.newHelp()
	return nil
}

// missing is the names of actions that are not there: of screens, and what was not
// handed in.
func (a *App) missing() map[string]bool {
	out := map[string]bool{}
	for _, s := range a.keys.screens {
		if _, there := a.screens[s.name]; !there {
			out[string(s.name)] = true
		}
	}
	if a.opts.Record == nil {
		out["record"] = true
	}
	return out
}

// back closes the innermost thing and reports whether there was one.
func (a *App) back() bool {
	if b, ok := a.screen().(screen.Backer); ok && b.Back() {
		return true
	}
	if len(a.trail) > 0 {
		a.goBack()
		return true
	}
	return a.notices.dismiss()
}

// mouse gives the screen what happens on it, in its own coordinates.
func (a *App) mouse(m tea.MouseMsg) tea.Cmd {
	l := a.layout()
	if a.over != nil || l.tooSmall || m.Y < l.top || m.Y >= l.top+l.height {
		return nil
	}
	m.Y -= l.top
	return a.toScreen(m)
}
