package logsscreen

import (
	"strings"
	"testing"
	"testing/quick"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func typed(m *Model, text string) {
	for _, r := range text {
		uitest.Press(m, string(r))
	}
}

func TestFind(t *testing.T) {
	f := newFeed(t)
	for i, body := range []string{"alpha", "Watchdog one", "beta", "the WATCHDOG two", "gamma"} {
		f.send(trainer(0), record(9, body, uint64(i)))
	}
	m := open(t, f.Snapshot(), "")
	uitest.Press(m, "g", "f")
	if !m.Capturing() {
		t.Fatal("keys are not text")
	}
	typed(m, "watch")
	if here(t, m) != "Watchdog one" {
		t.Errorf("typing goes to %q", here(t, m))
	}
	uitest.Press(m, "down")
	if here(t, m) != "the WATCHDOG two" || !m.Capturing() {
		t.Errorf("down goes to %q", here(t, m))
	}
	uitest.Press(m, "enter", "n")
	if here(t, m) != "Watchdog one" || m.Capturing() || m.follow.on {
		t.Errorf("n goes round to %q", here(t, m))
	}
	uitest.Press(m, "N")
	if here(t, m) != "the WATCHDOG two" {
		t.Errorf("N goes to %q", here(t, m))
	}
	if !m.Back() || m.finder.text != "" || m.Back() {
		t.Error("Esc ends the search, then nothing is left to close")
	}
	uitest.Press(m, "n")
	if !strings.Contains(text(m), "nothing is looked for") {
		t.Errorf("\n%s", text(m))
	}
}

func TestFindIsTakenBack(t *testing.T) {
	f := newFeed(t)
	f.some(0, 20)
	m := open(t, f.Snapshot(), "")
	uitest.Press(m, "f")
	typed(m, "record 3")
	if here(t, m) != "record 3" {
		t.Fatalf("on %q", here(t, m))
	}
	uitest.Press(m, "esc")
	if here(t, m) != "record 19" || !m.follow.on || m.finder.text != "" {
		t.Errorf("on %q, following %v", here(t, m), m.follow.on)
	}
	uitest.Press(m, "f")
	typed(m, "nowhere")
	if !strings.Contains(text(m), "not found: nowhere") || here(t, m) != "record 19" {
		t.Errorf("on %q\n%s", here(t, m), text(m))
	}
}

func TestNextError(t *testing.T) {
	f := newFeed(t)
	f.some(0, 30)
	m := open(t, f.Snapshot(), "")
	uitest.Press(m, "g")
	for _, step := range []struct{ key, want string }{
		{"x", "record 9"}, {"x", "record 19"}, {"ctrl+x", "record 9"}, {"ctrl+x", "record 29"}, {"x", "record 9"},
	} {
		uitest.Press(m, step.key)
		if here(t, m) != step.want {
			t.Errorf("%s: %q, want %q", step.key, here(t, m), step.want)
		}
	}
	m = open(t, func() *feed { f := newFeed(t); f.send(trainer(0), record(9, "well", 1)); return f }().Snapshot(), "")
	uitest.Press(m, "x")
	if !strings.Contains(text(m), "no error among these records") {
		t.Errorf("\n%s", text(m))
	}
}

func TestEventNamesAndBodiesOfAnyType(t *testing.T) {
	f := newFeed(t)
	event := run.Log{Time: uitest.Start, EventName: "gen_ai.choice", Severity: 9}
	nested := run.Log{Time: uitest.Start, Severity: 9, Body: run.KVListValue([]run.Attr{{Key: "cause", Value: run.StringValue("oom")}})}
	f.send(trainer(0), event, nested)
	m := open(t, f.Snapshot(), "")
	if got := column(m, "said"); got[0] != "gen_ai.choice" || got[1] != `{"cause":"oom"}` {
		t.Errorf("%q", got)
	}
	uitest.Press(m, "f")
	typed(m, "OOM")
	if here(t, m) != `{"cause":"oom"}` {
		t.Errorf("on %q", here(t, m))
	}
}

func TestContainsFold(t *testing.T) {
	for _, test := range []struct {
		s, part string
		want    bool
	}{
		{"", "", true}, {"abc", "", true}, {"", "a", false}, {"ABC", "bc", true}, {"xAbXab", "ab", true}, {"aab", "AB", true},
		{"a", "ab", false}, {"训练", "练", true}, {"[1]", "1]", true}, {"Straße", "STRASSE", false},
	} {
		if got := containsFold(test.s, test.part); got != test.want {
			t.Errorf("%q in %q: %v", test.part, test.s, got)
		}
	}
}

func TestContainsFoldIsThatOfLowerCase(t *testing.T) {
	letters := func(s []byte) string {
		for i := range s {
			s[i] = "abAB 1"[int(s[i])%6]
		}
		return string(s)
	}
	same := func(s, part []byte) bool {
		a, b := letters(s), letters(part[:min(len(part), 3)])
		return containsFold(a, b) == strings.Contains(strings.ToLower(a), strings.ToLower(b))
	}
	if err := quick.Check(same, nil); err != nil {
		t.Error(err)
	}
}
