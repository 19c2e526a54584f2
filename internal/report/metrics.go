package report

import (
	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/store"
)

// metrics is every metric of the run over all its series, in order of
// appearance; of a filtered report over the series of the processes that the
// filter lets through. Points that are not finite stand beside the figures.
func (b *builder) metrics() []Metric {
	out := []Metric{}
	for _, m := range b.run.Metrics {
		r, series := m.Roll, m.SeriesSeen
		if b.scope.Filter != nil {
			if r, series = b.narrowed(m); series == 0 {
				continue
			}
		}
		row := Metric{
			Name: m.Name, Unit: m.Unit, Kind: m.Kind.String(), Temporality: temporality(m),
			Series: series, Points: r.Points, NotFinite: r.NotFinite,
		}
		d := analysis.MetricDistribution(b.scope, m)
		if r.Finite > 0 {
			row.Min, row.Max, row.Mean = figures(m, r, d)
		}
		if r.LastTime > 0 {
			row.Last = number(r.Last)
		}
		if d != nil {
			row.P50, row.P95, row.P99 = number(d.P50), number(d.P95), number(d.P99)
		}
		out = append(out, row)
	}
	return out
}

// narrowed is the roll-up of the series that the filter lets through.
func (b *builder) narrowed(m *store.Metric) (all store.Roll, series int) {
	for _, s := range m.Series {
		if b.scope.Filter.Process(s.Process) {
			all.Merge(s.Roll)
			series++
		}
	}
	return all, series
}

// temporality is nil for kinds that have none.
func temporality(m *store.Metric) *string {
	switch m.Kind.String() {
	case "sum", "histogram", "exponential_histogram":
		return text(m.Temporality.String())
	}
	return nil
}

// figures is what the points say of the values behind them; nil is what they
// do not say.
func figures(m *store.Metric, r store.Roll, d *analysis.Distribution) (low, high, mean *float64) {
	switch m.Kind.String() {
	case "gauge":
		return number(r.Min), number(r.Max), meanOf(r)
	case "sum":
		return number(r.Min), number(r.Max), meanOfSum(m, r)
	}
	if !r.MeansMin {
		low = number(r.Min)
	}
	if !r.MeansMax {
		high = number(r.Max)
	}
	return low, high, meanOfDistribution(m, r, d)
}

func meanOf(r store.Roll) *float64 {
	if mean, ok := r.Mean(); ok {
		return number(mean)
	}
	return nil
}

// meanOfSum is nil for running totals: their mean says nothing.
func meanOfSum(m *store.Metric, r store.Roll) *float64 {
	if m.Monotonic && m.Temporality.String() != "delta" {
		return nil
	}
	return meanOf(r)
}

// meanOfDistribution is the mean of the values of a histogram or summary: known
// from one point, or from the last points of series that count on and on, whose
// sums and counts hold everything.
func meanOfDistribution(m *store.Metric, r store.Roll, d *analysis.Distribution) *float64 {
	if r.Finite == 1 {
		return number(r.Last)
	}
	whole := m.Temporality.String() == "cumulative" && len(m.Series) == m.SeriesSeen && d != nil && d.LeftOut == 0
	for _, s := range m.Series {
		whole = whole && s.Resets == 0
	}
	if !whole {
		return nil
	}
	return number(d.Mean)
}
