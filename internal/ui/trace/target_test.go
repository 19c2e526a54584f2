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

func TestTargets(t *testing.T) {
	s := simulated(t, small(), 12*time.Second)
	m := open(t, s, "")
	goal := func(tg screen.Target) { uitest.Settle(m, m.SetTarget(tg)) }

	goal(screen.Target{Run: "small", Process: 3, HasProcess: true, Iteration: 2, HasIteration: true})
	if m.content.process != 3 || m.content.at.iteration != 2 || m.content.total == 0 {
		t.Errorf("a rank's iteration: %+v", m.content.question)
	}
	n := m.content.node(0, 5)
	goal(screen.Target{Process: 3, HasProcess: true, Iteration: 2, HasIteration: true, TraceID: n.TraceID(), SpanID: n.ID()})
	if _, i, _ := m.focus(); i != 5 || !m.content.trace.IsZero() {
		t.Errorf("a span of an iteration: on node %d of %+v", i, m.content.question)
	}
	goal(screen.Target{TraceID: n.TraceID(), SpanID: n.ID()})
	if got := m.focusName(); got != n.Name() || m.content.trace != n.TraceID() {
		t.Errorf("a span of a trace: on %q of %+v", got, m.content.question)
	}
	goal(screen.Target{Process: 4, HasProcess: true})
	if m.content.process != 4 || m.content.at != stepAt(m.content.steps[len(m.content.steps)-1]) {
		t.Errorf("a rank: %+v", m.content.question)
	}
	goal(screen.Target{TraceID: n.TraceID(), SpanID: uitest.SpanID(12345)})
	if !strings.Contains(m.note, "is not among these") {
		t.Errorf("a span that is not there: %q", m.note)
	}
	goal(screen.Target{TraceID: uitest.TraceID(4242)})
	if got := text(m); !strings.Contains(got, "No span of trace "+uitest.TraceID(4242).String()+" is retained.") {
		t.Errorf("a trace that is not there:\n%s", got)
	}
	if goal(screen.Target{Process: 1, HasProcess: true}); m.note != "" {
		t.Errorf("an old answer stays: %q", m.note)
	}
	goal(screen.Target{Process: 1, HasProcess: true, Iteration: 999, HasIteration: true})
	if got := text(m); !strings.Contains(got, ": iteration 999 not finished, or no longer kept.") {
		t.Errorf("an iteration that is not there:\n%s", got)
	}
	goal(screen.Target{Run: "other"})
	if m.note != "run other is not here" || m.asking.run != "small" {
		t.Errorf("a run that is not there: %q", m.note)
	}
}

// TestTraceAndBack goes to the whole trace of a span and back to its iteration.
func TestTraceAndBack(t *testing.T) {
	m := open(t, simulated(t, small(), 12*time.Second), "")
	uitest.Press(m, "J", "[", "j", "j", "j")
	was, name := m.content.question, m.focusName()
	uitest.Press(m, "t")
	if m.content.trace.IsZero() || m.focusName() != name {
		t.Errorf("t leads to %+v, on %q", m.content.question, m.focusName())
	}
	if uitest.Press(m, "]"); m.note == "" {
		t.Error("] in a trace says nothing")
	}
	if uitest.Press(m, "v"); m.note == "" {
		t.Error("v in a trace says nothing")
	}
	uitest.Press(m, "t")
	if m.content.question != was || m.focusName() != name {
		t.Errorf("t again leads to %+v on %q, was %+v on %q", m.content.question, m.focusName(), was, name)
	}
}

// TestTraceFromOutsideLeadsToItsIteration: t knows the step without having been
// there.
func TestTraceFromOutsideLeadsToItsIteration(t *testing.T) {
	s := simulated(t, small(), 12*time.Second)
	m := open(t, s, "")
	uitest.Press(m, "J", "J", "[")
	want, id := m.content.question, m.content.node(0, 2)
	m = openTrace(t, s, id.TraceID())
	uitest.Press(m, "j", "j", "t")
	if m.content.process != want.process || m.content.at != want.at {
		t.Errorf("t leads to %+v, want %+v", m.content.question, want)
	}
}

// TestOtherRunInFocus starts anew there.
func TestOtherRunInFocus(t *testing.T) {
	s := uitest.Store(t, uitest.Training{Run: "a", Ranks: 2, Steps: 3, Slow: -1}, uitest.Training{Run: "b", Ranks: 2, Steps: 5, Slow: -1})
	m := open(t, s, "")
	uitest.Press(m, "J", "{")
	d := uitest.Data(t, s.Snapshot(), "")
	d.Run = "b"
	uitest.Give(t, m, d)
	if m.content.in.ID != "b" || m.content.at.iteration != 5 || m.content.process != 0 {
		t.Errorf("shown: %+v", m.content.question)
	}
}

func TestFilterKeepsWhatHoldsMatches(t *testing.T) {
	m := open(t, simulated(t, small(), 12*time.Second), "rank=4 and p2p")
	l := &m.content.lanes[0]
	for i := range l.tree.Nodes {
		below := false
		for k := i; k < l.tree.Nodes[i].SubtreeEnd; k++ {
			below = below || strings.Contains(l.tree.Nodes[k].Name(), "p2p")
		}
		if below == l.hides(i) {
			t.Errorf("%s hidden: %v", l.tree.Nodes[i].Name(), l.hides(i))
		}
		if own := strings.Contains(l.tree.Nodes[i].Name(), "p2p"); !l.hides(i) && own == l.isInside(i) {
			t.Errorf("%s only inside: %v", l.tree.Nodes[i].Name(), l.isInside(i))
		}
	}
	if hidden := m.content.total - m.content.shown(); hidden == 0 || !strings.Contains(text(m), "15 hidden by the filter") {
		t.Errorf("%d hidden:\n%s", hidden, text(m))
	}
	if m.content.in.Processes[m.content.process].ID.Rank != 4 {
		t.Error("the filter does not choose the rank")
	}
}

// TestFilterMovesToARankThatMatches, and clearing it stays there.
func TestFilterMovesToARankThatMatches(t *testing.T) {
	s := simulated(t, small(), 12*time.Second)
	m := open(t, s, "")
	at := m.content.at
	for _, filter := range []string{"rank=6", ""} {
		uitest.Give(t, m, uitest.Data(t, s.Snapshot(), filter))
		if rank := ranksShown(m)[0]; rank != 6 || m.content.at.iteration != at.iteration {
			t.Errorf("filter %q: rank %d at %+v", filter, rank, m.content.at)
		}
	}
	uitest.Give(t, m, uitest.Data(t, s.Snapshot(), "rank=99"))
	if got := text(m); !strings.Contains(got, "No rank of this run matches") && !strings.Contains(got, "matches the filter") {
		t.Errorf("no rank left:\n%s", got)
	}
}

// TestCursorSurvivesTheFilter: a span that is hidden gives the cursor to what
// holds it.
func TestCursorSurvivesTheFilter(t *testing.T) {
	s := simulated(t, small(), 12*time.Second)
	m := open(t, s, "")
	uitest.Press(m, "f", "microbatch.forward", "enter")
	uitest.Give(t, m, uitest.Data(t, s.Snapshot(), "p2p"))
	if got := m.focusName(); got != "nv.mcore.forward_backward" {
		t.Errorf("on %q", got)
	}
	for _, k := range []string{"n", "N"} {
		if uitest.Press(m, k); m.note == "" {
			t.Errorf("%s finds what the filter hides", k)
		}
	}
}

// tight is a store that can keep a few chunks only.
func tight(t testing.TB) *feed {
	f := &feed{TB: t, now: int64(uitest.Start)}
	f.Store = store.New(store.Config{Budget: 8 << 20, Clock: func() int64 { return f.now }})
	return f
}

// TestEvictedStepSaysSo: the step's time outlives its spans.
func TestEvictedStepSaysSo(t *testing.T) {
	f := tight(t)
	step := func(n int) {
		from := uint64(n) * sec
		s := f.mk("train_step", from, from+sec, uitest.Int("megatron.iteration", n))
		s.TraceID = uitest.TraceID(uint64(n))
		batch := []run.Span{}
		for k := range uint64(1000) {
			batch = append(batch, under(s, f.mk("forward", from+k, from+k+ms, uitest.Text("id", strings.Repeat("x", 50)+s.ID.String()))))
		}
		f.send(trainer(0), append(batch, s)...)
	}
	step(0)
	m := open(t, f.Store, "")
	for n := 1; n < 130; n++ {
		step(n)
	}
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if f.Snapshot().Runs[0].Accounts[run.Traces].Evicted == 0 {
		t.Fatal("nothing was evicted")
	}
	got := text(m)
	if !strings.Contains(got, "The spans of iteration 0 are no longer retained: evicted") || !strings.Contains(got, "It took 1.00s") {
		t.Errorf("an evicted step:\n%s", got)
	}
	uitest.Press(m, "}")
	if got := text(m); m.content.lost() || !strings.Contains(got, "all retained (of the run") {
		t.Errorf("the newest step:\n%s", got)
	}
	uitest.Settle(m, m.SetTarget(screen.Target{TraceID: uitest.TraceID(0)}))
	if got := text(m); !strings.Contains(got, "is retained.") {
		t.Errorf("an evicted trace:\n%s", got)
	}
}

// TestSharedIDs: two ranks that sent the same ids are told apart.
func TestSharedIDs(t *testing.T) {
	f := newFeed(t)
	root := f.mk("root", 0, sec)
	child := under(root, f.mk("child", 0, ms))
	for rank := range 2 {
		f.send(trainer(rank), root, child)
	}
	m := openTrace(t, f.Store, root.TraceID)
	if got := names(m); got != "root\n  child\nroot\n  child\n" {
		t.Fatalf("rows:\n%s", got)
	}
	uitest.Press(m, "G")
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	row, _ := m.table.Cursor()
	if row != 3 || m.rows.Cell(3, "sender").Text != "rank 1" {
		t.Errorf("the cursor went to row %d", row)
	}
}
