package query

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestEscapes(t *testing.T) {
	for text, want := range map[string]string{
		`"a\nb"`: "a\nb", `"a\tb"`: "a\tb", `"a\rb"`: "a\rb", `"\""`: `"`, `"\'"`: `'`, `'\''`: `'`, `"\\"`: `\`, `"\\n"`: `\n`,
		`"\u0041"`: "A", `"\u8bad"`: "训", `"\u004"`: `\u004`, `"\uzzzz"`: `\uzzzz`, `"\d+\.\w"`: `\d+\.\w`, `"\("`: `\(`,
		`"日本"`: "日本", `""`: "", `"\u0041\u0042c"`: "ABc", `'"'`: `"`, `"'"`: `'`,
	} {
		l := lexer{text: text}
		got, err := l.next()
		if err != nil || got.kind != tQuoted || got.val != want || got.end != len(text) {
			t.Errorf("%s: %q up to %d of %d, %v; want %q", text, got.val, got.end, len(text), err, want)
		}
	}
}

func TestWhatNeedsQuotes(t *testing.T) {
	for text, want := range map[string]string{
		"plain": "plain", "node-1.cluster": "node-1.cluster", "a/b:c": "a/b:c", "训练": "训练", "7": "7",
		"": `""`, "a b": `"a b"`, "and": `"and"`, "OR": `"OR"`, "Not": `"Not"`, "in": `"in"`, "IN": `"IN"`, "rank": `"rank"`, "Host": `"Host"`,
		"1..3": `"1..3"`, "a..b": `"a..b"`, "a=b": `"a=b"`, "a|b": `"a|b"`, "(": `"("`, "!": `"!"`, `a"b`: `"a\"b"`, `a\b`: `a\b`, "it's": `"it's"`,
		"a\nb": `"a\nb"`, "a\tb": `"a\tb"`, "a\rb": `"a\rb"`, "android": "android",
	} {
		if got := Quote(text); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Whatever is quoted reads back as itself: as a value, and as a key.
func TestQuotedReadsBack(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	alphabet := []rune("ab \\\"'()=!<>~,&|\n\t\r.0训🚀\u0301inu4")
	for range 3_000 {
		var b strings.Builder
		for range r.IntN(9) {
			b.WriteRune(alphabet[r.IntN(len(alphabet))])
		}
		s := b.String()
		if !utf8.ValidString(s) {
			continue
		}
		f, err := Parse("host=" + Quote(s))
		if err != nil {
			t.Fatalf("host=%s of %q: %v", Quote(s), s, err)
		}
		if f.root.kind != isTerm || len(f.root.term.vals) != 1 || f.root.term.vals[0].text != s {
			t.Fatalf("host=%s of %q reads %s", Quote(s), s, render(f.root))
		}
	}
}
