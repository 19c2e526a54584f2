package analysis

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// MetricScope is a run with what a filter says of series.
type MetricScope struct {
	Run   *store.Run
	Match func(process int, metric string, attrs []run.Attr) bool // nil lets everything through
}

// series is those of a metric that the filter lets through.
func (sc MetricScope) series(m *store.Metric) []*store.Series {
	if sc.Match == nil {
		return m.Series
	}
	var out []*store.Series
	for _, s := range m.Series {
		if sc.Match(s.Process, m.Name, s.Attrs) {
			out = append(out, s)
		}
	}
	return out
}

// MetricRow is one metric in a list. Counts and figures are of the whole life of
// its series; what points do not say is NaN.
type MetricRow struct {
	Metric                          *store.Metric
	Series                          []*store.Series // kept ones that the filter lets through
	Seen                            int             // series ever seen, kept or not; without a filter only, else len(Series)
	Points, NotFinite, Gaps, Resets uint64
	Min, Max, Mean                  float64
	Last                            float64 // the newest value: over several series the median
}

// MetricRows lists the metrics of a run in order of appearance. Those of which the
// filter lets no series through are left out.
func MetricRows(sc MetricScope) []MetricRow {
	var out []MetricRow
	for _, m := range sc.Run.Metrics {
		row := MetricRow{Metric: m, Series: sc.series(m), Seen: m.SeriesSeen}
		if sc.Match != nil {
			row.Seen = len(row.Series)
		}
		if row.Seen > 0 {
			row.figures(m, sc.Match == nil)
			out = append(out, row)
		}
	}
	return out
}

func (row *MetricRow) figures(m *store.Metric, whole bool) {
	roll := m.Roll
	if !whole {
		roll = rollOf(row.Series)
	}
	for _, s := range row.Series {
		row.Resets += s.Resets
	}
	row.Points, row.NotFinite, row.Gaps = roll.Points, roll.NotFinite, roll.Gaps
	row.Min, row.Max, row.Mean, row.Last = math.NaN(), math.NaN(), math.NaN(), newestOf(row.Series)
	if len(row.Series) == 0 && roll.LastTime > 0 {
		row.Last = roll.Last
	}
	if roll.Finite == 0 {
		return
	}
	if !roll.MeansMin {
		row.Min = roll.Min
	}
	if !roll.MeansMax {
		row.Max = roll.Max
	}
	if mean, ok := roll.Mean(); ok && meanSays(m) {
		row.Mean = mean
	}
}

// meanSays is false for running totals, whose mean says nothing, and for
// histograms, whose points are means themselves.
func meanSays(m *store.Metric) bool {
	switch m.Kind.String() {
	case "gauge":
		return true
	case "sum":
		return !m.Monotonic || m.Temporality.String() == "delta"
	}
	return false
}

func rollOf(series []*store.Series) (sum store.Roll) {
	for _, s := range series {
		r := s.Roll
		if r.Finite > 0 {
			if sum.Finite == 0 {
				sum.Min, sum.Max = r.Min, r.Max
			}
			sum.Min, sum.Max = min(sum.Min, r.Min), max(sum.Max, r.Max)
		}
		sum.Points, sum.NotFinite, sum.Gaps, sum.Finite = sum.Points+r.Points, sum.NotFinite+r.NotFinite, sum.Gaps+r.Gaps, sum.Finite+r.Finite
		sum.Sum += r.Sum
		sum.MeansMin, sum.MeansMax = sum.MeansMin || r.MeansMin, sum.MeansMax || r.MeansMax
	}
	return sum
}

// newestOf is the newest value of a series, of several the median of those that are
// finite; NaN for none.
func newestOf(series []*store.Series) float64 {
	if len(series) == 1 && series[0].Roll.LastTime > 0 {
		return series[0].Roll.Last
	}
	var v []float64
	for _, s := range series {
		if r := s.Roll; r.LastTime > 0 && !math.IsNaN(r.Last) && !math.IsInf(r.Last, 0) {
			v = append(v, r.Last)
		}
	}
	return median(v)
}

// Spread is the newest points of a histogram's series as one distribution, nil
// for other kinds and for too many series to look at.
func (row *MetricRow) Spread() *Distribution {
	if len(row.Series) > mostSpreads {
		return nil
	}
	return spreadOf(row.Metric, row.Series)
}

// mostSpreads is how many histogram points are read for one row of a list.
const mostSpreads = 2048

func spreadOf(m *store.Metric, series []*store.Series) *Distribution {
	return together(m, series, SpreadOf)
}

// together adds up what read gives of each series, nil when it gives nothing.
func together(m *store.Metric, series []*store.Series, read func(*store.Metric, *store.Series) (Spread, bool)) *Distribution {
	var all []Spread
	for _, s := range series {
		if sp, ok := read(m, s); ok {
			all = append(all, sp)
		}
	}
	if len(all) == 0 {
		return nil
	}
	d := Together(all, 1)
	d.LeftOut += len(series) - len(all)
	return d
}

// Trend is the newest values of a metric in its usual view, oldest first, NaN at
// gaps: of several series the median of a sample.
func (row *MetricRow) Trend(n int) []float64 {
	m, view := row.Metric, MetricViews(row.Metric)[0]
	step := max(1, (len(row.Series)+trendSeries-1)/trendSeries)
	byPlace := make([][]float64, n)
	longest := 0
	for i := 0; i < len(row.Series); i += step {
		s := *row.Series[i]
		s.Points = s.Points[max(0, len(s.Points)-n-1):]
		points, _ := MetricPoints(m, &s, view)
		points = points[max(0, len(points)-n):]
		longest = max(longest, len(points))
		for k, p := range points {
			if p.Marks&(NotFinite|Gap) == 0 {
				at := n - len(points) + k
				byPlace[at] = append(byPlace[at], p.Value)
			}
		}
	}
	out := make([]float64, longest)
	for k := range out {
		out[k] = median(byPlace[n-longest+k])
	}
	return out
}

// trendSeries is how many series a trend looks at.
const trendSeries = 32
