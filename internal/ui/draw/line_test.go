package draw

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

func TestLine(t *testing.T) {
	bold := theme.New(theme.Options{Profile: theme.ANSI16}).Strong
	for _, test := range []struct {
		name string
		got  string
		want string
	}{
		{"pads", NewLine(5).Text("ab").String(), "ab   "},
		{"cuts", NewLine(5).Text("abcdefgh").String(), "abcd…"},
		{"styles", NewLine(4).Add(bold, "ab").String(), "\x1b[1mab\x1b[0m  "},
		{"cleans", NewLine(6).Text("\x1b[m").String(), "^[[m  "},
		{"fits right", NewLine(6).Fit(theme.Style{}, "7", 4, true).String(), "   7  "},
		{"fit is cut by the line", NewLine(3).Fit(theme.Style{}, "12345", 9, true).String(), "12…"},
		{"to column", NewLine(6).Text("a").To(3).Text("b").String(), "a  b  "},
		{"right end", NewLine(6).Text("a").Right(theme.Style{}, "zz").String(), "a   zz"},
		{"no room at the right end", NewLine(3).Text("ab").Right(theme.Style{}, "zz").String(), "ab "},
		{"drawn", NewLine(4).Drawn("\x1b[1mx\x1b[0m", 1).String(), "\x1b[1mx\x1b[0m   "},
		{"drawn too wide", NewLine(2).Drawn("xxxx", 4).String(), "  "},
		{"no width", NewLine(-1).Text("a").String(), ""},
	} {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
}

func TestAddIf(t *testing.T) {
	l := NewLine(5)
	if !l.AddIf(theme.Style{}, "abc") || l.AddIf(theme.Style{}, "def") || l.Used() != 3 || l.Left() != 2 {
		t.Errorf("after a text that fits and one that does not: %q", l.String())
	}
}

func TestBlock(t *testing.T) {
	if got := Block([]string{"ab", "cd", "ef"}, 2, 2); got != "ab\ncd" {
		t.Errorf("too many lines: %q", got)
	}
	if got := Block([]string{"ab"}, 2, 3); got != "ab\n  \n  " {
		t.Errorf("too few lines: %q", got)
	}
	if got := Block([]string{"ab"}, 2, 0); got != "" {
		t.Errorf("no height: %q", got)
	}
}

func TestHighlight(t *testing.T) {
	match := theme.New(theme.Options{Profile: theme.ANSI16}).Match
	got := Highlight("Forward forward", "forward", theme.Style{}, match)
	if strings.Count(got, match.On()) != 2 {
		t.Errorf("two hits, got %q", got)
	}
	if got := Highlight("训练", "\xad", theme.Style{}, match); got != "训练" {
		t.Errorf("half a character is no hit: %q", got)
	}
}
