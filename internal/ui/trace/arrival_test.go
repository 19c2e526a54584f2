package tracescreen

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// forest is spans of one trace with random parents among those before them.
func forest(f *feed, dice *rand.Rand, n int) []run.Span {
	all := []run.Span{f.mk("root", 0, 100*sec)}
	for i := 1; i < n; i++ {
		parent := all[dice.IntN(len(all))]
		from := uint64(dice.IntN(99)) * sec
		s := under(parent, f.mk(fmt.Sprint("op-", i), from, from+sec))
		if dice.IntN(10) == 0 {
			s.Status = run.StatusError
		}
		all = append(all, s)
	}
	return all
}

// TestPictureDoesNotDependOnArrival: spans in any order, with the screen looking
// on and its cursor moving, end in the same picture, and the cursor never leaves
// its span.
func TestPictureDoesNotDependOnArrival(t *testing.T) {
	dice := rand.New(rand.NewPCG(15, 16))
	for range 10 {
		f := newFeed(t)
		all := forest(f, dice, 40)
		f.send(trainer(0), all...)
		want := text(openTrace(t, f.Store, uitest.TraceID(1)))

		dice.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		f = newFeed(t)
		f.send(trainer(0), all[0])
		m := openTrace(t, f.Store, uitest.TraceID(1))
		for _, s := range all[1:] {
			uitest.Press(m, []string{"j", "k", "G", "g"}[dice.IntN(4)])
			name := m.focusName()
			f.send(trainer(0), s)
			uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
			if got := m.focusName(); got != name {
				t.Fatalf("the cursor went from %s to %s when %s came", name, got, s.Name)
			}
		}
		uitest.Press(m, "g")
		if diff := cmp.Diff(want, text(m)); diff != "" {
			t.Fatalf("picture (-at once +one by one):\n%s", diff)
		}
	}
}

// TestCursorStaysInItsLine while rows come above it.
func TestCursorStaysInItsLine(t *testing.T) {
	f := newFeed(t)
	root := f.mk("root", 0, 1000*sec)
	kids := []run.Span{root}
	for i := range uint64(100) {
		kids = append(kids, under(root, f.mk(fmt.Sprint("late-", i), 500*sec+i*sec, 501*sec+i*sec)))
	}
	f.send(trainer(0), kids...)
	m := openTrace(t, f.Store, root.TraceID)
	m.SetSize(80, 22)
	uitest.Press(m, "pgdown", "pgdown", "k", "k", "k")
	at, _ := line(t, m)
	name := m.focusName()
	for i := range uint64(30) {
		f.send(trainer(0), under(root, f.mk("early", i*sec, i*sec+sec)))
		uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
		if now, _ := line(t, m); now != at || m.focusName() != name {
			t.Fatalf("after %d: %s in line %d, was %s in line %d", i, m.focusName(), now, name, at)
		}
	}
}

// TestErrorsBelowAgainstCounting checks the sums over subtrees.
func TestErrorsBelowAgainstCounting(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), forest(f, rand.New(rand.NewPCG(17, 18)), 300)...)
	m := openTrace(t, f.Store, uitest.TraceID(1))
	l := &m.content.lanes[0]
	for i := range l.tree.Nodes {
		want := 0
		for k := i + 1; k < l.tree.Nodes[i].SubtreeEnd; k++ {
			if l.tree.Nodes[k].SpanMarks.Has(run.Failed) {
				want++
			}
		}
		if got := l.errorsBelow(i); got != want {
			t.Fatalf("node %d: %d errors below it, want %d", i, got, want)
		}
		if l.leaf(i) != (l.tree.Nodes[i].Children == 0) {
			t.Fatalf("node %d leaf: %v", i, l.leaf(i))
		}
	}
}

// TestSeekVisitsAll: n goes through everything that is found, once, in order.
func TestSeekVisitsAll(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), forest(f, rand.New(rand.NewPCG(19, 20)), 200)...)
	m := openTrace(t, f.Store, uitest.TraceID(1))
	var want []string
	for i := range m.content.lanes[0].tree.Nodes {
		if n := m.content.node(0, i); n.SpanMarks.Has(run.Failed) {
			want = append(want, n.Name())
		}
	}
	uitest.Press(m, "O") // folded
	var got []string
	for range want {
		uitest.Press(m, "x")
		got = append(got, m.focusName())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("e (-want +got):\n%s", diff)
	}
	for i := range want {
		uitest.Press(m, "ctrl+x")
		if name := want[(2*len(want)-2-i)%len(want)]; m.focusName() != name {
			t.Fatalf("E: on %s, want %s", m.focusName(), name)
		}
	}
}
