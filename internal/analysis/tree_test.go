package analysis

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// outline writes a tree as indented names with marks.
func outline(t *Tree) string {
	words := []string{"orphan", "early", "other-host", "other-process", "cycle", "open", "no-time", "outside"}
	var b strings.Builder
	for i := range t.Nodes {
		n := &t.Nodes[i]
		fmt.Fprintf(&b, "%s%s", strings.Repeat("  ", n.Depth), n.Name())
		for k, w := range words {
			if n.Marks.Has(1 << k) {
				b.WriteString(" [" + w + "]")
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// check looks for what must hold in any tree.
func check(t testing.TB, tr *Tree) {
	t.Helper()
	roots := 0
	kids := make([]int, len(tr.Nodes))
	for i := range tr.Nodes {
		n := &tr.Nodes[i]
		switch {
		case n.Parent < 0:
			roots++
			if n.Depth != 0 {
				t.Fatalf("node %d at top level has depth %d", i, n.Depth)
			}
		case n.Parent >= i || tr.Nodes[n.Parent].Depth != n.Depth-1 || tr.Nodes[n.Parent].SubtreeEnd < n.SubtreeEnd:
			t.Fatalf("node %d is not inside its parent %d", i, n.Parent)
		default:
			kids[n.Parent]++
		}
		if n.SubtreeEnd <= i || n.SubtreeEnd > len(tr.Nodes) {
			t.Fatalf("node %d ends at %d", i, n.SubtreeEnd)
		}
		if n.SubtreeEnd < len(tr.Nodes) && tr.Nodes[n.SubtreeEnd].Depth > n.Depth {
			t.Fatalf("the subtree of node %d goes on after %d", i, n.SubtreeEnd)
		}
	}
	for i, k := range kids {
		if tr.Nodes[i].Children != k {
			t.Fatalf("node %d has %d children, says %d", i, k, tr.Nodes[i].Children)
		}
	}
	if roots != tr.Roots {
		t.Fatalf("%d at top level, says %d", roots, tr.Roots)
	}
}

func (f *feed) tree(id run.TraceID) *Tree {
	f.Helper()
	tr := TraceTree(f.Snapshot(), id)
	check(f, tr)
	return tr
}

func permutations(n int) [][]int {
	if n == 0 {
		return [][]int{{}}
	}
	var out [][]int
	for _, p := range permutations(n - 1) {
		for at := 0; at <= len(p); at++ {
			q := append(append(append([]int{}, p[:at]...), n-1), p[at:]...)
			out = append(out, q)
		}
	}
	return out
}

// TestAllOrdersOfArrival sends root, child and grandchild in all six orders.
func TestAllOrdersOfArrival(t *testing.T) {
	want := "train\n  step\n    forward\n"
	for _, order := range permutations(3) {
		f := newFeed(t)
		root := f.mk("train", 0, 10*sec)
		child := under(root, f.mk("step", sec, 5*sec))
		all := []run.Span{root, child, under(child, f.mk("forward", 2*sec, 3*sec))}
		for k, i := range order {
			f.spans(trainer(0, 1), all[i])
			tr := f.tree(root.TraceID)
			rootThere := false
			for _, j := range order[:k+1] {
				rootThere = rootThere || j == 0
			}
			if tr.RootMissing() == rootThere {
				t.Errorf("order %v after %d: root missing %v", order, k+1, tr.RootMissing())
			}
			if strings.HasSuffix(tr.Title(), "(root not received)") == rootThere {
				t.Errorf("order %v after %d: title %q", order, k+1, tr.Title())
			}
		}
		tr := f.tree(root.TraceID)
		if diff := cmp.Diff(want, outline(tr)); diff != "" || tr.Title() != "train" {
			t.Errorf("order %v: title %q\n%s", order, tr.Title(), diff)
		}
	}
}

func TestRootThatNeverComes(t *testing.T) {
	f := newFeed(t)
	root := f.mk("train", 0, 10*sec)
	a := under(root, f.mk("step", sec, 2*sec))
	f.spans(trainer(0, 1), under(root, f.mk("later", 3*sec, 4*sec)), under(a, f.mk("forward", sec, 2*sec)), a)
	tr := f.tree(root.TraceID)
	want := "step [orphan]\n  forward\nlater [orphan]\n"
	if diff := cmp.Diff(want, outline(tr)); diff != "" {
		t.Error(diff)
	}
	if tr.Title() != "step (root not received)" || tr.Orphans != 2 {
		t.Errorf("title %q, %d orphans", tr.Title(), tr.Orphans)
	}
	if got := tr.Nodes[0].Remarks(); len(got) != 1 || got[0] != "its parent "+root.ID.String()+" was not received" {
		t.Errorf("remarks %q", got)
	}
}

// TestSameIDsOnTwoRanks is two ranks with one seed: each child belongs under the
// root of its own process.
func TestSameIDsOnTwoRanks(t *testing.T) {
	f := newFeed(t)
	root := f.mk("root", 0, sec)
	child := under(root, f.mk("child", 100*ms, 900*ms))
	f.spans(trainer(0, 2), root, child)
	root.End, child.End = t0+1500*ms, t0+1400*ms
	f.spans(trainer(1, 2), child, root)
	tr := f.tree(root.TraceID)
	if diff := cmp.Diff("root\n  child\nroot\n  child\n", outline(tr)); diff != "" {
		t.Error(diff)
	}
	for i := range tr.Nodes {
		if n := &tr.Nodes[i]; n.Parent >= 0 && tr.Nodes[n.Parent].Process != n.Process {
			t.Errorf("a child of process %d is under process %d", n.Process, tr.Nodes[n.Parent].Process)
		}
	}
	counts := TraceCounts(f.Snapshot())
	if len(counts.Shared) != 1 || counts.Shared[0].Spans != 2 || !cmp.Equal(counts.Shared[0].Processes, []int{0, 1}) {
		t.Errorf("shared ids: %+v", counts.Shared)
	}
}

func TestClockSkewIsMarkedNotCorrected(t *testing.T) {
	f := newFeed(t)
	root := f.mk("step", 2*sec, 12*sec)
	child := under(root, f.mk("child", 0, 5*sec))
	f.spans(trainer(0, 2, str("host.name", "nodeA")), root)
	f.spans(trainer(1, 2, str("host.name", "nodeB")), child)
	tr := f.tree(root.TraceID)
	if tr.From != t0 || tr.To != t0+12*sec || tr.Early != 1 {
		t.Errorf("window %d … %d, %d early", tr.From-t0, tr.To-t0, tr.Early)
	}
	n := &tr.Nodes[1]
	if n.Start != child.Start || n.End != child.End || n.Lag != 2*sec {
		t.Errorf("child %d … %d, lag %d", n.Start-t0, n.End-t0, n.Lag)
	}
	if diff := cmp.Diff([]string{"starts 2 s before its parent (other host: clock skew?)"}, n.Remarks()); diff != "" {
		t.Error(diff)
	}
}

func TestOpenSpanLastsAtLeastAsLongAsWhatIsBeneath(t *testing.T) {
	f := newFeed(t)
	job := f.mk("job", 0, 0)
	job.End = 0
	f.spans(trainer(0, 1), job)
	for i := range uint64(50) {
		f.spans(trainer(0, 1), under(job, f.mk("train_step", i*sec, (i+1)*sec)))
	}
	tr := f.tree(job.TraceID)
	n := &tr.Nodes[0]
	if d, ok := n.Duration(); !ok || d != 50*sec || !n.Marks.Has(StillOpen) {
		t.Errorf("duration %d, %v", d, ok)
	}
	if diff := cmp.Diff([]string{"open since 08:53:20, ≥ 50 s"}, n.Remarks()); diff != "" {
		t.Error(diff)
	}
	job.End = t0 + 60*sec
	f.spans(trainer(0, 1), job)
	tr = f.tree(job.TraceID)
	if n := &tr.Nodes[0]; n.Marks.Has(StillOpen) || n.End != job.End || len(tr.Nodes) != 51 {
		t.Errorf("the closed job: %+v of %d nodes", n, len(tr.Nodes))
	}
}

func TestImpossibleTimesHaveNoBar(t *testing.T) {
	f := newFeed(t)
	root := f.mk("root", 0, 10*sec)
	f.spans(trainer(0, 1), root)
	for _, s := range []struct {
		name       string
		start, end uint64
	}{
		{"reversed", t0 + sec, t0 + sec - 1},
		{"zero", 0, t0},
		{"huge", 18446744073709551615, t0 + sec},
		{"millis", 1760000000000, 1760000001000},
	} {
		sp := under(root, f.mk(s.name, 0, 0))
		sp.Start, sp.End = s.start, s.end
		f.spans(trainer(0, 1), sp)
	}
	tr := f.tree(root.TraceID)
	if tr.From != t0 || tr.To != t0+10*sec {
		t.Errorf("window %d … %d, want 10 s", tr.From, tr.To)
	}
	if len(tr.Nodes) != 5 {
		t.Fatalf("%d nodes: %s", len(tr.Nodes), outline(tr))
	}
	for i := range tr.Nodes {
		n := &tr.Nodes[i]
		if n.Name() == "root" {
			continue
		}
		if _, ok := n.Duration(); ok || !n.Marks.Has(NoTime) {
			t.Errorf("%s has a duration", n.Name())
		}
		if r := n.Remarks(); len(r) == 0 || !strings.Contains(strings.Join(r, "; "), fmt.Sprint(n.End)) {
			t.Errorf("%s: remarks %q do not show the raw numbers", n.Name(), r)
		}
	}
}

func TestCyclesAreBroken(t *testing.T) {
	f := newFeed(t)
	a, b, c := f.mk("a", 0, sec), f.mk("b", ms, sec), f.mk("c", 2*ms, sec)
	a.Parent, b.Parent, c.Parent = c.ID, a.ID, b.ID
	self := f.mk("self", 0, sec)
	self.Parent = self.ID
	leaf := under(c, f.mk("leaf", 0, sec))
	want := "a [cycle]\n  b\n    c\n      leaf [early]\nself [cycle]\n"
	for _, order := range permutations(5) {
		g := newFeed(t)
		all := []run.Span{a, b, c, self, leaf}
		for _, i := range order {
			g.spans(trainer(0, 1), all[i])
		}
		tr := g.tree(a.TraceID)
		if diff := cmp.Diff(want, outline(tr)); diff != "" || tr.Cycles != 2 {
			t.Fatalf("order %v: %d cycles\n%s", order, tr.Cycles, diff)
		}
		if n := TraceCounts(g.Snapshot()); n.Cycles != 2 || n.Orphans != 0 {
			t.Fatalf("%+v", n)
		}
	}
	f.spans(trainer(0, 1), a)
}

func TestParentElsewhere(t *testing.T) {
	f := newFeed(t)
	root := f.mk("launch", 0, 10*sec)
	f.spans(trainer(0, 2), root)
	f.spans(trainer(1, 2), under(root, f.mk("same run", 0, sec)))
	f.spans([]run.Attr{str("service.name", "gateway")}, under(root, f.mk("other run", 2*sec, 3*sec)))
	tr := f.tree(root.TraceID)
	want := "launch\n  same run [other-process]\n  other run [other-host] [other-process]\n"
	if diff := cmp.Diff(want, outline(tr)); diff != "" {
		t.Error(diff)
	}
}

// random makes a forest with everything odd in it.
func random(f *feed, rng *rand.Rand, n int) []run.Span {
	var all []run.Span
	for i := range n {
		from := rng.Uint64N(uint64(n)) * ms
		s := f.mk(fmt.Sprint("s", i), from, from+rng.Uint64N(1e9))
		switch rng.IntN(10) {
		case 0:
			s.Parent = spanID(1e9 + uint64(i)) // never received
		case 1:
			s.Parent = spanID(rng.Uint64N(uint64(n)) + 1) // perhaps later, perhaps a cycle
		case 2: // a root
		default:
			if len(all) > 0 {
				s.Parent = all[rng.IntN(len(all))].ID
			}
		}
		all = append(all, s)
	}
	return all
}

func TestAnyForestInAnyOrder(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 7))
		f := newFeed(t)
		all := random(f, rng, 200)
		f.spans(trainer(0, 1), all...)
		first := f.tree(traceID(1))
		counts := TraceCounts(f.Snapshot())
		if len(first.Nodes) != len(all) || counts.Orphans != first.Orphans || counts.Cycles != first.Cycles {
			t.Fatalf("seed %d: %d nodes, %d orphans, %d cycles; %+v", seed, len(first.Nodes), first.Orphans, first.Cycles, counts)
		}
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		g := newFeed(t)
		g.spans(trainer(0, 1), all...)
		if diff := cmp.Diff(outline(first), outline(g.tree(traceID(1)))); diff != "" {
			t.Fatalf("seed %d: another order of arrival gives another tree\n%s", seed, diff)
		}
	}
}

func TestIterationTree(t *testing.T) {
	f := newFeed(t)
	job := f.mk("job", 0, 100*sec)
	for i := range uint64(5) {
		for rank := range 2 {
			step := under(job, f.mk("megatron.train_step", i*sec, (i+1)*sec, num("megatron.iteration", int64(i))))
			fb := under(step, f.mk("megatron.forward_backward", i*sec, i*sec+600*ms))
			f.spans(trainer(rank, 2), fb, under(step, f.mk("megatron.optimizer", i*sec+600*ms, (i+1)*sec)), step)
		}
	}
	f.spans(trainer(0, 2), job)
	s, r := f.look()
	var w store.Window
	for _, v := range r.Windows(0) {
		if v.Iteration == 3 {
			w = v
		}
	}
	tr := IterationTree(s, r, []int{0, 1}, w)
	check(t, tr)
	step := "  megatron.train_step\n    megatron.forward_backward\n    megatron.optimizer\n"
	want := "job [outside]\n" + step + strings.ReplaceAll(step, "train_step", "train_step [other-process]")
	if diff := cmp.Diff(want, outline(tr)); diff != "" {
		t.Error(diff)
	}
	if tr.From != w.Start || tr.To != w.End || len(IterationTree(s, r, []int{0}, store.Window{}).Nodes) != 0 {
		t.Errorf("window %d … %d", tr.From, tr.To)
	}
}

func TestSpanWords(t *testing.T) {
	for ns, want := range map[uint64]string{
		0: "0 ns", 999: "999 ns", 1500: "1.5 µs", 2 * ms: "2 ms", 12_345_678: "12.3 ms",
		90 * sec: "90 s", 7200 * sec: "120 min", 1234 * ms: "1.23 s",
	} {
		if got := span(ns); got != want {
			t.Errorf("span(%d) = %q, want %q", ns, got, want)
		}
	}
}

func deepAndWide(t testing.TB, depth, width int) (*feed, run.TraceID) {
	f := newFeed(t)
	root := f.mk("root", 0, 100*sec)
	all := []run.Span{root}
	at := root
	for range depth {
		at = under(at, f.mk("deep", 0, sec))
		all = append(all, at)
	}
	for i := range width {
		all = append(all, under(root, f.mk("wide", uint64(i), sec)))
	}
	for len(all) > 0 {
		n := min(len(all), 5000)
		f.spans(trainer(0, 1), all[:n]...)
		all = all[n:]
	}
	return f, root.TraceID
}

func TestDeepAndWide(t *testing.T) {
	f, id := deepAndWide(t, 15_000, 100_000)
	tr := f.tree(id)
	deepest := 0
	for i := range tr.Nodes {
		deepest = max(deepest, tr.Nodes[i].Depth)
	}
	if len(tr.Nodes) != 115_001 || deepest != 15_000 || tr.Nodes[0].Children != 100_001 || tr.Nodes[0].SubtreeEnd != 115_001 {
		t.Errorf("%d nodes, %d deep, %d children", len(tr.Nodes), deepest, tr.Nodes[0].Children)
	}
}

func BenchmarkTree200k(b *testing.B) {
	f, id := deepAndWide(b, 15_000, 185_000)
	s := f.Snapshot()
	b.ReportAllocs()
	for b.Loop() {
		TraceTree(s, id)
	}
}
