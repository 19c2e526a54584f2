package ranksscreen

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
)

// sample is a rank with a different value in every column.
func sample(n int) *rank {
	f := float64(n)
	return &rank{Rank: analysis.Rank{
		Process: n, Rank: n, Role: string(rune('a' + n)), Host: string(rune('z' - n)),
		Coord: run.Coord{TP: n % 2, PP: n / 2, DP: n, CP: run.Unknown, EP: run.Unknown}, Attempt: n,
		Iteration: int64(100 + n), HasIteration: true, Age: 50 - f, Quiet: 5 - f,
		StepP50: f, StepP95: 2 * f, Compute: 10 - f, Wait: f / 2, Truncated: uint64(n), Errors: uint64(9 - n),
	}, told: &told{ratio: 1 + f, score: 1 - f/10, standing: analysis.Standing{
		State: []analysis.ProcessState{analysis.ProcessOK, analysis.ProcessAliveStuck, analysis.ProcessSilent, analysis.ProcessBehind}[n%4]}}}
}

func order(ranks []*rank) []int {
	var out []int
	for _, r := range ranks {
		out = append(out, r.Process)
	}
	return out
}

func TestEveryColumnSorts(t *testing.T) {
	up, down := []int{0, 1, 2, 3}, []int{3, 2, 1, 0}
	rising := map[string]bool{"rank": true, "host": false, "role": true, "coord": true, "attempt": true, "iteration": true, "age": false, "quiet": false,
		"p50": true, "p95": true, "compute": false, "wait": true, "truncated": true, "errors": false, "state": true, "slowdown": true, "score": false}
	for _, c := range columns() {
		if !c.Sortable {
			continue
		}
		first, ok := rising[c.ID]
		if !ok {
			t.Fatalf("column %s is not in this test", c.ID)
		}
		for _, desc := range []bool{false, true} {
			ranks := []*rank{sample(2), sample(0), sample(3), sample(1)}
			sortRanks(ranks, c.ID, desc)
			want := up
			if first == desc {
				want = down
			}
			if diff := cmp.Diff(want, order(ranks)); diff != "" {
				t.Errorf("%s, downwards %v (-want +got):\n%s", c.ID, desc, diff)
			}
		}
	}
}

func TestWhatHasNoValueComesLast(t *testing.T) {
	for _, desc := range []bool{false, true} {
		none := sample(0)
		none.StepP50, none.HasIteration, none.Rank.Rank = math.NaN(), false, run.Unknown
		for _, column := range []string{"p50", "iteration", "rank"} {
			ranks := []*rank{none, sample(2), sample(1)}
			sortRanks(ranks, column, desc)
			if ranks[2] != none {
				t.Errorf("%s, downwards %v: order %v, want the one without a value last", column, desc, order(ranks))
			}
		}
	}
}

func TestEqualsKeepTheirOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var ranks []*rank
	for i := range 300 {
		r := sample(0)
		r.Process, r.Rank.Rank, r.Compute = i, i, float64(rng.IntN(3))
		ranks = append(ranks, r)
	}
	for _, desc := range []bool{false, true} {
		slices.SortStableFunc(ranks, inOrder)
		sortRanks(ranks, "compute", desc)
		for i := 1; i < len(ranks); i++ {
			if ranks[i].Compute == ranks[i-1].Compute && ranks[i].Rank.Rank < ranks[i-1].Rank.Rank {
				t.Fatalf("downwards %v: rank %d comes before %d", desc, ranks[i-1].Rank.Rank, ranks[i].Rank.Rank)
			}
		}
	}
}

func TestInOrder(t *testing.T) {
	beside := sample(1)
	beside.Sibling, beside.Process = true, 11
	second := sample(1)
	second.Attempt, second.Process = 2, 12
	nobody := sample(0)
	nobody.Rank.Rank, nobody.Process = run.Unknown, 13
	ranks := []*rank{nobody, beside, second, sample(2), sample(1), sample(0)}
	slices.SortStableFunc(ranks, inOrder)
	if diff := cmp.Diff([]int{0, 1, 12, 11, 2, 13}, order(ranks)); diff != "" {
		t.Errorf("by rank, then beside, then attempt (-want +got):\n%s", diff)
	}
}

func TestGroupOrder(t *testing.T) {
	of := func(value string, p50 float64, iteration float64, truncated, errors uint64, quiet float64) *group {
		return &group{RankGroup: analysis.RankGroup{Value: value, Known: true, StepP50: p50, Compute: p50, Wait: p50, Truncated: truncated, Errors: errors},
			iteration: iteration, age: quiet}
	}
	for column, want := range map[string]string{"p50": "cab", "compute": "cab", "wait": "cab", "iteration": "bca", "truncated": "acb", "errors": "bac",
		"age": "abc", "rank": "abc", "p95": "abc"} {
		groups := []*group{of("a", 2, 9, 1, 5, 1), of("b", math.NaN(), 1, 3, 1, 2), of("c", 1, 5, 2, 9, 3)}
		sortGroups(groups, column, false)
		got := ""
		for _, g := range groups {
			got += g.Value
		}
		if got != want {
			t.Errorf("groups by %s: %s, want %s", column, got, want)
		}
	}
}
