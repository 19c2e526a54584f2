package ui

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// states is keys that change what each screen shows.
func states() map[screen.Name][][]string {
	return map[screen.Name][][]string{
		screen.Runs:     {{"o"}, {">", "S"}},
		screen.Ranks:    {{"s", "c", "enter", "j", "j", "m", "m"}, {"b", "G"}, {"b", "tab", "j"}, {"j", "j", "o", "tab", "j"}},
		screen.Topology: {{"m", "w"}, {"b", "j"}, {"j", "j", "l"}},
		screen.Spans:    {{"s", "m", "a", "x", "enter", "j"}, {"enter", "j", "j"}, {"v", "j"}, {"b", "r", "a", "n", "k", "enter", "tab", "j"}},
		screen.Trace:    {{"j", "enter"}, {"[", "[", "j"}, {"J", "J", "j", "z"}, {"v", "j", "l"}, {"f", "g", "r", "enter"}},
		screen.Ingest:   {{"j"}, {"tab"}},
	}
}

// A screen that is left for others and come back to is as it was: cursor, order,
// grouping, what is folded and what is open.
func TestScreensStayAsTheyWereLeft(t *testing.T) {
	for name, variants := range states() {
		for _, keys := range variants {
			p := whole(t)
			p.send(tea.WindowSizeMsg{Width: 100, Height: 30})
			p.press(p.app.keys.screenFor(name))
			fresh := body(p)
			p.press(keys...)
			before := body(p)
			if before == fresh {
				t.Fatalf("%s: %q change nothing, so nothing is tested", name, keys)
			}
			for _, e := range p.app.opts.Screens {
				if e.Name != name {
					p.press(p.app.keys.screenFor(e.Name), "j", "j")
				}
			}
			p.press(p.app.keys.screenFor(name))
			if d := cmp.Diff(before, body(p)); d != "" {
				t.Errorf("%s after %q and a look at the others (-before +after):\n%s", name, keys, d)
			}
		}
	}
}

// body is the view without the header and the footer.
func body(p *program) string {
	lines := strings.Split(p.view(), "\n")
	return strings.Join(lines[1:len(lines)-1], "\n")
}

// The way from a worker of Topology to its ranks and back, and then another worker:
// the filter from before is restored.
func TestTopologyNarrowsOneWorkerAfterTheOther(t *testing.T) {
	p := start(t, training(t), func(o *Options) { o.Screens = everyScreen(o.Theme) })
	p.send(tea.WindowSizeMsg{Width: 100, Height: 30})
	p.send(screen.FilterMsg{Text: "rank<60"})
	p.press("4", "b")
	for _, down := range []string{"", "j", "j"} {
		if down != "" {
			p.press(down)
		}
		p.press("enter")
		p.wants(p.header(), "3 Ranks")
		p.lacks(p.view(), "No rank of this run matches")
		p.wants(p.header(), "rank<60")
		p.press("esc")
		p.wants(p.header(), "4 Topology")
		if got := p.app.filter.String(); got != "rank<60" {
			t.Fatalf("back at Topology the filter is %q", got)
		}
	}
}

// Ranks that are marked stand beside each other in Trace; going back, the filter
// is as before.
func TestMarkedRanksAreLanes(t *testing.T) {
	p := start(t, training(t), func(o *Options) { o.Screens = everyScreen(o.Theme) })
	p.send(tea.WindowSizeMsg{Width: 100, Height: 30})
	p.press("3", "m", "j", "m", "v")
	p.wants(p.header(), "7 Trace")
	p.wants(p.view(), "2 ranks")
	p.wants(p.view(), "rank 0 ")
	p.wants(p.view(), "rank 2 ")
	p.press("esc")
	p.wants(p.header(), "3 Ranks")
	if !p.app.filter.Empty() {
		t.Errorf("the filter is still %q", p.app.filter)
	}
}
