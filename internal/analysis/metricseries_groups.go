package analysis

import (
	"math"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Groupings of a metric's series that have a name of their own. Any other word is
// a fact of the process or an attribute of the series.
const (
	ByAll    = "all"    // all together
	BySeries = "series" // each alone
	ByRun    = "run"
)

// MetricQuery is what is asked of a metric.
type MetricQuery struct {
	Name string
	View MetricView // "" is the usual one
	By   string     // "" is the usual one
}

// MetricChart is a metric of one or several runs, in groups of series.
type MetricChart struct {
	Metric *store.Metric // of the first run that has it; nil when none has
	Views  []MetricView
	MetricQuery
	Groups    []*MetricGroup
	Facts     []string // of processes, that have more than one value among its series: as rank, host, pp
	Keys      []string // attributes whose values tell its series apart
	Series    int      // kept ones that the filter lets through
	Unkept    int      // series that found no room, of all
	Processes int
	Lost      int    // points without a time that can be
	NoSum     string // why values of several series are not added up; "" when they may be
	PointStats
}

// MetricGroup is some series of a metric together.
type MetricGroup struct {
	Key       string // identity
	Label     string
	Run       string
	Series    int
	Processes int
	Lost      int
	Origin    uint64 // time of its run's first point, unix ns; 0 for none
	From, To  uint64 // of its points
	Newest    float64
	PointStats

	metric *store.Metric
	view   MetricView
	series []*store.Series
	order  label
}

// ChartMetric puts the series of a metric into groups.
func ChartMetric(scopes []MetricScope, q MetricQuery) MetricChart {
	c := MetricChart{MetricQuery: q}
	if q.By == "" {
		c.By = usualGrouping(scopes, q.Name)
	}
	groups := map[string]*MetricGroup{}
	for _, sc := range scopes {
		if m := metricsByName(sc.Run)[q.Name]; m != nil {
			c.take(sc, m, groups)
		}
	}
	for _, g := range c.Groups {
		g.measure()
		c.PointStats.add(g.PointStats)
		c.Lost += g.Lost
	}
	slices.SortStableFunc(c.Groups, func(a, b *MetricGroup) int {
		switch {
		case a.order.less(b.order):
			return -1
		case b.order.less(a.order):
			return 1
		}
		return strings.Compare(a.Label, b.Label)
	})
	return c
}

// fewSeries is how many series are shown one by one when nothing else is asked.
const fewSeries = 8

// usualGrouping is each series alone while they are few, else all together.
func usualGrouping(scopes []MetricScope, name string) string {
	n := 0
	for _, sc := range scopes {
		if m := metricsByName(sc.Run)[name]; m != nil {
			n += len(sc.series(m))
		}
	}
	if n <= fewSeries {
		return BySeries
	}
	return ByAll
}

func (c *MetricChart) take(sc MetricScope, m *store.Metric, groups map[string]*MetricGroup) {
	series := sc.series(m)
	if len(series) == 0 {
		return
	}
	if c.Metric == nil {
		c.Metric, c.Views = m, MetricViews(m)
		if !slices.Contains(c.Views, c.View) {
			c.View = c.Views[0]
		}
		c.NoSum = noSum(m, series, c.View)
	}
	if m.Kind != c.Metric.Kind || m.Temporality != c.Metric.Temporality {
		return // the same name for something else
	}
	if sc.Match == nil {
		c.Unkept += m.SeriesSeen - len(m.Series)
	}
	c.Series += len(series)
	c.Processes += processesOf(series)
	c.Keys = merged(c.Keys, tellingKeys(series))
	c.Facts = append(c.Facts, tellingFacts(sc.Run, series, c.Facts)...)
	origin := originOf(series)
	name := labelOf(c.By, sc.Run)
	for _, s := range series {
		l := name(s)
		key := sc.Run.ID + "\x00" + l.text
		g := groups[key]
		if g == nil {
			g = &MetricGroup{Key: key, Label: textOf(c.By, l), Run: sc.Run.ID, Origin: origin, metric: m, view: c.View, order: l}
			groups[key] = g
			c.Groups = append(c.Groups, g)
		}
		g.series = append(g.series, s)
	}
}

func processesOf(series []*store.Series) int {
	seen := map[int]bool{}
	for _, s := range series {
		seen[s.Process] = true
	}
	return len(seen)
}

func originOf(series []*store.Series) (first uint64) {
	for _, s := range series {
		for _, p := range s.Points[:min(len(s.Points), 1)] {
			if run.Sane(p.Time, p.Time) == 0 && (first == 0 || p.Time < first) {
				first = p.Time
			}
		}
	}
	return first
}

// labelOf tells the group of a series.
func labelOf(by string, r *store.Run) func(*store.Series) label {
	switch by {
	case ByAll, "":
		return func(*store.Series) label { return textLabel(ByAll) }
	case ByRun:
		return func(*store.Series) label { return textLabel(r.ID) }
	case BySeries:
		return func(s *store.Series) label { return seriesLabel(r, s) }
	}
	if f := processLabel(by); f != nil {
		return func(s *store.Series) label { return f(r, r.Processes[s.Process]) }
	}
	return func(s *store.Series) label {
		if v := last(s.Attrs, by); v.Type != run.Empty {
			return valueLabel(v)
		}
		return label{}
	}
}

// seriesLabel names one series: its rank or process, and its attributes.
func seriesLabel(r *store.Run, s *store.Series) label {
	q := newSeries(r, s.Process, nil)
	l := label{number: int64(unknownLast(q.Rank)), isNum: true, known: true, text: q.Label}
	if q.Rank == run.Unknown || r.Processes[s.Process].Sibling {
		l.text += " (process " + numberLabel(s.Process).text + ")"
	}
	for _, a := range s.Attrs {
		l.text += "  " + a.Key + "=" + a.Value.String()
	}
	return l
}

func textOf(by string, l label) string {
	switch {
	case !l.known:
		return by + " –"
	case by == BySeries || by == ByRun || by == ByAll:
		return l.text
	}
	return by + " " + l.text
}

// maxTelling bounds how many series are looked at for keys, and how many keys are
// offered.
const maxTelling = 4096

// tellingKeys is the attributes that have more than one value among the series.
func tellingKeys(series []*store.Series) []string {
	first := map[string]string{}
	telling := map[string]bool{}
	n := min(len(series), maxTelling)
	seen := map[string]int{}
	for _, s := range series[:n] {
		for _, a := range s.Attrs {
			text := a.Value.String()
			if was, ok := first[a.Key]; !ok {
				first[a.Key] = text
			} else if was != text {
				telling[a.Key] = true
			}
			seen[a.Key]++
		}
	}
	var out []string
	for key, times := range seen {
		if telling[key] || times < n {
			out = append(out, key)
		}
	}
	slices.Sort(out)
	return out
}

// tellingFacts is the facts of processes, besides those that are known already, of
// which the senders of series have more than one.
func tellingFacts(r *store.Run, series []*store.Series, known []string) (out []string) {
	for _, fact := range []string{"rank", "role", "host", "pp", "dp", "tp", "cp", "ep", "attempt"} {
		f := processLabel(fact)
		first := f(r, r.Processes[series[0].Process])
		differs := func(s *store.Series) bool { return f(r, r.Processes[s.Process]) != first }
		if !slices.Contains(known, fact) && slices.ContainsFunc(series, differs) {
			out = append(out, fact)
		}
	}
	return out
}

func merged(a, b []string) []string {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

// noSum says why the values of several series would make no sense added up.
func noSum(m *store.Metric, series []*store.Series, v MetricView) string {
	switch {
	case v == ViewMean || v == ViewDistribution:
		return "means are not added up"
	case m.Kind.String() != "sum":
		return "gauges are not added up"
	case ReadingOf(m) == Unspecified:
		return "its temporality is unspecified"
	case GlobalCounter(m.Name):
		return "every rank sends the world's value"
	case len(m.Series) < m.SeriesSeen:
		return "not all series are kept"
	case sameValue(series):
		return "ranks send the same value: it may be the world's"
	}
	return ""
}

// sameValue reports that most series of different processes ended at one value
// that is not 0.
func sameValue(series []*store.Series) bool {
	if processesOf(series) < 2 {
		return false
	}
	times := map[float64]int{}
	most := 0
	for _, s := range series {
		if v := s.Roll.Last; v != 0 && !math.IsNaN(v) && s.Roll.LastTime > 0 {
			times[v]++
			most = max(most, times[v])
		}
	}
	return 3*most >= 2*len(series)
}

// measure makes the figures of a group, in its view.
func (g *MetricGroup) measure() {
	g.Series, g.Processes = len(g.series), processesOf(g.series)
	g.PointStats = statsOf(nil)
	var newest []float64
	for _, s := range g.series {
		points, lost := MetricPoints(g.metric, s, g.view)
		st := statsOf(points)
		g.PointStats.add(st)
		g.Lost += lost
		if st.LastTime > 0 {
			newest = append(newest, st.Last)
		}
		if n := len(points); n > 0 {
			if g.From == 0 || points[0].Time < g.From {
				g.From = points[0].Time
			}
			g.To = max(g.To, points[n-1].Time)
		}
	}
	g.Newest = math.NaN()
	if len(newest) == 1 {
		g.Newest = newest[0]
	} else {
		g.Newest = median(slices.DeleteFunc(newest, func(v float64) bool { return math.IsNaN(v) || math.IsInf(v, 0) }))
	}
}
