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
			return fmt.Errorf("keys: there is no action %q; there are %s", action, strings.Join(a.actionNames(), ", "))
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
	return a.shadows()
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
		return fmt.Errorf("keys: there is no screen %q", name)
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
			return fmt.Errorf("keys: %s has no action %q; it has %s", name, action, strings.Join(names, ", "))
		}
	}
	a.remaps[name] = r
	return nil
}

// shadows fails when a key means two things on some screen.
func (a *App) shadows() error {
	taken := map[string]string{}
	for _, n := range a.keys.named() {
		for _, k := range n.key.Keys() {
			if other, twice := taken[k]; twice {
				return fmt.Errorf("keys: %q is both %s and %s", k, other, n.name)
			}
			taken[k] = n.name
		}
	}
	for _, e := range a.opts.Screens {
		own := map[string]string{}
		for _, b := range a.screenBindings(e.Name) {
			for _, k := range b.Keys() {
				if other, twice := taken[k]; twice {
					return fmt.Errorf("keys: on %s %q is both %s and %s", e.Name, k, slug(b.Help().Desc), other)
				}
				if other, twice := own[k]; twice {
					return fmt.Errorf("keys: on %s %q is both %s and %s", e.Name, k, slug(b.Help().Desc), other)
				}
				own[k] = slug(b.Help().Desc)
			}
		}
	}
	return nil
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
