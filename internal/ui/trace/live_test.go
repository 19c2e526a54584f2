package tracescreen

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// line is the line of the screen that shows the cursor, and its text.
func line(t testing.TB, m *Model) (int, string) {
	t.Helper()
	for i, l := range strings.Split(text(m), "\n") {
		if strings.HasPrefix(l, m.theme.Glyphs.Cursor) {
			return i, strings.Join(strings.Fields(l)[1:3], " ")
		}
	}
	t.Fatalf("no cursor:\n%s", text(m))
	return 0, ""
}

// TestLateRootKeepsTheSelection is CASES 23: the root ends last, so it comes last.
func TestLateRootKeepsTheSelection(t *testing.T) {
	f := newFeed(t)
	root := f.mk("train", 0, 100*sec)
	var kids []run.Span
	for i := range uint64(60) {
		kids = append(kids, under(root, f.mk(fmt.Sprintf("step-%02d", i), i*sec, i*sec+sec)))
	}
	f.send(trainer(0), kids...)
	m := openTrace(t, f.Store, root.TraceID)
	m.SetSize(80, 24)
	if !strings.Contains(text(m), "step-00 (root not received)") {
		t.Errorf("title:\n%s", text(m))
	}
	uitest.Press(m, "pgdown", "pgdown", "k", "k")
	at, was := line(t, m)
	f.send(trainer(0), root)
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if now, is := line(t, m); now != at || strings.Fields(is)[0] != strings.Fields(was)[0] {
		t.Errorf("the cursor was on %q in line %d, is on %q in line %d", was, at, is, now)
	}
	if got := names(m); !strings.HasPrefix(got, "train\n  step-00\n") || m.content.counts()[orphanMark] != 0 {
		t.Errorf("tree:\n%s", got)
	}
	if !strings.Contains(text(m), "  train  61 spans") {
		t.Errorf("title:\n%s", text(m))
	}
}

// TestAllOrdersOfArrival is CASES 23: the picture is the same for all.
func TestAllOrdersOfArrival(t *testing.T) {
	var want string
	for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		f := newFeed(t)
		root := f.mk("train", 0, 10*sec)
		child := under(root, f.mk("step", sec, 5*sec))
		all := []run.Span{root, child, under(child, f.mk("forward", 2*sec, 3*sec))}
		for _, i := range order {
			f.send(trainer(0), all[i])
		}
		got := text(openTrace(t, f.Store, root.TraceID))
		if want == "" {
			want = got
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("order %v (-first +this):\n%s", order, diff)
		}
	}
}

// TestUnfinishedStepBecomesTheStep keeps the cursor, the folds and the place while
// the step span comes.
func TestUnfinishedStepBecomesTheStep(t *testing.T) {
	f := newFeed(t)
	iter := func(n int) run.Attr { return uitest.Int("megatron.iteration", n) }
	f.send(trainer(0), f.mk("train_step", 0, sec, iter(1)))
	step := f.mk("train_step", sec, 2*sec, iter(2))
	forward := under(step, f.mk("forward_backward", sec, 2*sec-300*ms))
	f.send(trainer(0), under(forward, f.mk("microbatch.forward", sec, sec+ms)), forward, under(step, f.mk("optimizer", 2*sec-300*ms, 2*sec-100*ms)))
	m := open(t, f.Store, "")
	uitest.Press(m, "]")
	if want := "forward_backward\n  microbatch.forward\noptimizer\n"; names(m) != want || m.content.at.kind != tail {
		t.Fatalf("at %+v:\n%s", m.content.at, names(m))
	}
	uitest.Press(m, "o", "j")
	f.send(trainer(0), step)
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if want := "train_step\n  forward_backward\n  optimizer\n"; names(m) != want || m.content.at != (spot{atStep, 0, 2}) {
		t.Fatalf("at %+v:\n%s", m.content.at, names(m))
	}
	if got := m.focusName(); got != "optimizer" {
		t.Errorf("the cursor went to %q", got)
	}
}

// TestNewerStepsDoNotMoveTheView: what one looks at stays.
func TestNewerStepsDoNotMoveTheView(t *testing.T) {
	f := newFeed(t)
	step := func(n int) {
		from := uint64(n) * sec
		s := f.mk("train_step", from, from+sec, uitest.Int("megatron.iteration", n))
		f.send(trainer(0), under(s, f.mk("forward_backward", from, from+sec/2)), s)
	}
	step(1)
	m := open(t, f.Store, "")
	uitest.Press(m, "j", "+")
	before := m.rows.axis
	for n := 2; n < 6; n++ {
		step(n)
		uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	}
	if m.content.at.iteration != 1 || m.focusName() != "forward_backward" || m.rows.axis != before {
		t.Errorf("at %+v on %q, axis %v, was %v", m.content.at, m.focusName(), m.rows.axis, before)
	}
	if !strings.Contains(text(m), "4 newer: }") {
		t.Errorf("it does not say that there are newer ones:\n%s", text(m))
	}
}

// TestUnchangedSpansAreNotAssembledAgain: a finished step costs nothing while
// others arrive.
func TestUnchangedSpansAreNotAssembledAgain(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), f.mk("train_step", 0, sec, uitest.Int("megatron.iteration", 1)))
	m := open(t, f.Store, "")
	tree := m.content.lanes[0].tree
	f.send(trainer(1), f.mk("train_step", 0, sec, uitest.Int("megatron.iteration", 1)))
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if m.content.lanes[0].tree != tree {
		t.Error("the spans of rank 0 were assembled again")
	}
	f.send(trainer(0), under(f.mk("train_step", 0, sec), f.mk("late", 0, ms)))
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if m.content.lanes[0].tree == tree {
		t.Error("a late span is missing")
	}
}

// TestZoomStaysWhenTheTimeGrows: an earlier span moves the origin, not the view.
func TestZoomStaysWhenTheTimeGrows(t *testing.T) {
	f := newFeed(t)
	root := f.mk("train", 10*sec, 20*sec)
	f.send(trainer(0), root, under(root, f.mk("step", 12*sec, 14*sec)))
	m := openTrace(t, f.Store, root.TraceID)
	uitest.Press(m, "j", "z")
	origin, view := m.rows.origins[0], m.time.view
	f.send(trainer(0), under(root, f.mk("early", 5*sec, 6*sec)))
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	moved := float64(origin - m.rows.origins[0])
	if moved != float64(5*sec) || m.time.view != view.shift(moved) {
		t.Errorf("origin moved by %v, view %v, was %v", moved, m.time.view, view)
	}
}

// TestAnswersToOlderQuestionsAreDropped presses two keys before the first answer.
func TestAnswersToOlderQuestionsAreDropped(t *testing.T) {
	m := open(t, walker(t), "")
	first := m.Update(uitest.Key("{"))
	second := m.SetTarget(screen.Target{TraceID: uitest.TraceID(1)})
	uitest.Settle(m, second)
	uitest.Settle(m, first)
	if m.content.trace != uitest.TraceID(1) || m.asking.trace != uitest.TraceID(1) {
		t.Errorf("shown: %+v", m.content.question)
	}
}

// TestDefaultIsDecidedOnce: the first answer says which iteration is shown, a
// second one that waited behind it does not say otherwise.
func TestDefaultIsDecidedOnce(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), f.mk("train_step", 0, sec, uitest.Int("megatron.iteration", 1)))
	m := New(plain())
	m.SetSize(80, 24)
	first := m.SetData(uitest.Data(t, f.Snapshot(), ""))
	f.send(trainer(0), f.mk("train_step", sec, 2*sec, uitest.Int("megatron.iteration", 2)))
	if waits := m.SetData(uitest.Data(t, f.Snapshot(), "")); waits != nil {
		t.Fatal("two answers at once")
	}
	uitest.Settle(m, first)
	if m.content.at.iteration != 1 || m.behind() != 1 {
		t.Errorf("shown: %+v, %d newer; want iteration 1 with one newer", m.content.at, m.behind())
	}
}
