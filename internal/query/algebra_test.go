package query

import (
	"fmt"
	"strings"
	"testing"
)

// someTerms is terms of every kind about the zoo.
func someTerms() []string {
	return []string{
		"rank=0", "rank!=0", "rank>0", "rank in (0,1)", "host=node-1", "host=~2$", "role=trainer", "tp=0", "pp>=0", "world_size=2", "tp.size=1",
		"name=~megatron", "forward", "phase=iteration", "class=compute", "iter=7", "dur>500ms", "status=error", "error", "truncated", "kind=client",
		"trace=~^5b", "run=r1", "service=megatron", "loss>0.3", "loss=0.25", "dl.rank=0", "team=blue", "level=2", "big=9007199254740993", "ok=true", "nosuch=1",
	}
}

// The laws of logic hold between filters, span by span.
func TestLawsOfLogic(t *testing.T) {
	r := zoo(t)
	same := func(a, b string) {
		t.Helper()
		if x, y := hits(t, r, a), hits(t, r, b); x != y {
			t.Errorf("%q matches %s, %q matches %s", a, x, b, y)
		}
	}
	for i, a := range someTerms() {
		b := someTerms()[(i+7)%len(someTerms())]
		c := someTerms()[(i+13)%len(someTerms())]
		same("not not "+a, a)
		same(a+" and "+a, a)
		same(a+" or "+a, a)
		same(a+" and "+b, b+" and "+a)
		same(a+" or "+b, b+" or "+a)
		same(a+" "+b, a+" and "+b) // terms side by side
		same(a+"&&"+b, a+" AND "+b)
		same(a+"||"+b, a+" OR "+b)
		same(fmt.Sprintf("not (%s and %s)", a, b), fmt.Sprintf("not %s or not %s", a, b))
		same(fmt.Sprintf("not (%s or %s)", a, b), fmt.Sprintf("not %s and not %s", a, b))
		same(fmt.Sprintf("%s and (%s or %s)", a, b, c), fmt.Sprintf("%s and %s or %s and %s", a, b, a, c))
		same(fmt.Sprintf("%s or %s and %s", a, b, c), fmt.Sprintf("%s or (%s and %s)", a, b, c)) // and binds tighter
		same(fmt.Sprintf("!%s", a), "not "+a)
		same(fmt.Sprintf("%s and not %s", a, a), "rank=0 and rank=1")
		same(fmt.Sprintf("(%s) or not (%s)", a, a), "")
	}
}

// Of a key that is there exactly one of <, = and > holds, and != is the reverse of
// =; where it is not there none of them does.
func TestComparisonsDivideWhatIsThere(t *testing.T) {
	r := zoo(t)
	for key, value := range map[string]string{
		"rank": "0", "tp": "0", "world_size": "2", "loss": "0.3", "level": "1", "iter": "7", "dur": "900ms", "host": "node-1", "big": "9007199254740992",
	} {
		there := hits(t, r, fmt.Sprintf("%s=%s or %s!=%s", key, value, key, value))
		var parts []string
		for _, op := range []string{"<", "=", ">"} {
			parts = append(parts, hits(t, r, key+op+value))
		}
		for _, tag := range "abcde" {
			n := 0
			for _, p := range parts {
				n += strings.Count(p, string(tag))
			}
			if want := strings.Count(there, string(tag)); n != want {
				t.Errorf("%s %s: span %c is in %d of <, = and >, want %d", key, value, tag, n, want)
			}
		}
		for _, pair := range [][2]string{{"<=", ">"}, {">=", "<"}, {"!=", "="}} {
			if got := len(hits(t, r, key+pair[0]+value)) + len(hits(t, r, key+pair[1]+value)); got != len(there) {
				t.Errorf("%s: %s and %s together match %d spans of %d", key, pair[0], pair[1], got, len(there))
			}
		}
	}
}

// A list is the or of its members, a range the and of its ends.
func TestListsAndRanges(t *testing.T) {
	r := zoo(t)
	for a, b := range map[string]string{
		"rank in (0,1)":           "rank=0 or rank=1",
		"rank not in (0)":         "rank!=0",
		"rank in (0..1,5)":        "rank=0..1 or rank=5",
		"rank in 0..1":            "rank>=0 and rank<=1",
		"rank!=0..0":              "rank<0 or rank>0",
		"loss in (0.25,0.5)":      "loss=0.25 or loss=0.5",
		"loss=0.2..0.3":           "loss>=0.2 and loss<=0.3",
		"dur=100ms..1s":           "dur>=100ms and dur<=1s",
		"dur in (100ms,3s)":       "dur=100ms or dur=3s",
		"host in (node-1,node-2)": "host=node-1 or host=node-2",
		"status in (ok,error)":    "status=ok or status=error",
		"name not in (x)":         "name!=x",
		"level in (1,2)":          "level=1..2",
		"iter in (7)":             "iter=7",
	} {
		if x, y := hits(t, r, a), hits(t, r, b); x != y {
			t.Errorf("%q matches %s, %q matches %s", a, x, b, y)
		}
	}
}

// How a text is written does not change what it means.
func TestSpellingsMeanTheSame(t *testing.T) {
	r := zoo(t)
	for _, group := range [][]string{
		{"rank=0", "rank==0", "RANK=0", " rank = 0 ", "(rank=0)", "((rank=0))", "rank=00", "rank in (0)", "rank=0..0"},
		{"truncated", "truncated=true", "truncated!=false", "not truncated=false", "TRUNCATED"},
		{"error", "error=true", "status=error", "status=ERROR", "status in (error)", "not status!=error"},
		{"name=~megatron", `name=~"megatron"`, "name=~mega.ron", "megatron", "MEGATRON", `"megatron"`, "'Megatron'"},
		{"dl.rank=0", "nv.dl.rank=0", `"dl.rank"=0`},
		{"dur>500ms", "dur>0.5s", "dur > 500000us", "not dur<=500ms and dur>=0"},
		{"host=node-1", `host="node-1"`, "host='node-1'", "host in (node-1)", "host=~^node-1$"},
		{"rank=0 and host=node-1", "rank=0 host=node-1", "rank=0&&host=node-1", "host=node-1 and (rank=0)"},
	} {
		want := hits(t, r, group[0])
		if want == "" || want == "abcde" {
			t.Errorf("%q matches %q: that tells nothing", group[0], want)
		}
		for _, text := range group[1:] {
			if got := hits(t, r, text); got != want {
				t.Errorf("%q matches %s, %q matches %s", group[0], want, text, got)
			}
		}
	}
}

// What a filter renders to, with every parenthesis, means the same.
func TestRenderedMeansTheSame(t *testing.T) {
	r := zoo(t)
	for i, a := range someTerms() {
		b := someTerms()[(i+3)%len(someTerms())]
		text := fmt.Sprintf("%s or not (%s %s) and %s", a, b, a, b)
		f, err := Parse(text)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if x, y := hits(t, r, text), hits(t, r, render(f.root)); x != y {
			t.Errorf("%q matches %s, and written out as %q %s", text, x, render(f.root), y)
		}
	}
}
