package runsscreen

import (
	"cmp"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// mostJudged is how many runs are diagnosed for the table: those heard of last.
const mostJudged = 8

// verdicts is what the diagnosis says of runs, by id.
type verdicts map[string]analysis.VerdictState

// summary is what the table shows.
type summary struct {
	runs     []analysis.RunRow
	verdicts verdicts
}

// summarize is all runs that the filter lets through, the newest with their
// verdicts. Not for the event loop.
func summarize(d screen.Data, kept *Kept) summary {
	out := summary{runs: rowsOf(d), verdicts: verdicts{}}
	var training []*store.Run
	for i := range out.runs {
		if r := d.Snapshot.Run(out.runs[i].ID); r != nil && len(r.Columns) > 0 {
			training = append(training, r)
		}
	}
	slices.SortStableFunc(training, func(a, b *store.Run) int { return cmp.Compare(b.Last, a.Last) })
	for _, r := range training[:min(len(training), mostJudged)] {
		out.verdicts[r.ID] = kept.verdict(d.Snapshot, r).State
	}
	return out
}

// stateCell is the verdict where it needs a person, with its mark, else the state.
func (r rows) stateCell(l *analysis.RunRow) draw.Cell {
	switch v := r.verdicts[l.ID]; v {
	case analysis.VerdictStalled, analysis.VerdictSlow, analysis.VerdictPartial:
		text, style := Headline{Verdict: analysis.Verdict{State: v}}.Badge(r.theme)
		return draw.Cell{Text: strings.Trim(text, "[]"), Style: style}
	case analysis.VerdictEnded: // as every other screen says, also while the run was heard of a moment ago
		return draw.Cell{Text: stateText(analysis.Ended, l.Quiet, l.Pace), Style: stateStyle(r.theme, analysis.Ended, l.Pace)}
	}
	return draw.Cell{Text: stateText(l.State, l.Quiet, l.Pace), Style: stateStyle(r.theme, l.State, l.Pace)}
}
