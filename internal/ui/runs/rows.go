package runsscreen

import (
	"cmp"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// rowsOf is all runs that the filter lets through.
func rowsOf(d screen.Data) []analysis.RunRow {
	var matches func(*store.Run) bool
	if !d.Filter.Empty() {
		matches = func(r *store.Run) bool { return d.Filter.Bind(r).Run() }
	}
	return analysis.Runs(d.Snapshot, matches)
}

// rows is the table's content.
type rows struct {
	theme theme.Theme
	focus string // the run that the other screens show
	marks *screen.Marks
	unit  draw.Unit
	runs  []analysis.RunRow

	verdicts verdicts
}

func (r rows) Len() int         { return len(r.runs) }
func (r rows) Key(i int) string { return r.runs[i].ID }

func (r rows) Cell(i int, column string) draw.Cell {
	l := &r.runs[i]
	switch column {
	case "run":
		return draw.Cell{Text: r.name(l.ID), Style: r.theme.Accent}
	case "state":
		return r.stateCell(l)
	case "spark":
		return draw.Cell{Text: draw.SteadySparkline(l.Series, sparkWidth, sparkShare, r.theme.Glyphs), Style: r.theme.Good}
	case "p50":
		return draw.Cell{Text: r.unit.Format(l.StepP50 * 1e9)}
	case "ranks":
		return r.ranksCell(l)
	case "iteration":
		if l.HasIteration {
			return draw.Cell{Text: draw.Name(l.Iteration)}
		}
		return draw.Cell{Text: draw.Missing, Style: r.theme.Dim}
	case "focus":
		if l.ID == r.focus {
			return draw.Cell{Text: r.theme.Glyphs.Live, Style: r.theme.Good}
		}
		return draw.Cell{}
	}
	return r.plainCell(l, column)
}

// name is a run's id, behind its mark while any run is marked.
func (r rows) name(id string) string {
	switch {
	case len(r.marks.Runs()) == 0:
		return id
	case r.marks.Has(id):
		return r.theme.Glyphs.Marked + " " + id
	}
	return "  " + id
}

func (r rows) plainCell(l *analysis.RunRow, column string) draw.Cell {
	switch column {
	case "age":
		style := theme.Style{}
		if l.Pace.Late && l.State == analysis.Live {
			style = r.theme.Warn
		}
		return draw.Cell{Text: ageText(l.Pace.Since), Style: style}
	case "heard":
		return draw.Cell{Text: ageText(l.Quiet)}
	case "truncated":
		return r.count(l.Truncated, r.theme.Warn)
	case "warnings":
		style := r.theme.Warn
		if l.Critical > 0 {
			style = r.theme.Bad
		}
		return r.count(uint64(l.Warnings), style)
	case "errors":
		return r.count(l.Errors, r.theme.Bad)
	case "spans":
		return r.count(l.Spans, theme.Style{})
	}
	text := map[string]string{"service": l.Service, "user": l.User, "job": l.Job}[column]
	return draw.Cell{Text: text, Style: r.theme.Dim}
}

func ageText(seconds float64) string {
	if math.IsNaN(seconds) {
		return draw.Missing
	}
	return draw.Age(int64(seconds*1e9)+1, 1)
}

func (r rows) count(n uint64, style theme.Style) draw.Cell {
	if n == 0 {
		return draw.Cell{Text: "0", Style: r.theme.Dim}
	}
	return draw.Cell{Text: draw.Short(float64(n)), Style: style}
}

func (r rows) ranksCell(l *analysis.RunRow) draw.Cell {
	p := l.Presence
	switch {
	case p.World > p.Seen:
		return draw.Cell{Text: draw.Count(p.Seen) + "/" + draw.Count(p.World), Style: r.theme.Warn}
	case p.World > 0:
		return draw.Cell{Text: draw.Count(p.Seen) + "/" + draw.Count(p.World)}
	case p.Seen > 0:
		return draw.Cell{Text: draw.Count(p.Seen)}
	}
	return draw.Cell{Text: draw.Missing, Style: r.theme.Dim}
}

// sparkShare is how much of a step's time the sparkline's height is at least.
const sparkShare = 0.2

// sparkWidth is how many of the newest iterations the sparkline has.
const sparkWidth = 24

func columns() []draw.Column {
	return []draw.Column{
		{ID: "focus", Min: 1, Priority: 5},
		{ID: "run", Title: "run", Min: 16, Max: 36, Last: true, Sortable: true},
		{ID: "state", Title: "state", Min: 9, Max: 9, Priority: 1, Sortable: true},
		{ID: "ranks", Title: "ranks", Min: 9, Max: 15, Right: true, Priority: 2, Sortable: true, DescBy: true},
		{ID: "iteration", Title: "iter", Min: 7, Max: 9, Right: true, Priority: 3, Sortable: true, DescBy: true},
		{ID: "p50", Title: "step p50", Min: 9, Right: true, Priority: 4, Sortable: true, DescBy: true},
		{ID: "spark", Title: "steps, newest right", Min: sparkWidth, Priority: 7},
		{ID: "truncated", Title: "trunc", Min: 6, Right: true, Priority: 8, Sortable: true, DescBy: true},
		{ID: "warnings", Title: "warn", Min: 5, Right: true, Priority: 5, Sortable: true, DescBy: true},
		{ID: "errors", Title: "errors", Min: 7, Right: true, Priority: 10, Sortable: true, DescBy: true},
		{ID: "age", Title: "age", Min: 4, Right: true, Priority: 4, Sortable: true},
		{ID: "heard", Title: "heard", Min: 6, Right: true, Priority: 6, Sortable: true},
		{ID: "spans", Title: "spans", Min: 6, Right: true, Priority: 11, Sortable: true, DescBy: true},
		{ID: "job", Title: "job", Min: 8, Max: 16, Priority: 12},
		{ID: "user", Title: "user", Min: 8, Max: 12, Priority: 13},
		{ID: "service", Title: "service", Min: 12, Max: 20, Priority: 14},
	}
}

// sortRuns orders runs by a column; equal ones stay in the order of who was heard
// of last, and what has no value comes last in either direction.
func sortRuns(runs []analysis.RunRow, column string, desc bool) {
	slices.SortStableFunc(runs, func(a, b analysis.RunRow) int {
		if x, y := lacks(&a, column), lacks(&b, column); x != y {
			if x {
				return 1
			}
			return -1
		}
		c := compare(&a, &b, column)
		if desc {
			c = -c
		}
		return c
	})
}

// lacks reports whether a run has no value in a column.
func lacks(r *analysis.RunRow, column string) bool {
	switch column {
	case "iteration":
		return !r.HasIteration
	case "p50":
		return math.IsNaN(r.StepP50)
	case "age":
		return math.IsNaN(r.Pace.Since)
	case "heard":
		return math.IsNaN(r.Quiet)
	}
	return false
}

func compare(a, b *analysis.RunRow, column string) int {
	switch column {
	case "run":
		return cmp.Compare(a.ID, b.ID)
	case "state":
		return cmp.Compare(a.State, b.State)
	case "ranks":
		return cmp.Compare(a.Presence.Seen, b.Presence.Seen)
	case "iteration":
		return cmp.Compare(a.Iteration, b.Iteration)
	case "p50":
		return cmp.Compare(a.StepP50, b.StepP50)
	case "truncated":
		return cmp.Compare(a.Truncated, b.Truncated)
	case "warnings":
		return cmp.Compare(a.Warnings, b.Warnings)
	case "errors":
		return cmp.Compare(a.Errors, b.Errors)
	case "age":
		return cmp.Compare(a.Pace.Since, b.Pace.Since)
	case "heard":
		return cmp.Compare(a.Quiet, b.Quiet)
	case "spans":
		return cmp.Compare(a.Spans, b.Spans)
	}
	return 0
}
