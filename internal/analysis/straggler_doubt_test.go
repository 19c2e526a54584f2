package analysis

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Where nobody can be compared, or only some, it is said why, and what was compared
// is answered all the same.
func TestWhyNobodyIsCompared(t *testing.T) {
	noSpans := func(ranks ...int) func(rank, step int) []toySpan { // a span that is neither compute nor wait
		return func(rank, _ int) []toySpan {
			if slices.Contains(ranks, rank) {
				return nil
			}
			return []toySpan{{"x.microbatch.forward", 0, 600}, {"x.grad_sync.finish", 600, 1000}}
		}
	}
	for _, test := range []struct {
		name   string
		run    toy
		cannot []string
		found  []string // nil: cannot tell at all
	}{
		{"one worker a stage", toy{pp: 3, dp: 1, micro: 4, steps: 25}, []string{"every stage has one worker: nothing to compare it with"}, nil},
		{"one worker", toy{tp: 4, dp: 1, steps: 25}, []string{"stage 0: one worker, nothing to compare it with"}, nil},
		{"one rank", toy{dp: 1, steps: 25}, []string{"one rank: nothing to compare it with"}, nil},
		{"one rank of many", toy{dp: 8, steps: 25, skip: func(r, _ int) bool { return r != 4 }},
			[]string{"only rank 4 of 8 sends data: no comparison between ranks; set NEMO_LENS_EXPORT_STRATEGY=all_ranks"}, nil},
		{"a stage of which one is seen", toy{pp: 2, dp: 4, micro: 4, steps: 25, skip: func(r, _ int) bool { return r > 4 }},
			[]string{"stage 1: one worker, nothing to compare it with"}, []string{}},
		{"two such stages", toy{pp: 3, dp: 4, micro: 4, steps: 25, skip: func(r, _ int) bool { return r > 4 && r != 8 }},
			[]string{"stage 1, 2: one worker, nothing to compare it with"}, []string{}},
		{"and one is slow in the other", toy{pp: 2, dp: 4, micro: 4, steps: 25, compute: one(900, 2), skip: func(r, _ int) bool { return r > 4 }},
			[]string{"stage 1: one worker, nothing to compare it with"}, []string{"2"}},
		{"no inner spans", toy{dp: 8, steps: 25, micro: -1, dark: true}, []string{"no rank sends spans of compute or waits within its steps: turn the step's inner spans on"}, nil},
		{"no inner spans in a stage", toy{pp: 2, dp: 4, micro: -1, dark: true, steps: 25, extra: noSpans(4, 5, 6, 7)},
			[]string{"no spans of compute or waits within the steps of stage 1: turn the step's inner spans on"}, []string{}},
		{"workers without recent steps, in every stage", toy{pp: 3, dp: 6, micro: 4, steps: 30, skip: func(r, s int) bool { return r%6 == 5 && s > 1 }},
			[]string{"stages 0–2: 1 worker of each cannot be compared: no recent steps, or not the spans that the others send"}, []string{}},
		{"in one stage", toy{pp: 2, dp: 6, micro: 4, steps: 30, skip: func(r, s int) bool { return r > 9 && s > 1 }},
			[]string{"stage 1: 2 workers cannot be compared: no recent steps, or not the spans that the others send"}, []string{}},
		{"two steps", toy{dp: 8, steps: 3}, []string{"2 clean steps so far, 3 are needed to compare ranks"}, nil},
	} {
		d := test.run.diagnose(t, DiagnoseOptions{})
		if diff := cmp.Diff(test.cannot, d.Stragglers.CannotTell); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
		if (d.Stragglers.Found == nil) != (test.found == nil) || len(d.Stragglers.Found) != len(test.found) {
			t.Errorf("%s: found %+v, want %v", test.name, d.Stragglers.Found, test.found)
		}
		for i, s := range d.Stragglers.Found {
			if !strings.Contains(list("rank", s.Ranks), test.found[i]) {
				t.Errorf("%s: %v, want %s", test.name, s.Ranks, test.found[i])
			}
		}
		if test.found == nil && d.Verdict.State == VerdictSlow {
			t.Errorf("%s: %+v", test.name, d.Verdict)
		}
	}
}

// Names of groups in words: what is slow is called by what it is.
func TestUnitsInWords(t *testing.T) {
	at := run.UnknownCoord()
	at.PP, at.DP = 1, 3
	for _, test := range []struct {
		unit  Unit
		ranks []int
		hosts []string
		want  string
	}{
		{UnitRank, []int{5}, nil, "rank 5"},
		{UnitRank, []int{5}, []string{"a"}, "rank 5 on a"},
		{UnitWorker, []int{4, 5}, []string{"a"}, "worker pp 1, dp 3, ranks 4–5 on a"},
		{UnitWorker, []int{4, 9}, []string{"a", "b"}, "worker pp 1, dp 3, ranks 4, 9 on 2 hosts"},
		{UnitLane, []int{1, 2, 3}, nil, "dp lane 3, ranks 1–3"},
		{UnitHost, []int{8, 9}, []string{"a"}, "host a, ranks 8–9"},
		{UnitGroup, []int{1, 3}, nil, "ranks 1, 3"},
		{UnitRank, []int{16384}, nil, "rank 16384"},
	} {
		if got := unitText(test.unit, test.ranks, test.hosts, at); got != test.want {
			t.Errorf("%s %v: %q, want %q", test.unit, test.ranks, got, test.want)
		}
	}
}

// How many is written one way, what names something another.
func TestCountsAndNamesInWords(t *testing.T) {
	c := RankCoverage{World: 16384, Seen: 12000}
	if got := c.String(); got != "12,000 of 16,384 ranks" {
		t.Errorf("%q", got)
	}
	for n, want := range map[int]string{0: "0 ranks", 1: "1 rank", 2: "2 ranks", 1024: "1,024 ranks"} {
		if got := count(n, "rank"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for _, test := range []struct {
		ranks []int
		want  string
	}{{[]int{16384}, "rank 16384"}, {[]int{0, 1, 2, 5000}, "ranks 0–2, 5000"}} {
		if got := list("rank", test.ranks); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}
