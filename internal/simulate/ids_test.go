package simulate

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestPlaceIsInjective(t *testing.T) {
	seen := map[uint64][3]int{}
	for _, rank := range []int{0, 1, 2, 255, MaxRanks - 1} {
		for _, i := range []int{-1, 0, 1, 1 << 16, 1<<30 - 1} {
			for _, id := range []uint16{0, idStep, idJob, idFree, noParent - 1} {
				at := [3]int{rank, i, int(id)}
				if other, twice := seen[place(rank, i, id)]; twice && other != at {
					t.Errorf("%v and %v are the same place", at, other)
				}
				seen[place(rank, i, id)] = at
			}
		}
	}
}

func TestIDsDependOnTheSeed(t *testing.T) {
	a, b := newIDs(1), newIDs(2)
	if a.number(3, 4, 5) == b.number(3, 4, 5) || a.trace(3, 4, 5) == b.trace(3, 4, 5) {
		t.Error("two seeds share ids")
	}
	if a.number(3, 4, 5) != newIDs(1).number(3, 4, 5) || a.trace(3, 4, 5) != newIDs(1).trace(3, 4, 5) {
		t.Error("one seed has two ids for a place")
	}
}

func TestIDsAreNeverZero(t *testing.T) {
	k := ids{} // without keys place 0 would be mixed to 0
	if k.number(0, -1, 0) == 0 || k.trace(0, -1, 0).IsZero() {
		t.Error("an id is zero")
	}
	if spanID(1) != (run.SpanID{7: 1}) {
		t.Errorf("span id of 1 is %s", spanID(1))
	}
}

func TestTicker(t *testing.T) {
	k := newTicker(100, 4)
	var got [][2]int64
	for range 9 {
		at, q := k.next()
		k.advance()
		got = append(got, [2]int64{at, int64(q)})
	}
	for i, want := range [][2]int64{{25, 0}, {50, 1}, {75, 2}, {100, 3}, {125, 0}, {150, 1}, {175, 2}, {200, 3}, {225, 0}} {
		if got[i] != want {
			t.Errorf("tick %d is %v, want %v", i, got[i], want)
		}
	}
	for _, tc := range []struct{ q, before, want int64 }{
		{0, 25, -1}, {0, 26, 25}, {0, 125, 25}, {0, 126, 125}, {3, 100, -1}, {3, 201, 200}, {2, 1000, 975},
	} {
		if last := k.last(int(tc.q), tc.before); last != tc.want {
			t.Errorf("last tick of %d before %d is %d, want %d", tc.q, tc.before, last, tc.want)
		}
	}
}

// Every tick of a rank is one interval after the one before it, however the
// interval divides.
func TestTickerNeverSkips(t *testing.T) {
	for _, ranks := range []int{1, 3, 7, 1000, MaxRanks} {
		k := newTicker(999_999_937, ranks)
		last, when := make([]int64, ranks), int64(0)
		for range 3 * ranks {
			at, q := k.next()
			k.advance()
			if at < when || last[q] > 0 && at-last[q] != k.every || k.last(q, at) != max(last[q], -1) && last[q] > 0 {
				t.Fatalf("%d ranks: rank %d ticks at %d after %d (the stream is at %d)", ranks, q, at, last[q], when)
			}
			last[q], when = at, at
		}
	}
}
