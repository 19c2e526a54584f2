package runsscreen

import (
	"fmt"
	"testing"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// What needs a person stands in the state column, with a mark of its own.
func TestVerdictsInTheStateColumn(t *testing.T) {
	r := rows{theme: theme.New(theme.Options{ASCII: true}), runs: []analysis.RunRow{{ID: "r", State: analysis.Live}}}
	for verdict, want := range map[analysis.VerdictState]string{
		analysis.VerdictStalled: "x STALLED", analysis.VerdictSlow: "! SLOW", analysis.VerdictPartial: "! PARTIAL",
		analysis.VerdictAdvancing: string(analysis.Live), analysis.VerdictUnknown: string(analysis.Live), analysis.VerdictEnded: string(analysis.Ended), "": string(analysis.Live),
	} {
		r.verdicts = verdicts{"r": verdict}
		if got := r.Cell(0, "state").Text; got != want {
			t.Errorf("%s: %q, want %q", verdict, got, want)
		}
	}
}

// Only so many runs are diagnosed.
func TestFewRunsAreJudged(t *testing.T) {
	var all []uitest.Training
	for i := range mostJudged + 3 {
		all = append(all, uitest.Training{Run: fmt.Sprint("r", i), Ranks: 2, Steps: 3, Slow: -1})
	}
	s := summarize(uitest.Data(t, uitest.Snapshot(t, all...), ""), &Kept{})
	if len(s.runs) != len(all) || len(s.verdicts) != mostJudged {
		t.Errorf("%d runs, %d judged", len(s.runs), len(s.verdicts))
	}
}
