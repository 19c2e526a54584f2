package analysis

import (
	"math"
	"slices"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
)

func hist(name string) otlp.MetricInfo {
	return otlp.MetricInfo{Name: name, Kind: otlp.Histogram, Temporality: otlp.Cumulative, Unit: "ms"}
}

// histAt is a histogram point i·10 s after t0.
func histAt(i int, bounds []float64, counts ...uint64) otlp.DataPoint {
	p := otlp.DataPoint{Start: t0, Time: t0 + uint64(i)*10*sec, Buckets: otlp.Buckets{Bounds: bounds, Counts: counts}}
	for _, n := range counts {
		p.Count += n
	}
	return p
}

func (f *feed) distribution(name string) *Distribution {
	f.Helper()
	_, r := f.look()
	m := metricsByName(r)[name]
	if m == nil {
		f.Fatalf("no metric %s", name)
	}
	return MetricDistribution(Scope{Run: r}, m)
}

// Case 38: zero and negative buckets count too.
func TestExponentialHistogram(t *testing.T) {
	f := newFeed(t)
	p := otlp.DataPoint{Time: t0, Count: 7, Buckets: otlp.Buckets{
		Scale: 2, ZeroCount: 1, Positive: otlp.BucketSpan{Counts: []uint64{2, 3}}, Negative: otlp.BucketSpan{Counts: []uint64{1}}}}
	f.points(trainer(0, 1), otlp.MetricInfo{Name: "e", Kind: otlp.ExpHistogram, Temporality: otlp.Cumulative}, p)
	d := f.distribution("e")
	r := math.Pow(2, 0.25)
	for q, in := range map[float64][2]float64{0: {-r, -1}, 0.5: {1, r}, 0.99: {r, r * r}, 1: {r, r * r}} {
		v, low, high := d.Quantile(q)
		if !near(low, in[0], 1e-9) || !near(high, in[1], 1e-9) || v < low || v > high {
			t.Errorf("quantile %v is %v in (%v, %v], want (%v, %v]", q, v, low, high, in[0], in[1])
		}
	}
	if v, low, high := d.Quantile(0.25); v != 0 || low != 0 || high != 0 {
		t.Errorf("the second value is %v in (%v, %v], want zero", v, low, high)
	}
}

// Case 34: legal points without buckets or bounds, and one that contradicts
// itself.
func TestOddHistograms(t *testing.T) {
	one := otlp.DataPoint{Time: t0, Count: 5, Sum: 10, HasSum: true, Buckets: otlp.Buckets{Counts: []uint64{5}}}
	none := one
	none.Buckets = otlp.Buckets{}
	bounded := one
	bounded.Min, bounded.Max, bounded.HasMin, bounded.HasMax = 1, 4, true, true
	wrong := histAt(0, []float64{1, 2, 3, 4, 5}, 1, 2, 2)
	tests := []struct {
		name  string
		point otlp.DataPoint
		isNil bool
		known bool
	}{{"one bucket", one, false, false}, {"no bucket", none, false, false}, {"bounded", bounded, false, true}, {"contradiction", wrong, true, false}}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFeed(t)
			f.points(trainer(0, 1), hist("h"), tt.point)
			d := f.distribution("h")
			if tt.isNil {
				if d != nil {
					t.Fatalf("distribution %+v of a point that contradicts itself", d)
				}
				return
			}
			if d.Count != 5 || d.Mean != 2 || math.IsNaN(d.P50) == tt.known {
				t.Errorf("count %d, mean %v, p50 %v", d.Count, d.Mean, d.P50)
			}
			if tt.known && !(d.P50 >= 1 && d.P99 <= 4) {
				t.Errorf("p50 %v, p99 %v are not within 1 and 4", d.P50, d.P99)
			}
		})
	}
}

// Case 37: what came between two points of a running histogram.
func TestHistogramWindow(t *testing.T) {
	tests := []struct {
		name          string
		before, after []uint64
		start         uint64
		want          []uint64
	}{
		{"goes on", []uint64{1, 2, 0}, []uint64{2, 5, 1}, t0, []uint64{1, 3, 1}},
		{"fell", []uint64{4, 2, 0}, []uint64{2, 5, 1}, t0, []uint64{2, 5, 1}},
		{"began again", []uint64{1, 2, 0}, []uint64{2, 5, 1}, t0 + 5*sec, []uint64{2, 5, 1}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFeed(t)
			bounds := []float64{10, 20}
			a, b := histAt(0, bounds, tt.before...), histAt(1, bounds, tt.after...)
			a.Sum, a.HasSum, b.Sum, b.HasSum, b.Start = 30, true, 100, true, tt.start
			f.points(trainer(0, 1), hist("h"), a, b)
			_, r := f.look()
			m := r.Metrics[0]
			sp, ok := WindowOf(m, m.Series[0])
			if !ok || !slices.Equal(sp.Counts(), tt.want) {
				t.Errorf("window %v, %t, want %v", sp.Counts(), ok, tt.want)
			}
		})
	}
}

// The figures over several ranks are those of all their values.
func TestHistogramsOfSeveralRanks(t *testing.T) {
	f := newFeed(t)
	bounds := []float64{100, 200, 300}
	for rank := range 4 {
		p := histAt(0, bounds, 0, 10, uint64(rank), 0)
		p.Sum, p.HasSum, p.Min, p.HasMin, p.Max, p.HasMax = 150*10+250*float64(rank), true, 120, true, 280, true
		f.points(trainer(rank, 4), hist("megatron.training.step_duration_ms"), p)
	}
	d := f.quantity("step_duration").Distribution
	if d.Count != 46 || d.Series != 4 || d.LeftOut != 0 || !near(d.Mean, (150*40+250*6)/46.0/1000, 1e-12) {
		t.Errorf("distribution %+v", d)
	}
	if !(d.P50 > 0.12 && d.P50 < 0.2 && d.P99 > 0.2 && d.P99 <= 0.28) {
		t.Errorf("p50 %v, p99 %v", d.P50, d.P99)
	}
	if q := f.quantity("step_duration"); q.Read != RunningMean || !near(q.Last, d.Mean, 0.2) {
		t.Errorf("read as %s, last %v", q.Read, q.Last)
	}
}

// Exponential histograms of different scales hold the same values in buckets
// that nest.
func TestScalesNest(t *testing.T) {
	fine := exponential{scale: 1}.buckets(0, nil, 0, []uint64{1, 1, 1, 1}) // (1, 4]
	coarse := exponential{scale: 0}.buckets(0, nil, 0, []uint64{2, 2})     // (1, 2], (2, 4]
	d := Together([]Spread{{Count: 4, buckets: fine}, {Count: 4, buckets: coarse}}, 1)
	if len(d.buckets) != 2 || d.buckets[0].n != 4 || d.buckets[1].n != 4 || !near(d.buckets[1].low, 2, 1e-9) {
		t.Errorf("buckets %v", d.buckets)
	}
}

// FuzzQuantile holds quantiles against the values that were put into buckets:
// the nearest-rank value lies in the bounds that are given.
func FuzzQuantile(f *testing.F) {
	f.Add([]byte{1, 5, 9, 200}, byte(50))
	f.Add([]byte{7}, byte(99))
	f.Fuzz(func(t *testing.T, data []byte, percent byte) {
		if len(data) == 0 || percent > 100 {
			return
		}
		bounds := []float64{10, 20, 50, 100}
		counts := make([]uint64, len(bounds)+1)
		low, high := math.Inf(1), math.Inf(-1)
		var sorted []float64
		for _, b := range data {
			v := float64(b)
			i, _ := slices.BinarySearch(bounds, v)
			counts[i]++
			low, high = min(low, v), max(high, v)
			sorted = append(sorted, v)
		}
		slices.Sort(sorted)
		d := Together([]Spread{{Count: uint64(len(data)), Min: low, Max: high, HasMin: true, HasMax: true, buckets: explicit(bounds, counts)}}, 1)
		q := float64(percent) / 100
		want := sorted[min(max(int(math.Ceil(q*float64(len(sorted)))), 1), len(sorted))-1]
		v, from, to := d.Quantile(q)
		if !(from <= want && want <= to && from <= v && v <= to) {
			t.Errorf("quantile %v is %v in [%v, %v], the value is %v", q, v, from, to, want)
		}
	})
}
