package draw

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"
	"github.com/charmbracelet/x/ansi"
	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// TestFactsAreWrapped: every line has its width, and nothing is lost.
func TestFactsAreWrapped(t *testing.T) {
	th := theme.New(theme.Options{Profile: theme.ANSI256, Dark: true})
	for _, f := range []Fact{
		{th.Strong, "", "a heading that is longer than the pane is wide, by far"},
		{th.Plain, "key", "value"}, {th.Plain, "a.rather.long.attribute.key", "with a value of many words that go on and on"},
		{th.Plain, "trace", "one\ntwo three\n  four"}, {th.Plain, strings.Repeat("k", 90), strings.Repeat("v", 90)},
		{th.Plain, "wide", "训练步骤前向训练步骤前向"}, {th.Plain, "none", ""},
	} {
		for _, width := range []int{1, 2, 3, 7, 10, 20, 44, 80, 200} {
			var all strings.Builder
			for _, l := range f.Lines(th, width) {
				plain := ansi.Strip(l)
				if Width(plain) != width {
					t.Fatalf("%q in %d cells: a line of %d: %q", f.Name, width, Width(plain), plain)
				}
				all.WriteString(plain)
			}
			want := strings.Join(strings.Fields(f.Name+f.Text), "")
			if got := strings.Join(strings.Fields(all.String()), ""); got != want && width > 2 {
				t.Fatalf("%q in %d cells: %q, want %q", f.Name, width, got, want)
			}
		}
	}
}

func TestFactText(t *testing.T) {
	got := FactText([]Fact{{Text: "a heading"}, {Name: "key", Text: "value"}, {Name: "raw", Text: "\x1b[2J"}})
	if d := cmp.Diff("a heading\n  key  value\n  raw  \x1b[2J\n", got); d != "" {
		t.Errorf("a copy changes nothing (-want +got):\n%s", d)
	}
}

func TestLongFactsAreCut(t *testing.T) {
	th := plain()
	all := strings.Join(Fact{Name: "prompt", Text: strings.Repeat("x", 20_000)}.Lines(th, 80), "")
	if !strings.Contains(all, "(16,000 bytes more)") || strings.Count(all, "x") > maxFact {
		t.Errorf("%d of 20,000 are shown, and it says %q", strings.Count(all, "x"), all[len(all)-80:])
	}
}

func paneOf(lines, height int) *Pane {
	var p Pane
	p.SetSize(20, height)
	var facts []Fact
	for i := range lines {
		facts = append(facts, Fact{Name: Count(i), Text: "v"})
	}
	p.SetFacts(plain(), facts)
	return &p
}

func TestPaneScrolls(t *testing.T) {
	p := paneOf(20, 5)
	keys := DefaultTableKeys()
	for _, step := range []struct {
		key  string
		want int
	}{{"j", 1}, {"j", 2}, {"k", 1}, {"G", 15}, {"j", 15}, {"g", 0}, {"k", 0}} {
		if !p.HandleKey(menuKey(step.key), keys) || p.Offset() != step.want {
			t.Errorf("after %s: line %d, want %d", step.key, p.Offset(), step.want)
		}
	}
	if p.HandleKey(menuKey("x"), keys) {
		t.Error("x is no key for scrolling")
	}
	p.HandleMouse(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelDown})
	if p.Offset() != wheelStep || p.Position() != "4–8 of 20" {
		t.Errorf("the wheel went to %d: %q", p.Offset(), p.Position())
	}
	p.HandleMouse(tea.MouseMsg{Action: tea.MouseActionRelease, Button: tea.MouseButtonWheelDown})
	p.HandleMouse(tea.MouseMsg{Action: tea.MouseActionPress, Button: tea.MouseButtonWheelUp})
	if p.Offset() != 0 {
		t.Errorf("the wheel came back to %d", p.Offset())
	}
	p.HandleKey(menuKey("G"), keys)
	p.SetLines(p.lines[:6])
	if p.Offset() != 1 {
		t.Errorf("with fewer lines it stands at %d", p.Offset())
	}
	if p.Top(); p.Offset() != 0 {
		t.Errorf("the top is line %d", p.Offset())
	}
}

func TestPaneIsExactlyItsSize(t *testing.T) {
	for lines := range 8 {
		for height := range 8 {
			p := paneOf(lines, height)
			if got := p.Visible(); len(got) != height {
				t.Fatalf("%d lines in %d: %d", lines, height, len(got))
			}
			if (p.Position() == "") != (lines <= height) {
				t.Fatalf("%d lines in %d: position %q", lines, height, p.Position())
			}
			for width := range 40 {
				if got := Width(ansi.Strip(p.Head(plain(), "resource", "Esc closes", width))); got != width {
					t.Fatalf("a head of %d cells has %d", width, got)
				}
			}
		}
	}
}
