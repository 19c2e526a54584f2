package query

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// What may come next after a text that is not finished, and what was typed of it.
func TestPlaces(t *testing.T) {
	names := [...]string{"term", "after", "value", "list"}
	for _, c := range []struct {
		text string
		want string // position, key, operator, what was typed
	}{
		{"", "term ||"},
		{"ra", "term ||ra"},
		{"rank ", "after rank||"},
		{"rank=", "value rank|=|"},
		{"rank = 5", "value rank|=|5"},
		{"rank=5 ", "after |=|"},
		{"rank=5 a", "after |=|a"},
		{"rank=5 and ", "term |=|"},
		{"rank=5 and ho", "term |=|ho"},
		{"rank=5 or not ", "term |=|"},
		{"(rank=5) ", "after |=|"},
		{"(rank=5 or ", "term |=|"},
		{"rank in ", "list rank|in|"},
		{"rank in (", "value rank|in|"},
		{"rank in (1, ", "value rank|in|"},
		{"rank in (1, 2", "value rank|in|2"},
		{"rank in (1) ", "after |in|"},
		{"rank IN (1", "value rank|in|1"},
		{"name=~for", "value name|=~|for"},
		{"name=~(a|b", "value name|=~|(a|b"},
		{"name=~a or ", "term |=~|"},
		{`name="a b`, `value name|=|a b`},
		{`"a ke`, "term ||a ke"},
		{`"a key" `, "after a key||"},
		{"forward ", "after forward||"},
		{"forward backward ", "after backward||"},
		{"rank=5&&", "term |=|"},
		{"!", "term ||"},
	} {
		p := place{lexer: lexer{text: c.text}, from: len(c.text)}
		p.walk()
		got := fmt.Sprintf("%s %s|%s|%s", names[p.state], p.key, p.op, p.partial)
		if got != c.want {
			t.Errorf("%q: %s, want %s", c.text, got, c.want)
		}
		if p.from > len(c.text) || !strings.HasSuffix(c.text, p.partial) {
			t.Errorf("%q: %q from %d is not its end", c.text, p.partial, p.from)
		}
	}
}

// texts is what is offered at the end of a text.
func texts(s *store.Snapshot, text string) []string {
	var out []string
	for _, c := range Complete(text, len(text), s, "r1") {
		out = append(out, c.Text)
	}
	return out
}

// Every key with few words offers all of them; every key offers what the run has.
func TestEveryKeyOffersItsValues(t *testing.T) {
	s := zooSnapshot(t)
	for _, k := range Keys() {
		got := texts(s, k.Name+"=")
		for _, w := range k.Words {
			if !slices.Contains(got, w) {
				t.Errorf("%s= does not offer %s: %q", k.Name, w, got)
			}
		}
		for _, text := range got {
			if _, err := Parse(k.Name + "=" + text); err != nil {
				t.Errorf("%s=%s is offered and is wrong: %v", k.Name, text, err)
			}
		}
		ops := texts(s, k.Name+" ")
		for _, op := range k.Operators() {
			if !slices.Contains(ops, op) {
				t.Errorf("%s does not offer %s: %q", k.Name, op, ops)
			}
		}
	}
	for key, want := range map[string][]string{
		"rank": {"0", "1"}, "host": {"node-1", "node-2"}, "role": {"trainer", "web"}, "service": {"gateway", "megatron"}, "run": {"r1"}, "world_size": {"2"},
		"team": {"blue"}, "level": {"1", "2"}, "dl.rank": {"0", "1"}, "nosuch": nil, "trace": nil,
	} {
		if d := cmp.Diff(want, texts(s, key+"=")); d != "" {
			t.Errorf("%s= (-want +got):\n%s", key, d)
		}
	}
}

// Without data, and of a run that is not there, what is offered is the language
// itself; nothing fails.
func TestOffersWithoutARun(t *testing.T) {
	for _, s := range []*store.Snapshot{nil, {}, {Runs: []*store.Run{{ID: "r1"}}}} {
		if got := texts(s, "st"); !slices.Contains(got, "status") {
			t.Errorf("st: %q", got)
		}
		for _, k := range Keys() {
			for _, text := range texts(s, k.Name+"=") {
				if len(k.Words) == 0 && k.on != onDur && k.on != onRun {
					t.Errorf("%s= offers %s of nothing", k.Name, text)
				}
			}
		}
	}
}

// Of values that many have, those that most have come first; a process beyond the
// sample costs nothing.
func TestValuesInOrder(t *testing.T) {
	r := &store.Run{ID: "r1"}
	for i := range sampleProcesses + 50 {
		zone := []string{"b", "a", "a", "c", "a"}[i%5]
		if i >= sampleProcesses {
			zone = "beyond"
		}
		r.Processes = append(r.Processes, &store.Process{Index: i, ID: run.Identity{Rank: i, Host: fmt.Sprint("n", i/8)}, Resource: []run.Attr{str("zone", zone)}})
	}
	s := &store.Snapshot{Runs: []*store.Run{r}}
	if d := cmp.Diff([]string{"a", "b", "c"}, texts(s, "zone=")); d != "" {
		t.Errorf("zone= (-want +got):\n%s", d)
	}
	got := texts(s, "rank=")
	if len(got) != maxCompletions || got[0] != "0" || got[9] != "9" || got[10] != "10" {
		t.Errorf("rank= offers %d, numbers not in rising order: %q", len(got), got)
	}
}

// A cursor within a text, beyond it, or in the middle of a character.
func TestCursorsAnywhere(t *testing.T) {
	s := zooSnapshot(t)
	const text = `host="训练" and rank in (0,1) or forward`
	for cursor := -3; cursor <= len(text)+3; cursor++ {
		for _, c := range Complete(text, cursor, s, "r1") {
			if c.From < 0 || c.From > c.To || c.To > len(text) || c.To > max(cursor, 0) {
				t.Fatalf("at %d: %+v", cursor, c)
			}
			if !strings.HasPrefix(text, text[:c.From]) {
				t.Fatalf("at %d: %+v tears a character", cursor, c)
			}
		}
	}
}

func TestOperatorsOfEveryShape(t *testing.T) {
	for s, want := range map[shape]string{
		integer: "= != > >= < <= =~ !~ in", anyValue: "= != > >= < <= =~ !~ in", text: "= != > >= < <= =~ !~ in",
		duration: "= != > >= < <= in", hexID: "= != =~ !~ in", choice: "= != in", flag: "= !=",
	} {
		if got := strings.Join(s.operators(), " "); got != want {
			t.Errorf("shape %d takes %q, want %q", s, got, want)
		}
		for _, word := range s.operators() {
			if !slices.Contains(opWords[:], word) {
				t.Errorf("shape %d takes %q, which is no operator", s, word)
			}
		}
	}
}
