package tracescreen

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func TestFindWhileTyping(t *testing.T) {
	m := openTrace(t, family(t), uitest.TraceID(1))
	uitest.Press(m, "f")
	if !m.Capturing() {
		t.Fatal("f does not begin a text")
	}
	for _, step := range []struct {
		key, focus string
		hits       int
	}{{"O", "op-0-0", 4}, {"p", "op-0-0", 4}, {"-", "op-0-0", 4}, {"1", "op-1-0", 2}, {"x", "step", 0}, {"backspace", "op-1-0", 2}} {
		uitest.Press(m, step.key)
		if m.focusName() != step.focus || m.finder.hits != step.hits {
			t.Errorf("after %q: on %q with %d found, want %q with %d", m.finder.text, m.focusName(), m.finder.hits, step.focus, step.hits)
		}
	}
	if got := text(m); !strings.Contains(got, "find: Op-1") || !strings.Contains(got, "2 found") {
		t.Errorf("the line of the text:\n%s", got)
	}
	uitest.Press(m, "enter")
	if m.Capturing() {
		t.Error("Enter does not end the text")
	}
	var got []string
	for _, k := range []string{"n", "n", "N", "N"} {
		uitest.Press(m, k)
		got = append(got, m.focusName())
	}
	if diff := cmp.Diff([]string{"op-1-1", "op-1-0", "op-1-1", "op-1-0"}, got); diff != "" {
		t.Errorf("n twice, N twice (-want +got):\n%s", diff)
	}
}

func TestFindCancelled(t *testing.T) {
	m := openTrace(t, family(t), uitest.TraceID(1))
	uitest.Press(m, "j", "f", "op-1", "esc")
	if m.focusName() != "phase-0" || m.finder.text != "" || m.Capturing() {
		t.Errorf("on %q, text %q", m.focusName(), m.finder.text)
	}
	if uitest.Press(m, "n"); m.note == "" {
		t.Error("n without a text says nothing")
	}
	uitest.Press(m, "f", "op-1", "enter")
	if !m.Back() || m.finder.text != "" {
		t.Errorf("Esc leaves %q", m.finder.text)
	}
	if uitest.Press(m, "f", "nosuch", "enter", "n"); m.note != "not found: nosuch" {
		t.Errorf("note %q", m.note)
	}
}

// TestFindUnfolds: what is folded away is found and shown.
func TestFindUnfolds(t *testing.T) {
	m := openTrace(t, family(t), uitest.TraceID(1))
	uitest.Press(m, "O", "f", "op-1-1", "enter")
	if want := "step\n  phase-0\n  phase-1\n    op-1-0\n    op-1-1\n"; names(m) != want || m.focusName() != "op-1-1" {
		t.Errorf("on %q:\n%s", m.focusName(), names(m))
	}
}

func TestFindSpanID(t *testing.T) {
	m := openTrace(t, family(t), uitest.TraceID(1))
	id := m.content.node(0, 5).ID().String()
	uitest.Press(m, "f", id, "enter")
	if m.focusName() != "op-1-0" {
		t.Errorf("%s is %q", id, m.focusName())
	}
}

// TestHitsAreMarked in names only.
func TestHitsAreMarked(t *testing.T) {
	m := openTrace(t, family(t), uitest.TraceID(1))
	m.theme.Match, m.theme.Profile = uitestMatch(), 3
	uitest.Press(m, "f", "phase", "enter", "g")
	got := m.rows.Cell(1, "span").Drawn
	if !strings.Contains(got, m.theme.Match.On()+"phase"+m.theme.Match.Off()) {
		t.Errorf("name drawn as %q", got)
	}
}

func TestNextErrorAndMark(t *testing.T) {
	m := openTrace(t, odd(t), uitest.TraceID(1))
	if uitest.Press(m, "x"); m.focusName() != "checkpoint.save" {
		t.Errorf("x: %q", m.focusName())
	}
	if uitest.Press(m, "ctrl+x"); m.focusName() != "checkpoint.save" {
		t.Errorf("^X: %q", m.focusName())
	}
	var got []string
	uitest.Press(m, "g")
	for range 7 {
		uitest.Press(m, "m")
		got = append(got, m.focusName())
	}
	want := []string{"nccl.all_reduce", "checkpoint.save", "forward_backward", "optimizer", "clip_grad", "layer", "nccl.all_reduce"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("m (-want +got):\n%s", diff)
	}
	if uitest.Press(m, "M"); m.focusName() != "layer" {
		t.Errorf("M: %q", m.focusName())
	}
	m = openTrace(t, deepless(t), uitest.TraceID(1))
	for k, want := range map[string]string{"x": "no span here has an error", "m": "no span here has a mark"} {
		if uitest.Press(m, k); m.note != want {
			t.Errorf("%s without any: %q", k, m.note)
		}
	}
}

// TestErrorsInFoldedLanes are found too.
func TestErrorsInFoldedLanes(t *testing.T) {
	f := newFeed(t)
	for rank := range 3 {
		step := f.mk("train_step", 0, sec, uitest.Int("megatron.iteration", 1))
		inside := under(step, f.mk("forward_backward", 0, ms))
		if rank == 2 {
			inside.Status = run.StatusError
		}
		f.send(trainer(rank), step, inside)
	}
	m := open(t, f.Store, "")
	uitest.Press(m, "v", "x")
	if got := names(m); !strings.HasPrefix(got, "[rank 0]\n[rank 1]\n[rank 2]\ntrain_step\n") || m.focusName() != "forward_backward" {
		t.Errorf("on %q:\n%s", m.focusName(), got)
	}
}

func TestNextSlow(t *testing.T) {
	m := openTrace(t, family(t), uitest.TraceID(1))
	var got []string
	for range 4 {
		uitest.Press(m, "w")
		got = append(got, m.focusName())
	}
	// own times: step 2 s, the phases 2 s each, the ops 1 s each
	if diff := cmp.Diff([]string{"step", "phase-0", "phase-1", "op-0-0"}, got); diff != "" {
		t.Errorf("w (-want +got):\n%s", diff)
	}
	if m.note != "4. by own time: 1.00s" {
		t.Errorf("note %q", m.note)
	}
	if uitest.Press(m, "W"); m.focusName() != "phase-1" {
		t.Errorf("W: %q", m.focusName())
	}
}

// TestOwnTimesSumUp: in a tree whose children lie within their parents and do not
// overlap, own times make up the roots' times.
func TestOwnTimesSumUp(t *testing.T) {
	m := open(t, simulated(t, small(), 6*time.Second), "")
	tree := m.content.lanes[0].tree
	var own, roots uint64
	for i := range tree.Nodes {
		n, ok := ownTime(tree, i)
		if !ok {
			t.Fatalf("node %d has no own time", i)
		}
		own += n
		if tree.Nodes[i].Parent < 0 {
			long, _ := tree.Nodes[i].Duration()
			roots += long
		}
	}
	if own != roots {
		t.Errorf("own times sum up to %d, the roots took %d", own, roots)
	}
}

func TestOwnTimeOfOverlaps(t *testing.T) {
	f := newFeed(t)
	root := f.mk("root", 0, 10*sec)
	early := under(root, f.mk("early", 0, 2*sec))
	early.Start -= sec
	f.send(trainer(0), root, early, under(root, f.mk("a", sec, 4*sec)), under(root, f.mk("b", 3*sec, 5*sec)), under(root, f.mk("late", 9*sec, 12*sec)))
	m := openTrace(t, f.Store, root.TraceID)
	// children cover 0–5 and 9–10
	if own, ok := ownTime(m.content.lanes[0].tree, 0); !ok || own != 4*sec {
		t.Errorf("own time %d, %v", own, ok)
	}
}
