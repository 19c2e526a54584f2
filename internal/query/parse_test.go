package query

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseMeaning(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""},
		{" \t\n ", ""},
		{"dl.rank=0", `"dl.rank" = 0`},
		{"dl.tensor_parallel.size=4 AND dl.pipeline_parallel.size=2", `("dl.tensor_parallel.size" = 4) and ("dl.pipeline_parallel.size" = 2)`},
		{"rank=0..63 and (name =~ forward or dur>2s) and not truncated", `(rank = 0..63) and ((name =~ "forward") or (dur > 2s)) and (not (truncated = "true"))`},
		{"rank in (0,8,16)", "rank in (0, 8, 16)"},
		{"rank IN ( 0 , 8 )", "rank in (0, 8)"},
		{"rank not in (0,1)", "rank not in (0, 1)"},
		{"rank in 0..7", "rank in (0..7)"},
		{"rank in (0..3, 8)", "rank in (0..3, 8)"},
		{"dur in (1s..2s, 5s)", "dur in (1s..2s, 5s)"},
		{"dur=1h30m", "dur = 1h30m"},
		{"Forward", `"forward"`},
		{"fwd bwd", `("fwd") and ("bwd")`},
		{"a b or c d", `(("a") and ("b")) or (("c") and ("d"))`},
		{"a || b && c", `("a") or (("b") and ("c"))`},
		{"!a", `not ("a")`},
		{"not NOT a", `not (not ("a"))`},
		{"NOT a AND b", `(not ("a")) and ("b")`},
		{"not (a and b)", `not (("a") and ("b"))`},
		{"a not b", `("a") and (not ("b"))`},
		{"a !b", `("a") and (not ("b"))`},
		{"a(b)", `("a") and ("b")`},
		{"truncated", `truncated = "true"`},
		{"not error", `not (error = "true")`},
		{"TRUNCATED=False", `truncated = "false"`},
		{`"truncated"`, `"truncated"`},
		{"status=ERROR", `status = "error"`},
		{"class in (wait, io)", `class in ("wait", "io")`},
		{"trace=5B8EFFF798038103D269B633813FC60C", `trace = "5b8efff798038103d269b633813fc60c"`},
		{"RANK==3", "rank = 3"},
		{"rank>=-1", "rank >= -1"},
		{`host="node 1"`, `host = "node 1"`},
		{`host='it"s'`, `host = "it\"s"`},
		{`"odd key!" = 3`, `"odd key!" = 3`},
		{`"name"=x`, `"name" = "x"`},
		{`""=x`, `"" = "x"`},
		{"role=and", `role = "and"`},
		{"role in (and, or, not)", `role in ("and", "or", "not")`},
		{"x=1e-4", `"x" = 1e-4`},
		{"x=v1..v2", `"x" = "v1..v2"`},
		{"name=a..b", `name = "a..b"`},
		{`x="1"`, `"x" = "1"`},
		{"name=~^train\\.(fwd|bwd)$ x", `(name =~ "^train\\.(fwd|bwd)$") and ("x")`},
		{"(name=~a|b)", `name =~ "a|b"`},
		{"(name=~(a)) or b", `(name =~ "(a)") or ("b")`},
		{"name=~[)(] x", `(name =~ "[)(]") and ("x")`},
		{`name=~\) x`, `(name =~ "\\)") and ("x")`},
		{`name!~"a b"`, `name !~ "a b"`},
		{`name=~"\d+\.x"`, `name =~ "\\d+\\.x"`},
		{"name=~a&&b", `(name =~ "a") and ("b")`},
		{"name=~a||b", `(name =~ "a") or ("b")`},
		{"训练步骤", `"训练步骤"`},
		{`k="\u8bad\t\q"`, `"k" = "训` + "\t" + `\\q"`},
	} {
		f, err := Parse(c.text)
		if err != nil {
			t.Errorf("Parse(%q): %v", c.text, err)
			continue
		}
		if got := render(f.root); got != c.want {
			t.Errorf("Parse(%q) = %s, want %s", c.text, got, c.want)
		}
		if got := f.String(); got != strings.TrimSpace(c.text) {
			t.Errorf("String() = %q, want the text %q", got, c.text)
		}
		if f.Empty() != (c.want == "") {
			t.Errorf("Parse(%q).Empty() = %v", c.text, f.Empty())
		}
	}
}

// TestParseErrors checks the words and the place: at is the text under the
// error, with › where something is missing.
func TestParseErrors(t *testing.T) {
	for _, c := range []struct{ text, at, want string }{
		{"not rank", "›", `col 9: after "rank" expected an operator: = != > >= < <= =~ !~ in`},
		{"tp=1 rank 5", "5", `col 11: after "rank" expected an operator: = != > >= < <= =~ !~ in`},
		{"rank=", "›", `col 6: after "rank =" expected a value: 0 0..63`},
		{"rank=)", ")", `col 6: after "rank =" expected a value, quoted if it is to contain ")": 0 0..63`},
		{"rank=x", "x", `col 6: "rank" is a whole number and "x" is none, expected for example: rank=0 rank=0..63`},
		{"rank=1.5", "1.5", `col 6: "rank" is a whole number and "1.5" is none, expected for example: rank=0 rank=0..63`},
		{"rank=8..", "8..", "col 6: this range has no end, expected: rank>=8"},
		{"x=..3", "..3", "col 3: this range has no beginning, expected: x<=3"},
		{"rank=9..3", "9..3", "col 6: this range runs backwards, expected the smaller end first"},
		{"rank>0..3", "0..3", `col 6: a range goes with "=", "!=" or "in"`},
		{"rank=(0,8)", "(", `col 6: a list goes with "in": rank in (…)`},
		{"rank in 5", "5", `col 9: after "in" expected a list or a range: (0,8,16) 0..63`},
		{"rank in (0,8", "›", "col 13: in a list expected: , )"},
		{"rank in (0 8)", "8", "col 12: in a list expected: , )"},
		{"rank in ()", ")", `col 10: after "rank in" expected a value, quoted if it is to contain ")": 0 0..63`},
		{"rank in (0,)", ")", `col 12: after "rank in" expected a value, quoted if it is to contain ")": 0 0..63`},
		{"dur>2", "2", `col 5: "2" is not a duration, expected a number with a unit: 2s 150ms 1h30m`},
		{"dur>-2s", "-2s", `col 5: "-2s" is not a duration, expected a number with a unit: 2s 150ms 1h30m`},
		{"dur=~2s", "=~", `col 4: "dur" does not take "=~", expected: = != > >= < <= in`},
		{"status=eror", "eror", `col 8: "status" is never "eror", expected: unset ok error`},
		{"truncated=maybe", "maybe", `col 11: "truncated" is never "maybe", expected: true false`},
		{"trace=ab", "ab", "col 7: a trace id has 32 hex digits; for a part of one write: trace=~ab"},
		{"span=zz", "zz", "col 6: a span id has 16 hex digits; for a part of one write: span=~zz"},
		{"name=~(", "(", "col 7: not a regular expression: missing closing ): `(`"},
		{"name=~ ", "›", `col 8: after "=~" expected a regular expression`},
		{"ab and", "›", `col 7: after "and" expected a term: key=value, a word of a name, not, (`},
		{"a or OR b", "OR", `col 6: after "or" expected a term: key=value, a word of a name, not, (`},
		{"and", "and", "col 1: expected a term: key=value, a word of a name, not, ("},
		{"()", ")", `col 2: after "(" expected a term: key=value, a word of a name, not, (`},
		{"(a or b", "(", `col 1: this "(" is never closed, expected: )`},
		{"a)", ")", `col 2: this ")" closes nothing`},
		{"=3", "=", `col 1: "=" has no key before it; quote a value that contains it`},
		{"a=b=c", "=", `col 4: "=" has no key before it; quote a value that contains it`},
		{"a,b", ",", `col 2: "," belongs only into a list: rank in (0, 8, 16)`},
		{"a & b", "&", `col 3: "&" stands alone, expected: &&`},
		{"a | b", "|", `col 3: "|" stands alone, expected: ||`},
		{"x ~ 3", "~", `col 3: "~" is no operator, expected: =~ !~`},
		{`训 "a`, `"a`, `col 3: this quote is never closed, expected: "`},
		{`name=~"a`, `"a`, `col 7: this quote is never closed, expected: "`},
	} {
		_, err := Parse(c.text)
		var e *Error
		if !errors.As(err, &e) {
			t.Errorf("Parse(%q) = %v, want an *Error", c.text, err)
			continue
		}
		at := c.text[e.Pos : e.Pos+e.Len]
		if at == "" {
			at = "›"
		}
		if diff := cmp.Diff([2]string{c.at, c.want}, [2]string{at, e.Error()}); diff != "" {
			t.Errorf("Parse(%q): -want +got\n%s", c.text, diff)
		}
	}
}

func TestParseIsBounded(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{strings.Repeat("(", 1e5) + "a", "nested too deeply"},
		{strings.Repeat("!", 1e5) + "a", "nested too deeply"},
		{strings.Repeat("a ", 1<<20), "longer than 1 MiB"},
	} {
		_, err := Parse(c.text)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
	if _, err := Parse(strings.Repeat("(", 150) + "a" + strings.Repeat(")", 150)); err != nil {
		t.Errorf("150 parentheses: %v", err)
	}
	if f, err := Parse(strings.Repeat("a or b ", 1e4)); err != nil || len(f.root.kids) != 1e4+1 {
		t.Errorf("a long flat filter: %v", err)
	}
}

func TestKeysHaveAnExampleThatParses(t *testing.T) {
	for _, k := range Keys() {
		tm := term{on: k.on, shape: k.shape, key: k.Name}
		v := tm.examples()[0]
		if k.shape == hexID {
			v = strings.Repeat("0", map[string]int{"trace": 32, "span": 16}[k.Name])
		}
		f, err := Parse(k.Name + " = " + Quote(v))
		if err != nil {
			t.Errorf("%s: %v", k.Name, err)
			continue
		}
		if diff := cmp.Diff([]string{k.Name}, keysOf(f.root)); diff != "" {
			t.Error(diff)
		}
		if k.About == "" || len(k.Operators()) == 0 {
			t.Errorf("%s is not described", k.Name)
		}
	}
}

func TestQuote(t *testing.T) {
	for s, want := range map[string]string{
		"node-1.x/y":  "node-1.x/y",
		"two words":   `"two words"`,
		"and":         `"and"`,
		"in":          `"in"`,
		"rank":        `"rank"`,
		"a..b":        `"a..b"`,
		`a"\b`:        `"a\"\\b"`,
		"a\tb\nc\rd":  `"a\tb\nc\rd"`,
		"":            `""`,
		"k=v":         `"k=v"`,
		"\xff broken": "\"\xff broken\"",
	} {
		got := Quote(s)
		if got != want {
			t.Errorf("Quote(%q) = %s, want %s", s, got, want)
		}
		f, err := Parse("attr=" + got)
		if err != nil || f.root.term.vals[0].text != s {
			t.Errorf("Quote(%q) = %s does not read back: %v", s, got, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		"dl.rank=0", "a and not (b or c) d", "rank in (0..3, 8)", `x="\u8bad\q"`, "name=~^a(b|[)])$ or dur>2s",
		"((((", "rank not in (1)", `'a'!="b"`, "truncated !error", "trace=~5b", "x=1..", "\xff=\xfe",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := Parse(text)
		if err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatalf("%q: %T is no *Error", text, err)
			}
			if e.Pos < 0 || e.Len < 0 || e.Pos+e.Len > len(text) || e.Column < 1 || e.Error() == "" {
				t.Fatalf("error %+v lies outside of %q", e, text)
			}
			return
		}
		again, err := Parse(got.String())
		if err != nil || render(again.root) != render(got.root) {
			t.Fatalf("String() of %q = %q means something else: %v", text, got, err)
		}
		if len(text) > 2000 {
			return // the rendering is longer than the text
		}
		full, err := Parse(render(got.root))
		if err != nil || render(full.root) != render(got.root) {
			t.Fatalf("%q is understood as %q, which means something else: %v", text, render(got.root), err)
		}
	})
}
