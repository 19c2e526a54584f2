package otlp

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// TestASCII puts a byte above 0x7f at each place of strings of each length.
func TestASCII(t *testing.T) {
	for n := range 40 {
		s := []byte(strings.Repeat("~", n))
		if !ascii(s) || !validText(s) {
			t.Fatalf("%d ASCII bytes are not ASCII", n)
		}
		for i := range s {
			s[i] = 0x80
			if ascii(s) || validText(s) {
				t.Fatalf("byte %d of %d not seen", i, n)
			}
			s[i] = '~'
		}
	}
}

func TestRepair(t *testing.T) {
	for in, want := range map[string]string{
		"":                 "",
		"plain":            "plain",
		"naïve 训练 🚀":       "naïve 训练 🚀",
		"\xff":             "\uFFFD",
		"a\xffb\xfe\xfd":   "a\uFFFDb\uFFFD\uFFFD",
		"\xe2\x82":         "\uFFFD\uFFFD",             // cut character
		"\xed\xa0\x80":     "\uFFFD\uFFFD\uFFFD",       // surrogate
		"\xc0\xaf":         "\uFFFD\uFFFD",             // overlong
		"\xf4\x90\x80\x80": "\uFFFD\uFFFD\uFFFD\uFFFD", // beyond Unicode
		"\uFFFD":           "\uFFFD",                   // sent as such: not a repair
		"nul\x00 esc\x1b":  "nul\x00 esc\x1b",
	} {
		if got := text([]byte(in)); got != want {
			t.Errorf("text(%q) = %q, want %q", in, got, want)
		}
		if got := validText([]byte(in)); got != (in == want) {
			t.Errorf("validText(%q) = %v", in, got)
		}
	}
}

// FuzzRepair holds the repair to the language's own reading of strings.
func FuzzRepair(f *testing.F) {
	f.Add([]byte("a\xff\xe2\x82\xf0\x9f\x9a\x80"))
	f.Fuzz(func(t *testing.T, s []byte) {
		got := text(s)
		if want := string([]rune(string(s))); got != want || !utf8.ValidString(got) {
			t.Errorf("text(%q) = %q, want %q", s, got, want)
		}
		if validText(s) != utf8.Valid(s) {
			t.Errorf("validText(%q) = %v", s, validText(s))
		}
	})
}
