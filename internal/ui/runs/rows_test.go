package runsscreen

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

func cells(t *testing.T, r analysis.RunRow) map[string]string {
	t.Helper()
	table := rows{theme: theme.New(theme.Options{}), unit: draw.UnitFor(1e9), runs: []analysis.RunRow{r}}
	got := map[string]string{}
	for _, c := range columns() {
		got[c.ID] = table.Cell(0, c.ID).Text
	}
	return got
}

func TestAllCells(t *testing.T) {
	got := cells(t, analysis.RunRow{
		ID: "run", Service: "svc", User: "ada", Job: "42", State: analysis.Ended, Quiet: 200, Iteration: 12_345, HasIteration: true,
		Presence: analysis.Presence{Seen: 1000, World: 1024}, StepP50: 1.5, Series: []float64{1, 2}, Spans: 1_234_567, Truncated: 3, Errors: 12_345, Warnings: 2,
		Pace: analysis.Pace{Since: 301},
	})
	want := map[string]string{
		"focus": "", "run": "run", "state": "ended", "ranks": "1,000/1,024", "iteration": "12345", "p50": "1.500s",
		"spark": "                      ▁█", "truncated": "3", "warnings": "2", "errors": "12.3k", "age": "5m", "heard": "3m", "spans": "1.23M", "job": "42", "user": "ada", "service": "svc",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestCellsOfARunThatSaidLittle(t *testing.T) {
	nan := math.NaN()
	got := cells(t, analysis.RunRow{ID: "run", State: analysis.Recorded, Quiet: nan, Presence: analysis.Presence{World: run.Unknown}, StepP50: nan, Pace: analysis.Pace{Since: nan}})
	want := map[string]string{"ranks": "–", "iteration": "–", "p50": "–", "age": "–", "heard": "–", "spark": "                        ", "truncated": "0", "user": ""}
	for column, text := range want {
		if got[column] != text {
			t.Errorf("%s: %q, want %q", column, got[column], text)
		}
	}
}

func TestRanksCell(t *testing.T) {
	r := rows{theme: theme.New(theme.Options{Profile: theme.ANSI16})}
	for _, test := range []struct {
		p     analysis.Presence
		text  string
		style theme.Style
	}{
		{analysis.Presence{Seen: 64, World: 64}, "64/64", theme.Style{}},
		{analysis.Presence{Seen: 62, World: 64}, "62/64", r.theme.Warn},
		{analysis.Presence{Seen: 3, World: run.Unknown}, "3", theme.Style{}},
		{analysis.Presence{Seen: 0, World: run.Unknown}, "–", r.theme.Dim},
		{analysis.Presence{Seen: 16384, World: 16384}, "16,384/16,384", theme.Style{}},
	} {
		cell := r.ranksCell(&analysis.RunRow{Presence: test.p})
		if cell.Text != test.text || cell.Style != test.style {
			t.Errorf("%+v: %q in %q, want %q", test.p, cell.Text, cell.Style.On(), test.text)
		}
	}
}

func TestStatesLookDifferent(t *testing.T) {
	r := rows{theme: theme.New(theme.Options{Profile: theme.ANSI16})}
	var p, late analysis.Pace
	late.Late = true
	live, idle := stateStyle(r.theme, analysis.Live, p), stateStyle(r.theme, analysis.Idle, p)
	if live == idle || idle == stateStyle(r.theme, analysis.Ended, p) || live == stateStyle(r.theme, analysis.Live, late) {
		t.Error("live, late, idle and ended look alike")
	}
	critical := r.plainCell(&analysis.RunRow{Warnings: 2, Critical: 1}, "warnings")
	if critical.Style != r.theme.Bad {
		t.Error("a critical warning looks like any other")
	}
}

func TestEveryColumnSorts(t *testing.T) {
	low := analysis.RunRow{ID: "a", State: analysis.Ended, Presence: analysis.Presence{Seen: 1}, Iteration: 1, HasIteration: true, Pace: analysis.Pace{Since: 1}, StepP50: 1, Truncated: 1, Warnings: 1, Errors: 1, Quiet: 1, Spans: 1}
	high := analysis.RunRow{ID: "b", State: analysis.Live, Presence: analysis.Presence{Seen: 2}, Iteration: 2, HasIteration: true, Pace: analysis.Pace{Since: 2}, StepP50: 2, Truncated: 2, Warnings: 2, Errors: 2, Quiet: 2, Spans: 2}
	for _, c := range columns() {
		if !c.Sortable {
			continue
		}
		for _, desc := range []bool{false, true} {
			runs := []analysis.RunRow{high, low}
			sortRuns(runs, c.ID, desc)
			if (runs[0].ID == "b") != desc {
				t.Errorf("%s, downwards %v: %s first", c.ID, desc, runs[0].ID)
			}
		}
	}
	same := []analysis.RunRow{{ID: "x"}, {ID: "a"}}
	sortRuns(same, "iteration", true)
	if same[0].ID != "x" {
		t.Error("equal runs do not stay in the order of who was heard of last")
	}
}

func TestWhatHasNoValueComesLast(t *testing.T) {
	nan := math.NaN()
	for column, nothing := range map[string]analysis.RunRow{
		"p50": {ID: "none", StepP50: nan}, "age": {ID: "none", Pace: analysis.Pace{Since: nan}},
		"heard": {ID: "none", Quiet: nan}, "iteration": {ID: "none"},
	} {
		for _, desc := range []bool{false, true} {
			runs := []analysis.RunRow{nothing, {ID: "some", HasIteration: true, Iteration: -3}}
			if sortRuns(runs, column, desc); runs[1].ID != "none" {
				t.Errorf("by %s, downwards %v: what has none comes first", column, desc)
			}
		}
	}
}

// A run whose ranks hang while its metrics go on says so in two places.
func TestARunThatHangsIsNotJustLive(t *testing.T) {
	r := rows{theme: theme.New(theme.Options{Profile: theme.ANSI16}), runs: []analysis.RunRow{
		{State: analysis.Live, Quiet: 1, Pace: analysis.Pace{Since: 240, Usual: 1, Late: true}}}}
	if state, age := r.Cell(0, "state"), r.Cell(0, "age"); state.Text != "late 4m" || age.Text != "4m" || age.Style != r.theme.Warn {
		t.Errorf("state %q, age %q", state.Text, age.Text)
	}
	if heard := r.Cell(0, "heard"); heard.Text != "1s" {
		t.Errorf("heard %q", heard.Text)
	}
}

func TestUnitOfAll(t *testing.T) {
	u := unitOf([]analysis.RunRow{{StepP50: 0.02}, {StepP50: math.NaN()}, {StepP50: 12}})
	if got := u.Format(0.02e9); got != "0.02s" {
		t.Errorf("20 ms beside 12 s: %q, want one unit for all", got)
	}
}

func TestHeadlineStates(t *testing.T) {
	th := theme.New(theme.Options{Profile: theme.ANSI16})
	for state, want := range map[analysis.State]string{analysis.Live: "live", analysis.Idle: "idle 40s", analysis.Ended: "ended", analysis.Recorded: "recorded"} {
		if text, _ := (Headline{State: state, Quiet: 40}).StateText(th); text != want {
			t.Errorf("%s: %q", state, text)
		}
	}
	late := Headline{State: analysis.Live, Quiet: 1, Pace: analysis.Pace{Since: 95, Late: true}}
	if text, style := late.StateText(th); text != "late 95s" || style != th.Warn {
		t.Errorf("data come and steps do not: %q", text)
	}
}

func TestVerdictBadges(t *testing.T) {
	for _, th := range []theme.Theme{theme.New(theme.Options{}), theme.New(theme.Options{ASCII: true, Profile: theme.ANSI16})} {
		seen := map[string]bool{}
		for _, state := range []analysis.VerdictState{analysis.VerdictStarting, analysis.VerdictAdvancing, analysis.VerdictSlow,
			analysis.VerdictStalled, analysis.VerdictPartial, analysis.VerdictEnded} {
			text, _ := Headline{Verdict: analysis.Verdict{State: state}}.Badge(th)
			if seen[text] || !strings.Contains(text, string(state)) {
				t.Errorf("%s is shown as %q", state, text)
			}
			seen[text] = true
		}
		if text, _ := (Headline{Verdict: analysis.Verdict{State: analysis.VerdictUnknown}}).Badge(th); text != "" {
			t.Errorf("nothing is known, and the badge says %q", text)
		}
	}
}

// Diagnosing costs more than a snapshot should: it is asked for again only after
// a while.
func TestVerdictsAreKeptForAWhile(t *testing.T) {
	s := uitest.Snapshot(t, uitest.Training{Run: "r", Ranks: 4, Steps: 3, Slow: -1})
	var k Kept
	asked := 0
	for _, now := range []int64{10e9, 10.4e9, 11.9e9, 12e9, 12.1e9} {
		next := *s
		next.Now = now
		before := asked
		k.verdicts.Get("r", uint64(now)/verdictFor, func() analysis.Verdict { asked++; return analysis.Verdict{} })
		k.verdict(&next, s.Runs[0])
		if now == 12e9 && asked != before+1 {
			t.Error("after two seconds the old verdict is still shown")
		}
	}
	if asked != 2 {
		t.Errorf("diagnosed %d times in 2.1 s", asked)
	}
}
