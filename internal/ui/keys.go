package ui

import (
	"github.com/charmbracelet/bubbles/key"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// keyMap is the keys that work on every screen.
type keyMap struct {
	screens []screenKey
	filter, ranks, clear, pause, copy, export, record, command, help,
	back, quit, kill, suspend, redraw key.Binding
}

// screenKey is the key that shows a screen.
type screenKey struct {
	name screen.Name
	key  key.Binding
}

func bind(help, what string, keys ...string) key.Binding {
	return key.NewBinding(key.WithKeys(keys...), key.WithHelp(help, what))
}

func defaultKeys() keyMap {
	return keyMap{
		screens: screenKeys(),
		filter:  bind("/", "filter every screen", "/"),
		ranks:   bind("r", "show only some ranks; empty: all", "r"),
		clear:   bind("X", "clear the filter", "X"),
		pause:   bind("p/Space", "pause the view; data still arrive", "p", " "),
		copy:    bind("y", "copy the selection", "y"),
		export:  bind("e", "export the view to a file", "e"),
		record:  bind("R", "record what is received; again: stop", "R"),
		command: bind(":", "command line: every action by its name", ":"),
		help:    bind("?", "help", "?"),
		back:    bind("Esc", "back", "esc"),
		quit:    bind("q", "back, quit where there is nothing to go back to", "q"),
		kill:    bind("^C", "quit at once", "ctrl+c"),
		suspend: bind("^Z", "suspend; fg comes back", "ctrl+z"),
		redraw:  bind("^L", "draw again", "ctrl+l"),
	}
}

func screenKeys() []screenKey {
	return []screenKey{
		{screen.Runs, bind("1", "Runs: which runs are there, which needs me", "1")},
		{screen.Overview, bind("2", "Overview: how is this run", "2")},
		{screen.Ranks, bind("3", "Ranks: which rank", "3")},
		{screen.Topology, bind("4", "Topology: which group", "4")},
		{screen.Steps, bind("5", "Steps: when", "5")},
		{screen.Spans, bind("6", "Spans: which operation", "6")},
		{screen.Trace, bind("7", "Trace: why", "7")},
		{screen.Metrics, bind("8", "Metrics: the numbers", "8")},
		{screen.Cardinality, bind("9", "Cardinality: what will hurt", "9")},
		{screen.Logs, bind("0", "Logs: what it said", "0")},
		{screen.Ingest, bind("i", "Ingest: is what I see complete", "i")},
		{screen.Compare, bind("D", "Compare: what changed", "D")},
	}
}

// namedKey is a binding under the name that the command line and the
// configuration know it by.
type namedKey struct {
	name string
	key  *key.Binding
}

// named is all bindings of the program by name, screens first.
func (k *keyMap) named() []namedKey {
	var out []namedKey
	for i := range k.screens {
		out = append(out, namedKey{string(k.screens[i].name), &k.screens[i].key})
	}
	return append(out,
		namedKey{"filter", &k.filter}, namedKey{"ranks-only", &k.ranks}, namedKey{"clear", &k.clear},
		namedKey{"pause", &k.pause}, namedKey{"copy", &k.copy}, namedKey{"export", &k.export},
		namedKey{"record", &k.record}, namedKey{"command", &k.command}, namedKey{"help", &k.help}, namedKey{"back", &k.back},
		namedKey{"quit", &k.quit}, namedKey{"kill", &k.kill}, namedKey{"suspend", &k.suspend}, namedKey{"redraw", &k.redraw},
	)
}

// bindings is all global keys, for help and for the test that none is shadowed.
func (k *keyMap) bindings() []key.Binding {
	var out []key.Binding
	for _, n := range k.named() {
		out = append(out, *n.key)
	}
	return out
}

func (k *keyMap) screenFor(name screen.Name) string {
	for _, s := range k.screens {
		if s.name == name {
			return s.key.Help().Key
		}
	}
	return ""
}
