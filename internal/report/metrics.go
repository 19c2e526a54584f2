package report

import "github.com/beamline-hpc/lensview/internal/store"

// metrics is every metric of the run over all its series, in order of
// appearance. Points that are not finite stand beside the figures.
func (b *builder) metrics() []Metric {
	out := []Metric{}
	for _, m := range b.run.Metrics {
		r := m.Roll
		row := Metric{
			Name: m.Name, Unit: m.Unit, Kind: m.Kind.String(), Temporality: temporality(m),
			Series: m.SeriesSeen, Points: r.Points, NotFinite: r.NotFinite,
		}
		if r.Finite > 0 {
			row.Min, row.Max, row.Mean = figures(m)
		}
		if r.LastTime > 0 {
			row.Last = number(r.Last)
		}
		out = append(out, row)
	}
	return out
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
func figures(m *store.Metric) (low, high, mean *float64) {
	r := m.Roll
	switch m.Kind.String() {
	case "gauge":
		return number(r.Min), number(r.Max), meanOf(r)
	case "sum":
		return number(r.Min), number(r.Max), meanOfSum(m)
	}
	if !r.MeansMin {
		low = number(r.Min)
	}
	if !r.MeansMax {
		high = number(r.Max)
	}
	return low, high, meanOfDistribution(m)
}

func meanOf(r store.Roll) *float64 {
	if mean, ok := r.Mean(); ok {
		return number(mean)
	}
	return nil
}

// meanOfSum is nil for running totals: their mean says nothing.
func meanOfSum(m *store.Metric) *float64 {
	if m.Monotonic && m.Temporality.String() != "delta" {
		return nil
	}
	return meanOf(m.Roll)
}

// meanOfDistribution is the mean of the values of a histogram or summary. A
// point's value is its own mean, so it is known from one point, or from the last
// one of a single series that counts on and on.
func meanOfDistribution(m *store.Metric) *float64 {
	one := m.Roll.Finite == 1
	onAndOn := m.Temporality.String() == "cumulative" && m.SeriesSeen == 1 && len(m.Series) == 1 && m.Series[0].Resets == 0
	if one || onAndOn {
		return number(m.Roll.Last)
	}
	return nil
}
