package draw

import (
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

func press(i *Input, keys ...tea.KeyMsg) {
	for _, k := range keys {
		i.HandleKey(k)
	}
}

func typed(t tea.KeyType) tea.KeyMsg { return tea.KeyMsg{Type: t} }

func TestInputEdits(t *testing.T) {
	for _, test := range []struct {
		name   string
		start  string
		keys   []tea.KeyMsg
		want   string
		cursor int
	}{
		{"types", "", []tea.KeyMsg{runes("a"), runes("b")}, "ab", 2},
		{"inserts", "ac", []tea.KeyMsg{typed(tea.KeyLeft), runes("b")}, "abc", 2},
		{"space", "a", []tea.KeyMsg{{Type: tea.KeySpace, Runes: []rune{' '}}, runes("b")}, "a b", 3},
		{"backspace takes a whole character", "e\u0301", []tea.KeyMsg{typed(tea.KeyBackspace)}, "", 0},
		{"backspace at the start", "", []tea.KeyMsg{typed(tea.KeyBackspace)}, "", 0},
		{"delete", "abc", []tea.KeyMsg{typed(tea.KeyHome), typed(tea.KeyDelete)}, "bc", 0},
		{"delete at the end", "abc", []tea.KeyMsg{typed(tea.KeyDelete)}, "abc", 3},
		{"left and right over CJK", "训练", []tea.KeyMsg{typed(tea.KeyLeft), typed(tea.KeyLeft), typed(tea.KeyRight)}, "训练", 3},
		{"ctrl-u", "rank=0 and", []tea.KeyMsg{typed(tea.KeyLeft), typed(tea.KeyCtrlU)}, "d", 0},
		{"ctrl-k", "rank=0", []tea.KeyMsg{typed(tea.KeyHome), typed(tea.KeyRight), typed(tea.KeyCtrlK)}, "r", 1},
		{"ctrl-w", "rank=0 and  ", []tea.KeyMsg{typed(tea.KeyCtrlW)}, "rank=0 ", 7},
		{"end", "ab", []tea.KeyMsg{typed(tea.KeyHome), typed(tea.KeyEnd), runes("c")}, "abc", 3},
		{"pasted lines become one", "", []tea.KeyMsg{{Type: tea.KeyRunes, Runes: []rune("a\nb\x1b\tc"), Paste: true}}, "a b c", 5},
	} {
		var i Input
		i.Set(test.start)
		press(&i, test.keys...)
		if i.Value() != test.want || i.Cursor() != test.cursor {
			t.Errorf("%s: %q at %d, want %q at %d", test.name, i.Value(), i.Cursor(), test.want, test.cursor)
		}
	}
}

func TestInputLeavesOtherKeys(t *testing.T) {
	var i Input
	for _, k := range []tea.KeyMsg{typed(tea.KeyEnter), typed(tea.KeyEsc), typed(tea.KeyTab), typed(tea.KeyUp),
		{Type: tea.KeyRunes, Runes: []rune("x"), Alt: true}} {
		if i.HandleKey(k) || i.Value() != "" {
			t.Errorf("%s edited the text", k)
		}
	}
}

func TestInputView(t *testing.T) {
	th := theme.New(theme.Options{})
	var i Input
	i.Set("rank=12")
	for _, test := range []struct {
		width int
		want  string
		start int
	}{{12, "rank=12_    ", 0}, {8, "ank=12_ ", 1}, {1, " ", 0}, {0, "", 0}} {
		view, start := i.View(th, test.width)
		if view != test.want || start != test.start {
			t.Errorf("width %d: %q from %d, want %q from %d", test.width, view, start, test.want, test.start)
		}
	}
	i.Replace(5, 7, "3")
	if i.Value() != "rank=3" || i.Cursor() != 6 {
		t.Errorf("after Replace: %q at %d", i.Value(), i.Cursor())
	}
}

func FuzzInput(f *testing.F) {
	f.Add("rank=0", 3, 10, true)
	f.Add("训练步骤", 2, 5, false)
	f.Fuzz(func(t *testing.T, text string, lefts, width int, colour bool) {
		o := theme.Options{}
		if colour {
			o.Profile = theme.TrueColor
		}
		var i Input
		i.Set(Clean(text))
		for range lefts % 50 {
			i.HandleKey(typed(tea.KeyLeft))
		}
		width %= 120
		view, start := i.View(theme.New(o), width)
		if start < 0 || start > len(i.Value()) {
			t.Fatalf("the window starts at %d of %d", start, len(i.Value()))
		}
		inside(t, view, max(0, width), 1)
	})
}
