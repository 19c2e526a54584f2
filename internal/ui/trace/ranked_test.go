package tracescreen

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// crowd is a run of processes with only what choosing looks at.
func crowd(ps ...store.Process) *store.Run {
	r := &store.Run{ID: "r", Attempts: []store.Attempt{{}, {}}}
	for i := range ps {
		ps[i].Index = i
		r.Processes = append(r.Processes, &ps[i])
	}
	return r
}

func trainerOf(rank, attempt int, grid, stepped bool) store.Process {
	return store.Process{ID: run.Identity{Role: "trainer", Rank: rank}, Attempt: attempt, Grid: grid, HasIteration: stepped,
		Spans: 1, Coord: run.UnknownCoord()}
}

func TestChoose(t *testing.T) {
	gateway := store.Process{ID: run.Identity{Role: "gateway", Rank: run.Unknown}, Spans: 9, Grid: true}
	for _, test := range []struct {
		name string
		of   *store.Run
		want int
	}{
		{"lowest rank with a step", crowd(trainerOf(2, 1, true, true), trainerOf(0, 1, true, false), trainerOf(1, 1, true, true)), 2},
		{"of the newest attempt", crowd(trainerOf(0, 0, true, true), trainerOf(1, 1, true, true)), 1},
		{"of an older one if need be", crowd(trainerOf(0, 0, true, true), trainerOf(1, 1, true, false)), 0},
		{"not the worker beside a rank", crowd(trainerOf(0, 1, false, true), trainerOf(0, 1, true, true)), 1},
		{"somebody with spans", crowd(store.Process{ID: run.Identity{Role: "a", Rank: run.Unknown}}, gateway), 1},
		{"somebody at all", crowd(store.Process{ID: run.Identity{Rank: run.Unknown}}), 0},
		{"nobody", crowd(), run.Unknown},
	} {
		if got := choose(test.of, ranked(test.of, uitest.Filter(t, "").Bind(test.of))); got != test.want {
			t.Errorf("%s: process %d, want %d", test.name, got, test.want)
		}
	}
}

// TestRankedDoesNotDependOnArrival: the order is that of roles and ranks.
func TestRankedDoesNotDependOnArrival(t *testing.T) {
	dice := rand.New(rand.NewPCG(11, 12))
	for range 50 {
		var ps []store.Process
		for rank := range 10 {
			ps = append(ps, trainerOf(rank, 1, true, true))
		}
		ps = append(ps, store.Process{ID: run.Identity{Role: "trainer", Rank: run.Unknown}})
		dice.Shuffle(len(ps), func(i, j int) { ps[i], ps[j] = ps[j], ps[i] })
		r := crowd(ps...)
		var got []int
		for _, i := range ranked(r, uitest.Filter(t, "").Bind(r)) {
			got = append(got, r.Processes[i].ID.Rank)
		}
		if diff := cmp.Diff([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, run.Unknown}, got); diff != "" {
			t.Fatalf("order (-want +got):\n%s", diff)
		}
	}
}

// TestBesideAgainstCounting: the peers of every rank of a 3×2×2 grid.
func TestBesideAgainstCounting(t *testing.T) {
	var ps []store.Process
	for rank := range 12 {
		p := trainerOf(rank, 1, true, true)
		p.Coord = run.Coord{TP: rank % 3, DP: rank / 3 % 2, PP: rank / 6}
		ps = append(ps, p)
	}
	r := crowd(ps...)
	among := ranked(r, uitest.Filter(t, "").Bind(r))
	for _, p := range among {
		for which, want := range map[peers]int{alone: 1, tpPeers: 3, dpPeers: 2, ppPeers: 2, matching: 12} {
			got := beside(r, p, which, among)
			if len(got) != want || !slices.Contains(got, p) || !slices.IsSorted(got) {
				t.Errorf("rank %d, %s: %v", p, which, got)
			}
		}
	}
}

// TestSiblingsAreNoPeers: a checkpoint worker that inherited its rank stands
// beside nobody, but can be looked at.
func TestSiblingsAreNoPeers(t *testing.T) {
	worker := trainerOf(1, 1, false, false)
	r := crowd(trainerOf(0, 1, true, true), trainerOf(1, 1, true, true), worker)
	among := ranked(r, uitest.Filter(t, "").Bind(r))
	if got := beside(r, 0, matching, among); len(got) != 2 {
		t.Errorf("beside rank 0: %v", got)
	}
	if got := beside(r, 2, matching, among); !slices.Contains(got, 2) {
		t.Errorf("beside the worker: %v", got)
	}
}

// TestRestartedRun shows the newest attempt, with the earlier one a key away.
func TestRestartedRun(t *testing.T) {
	f := newFeed(t)
	for attempt := range 2 {
		f.now += int64(60 * sec)
		from := uint64(attempt) * 60 * sec
		res := trainer(0, uitest.Text("nv.dl.run.uuid", fmt.Sprint("try-", attempt)), uitest.Int("process.pid", 100+attempt))
		for n := range 3 {
			f.send(res, f.mk("train_step", from+uint64(n)*sec, from+uint64(n+1)*sec, uitest.Int("megatron.iteration", n)))
		}
	}
	m := open(t, f.Store, "")
	if p := m.content.in.Processes[m.content.process]; p.Attempt != 1 || m.content.at.attempt != 1 {
		t.Errorf("attempt %d at %+v", p.Attempt, m.content.at)
	}
	uitest.Press(m, "{", "K")
	if p := m.content.in.Processes[m.content.process]; p.Attempt != 0 || m.content.at != (spot{atStep, 0, 0}) || m.content.total != 1 {
		t.Errorf("before: attempt %d at %+v", p.Attempt, m.content.at)
	}
}

// TestRememberedStep: a step that was decided stays decided after its
// column went, as long as it is looked at.
func TestRememberedStep(t *testing.T) {
	before := &content{in: &store.Run{ID: "r"}, lanes: []lane{{process: 3, place: place{spot{atStep, 0, 7}, between(10, 20), true}}}}
	b := builder{before: before, c: &content{in: &store.Run{ID: "r"}, question: question{process: 3}}}
	if got := b.remembered(place{at: spot{atStep, 0, 7}}); !got.there || got.window.End != 20 {
		t.Errorf("iteration 7: %+v", got)
	}
	if got := b.remembered(place{at: spot{atStep, 0, 8}}); got.there {
		t.Errorf("iteration 8: %+v", got)
	}
	b.c.in = &store.Run{ID: "other"}
	if got := b.remembered(place{at: spot{atStep, 0, 7}}); got.there {
		t.Errorf("of another run: %+v", got)
	}
}

// TestSameAnswerWhateverTheWay: an answer that took lanes from the one before is
// the same as one made anew.
func TestSameAnswerWhateverTheWay(t *testing.T) {
	f := newFeed(t)
	dice := rand.New(rand.NewPCG(13, 14))
	var before *content
	for n := range 40 {
		rank := dice.IntN(4)
		from := uint64(dice.IntN(5)) * sec
		s := f.mk("train_step", from, from+sec, uitest.Int("megatron.iteration", int(from/sec)))
		f.send(trainer(rank), under(s, f.mk("forward_backward", from, from+sec/2)), s)
		d := screen.Data{Snapshot: f.Snapshot(), Run: "r", Filter: uitest.Filter(t, []string{"", "forward"}[n/20])}
		q := question{run: "r", process: 0, at: spot{atStep, anyAttempt, 2}, peers: matching, filter: d.Filter.String()}
		got, want := build(d, q, before), build(d, q, nil)
		if diff := cmp.Diff(outline(want), outline(got)); diff != "" {
			t.Fatalf("after %d requests (-anew +reused):\n%s", n, diff)
		}
		before = got
	}
}

// outline is all of an answer that can be seen.
func outline(c *content) []string {
	out := []string{fmt.Sprintf("%+v, %d spans, %d shown, %d of", c.question, c.total, c.shown(), c.outOf)}
	for k := range c.lanes {
		l := &c.lanes[k]
		out = append(out, fmt.Sprintf("lane %d %+v base %d counts %v lost %v", l.process, l.place, l.base, l.counts, l.lost))
		for i := range l.tree.Nodes {
			n := &l.tree.Nodes[i]
			out = append(out, fmt.Sprintf("%d %s %v %v hidden %v errors %d", n.Depth, n.Name(), n.ID(), n.Marks, l.hides(i), l.errorsBelow(i)))
		}
	}
	return out
}
