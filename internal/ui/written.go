package ui

import (
	"strings"

	"github.com/charmbracelet/bubbles/key"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// written is how the user's keys are written, for the texts of the screens; nil
// when all are the defaults.
func (a *App) written() screen.Keys {
	if len(a.opts.Keys) == 0 {
		return nil
	}
	out := screen.Keys{"": map[string]string{}}
	before := defaultKeys()
	now := a.keys.named()
	for i, n := range before.named() {
		if text := now[i].key.Help().Key; text != n.key.Help().Key {
			for _, k := range n.key.Keys() {
				out[""][k] = text
			}
		}
	}
	for name, r := range a.remaps {
		out[name] = r.help
	}
	return out
}

// short is the keys of the screen that the footer shows, as the user has them.
func (a *App) short() []key.Binding {
	keys := a.screen().ShortHelp()
	if len(a.feed.shown.Runs) == 0 && a.top != screen.Ingest && !a.screen().Capturing() {
		return a.untilData()
	}
	changed := a.written()
	if changed == nil {
		return keys
	}
	out := make([]key.Binding, 0, len(keys))
	for _, b := range keys {
		out = append(out, a.rewritten(b, changed))
	}
	return out
}

// untilData is the keys that do something while there is nothing to choose from.
func (a *App) untilData() []key.Binding {
	keys := a.written()
	way := bind(keys.On("", "i"), "what came and what was refused", "i")
	if len(a.feed.shown.Receiver.Listeners) == 0 {
		return []key.Binding{way}
	}
	return []key.Binding{bind(keys.On("", "y"), "copy the line", "y"), way}
}

// rewritten is a binding with the keys that the user has chosen: one that names
// several, such as "[ ]", names all of them anew.
func (a *App) rewritten(b key.Binding, keys screen.Keys) key.Binding {
	var parts []string
	other := false
	for _, k := range b.Keys() {
		text, chosen := keys[a.top][k]
		switch {
		case chosen:
			other = true
		case a.remaps[a.top].gone[k]: // another key of a binding that was changed
			continue
		default:
			text = keys.On(a.top, k)
		}
		parts = append(parts, text)
	}
	if other {
		b.SetHelp(strings.Join(parts, " "), b.Help().Desc)
	}
	return b
}
