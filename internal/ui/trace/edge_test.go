package tracescreen

import (
	"strings"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// TestNothingToShowSaysWhy: each empty screen has its own reason.
func TestNothingToShowSaysWhy(t *testing.T) {
	s := simulated(t, small(), 12*time.Second)
	f := newFeed(t)
	f.send(trainer(0), f.mk("train_step", 0, sec, uitest.Int("megatron.iteration", 1)))
	waiting := New(plain())
	waiting.SetSize(80, 22)
	waiting.SetData(uitest.Data(t, s.Snapshot(), "")) // and no answer yet
	for want, m := range map[string]*Model{
		"Assembling":                            waiting,
		"No rank of this run matches":           open(t, s, "rank=99"),
		"None of the 25 spans here matches":     open(t, s, "nosuchname"),
		"Nothing has arrived since iteration 1": pressed(open(t, f.Store, ""), "]"),
		"Nothing was found in these files":      open(t, newFeed(t).Store, ""),
		"No span of job-1 is here":              open(t, metricsOnly(t), ""),
	} {
		if got := text(m); !strings.Contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
}

// metricsOnly is a process that sent no span.
func metricsOnly(t testing.TB) *store.Store {
	f := newFeed(t)
	res := []run.Attr{uitest.Text("service.Name", "s"), uitest.Text("service.instance.id", "job-1")}
	f.points(res, "loss")
	return f.Store
}

// TestRanksAfterTheFilterLostTheirs: J and K go to what matches.
func TestRanksAfterTheFilterLostTheirs(t *testing.T) {
	s := simulated(t, small(), 12*time.Second)
	for key, want := range map[string]int{"J": 5, "K": 6} {
		m := open(t, s, "")
		d := uitest.Data(t, s.Snapshot(), "rank in (5, 6)")
		m.data.Filter = d.Filter // the key comes before the answer
		if uitest.Press(m, key); ranksShown(m)[0] != want {
			t.Errorf("%s leads to rank %v, want %d", key, ranksShown(m), want)
		}
	}
	m := open(t, s, "rank=99")
	if uitest.Press(m, "J"); m.note != "no rank matches the filter" {
		t.Errorf("note %q", m.note)
	}
	for _, k := range []string{"[", "]", "v", "{", "}"} {
		uitest.Press(m, k)
		uitest.Inside(t, m.View(), 120, 40)
	}
}

// TestSpanOfAnotherRun: a trace that crosses runs says where its span is.
func TestSpanOfAnotherRun(t *testing.T) {
	f := newFeed(t)
	root := f.mk("request", 0, sec)
	f.send(trainer(0), root)
	f.send([]run.Attr{uitest.Text("service.Name", "gateway"), uitest.Text("nemo.run.id", "other")}, under(root, f.mk("remote", 0, ms)))
	m := openTrace(t, f.Store, root.TraceID)
	if got := names(m); got != "request\n  remote\n" {
		t.Fatalf("rows:\n%s", got)
	}
	if uitest.Press(m, "j", "t"); !strings.Contains(m.note, "another run") {
		t.Errorf("note %q", m.note)
	}
	if uitest.Press(m, "k", "t"); !strings.Contains(m.note, "is in no step of rank 0") {
		t.Errorf("note %q", m.note)
	}
}

// TestStepThatIsNoLongerThere: from a place that is unknown, [ and ] lead to the
// newest step.
func TestStepThatIsNoLongerThere(t *testing.T) {
	m := open(t, walker(t), "")
	uitest.Settle(m, m.SetTarget(screen.Target{Iteration: 999, HasIteration: true}))
	if uitest.Press(m, "["); m.content.at.iteration != 7 || m.content.at.kind != atStep {
		t.Errorf("at %+v", m.content.at)
	}
}

// TestTargetInAnotherRun is given with the run in focus already.
func TestTargetInAnotherRun(t *testing.T) {
	s := uitest.Store(t, uitest.Training{Run: "a", Ranks: 2, Steps: 3, Slow: -1}, uitest.Training{Run: "b", Ranks: 2, Steps: 5, Slow: -1})
	m := open(t, s, "")
	uitest.Settle(m, m.SetTarget(screen.Target{Run: "b", Process: 1, HasProcess: true, Iteration: 4, HasIteration: true}))
	if m.content.in == nil || m.content.in.ID != "b" || m.content.at.iteration != 4 {
		t.Errorf("shown: %+v", m.content.question)
	}
}

// TestWordsOfNumbers: statuses and kinds that no table knows are numbers.
func TestWordsOfNumbers(t *testing.T) {
	for got, want := range map[string]string{
		statusWord(0): "unset", statusWord(1): "ok", statusWord(2): "error", statusWord(9): "9",
		kindWord(0): "unspecified", kindWord(5): "consumer", kindWord(77): "77",
		share(1, 0): "", share(1, 4): "   25.0%", rankNumber(run.Unknown): "–", rankNumber(12): "12",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestLostPart: what was evicted is told by what is left.
func TestLostPart(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), f.mk("a", sec, 2*sec))
	r := *f.Snapshot().Runs[0]
	if lostPart(&r, 0, 0) {
		t.Error("nothing was evicted")
	}
	r.Accounts[run.Traces].Evicted = 1
	for from, want := range map[uint64]bool{0: true, 2*sec - 1: true, 2 * sec: false, 5 * sec: false} {
		if got := lostPart(&r, 0, uitest.Start+from); got != want {
			t.Errorf("a time from %d on: lost %v", from, got)
		}
	}
	if !lostPart(&r, 7, 0) {
		t.Error("of a process without spans all is lost")
	}
}

// TestLinksAndScopes beyond what is listed.
func TestLinksAndScopes(t *testing.T) {
	d := describer{theme: plain(), limit: 2, copyAll: "Y"}
	s := run.Span{Scope: run.Scope{Name: "lib", Version: "2", Schema: "https://example.com/1", Attrs: []run.Attr{uitest.Text("k", "v")}}}
	for range 5 {
		s.Links = append(s.Links, run.Link{Dropped: 3})
	}
	d.links(&s)
	d.scope(&s)
	var got strings.Builder
	for _, e := range d.out {
		got.WriteString(e.Name + "=" + e.Text + "\n")
	}
	for _, want := range []string{"=links 5\n", "…=3 more; Y copies all\n", "  dropped=3 attributes\n", "lib=2\n", "schema=https://example.com/1\n", "k=v\n"} {
		if !strings.Contains(got.String(), want) {
			t.Errorf("%q is missing in\n%s", want, got.String())
		}
	}
}
