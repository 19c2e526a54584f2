package screen

import (
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

func TestTeachSaysWhatListensAndWhatToPaste(t *testing.T) {
	s := &store.Snapshot{Receiver: run.Receiver{Listeners: []run.Listener{
		{Protocol: "HTTP", Addr: "127.0.0.1:4318"}, {Protocol: "gRPC", Addr: "127.0.0.1:4317"}}}}
	text := strings.Join(Teach(Data{Snapshot: s}), "\n")
	for _, want := range []string{
		"HTTP  127.0.0.1:4318", "gRPC  127.0.0.1:4317", "Only jobs on this host", "--listen 0.0.0.0:4317", "\n  eval \"$(lensview env)\"\n", "lensview demo",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
}

func TestTeachOfAFile(t *testing.T) {
	text := strings.Join(Teach(Data{Snapshot: &store.Snapshot{}}), "\n")
	if strings.Contains(text, "export") || !strings.Contains(text, "Ingest") {
		t.Errorf("without listeners:\n%s", text)
	}
	for want, loading := range map[string]*run.Loading{
		"Nothing was found in these files.":                                    {Finished: true, Following: true},
		"Nothing was found in these files so far.":                             {},
		"Nothing is in these files yet. What is written to them appears here.": {Following: true},
	} {
		if got := Teach(Data{Snapshot: &store.Snapshot{Loading: loading}})[0]; got != want {
			t.Errorf("%+v: %q, want %q", loading, got, want)
		}
	}
}

// What a job needs is other for each kind of listener, and the command knows it: an
// address on the screen would lack the token, the certificate or the protocol.
func TestTeachSaysWhoReachesIt(t *testing.T) {
	const closed = "Only jobs on this host reach it."
	for _, test := range []struct {
		name string
		all  []run.Listener
		want string // "" where other hosts reach it
	}{
		{"both on loopback", []run.Listener{{Protocol: "HTTP", Addr: "[::1]:4318"}, {Protocol: "gRPC", Addr: "127.0.0.1:4317"}}, "lensview --listen 0.0.0.0:4317"},
		{"HTTP only", []run.Listener{{Protocol: "HTTP", Addr: "[::1]:4318"}}, "lensview --http-listen 0.0.0.0:4318"},
		{"a Unix socket only", []run.Listener{{Protocol: "Unix socket", Addr: "/tmp/x/otlp.sock"}}, "lensview --listen 0.0.0.0:4317"},
		{"gRPC for all, over TLS", []run.Listener{{Protocol: "HTTP", Addr: "127.0.0.1:4318"}, {Protocol: "gRPC", Addr: "0.0.0.0:4317", Host: "login1", TLS: true}}, ""},
		{"an address of the host", []run.Listener{{Protocol: "gRPC", Addr: "10.1.2.3:4317", Host: "login1"}}, ""},
	} {
		s := &store.Snapshot{Receiver: run.Receiver{Listeners: test.all}}
		text := strings.Join(Teach(Data{Snapshot: s}), "\n")
		if strings.Contains(text, closed) != (test.want != "") || !strings.Contains(text, test.want) {
			t.Errorf("%s:\n%s", test.name, text)
		}
		if strings.Contains(text, "OTEL_") || !strings.Contains(text, `eval "$(lensview env)"`) {
			t.Errorf("%s: an address instead of the command:\n%s", test.name, text)
		}
	}
}

func TestMessages(t *testing.T) {
	if got := Open(Trace, Target{Run: "r"})(); got != (OpenMsg{Screen: Trace, Target: Target{Run: "r"}}) {
		t.Errorf("Open: %v", got)
	}
	if got := Say("hello")(); got != (NoticeMsg{Text: "hello"}) {
		t.Errorf("Say: %v", got)
	}
}

func TestJobRunsOneAtATime(t *testing.T) {
	var j Job[string, int]
	first := j.Start("q", func() int { return 1 })
	if j.Start("q", func() int { return 2 }) != nil || j.Start("q", func() int { return 3 }) != nil {
		t.Fatal("a second computation runs beside the first")
	}
	got, fresh, mine, next := j.Take(first())
	if got != 1 || !fresh || !mine || next == nil {
		t.Errorf("first answer: %d fresh %v mine %v; the answer to an older snapshot is to be shown", got, fresh, mine)
	}
	got, fresh, _, last := j.Take(next())
	if got != 3 || !fresh || last != nil {
		t.Errorf("second answer: %d fresh %v, want the newest input and no more", got, fresh)
	}
}

func TestJobDropsAnswersToOldQuestions(t *testing.T) {
	var j Job[string, int]
	first := j.Start("old", func() int { return 1 })
	j.Start("new", func() int { return 2 })
	_, fresh, mine, next := j.Take(first())
	if fresh || !mine {
		t.Error("an answer to another question is shown")
	}
	if got, fresh, _, _ := j.Take(next()); got != 2 || !fresh {
		t.Errorf("the new question's answer: %d fresh %v", got, fresh)
	}
}

func TestJobKnowsItsOwnAnswers(t *testing.T) {
	var a, b Job[string, int]
	msg := a.Start("q", func() int { return 1 })()
	if _, _, mine, _ := b.Take(msg); mine {
		t.Error("one job took another's answer")
	}
	if _, _, mine, _ := a.Take(tea.KeyMsg{}); mine {
		t.Error("a key is no answer")
	}
	if _, _, mine, _ := a.Take(msg); !mine {
		t.Error("a job does not know its own answer")
	}
}

func TestMemo(t *testing.T) {
	var m Memo[int, int]
	asked := 0
	get := func(key string, stamp int) int {
		return m.Get(key, stamp, func() int { asked++; return asked })
	}
	if a, b := get("a", 1), get("a", 1); a != 1 || b != 1 {
		t.Errorf("the same key and stamp: %d, then %d", a, b)
	}
	if got := get("b", 1); got != 2 {
		t.Errorf("another key: %d", got)
	}
	if got := get("a", 2); got != 3 {
		t.Errorf("another stamp: %d", got)
	}
	if got := get("b", 1); got != 2 {
		t.Errorf("a key that did not change: %d", got)
	}
	for i := range 3 * maxMemos {
		get(strings.Repeat("x", i), 1)
	}
	if len(m.kept) > maxMemos {
		t.Errorf("%d keys are kept", len(m.kept))
	}
}

func TestKeysAreWrittenAsTheUserHasThem(t *testing.T) {
	own := Keys{"": {"/": "F3", "esc": "^G", "y": "c"}, Trace: {"]": ">", "tab": "t"}}
	for _, test := range []struct {
		keys Keys
		on   Name
		key  string
		want string
	}{
		{nil, "", "/", "/"}, {nil, "", "esc", "Esc"}, {nil, Trace, "tab", "Tab"}, {nil, Trace, " ", "Space"}, {nil, "", "enter", "Enter"},
		{own, "", "/", "F3"}, {own, Logs, "/", "F3"}, {own, "", "esc", "^G"}, {own, Trace, "]", ">"}, {own, Steps, "]", "]"},
		{own, Trace, "tab", "t"}, {own, Logs, "tab", "Tab"}, {own, Trace, "x", "x"},
	} {
		if got := test.keys.On(test.on, test.key); got != test.want {
			t.Errorf("%s on %q: %q, want %q", test.key, test.on, got, test.want)
		}
	}
	d := Data{Snapshot: &store.Snapshot{Receiver: run.Receiver{Listeners: []run.Listener{{Protocol: "gRPC", Addr: "0.0.0.0:4317"}}}}, Keys: own}
	if text := strings.Join(Teach(d), "\n"); !strings.Contains(text, "(c copies it)") {
		t.Errorf("the key that copies:\n%s", text)
	}
	if d.Cleared() != "X clears it." {
		t.Errorf("%q", d.Cleared())
	}
}
