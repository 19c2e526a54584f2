package ui

import (
	"github.com/charmbracelet/bubbles/key"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// keyMap is the keys that work on every screen.
type keyMap struct {
	screens []screenKey
	filter, ranks, clear, pause, copy, help,
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
		screens: []screenKey{
			{screen.Runs, bind("1", "Runs: which runs are there, which needs me", "1")},
			{screen.Ranks, bind("3", "Ranks: which rank", "3")},
			{screen.Topology, bind("4", "Topology: which group", "4")},
			{screen.Spans, bind("6", "Spans: which operation", "6")},
			{screen.Trace, bind("7", "Trace: why", "7")},
			{screen.Metrics, bind("8", "Metrics: the numbers", "8")},
			{screen.Cardinality, bind("9", "Cardinality: what will hurt", "9")},
			{screen.Logs, bind("0", "Logs: what it said", "0")},
			{screen.Ingest, bind("i", "Ingest: is what I see complete", "i")},
		},
		filter:  bind("/", "filter every screen", "/"),
		ranks:   bind("r", "filter by ranks", "r"),
		clear:   bind("X", "clear the filter", "X"),
		pause:   bind("p/Space", "pause the view; data still arrive", "p", " "),
		copy:    bind("y", "copy the selection", "y"),
		help:    bind("?", "help", "?"),
		back:    bind("Esc", "back", "esc"),
		quit:    bind("q", "back, quit at the first screen", "q"),
		kill:    bind("^C", "quit at once", "ctrl+c"),
		suspend: bind("^Z", "suspend; fg comes back", "ctrl+z"),
		redraw:  bind("^L", "draw again", "ctrl+l"),
	}
}

// bindings is all global keys, for help and for the test that none is shadowed.
func (k keyMap) bindings() []key.Binding {
	var out []key.Binding
	for _, s := range k.screens {
		out = append(out, s.key)
	}
	return append(out, k.filter, k.ranks, k.clear, k.pause, k.copy, k.help,
		k.back, k.quit, k.kill, k.suspend, k.redraw)
}

func (k keyMap) screenFor(name screen.Name) string {
	for _, s := range k.screens {
		if s.name == name {
			return s.key.Help().Key
		}
	}
	return ""
}
