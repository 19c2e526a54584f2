package draw

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// oddNames is names of the kind that tears tables: wide, combining, joined,
// right-to-left, invisible, endless, and those that drive a terminal.
func oddNames() []string {
	return []string{
		"训练步骤/前向", "🚀 step", "e\u0301tape", "👨\u200d👩\u200d👧 family", "🫠", "──", "مرحبا", "a\tb", "zero\u200bwidth", strings.Repeat("x", 10_000),
		"\x1b]52;c;ZXZpbA==\ax\x1b[2J", "\u009b31mred", "line\rforged", "a\nb", "bell\a", "\u202egnp.exe", "\x1bPq#0\x1b\\", "\xff\xfe",
		strings.Repeat("\u0301", 500), "e" + strings.Repeat("\u0301", 500), "\u1100\u1161\u11a8", "🇩🇪🇫", "❤\ufe0f", "｡ｱ", "\u3000wide blank", "क्षि",
	}
}

func TestColumnsLineUpWhateverTheNames(t *testing.T) {
	table := NewTable(plain(), Column{ID: "name", Title: "name", Min: 12}, Column{ID: "mark", Title: "m", Min: 3, Right: true})
	table.SetSize(18, len(oddNames())+1)
	table.SetRows(marked{oddNames()})
	lines := strings.Split(table.View(), "\n")
	for i, line := range lines[1:] {
		inside(t, line, 18, 1)
		before, _, found := strings.Cut(line, "|")
		if !found || Width(before) != 17 {
			t.Errorf("%q: the next column is at cell %d, want 17: %q", oddNames()[i], Width(before), line)
		}
		if strings.ContainsAny(line, "\x1b\a\r\t") {
			t.Errorf("%q came through", line)
		}
	}
}

// marked is names with a bar behind them.
type marked struct{ names []string }

func (m marked) Len() int           { return len(m.names) }
func (m marked) Key(row int) string { return m.names[row] }

func (m marked) Cell(row int, column string) Cell {
	if column == "mark" {
		return Cell{Text: "|"}
	}
	return Cell{Text: m.names[row]}
}

func TestOddNamesEverywhereElse(t *testing.T) {
	th := theme.New(theme.Options{Profile: theme.TrueColor})
	for _, name := range oddNames() {
		for width := range 40 {
			inside(t, NewLine(width).Add(th.Bad, name).String(), width, 1)
			inside(t, NewLine(width).Text("ab").Right(th.Dim, name).String(), width, 1)
			inside(t, NewLine(width).Fit(th.Good, name, width-3, true).String(), width, 1)
			inside(t, Message([]string{name}, width, 3), width, 3)
			if got := Width(Truncate(Clean(name), width)); got > width {
				t.Errorf("%q in %d cells takes %d", name, width, got)
			}
			harmless(t, TruncateLeft(Clean(name), width))
		}
	}
}

func TestTruncationNeverTearsACharacter(t *testing.T) {
	for _, name := range oddNames() {
		clean := Clean(name)
		for width := 1; width < 30; width++ {
			out := Truncate(clean, width)
			kept := strings.TrimSuffix(out, Ellipsis)
			if out != clean && !strings.HasPrefix(clean, kept) {
				t.Fatalf("%q in %d cells became %q", clean, width, out)
			}
			rest := clean[len(kept):]
			if out != clean && rest != "" && firstCluster(lastCluster(kept)+rest) != lastCluster(kept) && kept != "" {
				t.Errorf("%q in %d cells was cut inside a character: %q", clean, width, out)
			}
		}
	}
}

func TestSearchHighlightsDoNotChangeTheText(t *testing.T) {
	th := theme.New(theme.Options{Profile: theme.ANSI16})
	for _, name := range oddNames() {
		clean := Truncate(Clean(name), 40)
		for _, part := range []string{"a", "步", "\xe6", "E", "", clean} {
			got := Highlight(clean, part, th.Dim, th.Match)
			plain := strings.NewReplacer(th.Dim.On(), "", th.Match.On(), "", "\x1b[0m", "").Replace(got)
			if plain != clean {
				t.Errorf("search for %q made %q of %q", part, plain, clean)
			}
		}
	}
}

func TestInputWithOddText(t *testing.T) {
	th := theme.New(theme.Options{Profile: theme.ANSI16})
	for _, name := range oddNames() {
		var i Input
		i.Set(name[:min(len(name), 200)])
		for range 30 {
			for _, width := range []int{0, 1, 2, 5, 20} {
				view, start := i.View(th, width)
				inside(t, view, width, 1)
				if start < 0 || start > len(i.Value()) {
					t.Fatalf("the window of %q starts at %d", name, start)
				}
			}
			i.HandleKey(typed(tea.KeyCtrlD))
			i.HandleKey(runes("x"))
			i.HandleKey(typed(tea.KeyCtrlB))
			i.HandleKey(typed(tea.KeyCtrlB))
		}
	}
}
