package draw

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestClean(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"plain", "forward_backward", "forward_backward"},
		{"empty", "", ""},
		{"clipboard write and clear screen", "\x1b]52;c;ZXZpbA==\ax\x1b[2J", "^[]52;c;ZXZpbA==^Gx^[[2J"},
		{"C1", "a\u009b31mb", "a<009B>31mb"},
		{"carriage return", "good\rbad", "good^Mbad"},
		{"line feed", "a\nb", "a^Jb"},
		{"tab", "a\tb", "a^Ib"},
		{"delete", "a\x7f", "a^?"},
		{"NUL", "a\x00b", "a^@b"},
		{"right-to-left override", "a\u202eb", "a<202E>b"},
		{"isolates", "\u2066a\u2069", "<2066>a<2069>"},
		{"DCS", "\x1bPq#0\x1b\\", "^[Pq#0^[\\"},
		{"zero-width space", "a\u200bb", "a<200B>b"},
		{"byte-order mark", "\ufeffa", "<FEFF>a"},
		{"line separator", "a\u2028b", "a<2028>b"},
		{"soft hyphen", "a\u00adb", "a<00AD>b"},
		{"tag letters", "a\U000e0041", "a<E0041>"},
		{"hangul filler", "a\u3164b", "a<3164>b"},
		{"joiners", "👨\u200d👩", "👨👩"},
		{"variation selector", "❤\ufe0f", "❤"},
		{"combining mark", "e\u0301", "e\u0301"},
		{"too many marks", "e" + strings.Repeat("\u0301", 50), "e" + strings.Repeat("\u0301", 4)},
		{"not UTF-8", "a\xff\xfeb", "a\ufffd\ufffdb"},
		{"CJK", "训练步骤/前向", "训练步骤/前向"},
		{"Arabic", "مرحبا", "مرحبا"},
		{"emoji", "🚀 step 🫠", "🚀 step 🫠"},
	} {
		if got := Clean(test.in); got != test.want {
			t.Errorf("%s: Clean(%q) = %q, want %q", test.name, test.in, got, test.want)
		}
	}
}

func TestASCII(t *testing.T) {
	for in, want := range map[string]string{
		"plain":             "plain",
		"cut…":              "cut>",
		"12–40 of 80":       "12-40 of 80",
		"训练 step":           "???? step",
		"é":                 "?",
		"\x1b[1mé\x1b[0m x": "\x1b[1m?\x1b[0m x",
		"1.23µs":            "1.23us",
	} {
		got := ASCII(in)
		if got != want {
			t.Errorf("ASCII(%q) = %q, want %q", in, got, want)
		}
	}
}

// harmless fails when s holds anything that a terminal would act upon.
func harmless(t *testing.T, s string) {
	t.Helper()
	if !utf8.ValidString(s) {
		t.Fatalf("not UTF-8: %q", s)
	}
	for _, r := range s {
		if unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp) {
			t.Fatalf("%U came through in %q", r, s)
		}
	}
}

func FuzzClean(f *testing.F) {
	for _, s := range []string{"", "a", "\x1b[2J", "\u009b", "\u202e", "训练", "e\u0301", "\xff", "\r\n\t", "\u302f", "\u0d4e", "\u25cc", " \u0301", "\U0001f3fb"} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, s string, width int) {
		clean := Clean(s)
		harmless(t, clean)
		if again := Clean(clean); again != clean {
			t.Fatalf("not stable: %q then %q", clean, again)
		}
		width %= 200
		for _, out := range []string{Truncate(clean, width), TruncateLeft(clean, width)} {
			if got := Width(out); got > max(0, width) {
				t.Fatalf("%d cells, asked for %d: %q", got, width, out)
			}
		}
		for _, out := range []string{PadLeft(clean, width), PadRight(clean, width), Center(clean, width)} {
			if got := Width(out); got != max(0, width) {
				t.Fatalf("%d cells, asked for exactly %d: %q", got, width, out)
			}
		}
		for _, line := range Wrap(s, width) {
			if got := Width(line); got > max(0, width) {
				t.Fatalf("wrapped line of %d cells, asked for %d: %q", got, width, line)
			}
		}
		for _, r := range ASCII(clean) {
			if r >= 0x80 {
				t.Fatalf("%U came through to a terminal that shows ASCII", r)
			}
		}
	})
}

// Text of one character keeps its width wherever it stands in a line: nothing in
// it joins with what stands before or after.
func TestEveryCharacterKeepsItsWidthInALine(t *testing.T) {
	for r := rune(0x20); r < 0x20000; r++ {
		c := Clean(string(r))
		if got, want := Width("x"+c+"x")+Width(" "+c+" "), 4+2*Width(c); got != want {
			t.Fatalf("%U: %d cells in two lines, want %d: %q", r, got, want, c)
		}
	}
}
