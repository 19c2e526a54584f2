package store

import (
	"slices"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// sendPoints sends points of one metric of rank 0.
func (f *fixture) sendPoints(info otlp.MetricInfo, points ...otlp.DataPoint) *Metric {
	b := otlp.NewBuilder(run.Metrics)
	b.Resource(rank(0), 0, "")
	b.Metric(info)
	for i := range points {
		b.Point(&points[i])
	}
	f.put(run.Metrics, "h", slices.Clone(b.Bytes()))
	return f.only().Metrics[0]
}

// The newest point of a histogram can be read again, and of a running one the
// point before.
func TestDistributionsAreKept(t *testing.T) {
	for _, temporality := range []otlp.Temporality{otlp.Cumulative, otlp.Delta} {
		f := newFixture(t)
		var m *Metric
		for i := range uint64(3) {
			m = f.sendPoints(otlp.MetricInfo{Name: "h", Kind: otlp.Histogram, Temporality: temporality}, otlp.DataPoint{
				Start: t0, Time: t0 + i, Count: i + 1, Sum: 7, HasSum: true, Max: 9, HasMax: true,
				Buckets: otlp.Buckets{Bounds: []float64{5}, Counts: []uint64{1, i}}})
		}
		d, ok, err := m.Distribution(m.Series[0])
		if err != nil || !ok || d.Count != 3 || d.Time != t0+2 || d.Sum != 7 || d.HasMin || d.Max != 9 || !slices.Equal(d.Buckets.Counts, []uint64{1, 2}) {
			t.Errorf("newest %+v, %t, %v", d, ok, err)
		}
		before, ok, err := m.Before(m.Series[0])
		if want := temporality == otlp.Cumulative; err != nil || ok != want || ok && before.Count != 2 {
			t.Errorf("before %+v, %t, %v", before, ok, err)
		}
	}
}

func TestResetsAreKnownByTime(t *testing.T) {
	f := newFixture(t)
	info := otlp.MetricInfo{Name: "c", Kind: otlp.Sum, Temporality: otlp.Cumulative, Monotonic: true}
	var m *Metric
	for i := range uint64(100) {
		m = f.sendPoints(info, otlp.DataPoint{Start: t0, Time: t0 + i, Value: run.IntValue(int64(5 - i%2))})
	}
	s := m.Series[0]
	if s.Resets != 50 || len(s.ResetAt) != keptResets || s.ResetAt[keptResets-1] != t0+99 || !slices.IsSorted(s.ResetAt) {
		t.Errorf("%d resets, %d by time, the last at %d", s.Resets, len(s.ResetAt), s.ResetAt[len(s.ResetAt)-1]-t0)
	}
}

func TestEachEvent(t *testing.T) {
	a, b := sp(1, 0, "a", 0, second), sp(2, 0, "b", 0, second)
	a.Events = []run.Event{{Time: 5, Name: "x"}, {Time: 6, Name: "y", Attrs: []run.Attr{str("k", "v")}}, {Time: 7, Name: "y"}}
	b.Events = []run.Event{{Time: 8, Name: "other", Attrs: []run.Attr{str("k", "y")}}}
	f := newFixture(t)
	f.send(rank(0), a, b, sp(3, 0, "c", 0, second))
	var at []uint64
	c := f.only().Chunks[0]
	c.EachEvent("y", func(row int, e run.Event) {
		if c.Name(row) != "a" {
			t.Errorf("an event of span %s", c.Name(row))
		}
		at = append(at, e.Time)
	})
	if !slices.Equal(at, []uint64{6, 7}) {
		t.Errorf("events at %v", at)
	}
}
