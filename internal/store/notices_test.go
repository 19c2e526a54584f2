package store

import (
	"fmt"
	"slices"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestNoticesAreCountedByCode(t *testing.T) {
	var s noticeSet
	s.add(run.Notice{Code: "b", Text: "first"}, 10)
	s.add(run.Notice{Code: "a", Text: "other"}, 11)
	s.add(run.Notice{Code: "b", Text: "second"}, 12)
	got := s.list()
	if len(got) != 2 || got[0].Code != "a" || got[1].Text != "first" || got[1].Count != 2 || got[1].At != 12 {
		t.Errorf("notices = %+v", got)
	}
}

func TestListingRanks(t *testing.T) {
	tests := []struct {
		ranks []int
		want  string
	}{
		{[]int{0, 1}, "0, 1"},
		{[]int{run.Unknown, 3}, "unknown, 3"},
		{[]int{0, 1, 2, 3, 4, 5, 6, 7}, "0, 1, 2, 3, 4, 5, 6, 7"},
		{[]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, "0, 1, 2, 3, 4, 5, 6, 7 and 2 more"},
	}
	for _, tt := range tests {
		if got := listRanks(tt.ranks); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.ranks, got, tt.want)
		}
	}
}

func TestSharedIDsAcrossLargeRequests(t *testing.T) {
	f := newFixture(t)
	for n := range 4 {
		var spans []run.Span
		for id := range uint64(400) {
			spans = append(spans, sp(id+1, 0, "op", id*ms, id*ms+ms))
		}
		f.send(rank(n), spans...)
	}
	if d := f.runs[0].shared; !slices.Equal(d.ranks, []int{0, 1, 2, 3}) || d.count == 0 || d.at != f.now {
		t.Errorf("ranks %v, %d times, at %d", d.ranks, d.count, d.at-f.now)
	}
}

func TestIDsOfTheirOwnAreNotShared(t *testing.T) {
	f := newFixture(t)
	for n := range 4 {
		var spans []run.Span
		for id := range uint64(400) {
			spans = append(spans, sp(uint64(n)<<32|id+1, 0, "op", 0, ms))
		}
		f.send(rank(n), spans...)
	}
	f.send(rank(0, of("again", 1)...), sp(1<<40, 0, "op", 0, ms))
	f.send(rank(0, of("again", 2)...), sp(1<<40, 0, "op", 0, ms)) // the same rank after a restart
	if n := f.Snapshot().Notices; len(n) != 0 {
		t.Errorf("notices = %+v", n)
	}
}

// alikeRun is what findAlike looks at.
func alikeRun(service, by string, first int64, world int, ranks ...int) *runWriter {
	w := &runWriter{pub: Run{Service: service, IDBy: by, First: first, WorldSize: world}, groups: map[int]*group{}}
	for _, r := range ranks {
		w.groups[r] = &group{}
	}
	return w
}

func TestWhichRunsLookLikeOne(t *testing.T) {
	const host, minute = run.ByHostAndPID, int64(60e9)
	tests := []struct {
		name string
		runs []*runWriter
		want int // notices
	}{
		{"complementary ranks", []*runWriter{alikeRun("s", host, 0, 2, 0), alikeRun("s", host, minute/2, 2, 1)}, 1},
		{"in any order", []*runWriter{alikeRun("s", host, minute/2, 2, 1), alikeRun("s", host, 0, 2, 0)}, 1},
		{"the same rank twice", []*runWriter{alikeRun("s", host, 0, 2, 0), alikeRun("s", host, 0, 2, 0)}, 0},
		{"another service", []*runWriter{alikeRun("s", host, 0, 2, 0), alikeRun("t", host, 0, 2, 1)}, 0},
		{"too far apart", []*runWriter{alikeRun("s", host, 0, 2, 0), alikeRun("s", host, 2*minute, 2, 1)}, 0},
		{"another world", []*runWriter{alikeRun("s", host, 0, 2, 0), alikeRun("s", host, 0, 4, 1)}, 0},
		{"named runs", []*runWriter{alikeRun("s", run.ByRunID, 0, 2, 0), alikeRun("s", run.BySlurmJob, 0, 2, 1)}, 0},
		{"a world of one", []*runWriter{alikeRun("s", host, 0, 1, 0), alikeRun("s", host, 0, 1, 1)}, 0},
		{"without ranks", []*runWriter{alikeRun("s", host, 0, 2), alikeRun("s", host, 0, 2)}, 0},
		{"two jobs of two ranks", []*runWriter{
			alikeRun("s", host, 0, 2, 0), alikeRun("s", host, 1, 2, 1), alikeRun("s", host, 2, 2, 0), alikeRun("s", host, 3, 2, 1)}, 2},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := findAlike(tt.runs); len(got) != tt.want {
				t.Errorf("notices = %+v, want %d", got, tt.want)
			}
		})
	}
}

func TestNamesAreFoundAgain(t *testing.T) {
	f := newFixture(t)
	w := f.runOf(run.Identity{Run: "r"}, 0)
	for round := range 3 {
		for i := range 200 { // more than the cache holds
			id, own := w.name([]byte(fmt.Sprint("op-", i)))
			if int(id) != i || own != nil {
				t.Fatalf("round %d: op-%d is %d, own %q", round, i, id, own)
			}
		}
	}
	if id, _ := w.name(nil); int(id) != 200 || w.names[200].Text != "" {
		t.Errorf("the empty name is %d", id)
	}
	if w.names[0].Phase != (run.Phase{}) || len(w.info) != len(w.names) || len(w.inner) != len(w.names) {
		t.Errorf("tables of %d, %d, %d", len(w.names), len(w.info), len(w.inner))
	}
}
