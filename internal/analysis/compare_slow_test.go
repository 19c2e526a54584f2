package analysis

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// A rank that becomes slow makes the others wait: the comparison says for whom.
func TestComparisonSaysWhoIsSlow(t *testing.T) {
	f := newFeed(t)
	toy{dp: 8, steps: 60, length: 1000, compute: func(rank, step int) float64 {
		if rank == 3 && step >= 30 {
			return 950
		}
		return 600 + float64((7*rank+3*step)%5)
	}}.send(f)
	_, r := f.look()
	window := func(name string, first, last int64) Side {
		return Side{Name: name, Scope: Scope{Run: r}, First: first, Last: last}
	}
	c, err := Compare(context.Background(), window("a", 1, 29), window("b", 30, 59))
	if err != nil {
		t.Fatal(err)
	}
	if len(c.A.Slow.Found) != 0 || c.A.Slow.Found == nil || c.A.Slow.Steps != 29 {
		t.Errorf("A: %+v", c.A.Slow)
	}
	if len(c.B.Slow.Found) != 1 || c.B.Slow.Steps != 30 {
		t.Fatalf("B: %+v", c.B.Slow)
	}
	if d := cmp.Diff([]string{"slow in B: rank 3 on node0: 1.58 × the compute of its like"}, c.WhoIsSlow()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if c, err = Compare(context.Background(), window("b", 30, 59), window("a", 1, 29)); err != nil || len(c.WhoIsSlow()) != 1 || !strings.HasPrefix(c.WhoIsSlow()[0], "slow in A: rank 3") {
		t.Errorf("the other way round: %q, %v", c.WhoIsSlow(), err)
	}
}

func TestWhoIsSlowInWords(t *testing.T) {
	slow := func(ranks ...int) []Straggler {
		out := []Straggler{}
		for _, rank := range ranks {
			out = append(out, Straggler{Unit: UnitRank, Ranks: []int{rank}, BusyRatio: 1.5, Coord: run.UnknownCoord()})
		}
		return out
	}
	wait := func(name string, change float64, level ChangeLevel) Difference {
		return Difference{Name: name, Class: "wait", Change: change, Level: level}
	}
	eight := make([]Worker, 8)
	for _, test := range []struct {
		name string
		c    Comparison
		want []string
	}{
		{"nothing", Comparison{}, nil},
		{"nobody", Comparison{B: SideFacts{Slow: Stragglers{Found: slow(), Workers: eight, Compared: UnitRank}}}, nil},
		{"a wait, and who", Comparison{Phases: []Difference{wait("grad_sync", 0.2, Material)}, B: SideFacts{Slow: Stragglers{Found: slow(5)}}},
			[]string{"grad_sync: the median rank waits longer; slow in B: rank 5: 1.50 × the compute of its like"}},
		{"a wait, and nobody", Comparison{Phases: []Difference{wait("p2p", 0.2, Moderate), wait("grad_sync", 0.2, Material)},
			B: SideFacts{Slow: Stragglers{Found: slow(), Workers: eight, Compared: UnitLane}}},
			[]string{"grad_sync, p2p: the median rank waits longer; slow in B: nobody is named among 8 lanes"}},
		{"a wait, and no telling", Comparison{Phases: []Difference{wait("grad_sync", 0.2, Material)}, B: SideFacts{Slow: Stragglers{CannotTell: []string{"one rank"}}}},
			[]string{"grad_sync: the median rank waits longer; slow in B: cannot tell: one rank"}},
		{"a shorter wait", Comparison{Phases: []Difference{wait("grad_sync", -0.2, Material)}, A: SideFacts{Slow: Stragglers{Found: slow(1)}}},
			[]string{"slow in A: rank 1: 1.50 × the compute of its like"}},
		{"a wait that is not flagged", Comparison{Phases: []Difference{wait("grad_sync", 0.01, Same)}}, nil},
		{"compute", Comparison{Phases: []Difference{{Name: "forward", Class: "compute", Change: 0.2, Level: Material}}}, nil},
		{"many", Comparison{B: SideFacts{Slow: Stragglers{Found: slow(1, 2, 3, 4, 5)}}},
			[]string{"slow in B: rank 1: 1.50 × the compute of its like; rank 2: 1.50 × the compute of its like; rank 3: 1.50 × the compute of its like; and 2 more"}},
	} {
		if d := cmp.Diff(test.want, test.c.WhoIsSlow()); d != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, d)
		}
	}
}
