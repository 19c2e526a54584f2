package query

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// tokens is a text cut up, each token with its kind.
func tokens(text string) (out []string, err error) {
	names := [...]string{"", "word", "quoted", "op", "open", "close", "comma", "and", "or", "not"}
	l := lexer{text: text}
	for {
		t, err := l.next()
		if err != nil {
			return out, err
		}
		if t.kind == tEOF {
			return out, nil
		}
		out = append(out, names[t.kind]+" "+t.val)
	}
}

func TestTokens(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{" \t\n ", nil},
		{"rank=0", []string{"word rank", "op =", "word 0"}},
		{"rank == 0", []string{"word rank", "op ==", "word 0"}},
		{"a>=1&&b<=2", []string{"word a", "op >=", "word 1", "and &&", "word b", "op <=", "word 2"}},
		{"a||!b", []string{"word a", "or ||", "not !", "word b"}},
		{"a!=b !~ c =~ d", []string{"word a", "op !=", "word b", "op !~", "word c", "op =~", "word d"}},
		{"AND Or nOt", []string{"and AND", "or Or", "not nOt"}},
		{"android nothing order", []string{"word android", "word nothing", "word order"}},
		{"rank in (0,8)", []string{"word rank", "word in", "open (", "word 0", "comma ,", "word 8", "close )"}},
		{"0..63", []string{"word 0..63"}},
		{"dl.tensor_parallel.size", []string{"word dl.tensor_parallel.size"}},
		{"host=node-0001.cluster", []string{"word host", "op =", "word node-0001.cluster"}},
		{`"a b"'c d'`, []string{"quoted a b", "quoted c d"}},
		{`"it's" 'say "x"'`, []string{"quoted it's", `quoted say "x"`}},
		{`""`, []string{"quoted "}},
		{"训练 步骤", []string{"word 训练", "word 步骤"}},
		{"a\u00a0b\u3000c", []string{"word a", "word b", "word c"}}, // blanks of any script
		{"a/b:c@d#e%f*g+h?i", []string{"word a/b:c@d#e%f*g+h?i"}},
	} {
		got, err := tokens(c.text)
		if err != nil {
			t.Errorf("%q: %v", c.text, err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", c.text, d)
		}
	}
}

func TestTokensThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"a & b":     `col 3: "&" stands alone, expected: &&`,
		"a | b":     `col 3: "|" stands alone, expected: ||`,
		"a ~ b":     `col 3: "~" is no operator, expected: =~ !~`,
		`x="open`:   `col 3: this quote is never closed, expected: "`,
		`'it`:       `col 1: this quote is never closed, expected: '`,
		"训练 & b":    `col 4: "&" stands alone, expected: &&`, // characters, not bytes
		"a &":       `col 3: "&" stands alone, expected: &&`,
		`"\`:        `col 1: this quote is never closed, expected: "`,
		"a and ~":   `col 7: "~" is no operator, expected: =~ !~`,
		`name="\"`:  `col 6: this quote is never closed, expected: "`,
		"rank=0 ||": "",
	} {
		_, err := tokens(text)
		got := ""
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Every token is a piece of the text where it says it is, and together with the
// blanks between them they are all of it.
func TestTokensCoverTheText(t *testing.T) {
	for _, text := range []string{
		"rank=0..63 and (name =~ forward or dur>2s) and not truncated", `name="a\"b" && !(x in (1, 2 ,3))||y`, "训练=步骤 or  a  !=  b",
		"", "((((", "!!!a", "= = =", "a,b,,c",
	} {
		l := lexer{text: text}
		covered := 0
		for {
			tok, err := l.next()
			if err != nil {
				t.Fatalf("%q: %v", text, err)
			}
			if strings.TrimSpace(text[covered:tok.pos]) != "" {
				t.Fatalf("%q: %q was left out", text, text[covered:tok.pos])
			}
			if tok.kind == tEOF {
				break
			}
			if tok.kind != tQuoted && text[tok.pos:tok.end] != tok.val {
				t.Fatalf("%q: %q at %d is %q", text, tok.val, tok.pos, text[tok.pos:tok.end])
			}
			covered = tok.end
		}
	}
}

// A regular expression without quotes ends where it cannot go on.
func TestPatterns(t *testing.T) {
	for text, want := range map[string]string{
		"forward":         "forward",
		"forward or x":    "forward",
		"^(a|b)$":         "^(a|b)$",
		"^(a|b))":         "^(a|b)",
		"a|b":             "a|b",
		"a||b":            "a",
		"a&b":             "a&b",
		"a&&b":            "a",
		"[)]x":            "[)]x",
		"[(]x)":           "[(]x",
		"[&&]":            "[&&]",
		`\)x`:             `\)x`,
		`a\ b c`:          `a\ b`,
		`\`:               `\`,
		"(a(b)c)d)":       "(a(b)c)d",
		"训练.*步骤 and":      "训练.*步骤",
		"[^]":             "[^]",
		"":                "",
		" x":              "",
		")":               "",
		"name='q'":        "name='q'",
		"(unclosed group": "(unclosed",
	} {
		l := lexer{text: text}
		if got := l.pattern(); got.val != want || got.end != len(want) {
			t.Errorf("%q: %q up to %d, want %q", text, got.val, got.end, want)
		}
	}
}
