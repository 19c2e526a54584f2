package simulate

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// sized is a layout of the sizes tp, cp, pp, dp.
func sized(tp, cp, pp, dp, perHost int) layout {
	c := Config{TP: tp, CP: cp, PP: pp, DP: dp, RanksPerHost: perHost}
	return c.layout()
}

// The oracles are those of the semantic conventions: default rank order.
func TestLayoutGroups(t *testing.T) {
	l := sized(2, 1, 4, 2, 8)
	dp := func(pp, tp int) []int { return []int{l.rank(tp, 0, 0, pp), l.rank(tp, 0, 1, pp)} }
	if got, want := [][]int{dp(0, 0), dp(0, 1), dp(1, 0), dp(1, 1)}, [][]int{{0, 2}, {1, 3}, {4, 6}, {5, 7}}; !cmp.Equal(got, want) {
		t.Errorf("data parallel groups %v, want %v", got, want)
	}
	var first []int
	for pp := range 4 {
		first = append(first, l.rank(0, 0, 0, pp))
	}
	if want := []int{0, 4, 8, 12}; !cmp.Equal(first, want) {
		t.Errorf("pipeline group %v, want %v", first, want)
	}
	l = sized(1, 16, 1, 2, 8)
	if at := l.coord(17); at.CP != 1 || at.DP != 1 {
		t.Errorf("rank 17 of cp 16 dp 2 is at %+v, want cp 1 dp 1", at)
	}
}

func TestLayoutIsABijection(t *testing.T) {
	for _, n := range [][5]int{
		{1, 1, 1, 1, 8}, {2, 1, 4, 8, 8}, {2, 3, 2, 5, 4}, {8, 1, 1, 2, 8}, {1, 1, 7, 1, 3},
	} {
		l := sized(n[0], n[1], n[2], n[3], n[4])
		seen := make([]bool, l.world())
		for q := range l.world() {
			r := l.laneOrder(q)
			if seen[r] {
				t.Fatalf("%+v: rank %d twice in lane order", l, r)
			}
			seen[r] = true
			at := l.coord(r)
			if l.rank(at.TP, at.CP, at.DP, at.PP) != r {
				t.Fatalf("%+v: rank %d is at %+v and not back", l, r, at)
			}
			if want := q / (n[2] * l.peers()); at.DP != want {
				t.Fatalf("%+v: position %d in lane order is in lane %d, want %d", l, q, at.DP, want)
			}
			if !slices.Contains(l.workerRanks(at.PP, at.DP), r) || !slices.Contains(l.laneRanks(at.DP), r) {
				t.Fatalf("%+v: rank %d is not among its worker's or lane's ranks", l, r)
			}
		}
	}
}

func TestLayoutHosts(t *testing.T) {
	l := sized(1, 1, 1, 17, 8)
	if l.hosts() != 3 || l.hostName(16) != "gpu-0002" || l.nodeList() != "gpu-[0000-0002]" {
		t.Errorf("17 ranks: %d hosts, rank 16 on %s, nodes %s", l.hosts(), l.hostName(16), l.nodeList())
	}
	if l = sized(1, 1, 1, 8, 8); l.nodeList() != "gpu-0000" {
		t.Errorf("one host is listed as %s", l.nodeList())
	}
}
