package tracescreen

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// family is a trace of three levels: two phases of two ops each.
func family(t testing.TB) *store.Store {
	f := newFeed(t)
	root := f.mk("step", 0, 10*sec)
	all := []run.Span{root}
	for p := range uint64(2) {
		phase := under(root, f.mk(fmt.Sprint("phase-", p), p*5*sec, p*5*sec+4*sec))
		all = append(all, phase)
		for o := range uint64(2) {
			op := under(phase, f.mk(fmt.Sprintf("op-%d-%d", p, o), p*5*sec+o*sec, p*5*sec+o*sec+sec))
			if p == 1 && o == 1 {
				op.Status = run.StatusError
			}
			all = append(all, op)
		}
	}
	f.send(trainer(0), all...)
	return f.Store
}

func TestFolding(t *testing.T) {
	m := openTrace(t, family(t), uitest.TraceID(1))
	for _, test := range []struct{ keys, want, cursor string }{
		{"", "step\n  phase-0\n    op-0-0\n    op-0-1\n  phase-1\n    op-1-0\n    op-1-1\n", "step"},
		{"j h", "step\n  phase-0\n  phase-1\n    op-1-0\n    op-1-1\n", "phase-0"},
		{"l", "step\n  phase-0\n    op-0-0\n    op-0-1\n  phase-1\n    op-1-0\n    op-1-1\n", "phase-0"},
		{"l", "step\n  phase-0\n    op-0-0\n    op-0-1\n  phase-1\n    op-1-0\n    op-1-1\n", "op-0-0"},
		{"h", "step\n  phase-0\n    op-0-0\n    op-0-1\n  phase-1\n    op-1-0\n    op-1-1\n", "phase-0"},
		{"G o", "step\n  phase-0\n    op-0-0\n    op-0-1\n  phase-1\n    op-1-0\n    op-1-1\n", "op-1-1"},
		{"h o", "step\n  phase-0\n    op-0-0\n    op-0-1\n  phase-1\n", "phase-1"},
		{"h h", "step\n", "step"},
		{"l", "step\n  phase-0\n    op-0-0\n    op-0-1\n  phase-1\n", "step"},
		{"O", "step\n", "step"},
		{"l", "step\n  phase-0\n  phase-1\n", "step"},
		{"O", "step\n", "step"},
		{"O", "step\n  phase-0\n    op-0-0\n    op-0-1\n  phase-1\n    op-1-0\n    op-1-1\n", "step"},
	} {
		uitest.Press(m, strings.Fields(test.keys)...)
		if diff := cmp.Diff(test.want, names(m)); diff != "" {
			t.Errorf("after %q (-want +got):\n%s", test.keys, diff)
		}
		if got := m.focusName(); got != test.cursor {
			t.Errorf("after %q the cursor is on %q, want %q", test.keys, got, test.cursor)
		}
	}
}

// TestFoldsOutliveNewData: what is folded stays folded, by identity.
func TestFoldsOutliveNewData(t *testing.T) {
	f := newFeed(t)
	root := f.mk("step", 0, 10*sec)
	a := under(root, f.mk("a", 0, sec))
	f.send(trainer(0), root, a, under(a, f.mk("inside", 0, ms)))
	m := openTrace(t, f.Store, root.TraceID)
	uitest.Press(m, "j", "o")
	f.send(trainer(0), under(root, f.mk("before", 0, 9*sec)), under(a, f.mk("more", ms, 2*ms)))
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if want := "step\n  before\n  a\n"; names(m) != want {
		t.Errorf("rows:\n%swant:\n%s", names(m), want)
	}
	uitest.Press(m, "O", "O", "O")
	f.send(trainer(0), under(root, f.mk("last", 9*sec, 10*sec)))
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), ""))
	if want := "step\n"; names(m) != want {
		t.Errorf("with all folded:\n%s", names(m))
	}
}

func TestFoldedRowsSayWhatIsInside(t *testing.T) {
	m := openTrace(t, family(t), uitest.TraceID(1))
	uitest.Press(m, "j", "j", "j", "j", "o")
	if cell := m.rows.Cell(4, "span"); !strings.HasSuffix(cell.Text, "phase-1 +2 1x") {
		t.Errorf("folded phase-1: %q", cell.Text)
	}
	if cell := m.rows.Cell(1, "span"); !strings.HasSuffix(cell.Text, "- phase-0") {
		t.Errorf("phase-0: %q", cell.Text)
	}
}

// TestRowsAgreeWithTheTree checks folding against the plain definition: a row is
// shown unless something above it is folded.
func TestRowsAgreeWithTheTree(t *testing.T) {
	s := simulated(t, small(), 6*time.Second)
	m := open(t, s, "")
	dice := rand.New(rand.NewPCG(1, 2))
	nodes := m.content.lanes[0].tree.Nodes
	for range 200 {
		i := dice.IntN(len(nodes))
		if m.foldable(0, i) {
			m.setFold(0, i, dice.IntN(2) == 0)
		}
		var want []rowAt
		for i := range nodes {
			shown := true
			for p := nodes[i].Parent; p >= 0; p = nodes[p].Parent {
				shown = shown && !m.folds.folded(0, p)
			}
			if shown {
				want = append(want, rowAt{0, int32(i)})
			}
		}
		if diff := cmp.Diff(want, m.rows.list, cmp.AllowUnexported(rowAt{})); diff != "" {
			t.Fatalf("rows (-want +got):\n%s", diff)
		}
	}
}

func TestKeysAreIdentities(t *testing.T) {
	m := pressed(open(t, simulated(t, small(), 6*time.Second), ""), "v", "O")
	seen := map[string]bool{}
	for i := range m.rows.Len() {
		key := m.rows.Key(i)
		if seen[key] {
			t.Errorf("row %d has the key of another", i)
		}
		seen[key] = true
		if at, ok := m.rows.Find(key); !ok || at != i {
			t.Errorf("row %d is found at %d, %v", i, at, ok)
		}
	}
	if _, ok := m.rows.Find(strings.Repeat("\xff", 32)); ok {
		t.Error("a key of nothing was found")
	}
}

func TestIndentationIsCapped(t *testing.T) {
	for _, cells := range []int{minSpan, 30, 40, maxSpan} {
		for _, depth := range []int{0, 1, 5, 20, 100, 14_999, 99_999} {
			got := indent(depth, cells)
			if left := cells - draw.Width(got) - foldCells; left < minName {
				t.Errorf("depth %d in %d cells leaves %d to the name", depth, cells, left)
			}
			if depth > cells && strings.TrimSpace(got) != fmt.Sprint(depth) {
				t.Errorf("depth %d in %d cells is %q", depth, cells, got)
			}
		}
	}
}

func TestArrange(t *testing.T) {
	for total := range 400 {
		for _, ranks := range []bool{false, true} {
			w := arrange(total, ranks)
			used, columns := gutter-1, w.columns(draw.Spaces(w.bar))
			for _, c := range columns {
				used += c.Min + 1
			}
			if used > total && total >= 40 {
				t.Fatalf("%d cells: columns take %d: %+v", total, used, w)
			}
			if total >= 40 && w.span < minSpan {
				t.Errorf("%d cells: the span column has %d", total, w.span)
			}
			if w.bar > 0 && w.bar < minBar {
				t.Errorf("%d cells: a bar of %d", total, w.bar)
			}
		}
	}
	if w := arrange(80, false); w.bar < 30 {
		t.Errorf("at 80 cells bars have %d", w.bar)
	}
}
