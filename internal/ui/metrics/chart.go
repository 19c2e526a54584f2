package metricsscreen

import (
	"context"
	"math"
	"slices"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// chart is one metric over time, with its groups of series below.
type chart struct {
	theme  theme.Theme
	run    string
	name   string
	view   analysis.MetricView // "" for the usual one
	by     string              // "" for the usual one
	sum    bool                // added up instead of the median
	window bool                // of histograms: what came between the last two points
	runs   overlay
	alone  bool // only the line in focus

	asker  screen.Resting[chartQuestion, chartAnswer]
	answer chartAnswer
	groups []*analysis.MetricGroup // as sorted
	lines  map[string][]analysis.MetricLine
	spread map[string]*analysis.Distribution
	table  *draw.Table
	from   float64 // time of all points
	to     float64
	time   timeWindow
	keys   screen.Keys
	size   size
	parts  parts
}

// overlay is whose lines are drawn.
type overlay uint8

const (
	thisRun overlay = iota
	markedRuns
	sameService
)

func (o overlay) String() string {
	return [...]string{"this run", "marked runs", "runs of this service"}[o]
}

type chartQuestion struct {
	run, name, filter string
	view              analysis.MetricView
	by                string
	runs              overlay
	marks             *screen.Marks
}

type chartAnswer struct {
	chartQuestion
	analysis.MetricChart
	now   int64 // of the snapshot
	lines map[string][]analysis.MetricLine
	asked bool
	sum   bool
}

func newChart(t theme.Theme, run, name string) *chart {
	return &chart{theme: t, run: run, name: name, table: draw.NewTable(t), time: newTimeWindow(), from: math.NaN(), to: math.NaN()}
}

// settings is a chart without data that looks at them in the same way.
func (c *chart) settings() *chart {
	n := newChart(c.theme, c.run, c.name)
	n.keys = c.keys
	n.view, n.by, n.sum, n.window, n.runs, n.alone, n.time = c.view, c.by, c.sum, c.window, c.runs, c.alone, c.time
	n.table.SetSort(c.table.Sort())
	return n
}

// runsOf is the runs whose lines are drawn, the one in focus first.
func (c *chart) runsOf(d screen.Data) []*store.Run {
	own := d.Snapshot.Run(d.Run)
	if own == nil {
		return nil
	}
	out := []*store.Run{own}
	for _, r := range d.Snapshot.Runs {
		if r != own && (c.runs == markedRuns && d.Marks.Has(r.ID) || c.runs == sameService && r.Service == own.Service) {
			out = append(out, r)
		}
	}
	return out
}

// nextRuns goes to the next choice of runs that has more than one.
func (c *chart) nextRuns(d screen.Data) {
	for range 3 {
		c.runs = (c.runs + 1) % 3
		if c.runs == thisRun || len(c.runsOf(d)) > 1 {
			break
		}
	}
	c.time = newTimeWindow()
}

func (c *chart) question(d screen.Data) chartQuestion {
	q := chartQuestion{run: d.Run, name: c.name, filter: d.Filter.String(), view: c.view, by: c.by, runs: c.runs}
	if c.runs != thisRun {
		q.by, q.marks = analysis.ByRun, d.Marks
	}
	return q
}

// drawnGroups is how many lines are told apart by a mark.
const drawnGroups = 8

// ask starts putting series into groups, and the lines of the first groups.
func (c *chart) ask(d screen.Data) tea.Cmd {
	q, runs, sum := c.question(d), c.runsOf(d), c.sum
	return c.asker.Start(q, func(context.Context) chartAnswer {
		var scopes []analysis.MetricScope
		for _, r := range runs {
			scopes = append(scopes, analysis.MetricScope{Run: r, Match: matcher(d.Filter, r)})
		}
		a := chartAnswer{chartQuestion: q, now: d.Snapshot.Now, asked: true, sum: sum, lines: map[string][]analysis.MetricLine{}}
		a.MetricChart = analysis.ChartMetric(scopes, analysis.MetricQuery{Name: q.name, View: q.view, By: q.by})
		for _, g := range a.Groups[:min(len(a.Groups), drawnGroups)] {
			a.lines[g.Key] = g.Lines(sum && a.NoSum == "")
		}
		return a
	})
}

func (c *chart) update(msg tea.Msg) (tea.Cmd, bool) {
	a, fresh, mine, next := c.asker.Take(msg)
	if mine && fresh {
		c.take(a)
	}
	return next, mine
}

func (c *chart) take(a chartAnswer) {
	c.answer, c.lines, c.spread = a, a.lines, map[string]*analysis.Distribution{}
	c.from, c.to = c.measureExtent()
	if a.sum != c.sum {
		c.lines = map[string][]analysis.MetricLine{}
	}
	c.arrange()
}

// arrange sorts the groups; without a column they stay in their order.
func (c *chart) arrange() {
	c.groups = slices.Clone(c.answer.Groups)
	if s := c.table.Sort(); s.Column != "" {
		slices.SortStableFunc(c.groups, func(a, b *analysis.MetricGroup) int {
			if s.Column == "label" {
				return draw.Turned(slices.Index(c.answer.Groups, a)-slices.Index(c.answer.Groups, b), s.Desc)
			}
			return draw.Compare(c.figure(a, s.Column), c.figure(b, s.Column), s.Desc)
		})
	}
	c.table.SetColumns(c.columns()...)
	c.table.SetRows(&groupRows{c})
	c.resize(c.size)
}

// focus is the group under the cursor; nil when there is none.
func (c *chart) focus() *analysis.MetricGroup {
	at, ok := c.table.Cursor()
	if !ok || at >= len(c.groups) {
		return nil
	}
	return c.groups[at]
}

// linesOf is the lines of a group. Those of the first groups come with the answer.
func (c *chart) linesOf(g *analysis.MetricGroup) []analysis.MetricLine {
	lines, ok := c.lines[g.Key]
	if !ok {
		lines = g.Lines(c.summed())
		c.lines[g.Key] = lines
	}
	return lines
}

// summed says that lines of several series are their sum.
func (c *chart) summed() bool { return c.sum && c.answer.NoSum == "" }

func (c *chart) spreadOf(g *analysis.MetricGroup) *analysis.Distribution {
	d, ok := c.spread[g.Key]
	if !ok {
		d = g.Spread(c.window)
		c.spread[g.Key] = d
	}
	return d
}

// mark is the letter of a group: by its place, so that sorting does not change it.
// Groups beyond the first few have none, but the one in focus has a star.
func (c *chart) mark(g *analysis.MetricGroup) string {
	if i := slices.Index(c.answer.Groups[:min(len(c.answer.Groups), drawnGroups)], g); i >= 0 {
		return string(rune('A' + i))
	}
	if g == c.focus() {
		return "*"
	}
	return " "
}

// drawn is the groups whose lines are in the chart, the one in focus last, on top.
func (c *chart) drawn() []*analysis.MetricGroup {
	at := c.focus()
	var out []*analysis.MetricGroup
	if !c.alone {
		out = slices.DeleteFunc(slices.Clone(c.answer.Groups[:min(len(c.answer.Groups), drawnGroups)]),
			func(g *analysis.MetricGroup) bool { return g == at })
	}
	if at != nil {
		out = append(out, at)
	}
	return out
}

// isDistribution says that the chart is of buckets, not of time.
func (c *chart) isDistribution() bool { return c.answer.View == analysis.ViewDistribution }

// nextView goes to another way to look at the points.
func (c *chart) nextView() {
	views := c.answer.Views
	if len(views) == 0 {
		return
	}
	c.view = views[(slices.Index(views, c.answer.View)+1)%len(views)]
}

// groupings is what one may group by: together, one by one, by what tells the
// senders apart, and by what tells their series apart.
func (c *chart) groupings() []string {
	out := []string{analysis.ByAll, analysis.BySeries}
	out = append(out, c.answer.Facts...)
	return append(out, c.answer.Keys...)
}

func (c *chart) nextGrouping(by int) {
	all := c.groupings()
	at := slices.Index(all, c.answer.By)
	c.by = all[(at+by+len(all))%len(all)]
	c.table.SetSort(draw.Sort{})
	c.table.MoveTo(0)
}

// figure is a number of a group's row, NaN for none.
func (c *chart) figure(g *analysis.MetricGroup, column string) float64 {
	switch column {
	case "at":
		v, _ := c.valueAt(g)
		return v
	case "newest":
		return g.Newest
	case "min":
		return g.Min
	case "mean":
		return g.Mean
	case "max":
		return g.Max
	case "series":
		return float64(g.Series)
	case "points":
		return float64(g.Finite + g.NotFinite + g.Gaps)
	case "bad":
		return float64(g.NotFinite)
	case "gaps":
		return float64(g.Gaps)
	case "resets":
		return float64(g.Resets)
	}
	return spreadFigure(c.spreadOf(g), column)
}

func spreadFigure(d *analysis.Distribution, column string) float64 {
	if d == nil {
		return math.NaN()
	}
	switch column {
	case "count":
		return float64(d.Count)
	case "dmean":
		return d.Mean
	case "dmin":
		return d.Min
	case "dmax":
		return d.Max
	case "p50":
		return d.P50
	case "p95":
		return d.P95
	case "p99":
		return d.P99
	}
	return math.NaN()
}
