package runsscreen

import (
	"cmp"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// line is one run as a row.
type line struct {
	run     *store.Run
	summary Summary
	steps   steps
}

// linesOf is all runs that the filter lets through.
func linesOf(d data) []line {
	var out []line
	for _, r := range d.Snapshot.Runs {
		if d.Filter.Empty() || d.Filter.Bind(r).Run() {
			out = append(out, line{r, Summarise(d.Snapshot, r), stepsOf(r)})
		}
	}
	return out
}

type rows struct {
	theme theme.Theme
	now   int64
	focus string // the run that the other screens show
	unit  draw.Unit
	lines []line
}

func (r rows) Len() int         { return len(r.lines) }
func (r rows) Key(i int) string { return r.lines[i].run.ID }

func (r rows) Cell(i int, column string) draw.Cell {
	l := &r.lines[i]
	switch column {
	case "focus":
		if l.run.ID == r.focus {
			return draw.Cell{Text: r.theme.Glyphs.Live, Style: r.theme.Good}
		}
		return draw.Cell{}
	case "run":
		return draw.Cell{Text: l.run.ID, Style: r.theme.Accent}
	case "state":
		return draw.Cell{Text: r.stateText(l), Style: r.stateStyle(l.summary.State)}
	case "spark":
		return draw.Cell{Text: draw.Sparkline(l.steps.series, sparkSteps, r.theme.Glyphs), Style: r.theme.Good}
	case "p50":
		return draw.Cell{Text: r.unit.Format(l.steps.p50 * 1e9)}
	case "ranks":
		return draw.Cell{Text: ranksText(l.summary), Style: r.ranksStyle(l.summary)}
	case "iteration":
		if !l.summary.HasIter {
			return draw.Cell{Text: draw.Missing, Style: r.theme.Dim}
		}
		return draw.Cell{Text: draw.Count(l.summary.Iteration)}
	case "age":
		return draw.Cell{Text: draw.Age(r.now, l.run.Last)}
	}
	return r.countOrText(l, column)
}

func (r rows) countOrText(l *line, column string) draw.Cell {
	count := func(n uint64, style theme.Style) draw.Cell {
		if n == 0 {
			return draw.Cell{Text: "0", Style: r.theme.Dim}
		}
		return draw.Cell{Text: draw.Short(float64(n)), Style: style}
	}
	switch column {
	case "truncated":
		return count(l.summary.Truncated, r.theme.Warn)
	case "warnings":
		return count(uint64(l.summary.Warnings), r.theme.Warn)
	case "errors":
		return count(l.summary.Errors, r.theme.Bad)
	case "spans":
		return count(l.run.Accounts[run.Traces].Received, theme.Style{})
	case "service":
		return draw.Cell{Text: l.run.Service, Style: r.theme.Dim}
	case "user":
		return draw.Cell{Text: l.run.User, Style: r.theme.Dim}
	case "job":
		return draw.Cell{Text: l.run.Job, Style: r.theme.Dim}
	}
	return draw.Cell{}
}

func ranksText(s Summary) string {
	if s.World == 0 {
		return draw.Count(s.Seen)
	}
	return draw.Count(s.Seen) + "/" + draw.Count(s.World)
}

func (r rows) ranksStyle(s Summary) theme.Style {
	if s.World > 0 && s.Seen < s.World {
		return r.theme.Warn
	}
	return theme.Style{}
}

func (r rows) stateText(l *line) string {
	switch s := l.summary; s.State {
	case Silent:
		return s.State.String() + " " + draw.Age(r.now, l.run.Last)
	case Waiting:
		return s.State.String() + " " + draw.Age(int64(s.Stuck)+1, 1)
	default:
		return s.State.String()
	}
}

func (r rows) stateStyle(s State) theme.Style {
	switch s {
	case Advancing:
		return r.theme.Good
	case Silent, Waiting:
		return r.theme.Warn
	case Recorded:
		return r.theme.Accent
	}
	return theme.Style{}
}

func columns() []draw.Column {
	return []draw.Column{
		{ID: "focus", Title: "", Min: 1, Priority: 9},
		{ID: "run", Title: "run", Min: 14, Max: 36, Sortable: true},
		{ID: "state", Title: "state", Min: 11, Max: 12, Priority: 1, Sortable: true},
		{ID: "ranks", Title: "ranks", Min: 9, Max: 13, Right: true, Priority: 2, Sortable: true, DescBy: true},
		{ID: "iteration", Title: "iter", Min: 7, Max: 9, Right: true, Priority: 3, Sortable: true, DescBy: true},
		{ID: "p50", Title: "step p50", Min: 9, Right: true, Priority: 4, Sortable: true, DescBy: true},
		{ID: "spark", Title: "step, newest right", Min: sparkSteps, Priority: 6},
		{ID: "truncated", Title: "trunc", Min: 6, Right: true, Priority: 8, Sortable: true, DescBy: true},
		{ID: "warnings", Title: "warn", Min: 5, Right: true, Priority: 5, Sortable: true, DescBy: true},
		{ID: "errors", Title: "errors", Min: 7, Right: true, Priority: 10, Sortable: true, DescBy: true},
		{ID: "age", Title: "age", Min: 4, Right: true, Priority: 7, Sortable: true},
		{ID: "spans", Title: "spans", Min: 6, Right: true, Priority: 11, Sortable: true, DescBy: true},
		{ID: "job", Title: "job", Min: 8, Max: 16, Priority: 12},
		{ID: "user", Title: "user", Min: 8, Max: 12, Priority: 13},
		{ID: "service", Title: "service", Min: 12, Max: 20, Priority: 14},
	}
}

// sortLines orders runs by a column; equal ones by who was heard of last.
func sortLines(lines []line, column string, desc bool) {
	slices.SortStableFunc(lines, func(a, b line) int {
		c := compare(&a, &b, column)
		if desc {
			c = -c
		}
		return cmp.Or(c, cmp.Compare(b.run.Last, a.run.Last), cmp.Compare(a.run.ID, b.run.ID))
	})
}

func compare(a, b *line, column string) int {
	switch column {
	case "run":
		return cmp.Compare(a.run.ID, b.run.ID)
	case "state":
		return cmp.Compare(a.summary.State, b.summary.State)
	case "ranks":
		return cmp.Compare(a.summary.Seen, b.summary.Seen)
	case "iteration":
		return cmp.Compare(a.summary.Iteration, b.summary.Iteration)
	case "p50":
		return cmp.Compare(a.steps.p50, b.steps.p50)
	case "truncated":
		return cmp.Compare(a.summary.Truncated, b.summary.Truncated)
	case "warnings":
		return cmp.Compare(a.summary.Warnings, b.summary.Warnings)
	case "errors":
		return cmp.Compare(a.summary.Errors, b.summary.Errors)
	case "age":
		return cmp.Compare(b.run.Last, a.run.Last)
	case "spans":
		return cmp.Compare(a.run.Accounts[run.Traces].Received, b.run.Accounts[run.Traces].Received)
	}
	return 0
}
