package ui

import (
	"slices"
	"strings"
	"testing"

	"github.com/charmbracelet/bubbles/key"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

func TestHelpListsEveryKeyOfEveryScreen(t *testing.T) {
	p := whole(t)
	for _, on := range p.app.opts.Screens {
		p.app.top = on.Name
		p.press("?")
		text := strings.Join(p.app.over.(*help).body(200), "\n")
		missing := p.app.missing()
		for _, n := range p.app.keys.named() {
			if !missing[n.name] && !strings.Contains(text, n.key.Help().Desc) {
				t.Errorf("%s: help does not list %q", on.Name, n.key.Help().Desc)
			}
		}
		for _, e := range p.app.opts.Screens { // its own first, then the others'
			for _, b := range slices.Concat(e.Screen.FullHelp()...) {
				if !strings.Contains(text, b.Help().Desc) {
					t.Errorf("%s: help does not list %q of %s", on.Name, b.Help().Desc, e.Name)
				}
			}
		}
		p.press("esc")
	}
}

func TestHelpLeavesOutScreensThatAreNotThere(t *testing.T) {
	p := start(t, training(t))
	p.press("?")
	p.lacks(strings.Join(p.app.over.(*help).body(200), "\n"), "Trace: why")
}

func TestHelpIsSearched(t *testing.T) {
	p := start(t, training(t))
	p.press("3", "?")
	p.typed("group")
	p.wants(p.view(), "group by")
	p.wants(p.view(), ":group-by")
	p.lacks(p.view(), "suspend")
	p.typed("zzz")
	p.wants(p.view(), "no key does that")
	p.press("?")
	if p.app.over != nil {
		t.Error("? does not close the help")
	}
}

func TestHelpScrolls(t *testing.T) {
	p := start(t, training(t))
	p.press("3", "?")
	first := p.view()
	p.press("pgdown")
	if p.view() == first {
		t.Error("PgDn does not scroll")
	}
	p.press("pgup", "up", "up")
	if p.view() != first {
		t.Error("PgUp does not come back")
	}
	p.press("q")
	if p.app.over == nil || p.quit {
		t.Error("q is text in the help's search")
	}
}

// keysOf is the keys of bindings, each with what it does.
func keysOf(bindings []key.Binding) map[string]string {
	out := map[string]string{}
	for _, b := range bindings {
		for _, k := range b.Keys() {
			out[k] = b.Help().Desc
		}
	}
	return out
}

func TestNoKeyIsShadowed(t *testing.T) {
	p := whole(t)
	if err := p.app.shadows(nil); err != nil {
		t.Error(err)
	}
	global := keysOf(p.app.keys.bindings())
	if n := count(p.app.keys.bindings()); n != len(global) {
		t.Errorf("%d global keys, %d of them different", n, len(global))
	}
	for _, e := range p.app.opts.Screens {
		own := slices.Concat(e.Screen.FullHelp()...)
		if n := count(own); n != len(keysOf(own)) {
			t.Errorf("%s: a key is bound twice", e.Name)
		}
		for k, what := range keysOf(own) {
			if other, taken := global[k]; taken {
				t.Errorf("%s: %q (%s) never arrives: it is %s everywhere", e.Name, k, what, other)
			}
		}
	}
}

func count(bindings []key.Binding) int {
	n := 0
	for _, b := range bindings {
		n += len(b.Keys())
	}
	return n
}

func TestFooterKeysAreInTheHelp(t *testing.T) {
	p := whole(t)
	for _, e := range p.app.opts.Screens {
		all := keysOf(slices.Concat(e.Screen.FullHelp()...))
		if n := len(e.Screen.ShortHelp()); n > footerKeys {
			t.Errorf("%s has %d footer keys", e.Name, n)
		}
		for _, b := range e.Screen.ShortHelp() {
			if _, ok := all[b.Keys()[0]]; !ok {
				t.Errorf("%s: footer key %q is not in its help", e.Name, b.Help().Key)
			}
		}
	}
}

func TestFooter(t *testing.T) {
	p := start(t, training(t))
	p.press("3")
	p.wants(p.footer(), "Enter its last trace")
	if !strings.HasSuffix(strings.TrimRight(p.footer(), " "), "? help") {
		t.Errorf("footer ends in %q", p.footer())
	}
	p.press("/")
	p.wants(p.footer(), "Enter apply")
}

func TestGlobalKeysOfScreens(t *testing.T) {
	p := start(t, training(t))
	for k, name := range map[string]screen.Name{"1": screen.Runs, "3": screen.Ranks, "i": screen.Ingest} {
		p.press(k)
		if p.app.top != name {
			t.Errorf("%s shows %s, want %s", k, p.app.top, name)
		}
	}
	for _, k := range []string{"4", "6", "7"} {
		if p.app.keys.screenFor(map[string]screen.Name{"4": screen.Topology, "6": screen.Spans, "7": screen.Trace}[k]) != k {
			t.Errorf("%s is not the key of its screen", k)
		}
	}
}
