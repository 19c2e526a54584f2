package ranksscreen

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

func testRows(profile theme.Profile) rows {
	return rows{theme: theme.New(theme.Options{Profile: profile}), unit: draw.UnitFor(1e9)}
}

func TestCells(t *testing.T) {
	r := testRows(theme.None)
	k := &rank{Rank: analysis.Rank{
		Rank: 5, Role: "trainer", Host: "node-0000", Coord: run.Coord{TP: 1, PP: 0, DP: 2, Derived: true}, Attempt: 1, Grid: true,
		Iteration: 12_345, HasIteration: true, Age: 7.5, Quiet: 2.5, StepP50: 1.016, StepP95: 1.5, Compute: 0.6, Wait: math.NaN(), Truncated: 1024, Errors: 0,
	}, told: &told{ratio: 1.5249, score: 0.656, slow: true, standing: analysis.Standing{State: analysis.ProcessOK}}}
	want := map[string]string{
		"rank": "5", "role": "trainer", "host": "node-0000", "coord": "1/0/2~", "attempt": "2", "iteration": "12345", "quiet": "2s", "age": "7s",
		"p50": "1.016s", "p95": "1.500s", "compute": "0.600s", "wait": "–", "truncated": "1,024", "errors": "0", "state": "! slow", "slowdown": "1.52×", "score": "0.66",
	}
	got := map[string]string{}
	for _, c := range columns() {
		got[c.ID] = strings.TrimSpace(r.rankCell(k, c.ID).Text)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCellsWithoutValues(t *testing.T) {
	r, nan := testRows(theme.None), math.NaN()
	k := &rank{Rank: analysis.Rank{Rank: run.Unknown, Coord: run.Coord{TP: -1, PP: -1, DP: -1, CP: -1, EP: -1}, Age: nan, Quiet: nan,
		StepP50: nan, StepP95: nan, Compute: nan, Wait: nan}}
	for _, column := range []string{"rank", "coord", "iteration", "age", "quiet", "p50", "p95", "compute", "wait", "state", "slowdown", "score"} {
		if got := strings.TrimSpace(r.rankCell(k, column).Text); got != draw.Missing {
			t.Errorf("%s without a value shows %q, want %q: never 0", column, got, draw.Missing)
		}
	}
}

func TestRoleText(t *testing.T) {
	for _, test := range []struct {
		name string
		rank rank
		want string
	}{
		{"trainer", rank{Rank: analysis.Rank{Role: "trainer", Grid: true}}, "trainer"},
		{"a checkpoint worker beside it", rank{Rank: analysis.Rank{Role: "trainer", Sibling: true}}, "trainer (beside)"},
		{"the trainer beside which one runs", rank{Rank: analysis.Rank{Role: "trainer", Sibling: true, Grid: true}}, "trainer"},
		{"an earlier attempt", rank{Rank: analysis.Rank{Role: "trainer", Grid: true}, earlier: true}, "trainer (earlier)"},
		{"no role", rank{earlier: true}, "(earlier)"},
	} {
		if got := roleText(&test.rank); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestCoordText(t *testing.T) {
	for _, test := range []struct {
		coord run.Coord
		want  string
	}{
		{run.Coord{TP: 1, PP: 2, DP: 3}, "1/2/3"},
		{run.Coord{TP: 1, PP: 2, DP: 3, Derived: true}, "1/2/3~"},
		{run.Coord{TP: 1, PP: run.Unknown, DP: 3}, "1/–/3"},
		{run.Coord{TP: run.Unknown, PP: run.Unknown, DP: run.Unknown}, "–"},
	} {
		if got := coordText(test.coord, "~"); got != test.want {
			t.Errorf("%+v: %q, want %q", test.coord, got, test.want)
		}
	}
}

func TestWhatIsBadIsStyledAndCounted(t *testing.T) {
	r := testRows(theme.ANSI16)
	k := &rank{Rank: analysis.Rank{Truncated: 3, Errors: 2}}
	for column, style := range map[string]theme.Style{"truncated": r.theme.Warn, "errors": r.theme.Bad} {
		if cell := r.rankCell(k, column); cell.Style != style || cell.Text == "0" {
			t.Errorf("%s: %q in style %q", column, cell.Text, cell.Style.On())
		}
	}
	if cell := r.rankCell(&rank{}, "errors"); cell.Style != r.theme.Dim {
		t.Error("no errors are not dim")
	}
	if r.rankStyle(&rank{earlier: true}) != r.theme.Dim || r.rankStyle(&rank{}) != r.theme.Accent {
		t.Error("earlier attempts do not look different")
	}
}

func TestGroupTexts(t *testing.T) {
	r := testRows(theme.None)
	g := &group{RankGroup: analysis.RankGroup{By: "host", Value: "node-0000", Known: true, StepP50: 1.5, Compute: 0.5, Wait: math.NaN(),
		Behind: 6, Truncated: 2, Errors: 1}, iteration: 4, age: 12, slowdown: 1.25, state: "ok",
		ranks: []*rank{sample(0), sample(1), {Rank: analysis.Rank{Rank: run.Unknown}}}}
	want := map[string]string{
		"rank": "▾ host node-0000  2 ranks + 1 other  apart by 6 iterations", "host": "", "role": "", "coord": "", "attempt": "", "iteration": "4",
		"age": "12s", "quiet": "", "p50": "1.500s", "p95": "", "compute": "0.500s", "wait": "–", "truncated": "2", "errors": "1", "state": "", "slowdown": "1.25×", "score": "",
	}
	got := map[string]string{}
	for _, c := range columns() {
		got[c.ID] = r.groupText(row{group: g}, c.ID)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	g.Known, g.Behind, g.iteration = false, 1, math.NaN()
	if got := r.groupText(row{group: g, shut: true}, "rank"); got != "▸ host –  2 ranks + 1 other" {
		t.Errorf("folded and unknown: %q", got)
	}
	if got := r.groupText(row{group: g}, "iteration"); got != "" {
		t.Errorf("no iteration: %q", got)
	}
}

func TestIdentities(t *testing.T) {
	a, b := &store.Run{ID: "a"}, &store.Run{ID: "b"}
	if keyOf(a, 1) == keyOf(b, 1) || keyOf(a, 1) == keyOf(a, 11) {
		t.Error("two processes have one identity")
	}
	r := rows{list: []row{{group: &group{RankGroup: analysis.RankGroup{Value: "x"}}}, {rank: &rank{key: "x"}}}}
	if r.Key(0) == r.Key(1) {
		t.Error("a group and a rank have one identity")
	}
}

func TestCoverageText(t *testing.T) {
	for _, test := range []struct {
		p    analysis.Presence
		want string
	}{
		{analysis.Presence{Seen: 62, World: 64}, "62 of 64 ranks seen"},
		{analysis.Presence{Seen: 1, World: 1}, "1 of 1 rank seen"},
		{analysis.Presence{Seen: 3, World: run.Unknown}, "3 ranks seen, world size not sent"},
		{analysis.Presence{Seen: 1024, World: 16384}, "1,024 of 16,384 ranks seen"},
	} {
		if got := coverageText(test.p); got != test.want {
			t.Errorf("%+v: %q, want %q", test.p, got, test.want)
		}
	}
}

func TestMissingText(t *testing.T) {
	for _, test := range []struct {
		ranks []int
		want  string
	}{
		{[]int{7}, "7"}, {[]int{1, 2, 3, 4, 5, 6}, "1, 2, 3, 4, 5, 6"},
		{[]int{1, 2, 3, 4, 5, 6, 7, 8}, "1, 2, 3, 4, 5, 6 and 2 more"},
	} {
		if got := rankList(test.ranks); got != test.want {
			t.Errorf("%v: %q, want %q", test.ranks, got, test.want)
		}
	}
}
