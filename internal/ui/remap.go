package ui

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/charmbracelet/bubbles/key"
	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// Keys are keys of the user's own: action → keys, for the whole program under ""
// and for a screen's own actions under its name. Actions are named as on the
// command line, keys as Bubble Tea names them: "x", "ctrl+x", "f5", "space".
type Keys map[screen.Name]map[string][]string

// KeyError says what is wrong with the user's keys for an action.
type KeyError struct {
	Screen screen.Name // "" for the whole program
	Action string
	Text   string
}

// Error is the text with the action.
func (e *KeyError) Error() string {
	if e.Screen == "" {
		return "keys: " + e.Text
	}
	return fmt.Sprintf("keys of %s: %s", e.Screen, e.Text)
}

func wrongKey(name screen.Name, action, format string, args ...any) error {
	return &KeyError{name, action, fmt.Sprintf(format, args...)}
}

// remap is the user's keys of one screen: a key that was chosen is handed to the
// screen as the one it knows, one that was given up is not handed over.
type remap struct {
	to   map[string]string // user's key → the screen's
	gone map[string]bool
	help map[string]string // the screen's first key → what the help shows
}

// screenBinding is a binding of a screen with the key the screen knows it by.
type screenBinding struct {
	key.Binding
	original string
}

// bindKeys applies the user's keys. It fails when an action or key is unknown, or
// a key would mean two things.
func (a *App) bindKeys(own Keys) error {
	if len(own) == 0 {
		return nil
	}
	for _, action := range sortedKeys(own[""]) {
		i := slices.IndexFunc(a.keys.named(), func(n namedKey) bool { return n.name == action })
		if i < 0 {
			return wrongKey("", action, "there is no action %q; there are %s", action, strings.Join(a.actionNames(), ", "))
		}
		b := a.keys.named()[i].key
		keys := normal(own[""][action])
		b.SetKeys(keys...)
		b.SetHelp(shown(keys), b.Help().Desc)
	}
	for name := range own {
		if name == "" {
			continue
		}
		if err := a.bindScreen(name, own[name]); err != nil {
			return err
		}
	}
	return a.shadows(own)
}

func (a *App) actionNames() []string {
	var out []string
	for _, n := range a.keys.named() {
		out = append(out, n.name)
	}
	return out
}

func (a *App) bindScreen(name screen.Name, own map[string][]string) error {
	s, ok := a.screens[name]
	if !ok {
		return wrongKey(name, "", "there is no screen %q; there are %s", name, strings.Join(a.screenNames(), ", "))
	}
	r := remap{map[string]string{}, map[string]bool{}, map[string]string{}}
	var names []string
	for _, b := range slices.Concat(s.FullHelp()...) {
		action := slug(b.Help().Desc)
		names = append(names, action)
		keys, chosen := own[action]
		if !chosen || len(b.Keys()) == 0 {
			continue
		}
		for _, k := range b.Keys() {
			r.gone[k] = true
		}
		for _, k := range normal(keys) {
			r.to[k] = b.Keys()[0]
		}
		r.help[b.Keys()[0]] = shown(normal(keys))
	}
	for _, action := range sortedKeys(own) {
		if !slices.Contains(names, action) {
			return wrongKey(name, action, "%s has no action %q; it has %s", name, action, strings.Join(names, ", "))
		}
	}
	a.remaps[name] = r
	return nil
}

// shadows fails when a key means two things on some screen.
func (a *App) shadows(user Keys) error {
	taken := map[string]string{}
	for _, n := range a.keys.named() {
		for _, k := range n.key.Keys() {
			if other, twice := taken[k]; twice {
				return wrongKey("", blame(user[""], n.name, other), "%q is both %s and %s: give one of them another key", k, other, n.name)
			}
			taken[k] = n.name
		}
	}
	for _, e := range a.opts.Screens {
		mine := map[string]string{}
		for _, b := range a.screenBindings(e.Name) {
			for _, k := range b.Keys() {
				what := slug(b.Help().Desc)
				if other, twice := taken[k]; twice {
					return a.clash(e.Name, user, k, what, other, "")
				}
				if other, twice := mine[k]; twice {
					return a.clash(e.Name, user, k, what, other, e.Name)
				}
				mine[k] = what
			}
		}
	}
	return nil
}

// clash is the error of a key that would mean two things on a screen; the other one
// is an action of it, or of the whole program when otherOn is "". It blames what
// the user has chosen.
func (a *App) clash(on screen.Name, user Keys, k, what, other string, otherOn screen.Name) error {
	where, action := on, what
	if _, chosen := user[on][what]; !chosen {
		where, action = otherOn, other
	}
	return wrongKey(where, action, "on %s %q is both %s and %s: give one of them another key", on, k, what, other)
}

// blame is the one of two actions whose keys were chosen.
func blame(chosen map[string][]string, one, other string) string {
	if _, ok := chosen[one]; ok {
		return one
	}
	return other
}

func (a *App) screenNames() []string {
	var out []string
	for _, e := range a.opts.Screens {
		out = append(out, string(e.Name))
	}
	return out
}

// screenBindings is a screen's own keys as the user has them.
func (a *App) screenBindings(name screen.Name) []screenBinding {
	var out []screenBinding
	r := a.remaps[name]
	for _, b := range slices.Concat(a.screens[name].FullHelp()...) {
		if !b.Enabled() || len(b.Keys()) == 0 {
			continue
		}
		one := screenBinding{b, b.Keys()[0]}
		if help, changed := r.help[one.original]; changed {
			var keys []string
			for user, original := range r.to {
				if original == one.original {
					keys = append(keys, user)
				}
			}
			sort.Strings(keys)
			one.Binding = key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, b.Help().Desc))
		}
		out = append(out, one)
	}
	return out
}

// translate is a key as the screen on top knows it; ok is false for one that the
// user took away.
func (a *App) translate(k tea.KeyMsg) (tea.KeyMsg, bool) {
	r, changed := a.remaps[a.top]
	if !changed {
		return k, true
	}
	if original, ok := r.to[k.String()]; ok {
		return keyMsg(original), true
	}
	return k, !r.gone[k.String()]
}

// normal is keys as Bubble Tea names them.
func normal(keys []string) []string {
	out := slices.Clone(keys)
	for i, k := range out {
		if strings.EqualFold(k, "space") {
			out[i] = " "
		}
	}
	return out
}

// shown is keys as the help shows them.
func shown(keys []string) string {
	var out []string
	for _, k := range keys {
		switch rest, ctrl := strings.CutPrefix(k, "ctrl+"); {
		case ctrl:
			out = append(out, "^"+strings.ToUpper(rest))
		case k == " ":
			out = append(out, "Space")
		default:
			out = append(out, k)
		}
	}
	return strings.Join(out, "/")
}

func sortedKeys[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

// keyMsg is the message of a key by its name.
func keyMsg(name string) tea.KeyMsg {
	if name == " " {
		return tea.KeyMsg{Type: tea.KeySpace, Runes: []rune(" ")}
	}
	if len([]rune(name)) == 1 {
		return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
	}
	for t := tea.KeyType(-100); t <= 127; t++ {
		if t != tea.KeyRunes && t.String() == name {
			return tea.KeyMsg{Type: t}
		}
	}
	return tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune(name)}
}
