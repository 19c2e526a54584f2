package analysis

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/beamline-hpc/lensview/internal/otlp"
)

// TestIncrementsAddUp sends counters that begin again at random: what they counted
// in truth is the total, no increment is negative, and each reset is marked.
func TestIncrementsAddUp(t *testing.T) {
	d := rand.New(rand.NewPCG(1, 1))
	for round := range 40 {
		f := newFeed(t)
		truth, count, start, resets, since := 0.0, 0.0, t0, 0, 0.0
		var points []otlp.DataPoint
		for i := range 30 {
			if i > 0 && d.IntN(6) == 0 {
				count, start = 0, t0+uint64(i)*10*sec-5*sec
				resets++
			}
			add := float64(d.IntN(20))
			if i == 0 {
				since = add
			}
			truth, count = truth+add, count+add
			p := at(i, count)
			p.Start = start
			points = append(points, p)
		}
		f.points(trainer(0, 1), counter("megatron.training.skipped_iters", otlp.Cumulative), points...)
		q := f.quantity("skipped")
		if q.Total != truth || q.Resets != resets || !near(q.Sum+1, truth-since+1, 1e-12) || q.Min < 0 || len(q.Line) != 29 {
			t.Fatalf("round %d: total %v of %v, %d resets of %d, sum %v, least %v", round, q.Total, truth, q.Resets, resets, q.Sum, q.Min)
		}
	}
}

// TestStatsAddUp holds figures that were put together against figures over all
// points.
func TestStatsAddUp(t *testing.T) {
	d := rand.New(rand.NewPCG(2, 2))
	for range 200 {
		var all []Point
		var sum PointStats
		for part := range d.IntN(4) {
			var some []Point
			for i := range d.IntN(5) {
				p := Point{Time: uint64(1 + part*10 + i), Value: d.NormFloat64()}
				switch d.IntN(6) {
				case 0:
					p.Value, p.Marks = math.Inf(1), NotFinite
				case 1:
					p.Value, p.Marks = math.NaN(), Gap
				case 2:
					p.Marks = Reset
				}
				some = append(some, p)
			}
			all = append(all, some...)
			sum.add(statsOf(some))
		}
		want := statsOf(all)
		if len(all) == 0 {
			continue
		}
		if diff := cmp.Diff(want, sum, cmpopts.EquateNaNs(), cmpopts.EquateApprox(1e-9, 1e-12)); diff != "" {
			t.Fatalf("%v (-whole +parts):\n%s", all, diff)
		}
	}
}

// TestLinesAgainstBuckets holds a line over ranks against sorting every value
// into its interval.
func TestLinesAgainstBuckets(t *testing.T) {
	d := rand.New(rand.NewPCG(3, 3))
	for _, largest := range []bool{false, true} {
		for range 60 {
			series := make([]QuantitySeries, 2+d.IntN(4))
			low := uint64(math.MaxUint64)
			for i := range series {
				series[i].Process = i
				for k := range 2 + d.IntN(20) {
					p := Point{Time: t0 + uint64(k)*10*sec + uint64(d.IntN(9e9)), Value: d.NormFloat64()}
					if d.IntN(10) == 0 {
						p.Value, p.Marks = math.NaN(), NotFinite
					}
					low = min(low, p.Time)
					series[i].Points = append(series[i].Points, p)
				}
			}
			line, _ := lineOf(series, largest)
			width := max(intervalOf(series), 1)
			for _, p := range line {
				var in []float64
				bad := false
				for _, s := range series {
					for _, x := range s.Points {
						if x.Time >= p.Time && x.Time < p.Time+width {
							bad = bad || x.Marks.Has(NotFinite)
							in = known(in, x.Value)
						}
					}
				}
				want := sortedMedian(in)
				if largest && len(in) > 0 {
					want = slices.Max(in)
				}
				if cmp.Diff(want, p.Value, cmpopts.EquateNaNs()) != "" || p.Marks.Has(NotFinite) != bad || (p.Time-low)%width != 0 {
					t.Fatalf("at %d: %v %v, want %v of %v", p.Time, p.Value, p.Marks, want, in)
				}
			}
		}
	}
}

// Adding up series in any order and any grouping is the same distribution.
func TestDistributionsAddUp(t *testing.T) {
	d := rand.New(rand.NewPCG(4, 4))
	bounds := []float64{1, 2, 4, 8}
	for range 50 {
		var spreads []Spread
		for range 1 + d.IntN(5) {
			counts := make([]uint64, len(bounds)+1)
			s := Spread{HasSum: true, Min: math.NaN(), Max: math.NaN()}
			for i := range counts {
				counts[i] = uint64(d.IntN(5))
				s.Count += counts[i]
				s.Sum += float64(counts[i]) * float64(i)
			}
			s.buckets = explicit(bounds, counts)
			spreads = append(spreads, s)
		}
		a := Together(spreads, 1)
		slices.Reverse(spreads)
		b := Together(spreads, 1)
		if diff := cmp.Diff(a, b, cmpopts.IgnoreUnexported(Distribution{}), cmpopts.EquateNaNs(), cmpopts.EquateApprox(1e-12, 0)); diff != "" {
			t.Fatalf("order matters (-forward +back):\n%s", diff)
		}
		if a.Count > 0 && a.total() != a.Count {
			t.Fatalf("%d values in buckets of %d", a.total(), a.Count)
		}
		c := Together(spreads, 1000)
		if !math.IsNaN(a.P50) && !near(c.P50, 1000*a.P50, 1e-9) || !near(c.Mean, 1000*a.Mean, 1e-9) && a.Count > 0 {
			t.Fatalf("scaled: %v and %v", a, c)
		}
	}
}

// Percentiles never fall, whatever the buckets.
func TestQuantilesRise(t *testing.T) {
	d := rand.New(rand.NewPCG(5, 5))
	for range 100 {
		e := exponential{scale: int32(d.IntN(6) - 2), zero: uint64(d.IntN(3))}
		side := func() (out []uint64) {
			for range d.IntN(6) {
				out = append(out, uint64(d.IntN(4)))
			}
			return out
		}
		buckets := e.buckets(int32(d.IntN(5)-2), side(), int32(d.IntN(5)-2), side())
		s := Spread{buckets: buckets, Min: math.NaN(), Max: math.NaN()}
		for _, b := range buckets {
			s.Count += b.n
		}
		dist := Together([]Spread{s}, 1)
		before := math.Inf(-1)
		for q := 0.0; q <= 1; q += 0.05 {
			v, low, high := dist.Quantile(q)
			if s.Count == 0 {
				if !math.IsNaN(v) {
					t.Fatalf("quantile %v of nothing is %v", q, v)
				}
				continue
			}
			if v < before || v < low || v > high {
				t.Fatalf("quantile %v is %v in [%v, %v] after %v: %v", q, v, low, high, before, buckets)
			}
			before = v
		}
	}
}

// Series of one process differ by their attributes, and their labels say so.
func TestSeriesOfOneProcess(t *testing.T) {
	f := newFeed(t)
	for i := range 3 {
		p := at(0, float64(i))
		p.Attrs = append(p.Attrs, num("group", int64(i)))
		f.points(trainer(4, 8), gauge("dl.learning_rate"), p)
	}
	q := f.quantity("learning_rate")
	if len(q.Series) != 3 || q.Series[1].Label != "rank 4 · group=1" || q.Over != "median of 1 ranks" {
		t.Errorf("%d series, %q over %q", len(q.Series), q.Series[1].Label, q.Over)
	}
}

func TestReadings(t *testing.T) {
	for i, tt := range []struct {
		info otlp.MetricInfo
		want Reading
	}{
		{otlp.MetricInfo{Kind: otlp.Gauge}, Level},
		{otlp.MetricInfo{Kind: otlp.Sum, Temporality: otlp.Cumulative, Monotonic: true}, Increment},
		{otlp.MetricInfo{Kind: otlp.Sum, Temporality: otlp.Cumulative}, Level},
		{otlp.MetricInfo{Kind: otlp.Sum, Temporality: otlp.Delta}, Increment},
		{otlp.MetricInfo{Kind: otlp.Sum, Monotonic: true}, Unspecified},
		{otlp.MetricInfo{Kind: otlp.Histogram, Temporality: otlp.Cumulative}, RunningMean},
		{otlp.MetricInfo{Kind: otlp.Histogram, Temporality: otlp.Delta}, WindowMean},
		{otlp.MetricInfo{Kind: otlp.Histogram}, Unspecified},
		{otlp.MetricInfo{Kind: otlp.ExpHistogram, Temporality: otlp.Cumulative}, RunningMean},
		{otlp.MetricInfo{Kind: otlp.Summary}, RunningMean},
	} {
		f := newFeed(t)
		tt.info.Name = fmt.Sprint("m", i)
		f.points(trainer(0, 1), tt.info, otlp.DataPoint{Time: t0, Count: 1, Sum: 1, HasSum: true})
		_, r := f.look()
		if got := ReadingOf(r.Metrics[0]); got != tt.want || got.String() == "" {
			t.Errorf("%+v is read as %s, want %s", tt.info, got, tt.want)
		}
	}
}

func TestQuantityIDs(t *testing.T) {
	ids := QuantityIDs()
	if sorted := slices.Sorted(slices.Values(ids)); len(slices.Compact(sorted)) != len(ids) || !slices.Contains(ids, "loss") || !slices.Contains(ids, "rl.reward") {
		t.Errorf("%v", ids)
	}
	names := map[string]string{}
	for _, row := range quantityTable() {
		for _, s := range row.sources {
			if other, taken := names[s.name]; taken {
				t.Errorf("%s means %s and %s", s.name, other, row.id)
			}
			names[s.name] = row.id
		}
	}
}
