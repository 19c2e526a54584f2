package tracescreen

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// ranksShown is the ranks of the lanes.
func ranksShown(m *Model) []int {
	var out []int
	for i := range m.content.lanes {
		out = append(out, m.content.in.Processes[m.content.lanes[i].process].ID.Rank)
	}
	return out
}

// TestPeers goes through them: ranks 0 … 7 are tp 2, dp 2, pp 2.
func TestPeers(t *testing.T) {
	m := open(t, simulated(t, small(), 6*time.Second), "")
	uitest.Press(m, "J", "J", "J")
	for _, want := range [][]int{{3}, {1, 3}, {3, 7}, {2, 3}, {0, 1, 2, 3, 4, 5, 6, 7}, {3}} {
		if diff := cmp.Diff(want, ranksShown(m)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", m.content.question.peers, diff)
		}
		uitest.Press(m, "v")
	}
}

// TestPeersThatTheFilterLeaves shows what matches and says what it shows.
func TestPeersThatTheFilterLeaves(t *testing.T) {
	m := open(t, simulated(t, small(), 6*time.Second), "rank in (1, 4, 6)")
	uitest.Press(m, "v")
	if diff := cmp.Diff([]int{1, 4, 6}, ranksShown(m)); diff != "" {
		t.Errorf("ranks (-want +got):\n%s", diff)
	}
	if got := text(m); !strings.Contains(got, "3 ranks  iteration") || !strings.Contains(got, "ranks that the filter leaves, by rank") {
		t.Errorf("it does not say what is shown:\n%s", got)
	}
	if got := strings.Count(names(m), "["); got != 3 {
		t.Errorf("%d lanes in\n%s", got, names(m))
	}
}

func TestOneRankHasNoPeers(t *testing.T) {
	m := open(t, uitest.Store(t, uitest.Training{Run: "r", Ranks: 1, Steps: 3, Slow: -1}), "")
	if uitest.Press(m, "v"); m.note != "no other rank to show beside this one" || len(m.content.lanes) != 1 {
		t.Errorf("note %q, %d lanes", m.note, len(m.content.lanes))
	}
	if uitest.Press(m, "c"); m.note == "" {
		t.Error("c with one rank says nothing")
	}
}

// TestLanesAreBounded: 64 of 1,024 with the chosen one among them, and it says so.
func TestLanesAreBounded(t *testing.T) {
	s := uitest.Store(t, uitest.Training{Run: "big", Ranks: 1024, Steps: 2, Slow: -1})
	m := open(t, s, "")
	uitest.Press(m, "v", "v", "v", "v")
	for range 100 {
		uitest.Press(m, "J")
	}
	shown := ranksShown(m)
	if len(shown) != maxLanes || shown[0] != 68 || !slices.Contains(shown, 100) {
		t.Errorf("lanes %v", shown)
	}
	if got := text(m); !strings.Contains(got, "all ranks: 64 of 1,024, by rank") {
		t.Errorf("it does not say what is shown:\n%s", got)
	}
}

// TestLanesUnfold: a lane opens to its spans, and closes again.
func TestLanesUnfold(t *testing.T) {
	m := open(t, uitest.Store(t, uitest.Training{Run: "r", Ranks: 4, Steps: 3, Slow: -1}), "")
	uitest.Press(m, "v", "j", "enter")
	want := "[rank 0]\n[rank 2]\nmegatron.train.iteration\n  megatron.forward_backward\n  megatron.grad_sync.finish\n"
	if diff := cmp.Diff(want, names(m)); diff != "" {
		t.Errorf("rank 2 unfolded (-want +got):\n%s", diff)
	}
	uitest.Press(m, "O")
	if diff := cmp.Diff("[rank 0]\n[rank 2]\n", names(m)); diff != "" {
		t.Errorf("all folded (-want +got):\n%s", diff)
	}
	uitest.Press(m, "O")
	if got := strings.Count(names(m), "forward_backward"); got != 2 {
		t.Errorf("all unfolded:\n%s", names(m))
	}
}

// TestLanesOfClocksApart: where clocks are further apart than half a step, ranks
// count from their own starts, and it says so. No time is altered.
func TestLanesOfClocksApart(t *testing.T) {
	c := small()
	c.HostSkew = 5 * time.Second
	m := open(t, simulated(t, c, 12*time.Second), "")
	uitest.Press(m, "v", "v")
	if len(m.content.lanes) != 2 || m.content.apart() < m.content.longest()/2 {
		t.Fatalf("lanes %v, %v ns apart", ranksShown(m), m.content.apart())
	}
	if !m.time.aligned(m.content) || !strings.Contains(text(m), "each from its own start") {
		t.Errorf("ranks are by clock:\n%s", text(m))
	}
	for k := range m.content.lanes {
		if m.rows.origins[k] != m.content.lanes[k].window.Start {
			t.Errorf("lane %d counts from %d", k, m.rows.origins[k])
		}
	}
	uitest.Press(m, "c")
	if m.time.aligned(m.content) || m.rows.origins[0] != m.rows.origins[1] || m.extent().long() < m.content.apart() {
		t.Errorf("by clock: origins %v, %v", m.rows.origins, m.extent())
	}
	if uitest.Press(m, "c"); !m.time.aligned(m.content) {
		t.Error("c twice is not back")
	}
}

// TestRankThatIsBehind: in the lanes of an iteration that one has not finished it
// says so; in the unfinished one it stands where it is.
func TestRankThatIsBehind(t *testing.T) {
	f := newFeed(t)
	for rank := range 2 {
		for n := range 4 - rank*2 {
			from := uint64(n) * sec
			f.send(trainer(rank, uitest.Int("dl.tensor_parallel.size", 2), uitest.Int("dl.pipeline_parallel.size", 1), uitest.Int("dl.data_parallel.size", 2)),
				f.mk("train_step", from, from+sec, uitest.Int("megatron.iteration", n)))
		}
	}
	m := open(t, f.Store, "")
	uitest.Press(m, "v")
	cell := m.rows.Cell(len(m.rows.list)-1, "bar")
	if !strings.Contains(cell.Text, "iteration 3 not finished") {
		t.Errorf("the lane of rank 1 says %q", cell.Text)
	}
	uitest.Press(m, "]")
	if at := m.content.lanes[1].at; at.kind != tail || at.iteration != 1 {
		t.Errorf("rank 1 stands %+v", at)
	}
}

// TestHungRankEndsFirst: its lane of the unfinished step is the one that stops.
func TestHungRankEndsFirst(t *testing.T) {
	c := small()
	c.Faults = []simulate.Fault{simulate.Hang{Rank: 5, Iteration: 5, Within: 2}}
	m := open(t, simulated(t, c, 20*time.Second), "rank=5")
	uitest.Press(m, "]")
	if m.content.at.kind != tail {
		t.Fatalf("at %+v", m.content.at)
	}
	uitest.Give(t, m, uitest.Data(t, m.data.Snapshot, ""))
	uitest.Press(m, "v", "v", "v", "v")
	ends := map[int]uint64{}
	for i := range m.content.lanes {
		ends[ranksShown(m)[i]] = m.content.lanes[i].window.End
	}
	for rank, end := range ends {
		if rank != 4 && rank != 5 && end < ends[5] {
			t.Errorf("rank %d ends %v before rank 5", rank, ends[5]-end)
		}
	}
}

func TestRankKeys(t *testing.T) {
	m := open(t, simulated(t, small(), 6*time.Second), "")
	if uitest.Press(m, "K"); m.note != "this is the first rank" {
		t.Errorf("note %q", m.note)
	}
	uitest.Press(m, "{")
	at := m.content.at
	uitest.Press(m, "J", "J")
	if got := ranksShown(m); got[0] != 2 || m.content.at.iteration != at.iteration {
		t.Errorf("rank %v at %+v", got, m.content.at)
	}
	for range 10 {
		uitest.Press(m, "J")
	}
	if got := ranksShown(m); got[0] != 7 || m.note != "this is the last rank" {
		t.Errorf("rank %v, note %q", got, m.note)
	}
}

// TestCursorKeepsItsOperation: from rank to rank and from step to step the cursor
// stays on the span of the same name.
func TestCursorKeepsItsOperation(t *testing.T) {
	c := small()
	c.EvalEvery, c.CheckpointEvery = 0, 0
	m := open(t, simulated(t, c, 12*time.Second), "")
	uitest.Press(m, "f", "grad_sync.finish", "enter")
	for _, k := range []string{"J", "[", "[", "J", "]"} {
		uitest.Press(m, k)
		if got := m.focusName(); got != "nv.mcore.grad_sync.finish" {
			t.Errorf("after %s: %q", k, got)
		}
	}
}

func TestAround(t *testing.T) {
	list := []int{}
	for i := range 10 {
		list = append(list, i*10)
	}
	for _, test := range []struct {
		at, n int
		want  string
	}{{0, 4, "[0 10 20 30]"}, {90, 4, "[60 70 80 90]"}, {50, 4, "[30 40 50 60]"}, {50, 20, fmt.Sprint(list)}} {
		if got := fmt.Sprint(around(list, test.at, test.n)); got != test.want {
			t.Errorf("%d around %d: %s, want %s", test.n, test.at, got, test.want)
		}
	}
}

func TestAlike(t *testing.T) {
	at := func(tp, pp, dp int) run.Coord { return run.Coord{TP: tp, PP: pp, DP: dp} }
	for _, test := range []struct {
		a, b  run.Coord
		which peers
		want  bool
	}{
		{at(0, 1, 2), at(1, 1, 2), tpPeers, true}, {at(0, 1, 2), at(1, 1, 3), tpPeers, false},
		{at(0, 1, 2), at(0, 3, 2), ppPeers, true}, {at(0, 1, 2), at(0, 1, 0), dpPeers, true},
		{at(0, 1, 2), at(3, 3, 3), matching, true}, {run.UnknownCoord(), run.UnknownCoord(), tpPeers, false},
	} {
		if got := alike(test.a, test.b, test.which); got != test.want {
			t.Errorf("%+v and %+v as %s: %v", test.a, test.b, test.which, got)
		}
	}
}
