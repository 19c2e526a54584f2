package draw

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{
		"": 0, "abc": 3, "训练": 4, "🚀": 2, "e\u0301": 1, "──": 2, "🫠": 2, "…": 1,
	} {
		if got := Width(s); got != want {
			t.Errorf("Width(%q) = %d, want %d", s, got, want)
		}
	}
}

func TestTruncate(t *testing.T) {
	for _, test := range []struct {
		in    string
		width int
		want  string
	}{
		{"forward", 7, "forward"}, {"forward", 6, "forwa…"}, {"forward", 1, "…"}, {"forward", 0, ""},
		{"forward", -3, ""}, {"", 3, ""}, {"训练步骤", 8, "训练步骤"}, {"训练步骤", 7, "训练步…"},
		{"训练步骤", 6, "训练…"}, {"训练步骤", 2, "…"}, {"e\u0301e\u0301e\u0301", 2, "e\u0301…"},
		{"🚀🚀", 3, "🚀…"}, {strings.Repeat("x", 10_000), 4, "xxx…"},
	} {
		if got := Truncate(test.in, test.width); got != test.want {
			t.Errorf("Truncate(%q, %d) = %q, want %q", test.in, test.width, got, test.want)
		}
	}
}

func TestTruncateLeft(t *testing.T) {
	for _, test := range []struct {
		in    string
		width int
		want  string
	}{
		{"a/b/c", 5, "a/b/c"}, {"a/b/c", 4, "…b/c"}, {"a/b/c", 1, "…"}, {"训练步骤", 5, "…步骤"}, {"训练步骤", 4, "…骤"}, {"x", 0, ""},
	} {
		if got := TruncateLeft(test.in, test.width); got != test.want {
			t.Errorf("TruncateLeft(%q, %d) = %q, want %q", test.in, test.width, got, test.want)
		}
	}
}

func TestPadding(t *testing.T) {
	for _, test := range []struct{ name, got, want string }{
		{"left", PadLeft("7", 3), "  7"},
		{"right", PadRight("训", 3), "训 "},
		{"center", Center("ab", 5), " ab  "},
		{"fit number", Fit("12", 4, true), "  12"},
		{"fit text", Fit("12", 4, false), "12  "},
		{"cut wide", PadRight("训练", 3), "训…"},
		{"long", Spaces(300), strings.Repeat(" ", 300)},
		{"none", Spaces(-1), ""},
	} {
		if test.got != test.want {
			t.Errorf("%s: %q, want %q", test.name, test.got, test.want)
		}
	}
}

func TestWrap(t *testing.T) {
	for _, test := range []struct {
		in    string
		width int
		want  []string
	}{
		{"one two three", 7, []string{"one two", "three"}},
		{"  export A=http://127.0.0.1:4317", 20, []string{"  export A=http://12", "  7.0.0.1:4317"}},
		{"", 5, []string{""}},
		{"训练步骤", 4, []string{"训练", "步骤"}},
		{"abcdef", 3, []string{"abc", "def"}},
		{"abc", 0, nil},
		{"a\nb", 10, []string{"a^Jb"}},
	} {
		if diff := cmp.Diff(test.want, Wrap(test.in, test.width)); diff != "" {
			t.Errorf("Wrap(%q, %d) (-want +got):\n%s", test.in, test.width, diff)
		}
	}
}

func TestMessageHasItsSize(t *testing.T) {
	inside(t, Message([]string{"a long line of words", "训练步骤"}, 9, 6), 9, 6)
	inside(t, Message(nil, 9, 2), 9, 2)
	inside(t, Message([]string{"x"}, 9, 0), 9, 0)
}
