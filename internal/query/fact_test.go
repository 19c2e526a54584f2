package query

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// whole is a process of which every fact is known, nobody one of which none is.
func whole() *store.Process {
	return &store.Process{
		ID: run.Identity{Run: "r1", Host: "n1", Role: "trainer", Service: "megatron", User: "ada", Job: "42", Rank: 5, LocalRank: 1, WorldSize: 64,
			Sizes: run.Sizes{TP: 2, PP: 4, DP: 8}},
		Coord: run.Coord{TP: 1, PP: 2, DP: 3, CP: 0, EP: 6},
	}
}

func nobody() *store.Process {
	u := run.Unknown
	return &store.Process{ID: run.Identity{Rank: u, LocalRank: u, WorldSize: u, Sizes: run.Sizes{TP: u, PP: u, DP: u, CP: u, EP: u}},
		Coord: run.Coord{TP: u, PP: u, DP: u, CP: u, EP: u}}
}

func holds(t *testing.T, text string, r *store.Run, p *store.Process) bool {
	t.Helper()
	f, err := Parse(text)
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return f.root.term.matchProcess(r, p)
}

// Every short key about a process reads its own fact, and no other.
func TestFactsOfAProcess(t *testing.T) {
	r := &store.Run{ID: "r1", Sizes: run.Sizes{TP: 2, PP: 4, DP: 8, CP: 3, EP: 9}}
	facts := map[string]string{
		"rank": "5", "local_rank": "1", "world_size": "64", "tp": "1", "pp": "2", "dp": "3", "cp": "0", "ep": "6",
		"tp.size": "2", "pp.size": "4", "dp.size": "8", "cp.size": "3", "ep.size": "9",
		"host": "n1", "role": "trainer", "service": "megatron", "user": "ada", "job": "42", "run": "r1",
	}
	for _, k := range Keys() {
		value, mine := facts[k.Name]
		if about := (&term{on: k.on}).aboutProcess() || k.on == onRun; about != mine {
			t.Errorf("%s: about the process %v, and this test has a fact %v", k.Name, about, mine)
			continue
		}
		if !mine {
			continue
		}
		if !holds(t, k.Name+"="+value, r, whole()) || holds(t, k.Name+"!="+value, r, whole()) {
			t.Errorf("%s is not %s", k.Name, value)
		}
		for _, text := range []string{k.Name + "=77", k.Name + "=~nosuch", k.Name + " in (77,78)"} {
			if holds(t, text, r, whole()) {
				t.Errorf("%q holds", text)
			}
		}
	}
}

// What was not sent matches no comparison at all, in either direction.
func TestFactsThatWereNotSent(t *testing.T) {
	r := &store.Run{ID: "r1", Sizes: run.Sizes{TP: run.Unknown, PP: run.Unknown, DP: run.Unknown, CP: run.Unknown, EP: run.Unknown}}
	for _, k := range Keys() {
		if !(&term{on: k.on}).aboutProcess() {
			continue
		}
		value := "x"
		if k.shape == integer {
			value = "-1"
		}
		for _, op := range []string{"=", "!=", "<", "<=", ">", ">=", "=~", "!~"} {
			if holds(t, k.Name+op+value, r, nobody()) {
				t.Errorf("%s%s%s holds of a process that sent none", k.Name, op, value)
			}
		}
		if holds(t, k.Name+" not in ("+value+")", r, nobody()) {
			t.Errorf("%s not in (%s) holds of a process that sent none", k.Name, value)
		}
	}
}

func TestWordsOfSpans(t *testing.T) {
	for s, want := range map[run.Status]string{run.StatusUnset: "unset", run.StatusOK: "ok", run.StatusError: "error", 77: "unset"} {
		if got := statusWord(s); got != want {
			t.Errorf("status %d is %q, want %q", s, got, want)
		}
	}
	for k, want := range map[run.Kind]string{0: "unspecified", 1: "internal", 2: "server", 3: "client", 4: "producer", 5: "consumer", 99: "unspecified"} {
		if got := kindWord(k); got != want {
			t.Errorf("kind %d is %q, want %q", k, got, want)
		}
	}
}

// Spans without sane times have no duration, an open one has none yet; a truncated
// one has the time it had been running.
func TestDurationsOfOddSpans(t *testing.T) {
	f := newFeed(t)
	odd := func(tag string, from, to uint64, attrs ...run.Attr) run.Span {
		s := f.mk("op", 0, 0, append(attrs, str("tag", tag))...)
		s.Start, s.End = from, to
		return s
	}
	f.spans([]run.Attr{str("nemo.run.id", "r1")}, odd("a", t0, t0+sec), odd("b", t0+sec, t0), odd("c", t0, 0), odd("d", 0, t0),
		odd("e", t0, t0+5*sec, yesNo("nemo.span.truncated", true)), odd("f", t0, t0))
	r := f.run()
	for text, want := range map[string]string{
		"dur>=0": "aef", "dur=0": "f", "dur>1s": "e", "dur<=1s": "af", "not dur>=0": "bcd", "dur>2s and truncated": "e", "dur!=1s": "ef", "dur in (1s, 5s)": "ae",
	} {
		if got := hits(t, r, text); got != want {
			t.Errorf("%q matches %s, want %s", text, got, want)
		}
	}
}

// An empty value, and of several spellings an empty text, stand for nothing sent.
func TestResourceValues(t *testing.T) {
	attrs := []run.Attr{str("a", "1"), str("a", "2"), str("b", ""), {Key: "c"}, str("d", ""), num("e", 5)}
	for _, c := range []struct {
		keys []string
		want string
		ok   bool
	}{
		{[]string{"a"}, "2", true}, // the last counts
		{[]string{"b"}, "", true},
		{[]string{"b", "a"}, "2", true},
		{[]string{"b", "d"}, "", false},
		{[]string{"c"}, "", false},
		{[]string{"c", "e"}, "5", true},
		{[]string{"nosuch"}, "", false},
		{nil, "", false},
	} {
		v, ok := resourceValue(attrs, c.keys)
		if d := cmp.Diff(c.want, v.String()); d != "" || ok != c.ok {
			t.Errorf("%q: there %v (-want +got):\n%s", c.keys, ok, d)
		}
	}
}
