package query

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

func zooSnapshot(t testing.TB) *store.Snapshot { return &store.Snapshot{Runs: []*store.Run{zoo(t)}} }

// apply is the text after taking a completion.
func apply(text string, c Completion) string { return text[:c.From] + c.Text + text[c.To:] }

func TestComplete(t *testing.T) {
	s := zooSnapshot(t)
	for _, c := range []struct {
		text string   // | is the cursor
		want []string // the first ones, in order, as the whole text would be
	}{
		{"|", []string{"rank", "role", "host"}},
		{"ra|", []string{"rank"}},
		{"rank|", []string{"rank", "local_rank"}},
		{"rank |", []string{"rank =", "rank !=", "rank >", "rank >=", "rank <", "rank <=", "rank =~", "rank !~", "rank in", "rank and"}},
		{"rank=|", []string{"rank=0", "rank=1"}},
		{"rank=0 |", []string{"rank=0 and", "rank=0 or", "rank=0 not"}},
		{"rank=0 a|", []string{"rank=0 and"}},
		{"rank=0 and h|", []string{"rank=0 and host"}},
		{"rank i|", []string{"rank in"}},
		{"rank in |", []string{"rank in ("}},
		{"rank in (|", []string{"rank in (0", "rank in (1"}},
		{"rank in (0, |", []string{"rank in (0, 0", "rank in (0, 1"}},
		{"rank in (0) |", []string{"rank in (0) and"}},
		{"host=|", []string{"host=node-1", "host=node-2"}},
		{"host=2|", []string{"host=node-2"}},
		{"status=|", []string{"status=unset", "status=ok", "status=error"}},
		{"status |", []string{"status =", "status !=", "status in", "status and"}},
		{"truncated=f|", []string{"truncated=false"}},
		{"name=save|", []string{`name="save checkpoint"`}},
		{`name="save|`, []string{`name="save checkpoint"`}},
		{"name=~meg|", []string{"name=~megatron.train_step"}},
		{"phase=|", []string{"phase=iteration"}},
		{"iter=|", []string{"iter=7"}},
		{"run=|", []string{"run=r1"}},
		{"dur>|", []string{"dur>1ms"}},
		{"lo|", []string{"local_rank", "loss"}},
		{"loss=|", []string{"loss=0.25", "loss=0.5"}},
		{"dl.rank=|", []string{"dl.rank=0", "dl.rank=1"}},
		{"te|", []string{"team"}},
		{"team=|", []string{"team=blue"}},
		{"(not ra|", []string{"(not rank"}},
		{"dur>2s ho| and x", []string{"dur>2s host and x"}},
		{"a=~b(c|d) |", nil},
		{"zzzz|", nil},
	} {
		at := strings.LastIndex(c.text, "|")
		text := c.text[:at] + c.text[at+1:]
		got := Complete(text, at, s, "r1")
		for i, want := range c.want {
			if i >= len(got) || apply(text, got[i]) != want {
				t.Errorf("%s: offers %v, want %q at %d", c.text, got, want, i)
				break
			}
		}
		if c.text == "zzzz|" && len(got) != 0 {
			t.Errorf("%s: offers %v", c.text, got)
		}
	}
}

func TestCompleteWithoutData(t *testing.T) {
	for _, s := range []*store.Snapshot{nil, {}, {Runs: []*store.Run{{ID: "x"}}}} {
		for _, text := range []string{"", "rank=", "name=", "iter=", "x=", "host in (", "run="} {
			for _, c := range Complete(text, len(text), s, "no such run") {
				if c.From > c.To || c.To > len(text) {
					t.Errorf("%q: %+v", text, c)
				}
			}
		}
	}
}

// TestTakenCompletionsParse goes on with every value that is offered.
func TestTakenCompletionsParse(t *testing.T) {
	s := zooSnapshot(t)
	for _, k := range Keys() {
		for _, c := range Complete(k.Name+"=", len(k.Name)+1, s, "r1") {
			if _, err := Parse(apply(k.Name+"=", c)); err != nil {
				t.Errorf("%s: %v", apply(k.Name+"=", c), err)
			}
		}
	}
	for _, c := range Complete("", 0, s, "r1") {
		for _, op := range []string{"=0", "=true", "=error", "=step", "=2s", "=client", "=~a"} {
			if _, err := Parse(c.Text + op); err == nil {
				c.Text = ""
				break
			}
		}
		if c.Text != "" && c.Text != "not" {
			t.Errorf("the key %q takes nothing", c.Text)
		}
	}
}

func TestCompletionsAreBounded(t *testing.T) {
	f := newFeed(t)
	var all []run.Span
	for i := range 3000 {
		all = append(all, f.mk("op", 0, sec, num("id", int64(i))))
	}
	f.spans([]run.Attr{str("nemo.run.id", "r")}, all...)
	got := Complete("id=", 3, f.Snapshot(), "r")
	if len(got) != maxCompletions || slices.Contains(got, Completion{}) {
		t.Errorf("%d offers", len(got))
	}
}

func FuzzComplete(f *testing.F) {
	for _, s := range []string{"rank=0 and ", `name="a`, "x in (1,", "a=~(b", "训=", "!(("} {
		f.Add(s, len(s))
	}
	s := zooSnapshot(f)
	f.Fuzz(func(t *testing.T, text string, cursor int) {
		for _, c := range Complete(text, cursor, s, "") {
			if c.From < 0 || c.From > c.To || c.To > len(text) || utf8.ValidString(text) && !utf8.ValidString(apply(text, c)) {
				t.Fatalf("%q at %d: %+v", text, cursor, c)
			}
		}
	})
}
