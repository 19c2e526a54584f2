package metricsscreen

import (
	"math"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// gutter is the cells left of everything.
const gutter = 2

// parts is how many lines the chart, its marks and its table have.
type parts struct {
	titles, plot int
	strip        bool
	table        int
	legend       bool
}

// divide shares a height among them: half of what is left for the curves.
func divide(height int, rows int, odd bool) parts {
	p := parts{titles: min(1, height)}
	left := height - p.titles
	if left >= 10 {
		p.titles, left = 2, left-1
	}
	if left >= 6 {
		p.legend, left = true, left-1
	}
	left-- // axis of time
	if p.strip = odd && left >= 6; p.strip {
		left--
	}
	p.table = min(max(3, left*2/5), rows+1)
	if left < 6 {
		p.table = min(2, left/2)
	}
	p.table = max(0, p.table)
	p.plot = max(0, left-p.table)
	return p
}

// giveBack leaves the table the lines that a distribution of few buckets does not
// need.
func (p *parts) giveBack(needed, rows int) {
	more := max(0, min(p.plot-max(needed, 2), rows-p.table))
	p.plot, p.table = p.plot-more, p.table+more
}

func (c *chart) resize(s size) {
	if s.width != c.size.width {
		c.size = s
		c.table.SetColumns(c.columns()...)
	}
	c.size = s
	st := &c.answer.PointStats
	c.parts = divide(s.height-1, len(c.groups), st.NotFinite+st.Gaps+st.Resets > 0 && !c.isDistribution())
	if c.isDistribution() {
		c.parts.giveBack(c.bars()-1, len(c.groups)+1)
	}
	c.table.SetSize(s.width, c.parts.table)
}

// View is the screen.
func (m *Model) View() string {
	if m.size.width == 0 || m.size.height == 0 {
		return ""
	}
	if m.chart != nil {
		return draw.Block(append(m.chart.drawLines(), m.bottomLine()), m.size.width, m.size.height)
	}
	if len(m.list.rows.list) == 0 {
		return draw.Message(m.empty(), m.size.width, m.size.height)
	}
	lines := []string{m.summary()}
	if m.size.height > 2 {
		lines = append(lines, strings.Split(m.list.table.View(), "\n")...)
	}
	return draw.Block(append(lines, m.bottomLine()), m.size.width, m.size.height)
}

// summary is how many metrics there are.
func (m *Model) summary() string {
	t := m.theme
	series, odd := 0, uint64(0)
	for i := range m.list.rows.list {
		series += m.list.rows.list[i].Seen
		odd += m.list.rows.list[i].NotFinite
	}
	l := draw.NewLine(m.size.width).Space(gutter).Add(t.Strong, draw.Plural(len(m.list.rows.list), "metric"))
	l.AddIf(t.Dim, "  "+draw.Count(series)+" series")
	if odd > 0 {
		l.AddIf(t.Bad, "  "+t.Glyphs.Bad+" "+draw.Count(odd)+" points not finite")
	}
	l.AddIf(t.Dim, "  figures over the whole run")
	return l.Right(t.Dim, m.list.table.Position()).String()
}

// drawLines is the chart in all lines but the last.
func (c *chart) drawLines() []string {
	height := max(0, c.size.height-1)
	if !c.answer.asked || c.answer.Metric == nil {
		return strings.Split(draw.Message(c.empty(), c.size.width, height), "\n")
	}
	lines := []string{c.title()}
	if c.parts.titles > 1 {
		lines = append(lines, c.subtitle())
	}
	if c.isDistribution() {
		bars := c.bucketLines(c.parts.plot + 1)
		for len(bars) < c.parts.plot+1 {
			bars = append(bars, draw.Spaces(c.size.width))
		}
		lines = append(lines, bars...)
	} else {
		lines = append(lines, c.plotLines()...)
	}
	if c.parts.legend {
		lines = append(lines, c.legend())
	}
	if c.parts.table > 0 {
		lines = append(lines, strings.Split(c.table.View(), "\n")...)
	}
	return strings.Split(draw.Block(lines, c.size.width, height), "\n")
}

// title is what is drawn.
func (c *chart) title() string {
	t, a := c.theme, &c.answer
	l := draw.NewLine(c.size.width).Space(gutter).Add(t.Title, a.Metric.Name)
	l.AddIf(t.Strong, "  "+string(a.View))
	if unit := analysis.MetricUnit(a.Metric, a.View); unit != "" {
		l.AddIf(t.Dim, " in "+unit)
	}
	l.AddIf(t.Dim, "  "+strings.TrimSpace(temporalityText(a.Metric)+" "+kindText(a.Metric)))
	return l.Right(t.Dim, c.table.Position()).String()
}

// subtitle is of what series, and how they are put together.
func (c *chart) subtitle() string {
	t, a := c.theme, &c.answer
	l := draw.NewLine(c.size.width).Space(gutter)
	l.AddIf(t.Accent, "by "+a.By)
	l.AddIf(t.Dim, "  "+draw.Count(a.Series)+" series of "+processText(a.Processes))
	switch {
	case c.isDistribution():
		l.AddIf(t.Dim, "  "+c.spreadText())
	case c.summed():
		l.AddIf(t.Strong, "  added up")
	case c.sum:
		l.AddIf(t.Warn, "  not added up: "+a.NoSum)
	}
	if c.answer.runs != thisRun {
		l.AddIf(t.Accent, "  "+c.answer.runs.String()+", each from its beginning")
	}
	if a.View == analysis.ViewMean && temporalityText(a.Metric) == "cumulative" {
		l.AddIf(t.Dim, "  running mean since the process began")
	}
	if a.View == analysis.ViewValue && temporalityText(a.Metric) == "unspecified" {
		l.AddIf(t.Warn, "  temporality unspecified: no rate is made")
	}
	if a.Metric.Overflow {
		l.AddIf(t.Bad, "  "+t.Glyphs.Bad+" series folded together by the sender: values per series are incomplete")
	}
	return l.String()
}

func processText(n int) string {
	if n == 1 {
		return "1 process"
	}
	return draw.Count(n) + " processes"
}

// empty says why there is no chart.
func (c *chart) empty() []string {
	if !c.answer.asked {
		return []string{"Putting the series of " + c.name + " together."}
	}
	if c.answer.filter != "" {
		return []string{"No series of " + c.name + " matches the filter:", "", "  " + c.answer.filter, "", c.keys.On("", "X") + " clears it, " + c.keys.On("", "esc") + " goes back to the list."}
	}
	return []string{"No series of " + c.name + " is kept. " + c.keys.On("", "esc") + " goes back to the list."}
}

// bottomLine is what is being typed, else the answer to the last key, else the row
// in focus.
func (m *Model) bottomLine() string {
	l := draw.NewLine(m.size.width)
	switch {
	case m.finder.typing:
		return m.findLine()
	case m.note != "":
		return l.Space(gutter).Add(m.theme.Accent, m.note).String()
	case m.chart != nil:
		return m.chart.readout(l)
	}
	row, ok := m.list.focus()
	if !ok {
		return l.String()
	}
	l.Add(m.theme.Selected, m.theme.Glyphs.Cursor).Space(1)
	l.AddIf(m.theme.Dim, temporalityText(row.Metric)+"  ")
	if len(row.Series) > 1 {
		l.AddIf(m.theme.Dim, "last: median of "+draw.Count(len(row.Series))+" series  ")
	}
	if row.Metric.Overflow {
		l.AddIf(m.theme.Bad, "the sender folds series together (otel.metric.overflow)  ")
	}
	if n := row.Seen - len(row.Series); n > 0 {
		l.AddIf(m.theme.Warn, draw.Count(n)+" series found no room  ")
	}
	return l.Add(m.theme.Plain, row.Metric.Description).String()
}

// readout is what the line in focus says where values are read.
func (c *chart) readout(l *draw.Line) string {
	g := c.focus()
	if g == nil {
		return l.String()
	}
	l.Add(c.theme.Selected, c.theme.Glyphs.Cursor).Space(1).Add(c.theme.Strong, c.mark(g)+" "+strings.TrimSpace(g.Label))
	if c.isDistribution() {
		return c.spreadReadout(l, g).String()
	}
	from, to := c.span()
	if math.IsNaN(from) {
		return l.Add(c.theme.Dim, "  nothing to draw: "+nothing(c.answer.View, c.keys)).String()
	}
	l.AddIf(c.theme.Dim, "  at "+c.timeText(c.at(), to-from)+" "+c.ageText(c.at()))
	for _, line := range c.linesOf(g) {
		p, ok := c.pointAt(g, line.Points)
		text := draw.Missing
		if ok {
			text = draw.Number(p.Value)
		}
		if p.Marks.Has(analysis.Gap) {
			text = "gap"
		}
		l.AddIf(c.theme.Plain, "  "+strings.TrimSpace(line.Name+" "+text))
	}
	return l.String()
}

// nothing says why a view has no points.
func nothing(v analysis.MetricView, keys screen.Keys) string {
	switch v {
	case analysis.ViewRate, analysis.ViewIncrement:
		return "it takes two points of a series, " + keys.On(screen.Metrics, "v") + " shows other views"
	}
	return "no points are kept"
}

// spreadReadout is the distribution in focus, with the bounds of its percentiles.
func (c *chart) spreadReadout(l *draw.Line, g *analysis.MetricGroup) *draw.Line {
	d := c.spreadOf(g)
	if d == nil {
		return l
	}
	for _, p := range []struct {
		q    float64
		name string
	}{{0.50, "p50"}, {0.95, "p95"}, {0.99, "p99"}} {
		if _, low, high := d.Quantile(p.q); !math.IsNaN(low) {
			l.AddIf(c.theme.Plain, "  "+p.name+" in "+boundsText(analysis.BucketCount{Low: low, High: high}))
		}
	}
	return l
}

// empty says why there is nothing to show.
func (m *Model) empty() []string {
	r := m.data.Snapshot.Run(m.data.Run)
	switch {
	case len(m.data.Snapshot.Runs) == 0:
		return screen.Teach(m.data)
	case !m.list.answer.asked || m.list.answer.run != m.data.Run:
		return []string{"Looking at the metrics of this run."}
	case m.data.Filter != nil && !m.data.Filter.Empty() && r != nil && len(r.Metrics) > 0:
		return []string{"No metric has a series that matches the filter:", "", "  " + m.data.Filter.String(), "", m.data.Cleared()}
	}
	return []string{"This run has sent no metrics.", "",
		"Metrics come with NEMO_LENS_ENABLED=1 every OTEL_METRIC_EXPORT_INTERVAL milliseconds, a minute " +
			"when it is not set: OTEL_METRIC_EXPORT_INTERVAL=10000 is better for watching."}
}
