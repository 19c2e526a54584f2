package query

import (
	"errors"
	"strings"
	"testing"
)

// What a key does not take is refused in words that point at it and say what it
// takes.
func TestValuesThatAKeyRefuses(t *testing.T) {
	id := strings.Repeat("ab", 16)
	for text, want := range map[string]string{
		"rank=x":                    `"rank" is a whole number and "x" is none, expected for example: rank=0 rank=0..63`,
		"rank=1.5":                  `"rank" is a whole number and "1.5" is none`,
		"rank=0..1.5":               `"rank" is a whole number`,
		"rank=8..":                  "this range has no end, expected: rank>=8",
		"rank=..63":                 "this range has no beginning, expected: rank<=63",
		"rank in (1,..63)":          "this range has no beginning",
		"rank=63..0":                "this range runs backwards, expected the smaller end first",
		"rank>0..3":                 `a range goes with "=", "!=" or "in"`,
		"rank in (0,9..8)":          "this range runs backwards",
		"loss=1..":                  "this range has no end, expected: loss>=1",
		"loss=..0.5":                "this range has no beginning, expected: loss<=0.5",
		"dur=5":                     `"5" is not a duration, expected a number with a unit: 2s 150ms 1h30m`,
		"dur>-1s":                   "is not a duration",
		"dur=2s..1s":                "this range runs backwards",
		"dur=1s..x":                 "is not a duration",
		"status=bad":                `"status" is never "bad", expected: unset ok error`,
		"class=slow":                `"class" is never "slow", expected: step compute wait io other`,
		"kind=x":                    `"kind" is never "x"`,
		"error=maybe":               `"error" is never "maybe", expected: true false`,
		"trace=abc":                 "a trace id has 32 hex digits; for a part of one write: trace=~abc",
		"span=" + id:                "a span id has 16 hex digits",
		"trace=" + id[:31] + "g":    "a trace id has 32 hex digits",
		"rank=(0)":                  `a list goes with "in": rank in (…)`,
		"rank in 5":                 `after "in" expected a list or a range, expected`[:36],
		"rank in (0 1)":             "in a list expected: , )",
		"rank in (0,)":              `after "rank in" expected a value`,
		"rank=":                     `after "rank =" expected a value: 0 0..63`,
		"rank=)":                    `after "rank =" expected a value, quoted if it is to contain ")"`,
		"status>ok":                 `"status" does not take ">", expected: = != in`,
		"dur=~1":                    `"dur" does not take "=~"`,
		"trace>" + id:               `"trace" does not take ">"`,
		"truncated in (true)":       `"truncated" does not take "in"`,
		"name=~(":                   "not a regular expression: missing closing )",
		"name=~":                    `after "=~" expected a regular expression`,
		"name=~[a":                  "not a regular expression: missing closing ]",
		"rank":                      `after "rank" expected an operator: = != > >= < <= =~ !~ in`,
		"host not name":             `after "host" expected an operator`,
		"dur":                       `after "dur" expected an operator: = != > >= < <= in`,
		"class in (wait, computes)": `"class" is never "computes"`,
	} {
		_, err := Parse(text)
		var at *Error
		if !errors.As(err, &at) {
			t.Errorf("%q is taken", text)
			continue
		}
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, want %q", text, err, want)
		}
		if at.Pos < 0 || at.Len < 0 || at.Pos+at.Len > len(text) {
			t.Errorf("%q: the error points at %d+%d of %d", text, at.Pos, at.Len, len(text))
		}
	}
}

// And what it takes, in the ways in which people write it.
func TestValuesThatAKeyTakes(t *testing.T) {
	id := strings.Repeat("AB", 16)
	for _, text := range []string{
		"rank=0", "rank=-1", "rank=007", "rank=0..0", "rank=0..63", "rank in 0..63", "rank in (0..3, 8, 12..15)", "rank not in (1)", "RANK=1", "rank = 1",
		"rank=~^1", "dur>2s", "dur>1.5h", "dur=0", "dur=1h30m", "dur=1ms..2s", "dur in 1s..2s", "dur in (1s, 2s..3s)", "dur<10µs", "dur<10us", "dur<5ns",
		"status=OK", "status in (ok, ERROR)", "class=Wait", "kind!=client", "error", "not error", "error=false", "truncated=true", "truncated!=true",
		"trace=" + id, "trace=~^5b", "span=" + id[:16], "trace in (" + id + ")", "loss=0.1..0.2", "loss=1e-3", "loss=-5..-1", "loss=nan", "version=1.2.3", "path=../x",
		`name="a b"`, "name=and", "host=in", "host=not", `x="1..3"`, "x in (a, b)", "x in 1..3", "训练=步骤", "a.b/c:d=1",
	} {
		if _, err := Parse(text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// Long lists of whole numbers are looked up and not walked; with anything else
// among them they are walked, with the same meaning.
func TestLongLists(t *testing.T) {
	for text, looked := range map[string]bool{
		"rank in (1,2,3,4,5,6,7)":             false,
		"rank in (1,2,3,4,5,6,7,8)":           true,
		"rank in (1,2,3,4,5,6,7,8..9)":        false,
		"level in (1,2,3,4,5,6,7,8)":          true,
		"level in (1,2,3,4,5,6,7,8.5)":        false,
		"level in (a,2,3,4,5,6,7,8)":          false,
		`level in ("1",2,3,4,5,6,7,8)`:        false,
		"level not in (1,2,3,4,5,6,7,8,9,10)": true,
	} {
		f, err := Parse(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if got := f.root.term.ints != nil; got != looked {
			t.Errorf("%q: looked up %v", text, got)
		}
	}
}
