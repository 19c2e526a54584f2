package metricsscreen

import (
	"context"
	"math"
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// list is the metrics of the run in focus.
type list struct {
	asker  screen.Resting[listQuestion, listAnswer]
	answer listAnswer
	rows   listRows
	table  *draw.Table
	size   size
}

type listQuestion struct{ run, filter string }

type listAnswer struct {
	listQuestion
	asked bool
	rows  []analysis.MetricRow
}

func newList(t theme.Theme) list {
	return list{table: draw.NewTable(t, listColumns(0)...), rows: listRows{theme: t, width: func(string) int { return 0 }}}
}

func (l *list) resize(s size) {
	if l.size.width != s.width {
		l.table.SetColumns(listColumns(s.width)...)
	}
	l.size = s
	l.table.SetSize(s.width, max(0, s.height-2))
}

// ask starts looking at the metrics.
func (l *list) ask(d screen.Data) tea.Cmd {
	q := listQuestion{d.Run, d.Filter.String()}
	return l.asker.Start(q, func(context.Context) listAnswer {
		a := listAnswer{listQuestion: q, asked: true}
		if r := d.Snapshot.Run(d.Run); r != nil {
			a.rows = analysis.MetricRows(analysis.MetricScope{Run: r, Match: matcher(d.Filter, r)})
		}
		return a
	})
}

func (l *list) update(msg tea.Msg) (tea.Cmd, bool) {
	a, fresh, mine, next := l.asker.Take(msg)
	if mine && fresh {
		l.answer = a
		l.arrange()
	}
	return next, mine
}

// arrange sorts the rows. What was drawn of a metric that did not change since
// stays.
func (l *list) arrange() {
	rows := slices.Clone(l.answer.rows)
	sortRows(rows, l.table.Sort())
	l.rows = listRows{theme: l.rows.theme, width: l.table.ColumnWidth, list: rows, drawn: l.rows.kept(rows)}
	l.table.SetRows(&l.rows)
}

// focus is the row under the cursor; ok is false when there is none.
func (l *list) focus() (*analysis.MetricRow, bool) {
	at, ok := l.table.Cursor()
	if !ok || at >= len(l.rows.list) {
		return nil, false
	}
	return &l.rows.list[at], true
}

// neighbour is the name of the metric after, or before, another in the list.
func (l *list) neighbour(name string, by int) (string, bool) {
	at := slices.IndexFunc(l.rows.list, func(r analysis.MetricRow) bool { return r.Metric.Name == name })
	if at < 0 || at+by < 0 || at+by >= len(l.rows.list) {
		return "", false
	}
	return l.rows.list[at+by].Metric.Name, true
}

// listRows is the table's content. What takes long is made when its row is drawn.
type listRows struct {
	theme theme.Theme
	width func(column string) int
	list  []analysis.MetricRow
	drawn map[*store.Metric]*costly
}

// costly is what is made of a metric only when its row is in sight. A metric that
// changes is another one.
type costly struct {
	trend  []float64
	spread *analysis.Distribution
}

// kept is what was made of those metrics that are still there.
func (r *listRows) kept(rows []analysis.MetricRow) map[*store.Metric]*costly {
	out := map[*store.Metric]*costly{}
	for _, row := range rows {
		if c := r.drawn[row.Metric]; c != nil {
			out[row.Metric] = c
		}
	}
	return out
}

func (r *listRows) costly(row *analysis.MetricRow) *costly {
	c := r.drawn[row.Metric]
	if c == nil {
		c = &costly{trend: row.Trend(trendCells)}
		if isHistogram(row.Metric) {
			c.spread = row.Spread()
		}
		r.drawn[row.Metric] = c
	}
	return c
}

// Len is the number of metrics.
func (r *listRows) Len() int { return len(r.list) }

// Key is a metric's name.
func (r *listRows) Key(i int) string { return r.list[i].Metric.Name }

// Cell is one place of the table.
func (r *listRows) Cell(i int, column string) draw.Cell {
	row, t := &r.list[i], r.theme
	m := row.Metric
	switch column {
	case "name":
		return draw.Cell{Text: draw.ShortName(draw.Clean(m.Name), r.width("name"))}
	case "unit":
		return draw.Cell{Text: m.Unit, Style: t.Dim}
	case "kind":
		return draw.Cell{Text: kindText(m)}
	case "temporality":
		return temporalityCell(m, t)
	case "series":
		return r.seriesCell(row)
	case "points":
		return draw.Cell{Text: draw.Short(float64(row.Points))}
	case "bad":
		return countCell(row.NotFinite, t.Glyphs.Bad, t.Bad, t)
	case "gaps":
		return countCell(row.Gaps, t.Glyphs.Missing, t.Warn, t)
	case "resets":
		return countCell(row.Resets, resetMark, t.Warn, t)
	case "last":
		return lastCell(row.Last, len(row.Series) == 1 && row.Series[0].Roll.LastTime > 0, t)
	case "trend":
		cells := r.width("trend")
		s := draw.Sparkline(r.costly(row).trend, cells, t.Glyphs)
		return draw.Cell{Text: s, Drawn: t.Accent.Render(s), DrawnWidth: cells}
	}
	return numberCell(r.figure(row, column), t)
}

// figure is a column's number, NaN for none.
func (r *listRows) figure(row *analysis.MetricRow, column string) float64 {
	if column == "mean" && isHistogram(row.Metric) {
		if d := r.costly(row).spread; d != nil {
			return d.Mean
		}
	}
	return figure(row, column)
}

func (r *listRows) seriesCell(row *analysis.MetricRow) draw.Cell {
	c := draw.Cell{Text: draw.Short(float64(row.Seen))}
	switch {
	case row.Metric.Overflow:
		c.Text, c.Style = r.theme.Glyphs.Bad+c.Text, r.theme.Bad
	case row.Seen > len(row.Series):
		c.Text, c.Style = r.theme.Glyphs.Warn+c.Text, r.theme.Warn
	}
	return c
}

// trendCells is the width of a trend.
const trendCells = 16

func listColumns(width int) []draw.Column {
	name, trend := 24, 12
	if width >= 100 {
		name, trend = 36, trendCells
	}
	number := func(id, title string, cells, priority int) draw.Column {
		return draw.Column{ID: id, Title: title, Min: cells, Priority: priority, Right: true, Sortable: true, DescBy: true}
	}
	return []draw.Column{
		{ID: "name", Title: "metric", Min: name, Max: 56, Last: true, Sortable: true},
		{ID: "kind", Title: "kind", Min: 9, Max: 13, Priority: 3, Sortable: true},
		{ID: "temporality", Title: "temporality", Min: 11, Priority: 9},
		{ID: "unit", Title: "unit", Min: 6, Max: 12, Priority: 8},
		number("series", "series", 6, 4),
		number("points", "points", 6, 11),
		number("last", "last", draw.NumberCells, 1),
		number("min", "min", draw.NumberCells, 6),
		number("mean", "mean", draw.NumberCells, 7),
		number("max", "max", draw.NumberCells, 6),
		number("bad", "NaN/Inf", 7, 5),
		number("gaps", "gaps", 5, 10),
		number("resets", "resets", 6, 10),
		{ID: "trend", Title: "trend", Min: trend, Max: trendCells, Priority: 2},
	}
}

// sortRows orders metrics by a column; without one they stay as they came. What
// has no value comes last in either direction.
func sortRows(rows []analysis.MetricRow, s draw.Sort) {
	text := func(f func(*analysis.MetricRow) string) {
		slices.SortStableFunc(rows, func(a, b analysis.MetricRow) int { return draw.Turned(strings.Compare(f(&a), f(&b)), s.Desc) })
	}
	switch s.Column {
	case "":
	case "name":
		text(func(r *analysis.MetricRow) string { return r.Metric.Name })
	case "kind":
		text(func(r *analysis.MetricRow) string { return kindText(r.Metric) })
	default:
		slices.SortStableFunc(rows, func(a, b analysis.MetricRow) int {
			return draw.Compare(figure(&a, s.Column), figure(&b, s.Column), s.Desc)
		})
	}
}

func figure(row *analysis.MetricRow, column string) float64 {
	switch column {
	case "series":
		return float64(row.Seen)
	case "points":
		return float64(row.Points)
	case "last":
		return row.Last
	case "min":
		return row.Min
	case "max":
		return row.Max
	case "mean":
		return row.Mean
	case "bad":
		return float64(row.NotFinite)
	case "gaps":
		return float64(row.Gaps)
	case "resets":
		return float64(row.Resets)
	}
	return math.NaN()
}
