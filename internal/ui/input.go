package ui

import (
	"fmt"
	"slices"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
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
	return a.toScreen(k)
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
			a.trail = nil
			return a.show(s.name), true
		}
	}
	for _, g := range []struct {
		on key.Binding
		do func() tea.Cmd
	}{
		{a.keys.filter, func() tea.Cmd { return a.edit(a.filter.String()) }},
		{a.keys.ranks, func() tea.Cmd { return a.edit(withRanks(a.filter)) }},
		{a.keys.clear, func() tea.Cmd { return a.setFilter("") }},
		{a.keys.pause, a.pause},
		{a.keys.copy, a.copy},
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

func (a *App) edit(text string) tea.Cmd {
	a.over = newFilterBar(a.opts.Theme, text, a.feed.shown, a.feed.run)
	return nil
}

// withRanks is the filter with the beginning of a question for ranks.
func withRanks(f *query.Filter) string {
	if f.Empty() {
		return "rank="
	}
	return f.String() + " and rank="
}

func (a *App) pause() tea.Cmd {
	a.feed.toggle()
	if a.feed.paused {
		return nil
	}
	return a.refresh()
}

func (a *App) copy() tea.Cmd {
	text := ""
	if c, ok := a.screen().(screen.Copier); ok {
		text = c.CopyText()
	}
	return a.copyText(text)
}

// copyText puts a text on the clipboard, and says so.
func (a *App) copyText(text string) tea.Cmd {
	switch {
	case text == "":
		return screen.Say("nothing is selected here that could be copied")
	case a.opts.Copy == nil:
		return screen.Say("this terminal takes no copies")
	}
	return func() tea.Msg {
		if err := a.opts.Copy(text); err != nil {
			return screen.NoticeMsg{Text: "not copied: " + err.Error()}
		}
		return screen.NoticeMsg{Text: fmt.Sprintf("copied %s", draw.Plural(len([]rune(text)), "character"))}
	}
}

func (a *App) help() tea.Cmd {
	a.over = newHelp(a.opts.Theme, a.screen(), a.present())
	return nil
}

// present is the global keys that do something: those of screens that are there
// among them.
func (a *App) present() []key.Binding {
	missing := map[string]bool{}
	for _, s := range a.keys.screens {
		if _, there := a.screens[s.name]; !there {
			missing[s.key.Help().Key] = true
		}
	}
	return slices.DeleteFunc(a.keys.bindings(), func(b key.Binding) bool { return missing[b.Help().Key] })
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

func (a *App) quit() tea.Cmd {
	if b, ok := a.screen().(screen.Backer); ok && b.Back() {
		return nil
	}
	if len(a.trail) > 0 {
		a.back()
		return a.refresh()
	}
	return tea.Quit
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
