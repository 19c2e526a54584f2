package tracescreen

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// three are the steps 5, 6 and 7 of attempt 1, with a gap before the last.
func three() []store.Window {
	w := func(n int64, from, to uint64) store.Window {
		return store.Window{Attempt: 1, Iteration: n, Start: uitest.Start + from, End: uitest.Start + to}
	}
	return []store.Window{w(5, sec, 2*sec), w(6, 2*sec, 3*sec), w(7, 5*sec, 6*sec)}
}

func TestDecide(t *testing.T) {
	p := &store.Process{Start: uitest.Start, End: uitest.Start + 7*sec}
	at := func(k spotKind, n int64) spot { return spot{k, 1, n} }
	for _, test := range []struct {
		name     string
		steps    []store.Window
		at, want spot
		from, to uint64
		there    bool
	}{
		{"newest", three(), spot{}, at(atStep, 7), 5 * sec, 6 * sec, true},
		{"a step", three(), at(atStep, 6), at(atStep, 6), 2 * sec, 3 * sec, true},
		{"of any attempt", three(), spot{atStep, anyAttempt, 6}, at(atStep, 6), 2 * sec, 3 * sec, true},
		{"of another attempt", three(), spot{atStep, 0, 6}, spot{atStep, 0, 6}, 0, 0, false},
		{"unknown step", three(), at(atStep, 9), at(atStep, 9), 0, 0, false},
		{"gap", three(), at(afterStep, 6), at(afterStep, 6), 3 * sec, 5 * sec, true},
		{"no gap", three(), at(afterStep, 5), at(afterStep, 5), 2 * sec, 2*sec + 1, true},
		{"after the last", three(), at(afterStep, 7), at(tail, 7), 6 * sec, 7 * sec, true},
		{"tail", three(), at(tail, 7), at(tail, 7), 6 * sec, 7 * sec, true},
		{"tail that was finished", three(), at(tail, 6), at(atStep, 7), 5 * sec, 6 * sec, true},
		{"head", three(), spot{kind: head}, spot{kind: head}, 0, sec, true},
		{"no steps", nil, spot{}, spot{kind: whole}, 0, 7 * sec, true},
		{"no steps, tail", nil, at(tail, 4), spot{kind: whole}, 0, 7 * sec, true},
		{"no such step", nil, at(atStep, 4), at(atStep, 4), 0, 0, false},
		{"the first step came", three(), spot{kind: whole}, at(atStep, 5), sec, 2 * sec, true},
	} {
		got := decide(test.steps, p, test.at)
		if got.at != test.want || got.there != test.there {
			t.Errorf("%s: %+v, want %+v there %v", test.name, got, test.want, test.there)
		}
		if got.there && (got.window.Start != uitest.Start+test.from || got.window.End != uitest.Start+test.to) {
			t.Errorf("%s: window %d … %d", test.name, got.window.Start-uitest.Start, got.window.End-uitest.Start)
		}
	}
}

// walker is a rank with start-up, steps 5 and 6 in a row, an evaluation, step 7
// and something after it.
func walker(t testing.TB) *store.Store {
	f := newFeed(t)
	iter := func(n int) run.Attr { return uitest.Int("megatron.iteration", n) }
	f.send(trainer(0),
		f.mk("model_init", 0, 900*ms),
		f.mk("train_step", sec, 2*sec, iter(5)), f.mk("train_step", 2*sec, 3*sec, iter(6)),
		f.mk("evaluate", 3*sec+100*ms, 4*sec), f.mk("train_step", 5*sec, 6*sec, iter(7)), f.mk("data.next", 6*sec, 7*sec))
	return f.Store
}

func TestWalkThroughALife(t *testing.T) {
	m := open(t, walker(t), "")
	var got []string
	for range 6 {
		got = append(got, spotText(m.content.at)+": "+names(m))
		uitest.Press(m, "[")
	}
	want := []string{
		"iteration 7: train_step\n", "after iteration 6: evaluate\n", "iteration 6: train_step\n",
		"iteration 5: train_step\n", "before the first step: model_init\n", "before the first step: model_init\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("backwards (-want +got):\n%s", diff)
	}
	if m.note != "nothing before this" {
		t.Errorf("at the beginning it says %q", m.note)
	}
	got = nil
	for range 6 {
		uitest.Press(m, "]")
		got = append(got, spotText(m.content.at)+": "+names(m))
	}
	want = []string{
		"iteration 5: train_step\n", "iteration 6: train_step\n", "after iteration 6: evaluate\n",
		"iteration 7: train_step\n", "unfinished, after iteration 7: data.next\n", "unfinished, after iteration 7: data.next\n",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("forwards (-want +got):\n%s", diff)
	}
	if m.note != "this is the newest" {
		t.Errorf("at the end it says %q", m.note)
	}
}

func TestFirstAndNewest(t *testing.T) {
	m := open(t, walker(t), "")
	if uitest.Press(m, "{"); m.content.at.iteration != 5 {
		t.Errorf("{ leads to %+v", m.content.at)
	}
	if got := m.behind(); got != 2 {
		t.Errorf("%d newer, want 2", got)
	}
	if uitest.Press(m, "}"); m.content.at.iteration != 7 {
		t.Errorf("} leads to %+v", m.content.at)
	}
}

// TestNoEmptyTailInFiles: nothing will come after the last step of a file.
func TestNoEmptyTailInFiles(t *testing.T) {
	f := newFeed(t)
	f.Store = store.New(store.Config{Files: true})
	f.send(trainer(0), f.mk("train_step", 0, sec, uitest.Int("megatron.iteration", 1)))
	m := open(t, f.Store, "")
	if uitest.Press(m, "]"); m.content.at.kind != atStep || m.note == "" {
		t.Errorf("at %+v, note %q", m.content.at, m.note)
	}
}

func TestProcessWithoutSteps(t *testing.T) {
	f := newFeed(t)
	service := []run.Attr{uitest.Text("service.name", "gateway"), uitest.Text("service.instance.id", "gw-1")}
	f.send(service, f.mk("chat", 0, sec), f.mk("embed", sec, 3*sec))
	m := open(t, f.Store, "")
	if got := names(m); got != "chat\nembed\n" {
		t.Errorf("rows:\n%s", got)
	}
	if m.content.at.kind != whole || m.extent().long() != float64(3*sec) {
		t.Errorf("at %+v, %v", m.content.at, m.extent())
	}
	for _, k := range []string{"[", "]", "{"} {
		if uitest.Press(m, k); m.note == "" {
			t.Errorf("%s says nothing", k)
		}
	}
}

// TestManySpansWithoutSteps shows the newest and says how many it left out.
func TestManySpansWithoutSteps(t *testing.T) {
	f := newFeed(t)
	service := []run.Attr{uitest.Text("service.name", "gateway")}
	const more = 123
	var batch []run.Span
	for i := range uint64(maxWhole + more) {
		batch = append(batch, f.mk("chat", i*ms, i*ms+ms))
	}
	f.send(service, batch...)
	m := open(t, f.Store, "")
	if m.content.total != maxWhole || m.content.cut != more {
		t.Errorf("%d shown, %d left out", m.content.total, m.content.cut)
	}
}
