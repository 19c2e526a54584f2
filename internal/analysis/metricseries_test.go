package analysis

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// pt is a point at a second after t0, with attributes.
func pt(second int, v float64, attrs ...run.Attr) otlp.DataPoint {
	return otlp.DataPoint{Time: t0 + uint64(second)*sec, Value: run.DoubleValue(v), Attrs: attrs}
}

// begun is a point of a series that began at a second.
func begun(at int, p otlp.DataPoint) otlp.DataPoint {
	p.Start = t0 + uint64(at)*sec
	return p
}

func sumOf(name string, t otlp.Temporality, monotonic bool) otlp.MetricInfo {
	return otlp.MetricInfo{Name: name, Kind: otlp.Sum, Temporality: t, Monotonic: monotonic}
}

// viewed is the points of the only series of the first metric.
func (f *feed) viewed(v MetricView) []Point {
	f.Helper()
	_, r := f.look()
	points, _ := MetricPoints(r.Metrics[0], r.Metrics[0].Series[0], v)
	return points
}

// same compares values, NaN equal to itself.
func same(t *testing.T, what string, want, got []float64) {
	t.Helper()
	if d := cmp.Diff(want, got, cmpopts.EquateNaNs(), cmpopts.EquateEmpty(), cmpopts.EquateApprox(1e-9, 0)); d != "" {
		t.Errorf("%s (-want +got)\n%s", what, d)
	}
}

// TestTemporality is the table of how sums are read, with a reset: never a
// negative increment, never a rate of what does not say whether it counts on.
func TestTemporality(t *testing.T) {
	nan := math.NaN()
	points := []otlp.DataPoint{begun(0, pt(10, 10)), begun(0, pt(20, 30)), begun(25, pt(30, 5)), begun(25, pt(40, 15))}
	higher := []otlp.DataPoint{begun(0, pt(10, 10)), begun(25, pt(30, 40))} // began again and is above the old total
	for _, test := range []struct {
		name   string
		info   otlp.MetricInfo
		points []otlp.DataPoint
		views  []MetricView
		want   map[MetricView][]float64
		marks  []PointMark // of the first view
	}{
		{"cumulative", sumOf("c", otlp.Cumulative, true), points, []MetricView{ViewRate, ViewIncrement, ViewTotal},
			map[MetricView][]float64{ViewIncrement: {20, 5, 10}, ViewRate: {2, 0.5, 1}, ViewTotal: {10, 30, 5, 15}}, []PointMark{0, Reset, 0}},
		{"a reset that only the start time tells", sumOf("c", otlp.Cumulative, true), higher, []MetricView{ViewRate, ViewIncrement, ViewTotal},
			map[MetricView][]float64{ViewIncrement: {40}, ViewRate: {2}, ViewTotal: {10, 40}}, []PointMark{Reset}},
		{"delta", sumOf("d", otlp.Delta, true), []otlp.DataPoint{pt(10, 10), pt(20, 20), pt(30, 5)}, []MetricView{ViewIncrement, ViewRate, ViewTotal},
			map[MetricView][]float64{ViewIncrement: {10, 20, 5}, ViewRate: {2, 0.5}, ViewTotal: {10, 30, 35}}, []PointMark{0, 0, 0}},
		{"unspecified", sumOf("u", otlp.Unspecified, true), points, []MetricView{ViewValue},
			map[MetricView][]float64{ViewValue: {10, 30, 5, 15}}, []PointMark{0, 0, 0, 0}},
		{"up and down", sumOf("q", otlp.Cumulative, false), points, []MetricView{ViewValue},
			map[MetricView][]float64{ViewValue: {10, 30, 5, 15}}, []PointMark{0, 0, 0, 0}},
		{"gauge", gauge("g"), []otlp.DataPoint{pt(10, 2), pt(20, nan), pt(30, math.Inf(1)), {Time: t0 + 40*sec, Flags: 1}, pt(50, 1)}, []MetricView{ViewValue},
			map[MetricView][]float64{ViewValue: {2, nan, math.Inf(1), nan, 1}}, []PointMark{0, NotFinite, NotFinite, Gap, 0}},
		{"a gap in a counter", sumOf("c", otlp.Cumulative, true), []otlp.DataPoint{pt(10, 10), {Time: t0 + 20*sec, Flags: 1}, pt(30, 30)}, nil,
			map[MetricView][]float64{ViewIncrement: {nan, 20}, ViewRate: {nan, 1}}, []PointMark{Gap, 0}},
		{"late and resent points", sumOf("c", otlp.Cumulative, true), []otlp.DataPoint{pt(10, 10), pt(30, 40), pt(20, 20), pt(30, 40)}, nil,
			map[MetricView][]float64{ViewRate: {1, 2}}, nil},
		{"points without a time that can be", gauge("g"), []otlp.DataPoint{pt(10, 1), {Time: 0, Value: run.DoubleValue(7)}, {Time: 5, Value: run.DoubleValue(8)}}, nil,
			map[MetricView][]float64{ViewValue: {1}}, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFeed(t)
			f.points(trainer(0, 1), test.info, test.points...)
			_, r := f.look()
			if got := MetricViews(r.Metrics[0]); test.views != nil && !slices.Equal(got, test.views) {
				t.Errorf("views %v, want %v", got, test.views)
			}
			for view, want := range test.want {
				same(t, string(view), want, values(f.viewed(view)))
			}
			if test.marks != nil {
				if d := cmp.Diff(test.marks, marks(f.viewed(MetricViews(r.Metrics[0])[0]))); d != "" {
					t.Errorf("marks (-want +got)\n%s", d)
				}
			}
		})
	}
}

func TestDeltaTotalCountsWhatIsNotKeptAnyMore(t *testing.T) {
	f := newFeed(t)
	for i := range 1500 {
		f.points(trainer(0, 1), sumOf("d", otlp.Delta, true), pt(i, 1))
	}
	points := f.viewed(ViewTotal)
	if n := len(points); n >= 1500 || points[n-1].Value != 1500 || points[0].Value != float64(1500-n+1) {
		t.Errorf("%d points from %g to %g", n, points[0].Value, points[n-1].Value)
	}
}

func TestMetricRows(t *testing.T) {
	f := newFeed(t)
	for rank := range 3 {
		f.points(trainer(rank, 3), gauge("dl.loss"), pt(10, float64(rank)), pt(20, math.NaN()), otlp.DataPoint{Time: t0 + 25*sec, Flags: 1}, pt(30, float64(10*rank)))
		f.points(trainer(rank, 3), sumOf("steps", otlp.Cumulative, true), begun(0, pt(10, 5)), begun(15, pt(20, 2)))
	}
	_, r := f.look()
	rows := MetricRows(MetricScope{Run: r})
	loss, steps := rows[0], rows[1]
	if loss.Seen != 3 || loss.Points != 12 || loss.NotFinite != 3 || loss.Gaps != 3 || loss.Min != 0 || loss.Max != 20 || loss.Last != 10 {
		t.Errorf("loss %+v", loss)
	}
	if math.Abs(loss.Mean-33.0/6) > 1e-9 {
		t.Errorf("mean of loss %g", loss.Mean)
	}
	if steps.Resets != 3 || !math.IsNaN(steps.Mean) || steps.Last != 2 {
		t.Errorf("steps %+v: a running total has no mean", steps)
	}
	one := MetricRows(MetricScope{Run: r, Match: func(p int, name string, _ []run.Attr) bool { return p == 2 && name == "dl.loss" }})
	if len(one) != 1 || one[0].Seen != 1 || one[0].Points != 4 || one[0].Last != 20 || one[0].Max != 20 || one[0].Min != 2 {
		t.Errorf("of one rank %+v", one)
	}
	same(t, "trend", []float64{1, math.NaN(), math.NaN(), 10}, loss.Trend(10))
	same(t, "trend of the newest", []float64{math.NaN(), 10}, loss.Trend(2))
	same(t, "trend of a counter", []float64{0.2}, steps.Trend(5))
}

// chart is a metric of the feed's first run.
func (f *feed) chart(q MetricQuery) MetricChart {
	f.Helper()
	_, r := f.look()
	return ChartMetric([]MetricScope{{Run: r}}, q)
}

func labels(c MetricChart) (out []string) {
	for _, g := range c.Groups {
		out = append(out, g.Label)
	}
	return out
}

func TestGroupings(t *testing.T) {
	f := newFeed(t)
	for _, rank := range []int{10, 2, 5} {
		res := append(trainer(rank, 16), sizes(2, 2, 4)...)
		f.points(res, gauge("m"), pt(1, float64(rank), str("gpu", "a"), str("kind", "x")), pt(1, float64(10*rank), str("gpu", "b"), str("kind", "x")))
	}
	for by, want := range map[string][]string{
		ByAll:    {"all"},
		"rank":   {"rank 2", "rank 5", "rank 10"},
		"host":   {"host node0", "host node1", "host node2"},
		"gpu":    {"gpu a", "gpu b"},
		"nosuch": {"nosuch –"},
		"tp":     {"tp 0", "tp 1"},
		ByRun:    {"run-1"},
		BySeries: {"rank 2  gpu=a  kind=x", "rank 2  gpu=b  kind=x", "rank 5  gpu=a  kind=x", "rank 5  gpu=b  kind=x", "rank 10  gpu=a  kind=x", "rank 10  gpu=b  kind=x"},
	} {
		c := f.chart(MetricQuery{Name: "m", By: by})
		if d := cmp.Diff(want, labels(c)); d != "" {
			t.Errorf("%s (-want +got)\n%s", by, d)
		}
		if c.Series != 6 || c.Processes != 3 || !slices.Equal(c.Keys, []string{"gpu"}) || !slices.Equal(c.Facts, []string{"rank", "host", "pp", "dp", "tp"}) {
			t.Errorf("%s: %d series of %d processes, keys %v, facts %v", by, c.Series, c.Processes, c.Keys, c.Facts)
		}
		n := 0
		for _, g := range c.Groups {
			n += g.Series
		}
		if n != 6 || c.Finite != 6 || c.Min != 2 || c.Max != 100 {
			t.Errorf("%s: the groups hold %d series; %+v", by, n, c.PointStats)
		}
	}
	if c := f.chart(MetricQuery{Name: "m"}); c.By != BySeries || len(c.Groups) != 6 {
		t.Errorf("few series are shown by %s", c.By)
	}
	if c := f.chart(MetricQuery{Name: "none"}); c.Metric != nil || len(c.Groups) != 0 {
		t.Errorf("a metric that is not there: %+v", c)
	}
}

func TestLinesOfSeveralSeries(t *testing.T) {
	f := newFeed(t)
	for rank := range 4 {
		var points []otlp.DataPoint
		for i := range 5 {
			p := pt(10*i, float64(rank*rank))
			p.Time += uint64(rank) * 700 * ms // not at the same moment
			points = append(points, p)
		}
		if rank == 3 {
			points[2].Value = run.DoubleValue(math.NaN())
			points = points[:4] // and silent from then on
		}
		f.points(trainer(rank, 4), gauge("m"), points...)
	}
	lines := f.chart(MetricQuery{Name: "m", By: ByAll}).Groups[0].Lines(false)
	if len(lines) != 3 || lines[0].Name != "median" || lines[1].Name != "min" || lines[2].Name != "max" {
		t.Fatalf("lines %+v", lines)
	}
	last := len(lines[0].Points) - 1
	if p := lines[0].Points[last]; p.Value != 1 && p.Value != 2.5 {
		t.Errorf("newest median %+v", p)
	}
	for i := range lines[0].Points {
		low, mid, high := lines[1].Points[i].Value, lines[0].Points[i].Value, lines[2].Points[i].Value
		if !(low <= mid && mid <= high) {
			t.Errorf("at %d: %g %g %g", i, low, mid, high)
		}
	}
	marked := 0
	for _, p := range lines[0].Points {
		if p.Marks.Has(NotFinite) {
			marked++
		}
	}
	if marked != 1 {
		t.Errorf("%d points bear the mark of the one NaN", marked)
	}
}

// TestALineBreaksWhereNobodySends: silence is a gap, not the last value for ever.
func TestALineBreaksWhereNobodySends(t *testing.T) {
	f := newFeed(t)
	for rank := range 2 {
		f.points(trainer(rank, 2), gauge("m"), pt(0, 1), pt(10, 1), pt(20, 1), pt(30, 1), pt(100, 1), pt(110, 1))
	}
	points := f.chart(MetricQuery{Name: "m", By: ByAll}).Groups[0].Lines(false)[0].Points
	if !slices.ContainsFunc(points, func(p Point) bool { return math.IsNaN(p.Value) }) || math.IsNaN(points[0].Value) || math.IsNaN(points[len(points)-1].Value) {
		t.Errorf("%v", values(points))
	}
}

func TestSums(t *testing.T) {
	f := newFeed(t)
	for rank := range 4 {
		var up, equal, global []otlp.DataPoint
		for i := range 4 {
			up = append(up, pt(10*i, float64(10*i*(rank+1))))
			equal = append(equal, pt(10*i, float64(100*i)))
			global = append(global, pt(10*i, float64(1000*i+rank)))
		}
		f.points(trainer(rank, 4), sumOf("up", otlp.Cumulative, true), up...)
		f.points(trainer(rank, 4), sumOf("equal", otlp.Cumulative, true), equal...)
		f.points(trainer(rank, 4), sumOf("nv.dl.training.tokens.processed", otlp.Cumulative, true), global...)
		f.points(trainer(rank, 4), sumOf("odd", otlp.Unspecified, true), up...)
		f.points(trainer(rank, 4), sumOf("busy", otlp.Cumulative, false), pt(0, float64(rank)), pt(10, float64(rank)))
		f.points(trainer(rank, 4), gauge("level"), up...)
	}
	for name, why := range map[string]string{
		"up": "", "busy": "", "equal": "ranks send the same value: it may be the world's", "odd": "its temporality is unspecified",
		"nv.dl.training.tokens.processed": "every rank sends the world's value", "level": "gauges are not added up",
	} {
		if got := f.chart(MetricQuery{Name: name, By: ByAll}).NoSum; got != why {
			t.Errorf("%s: %q, want %q", name, got, why)
		}
	}
	points := f.chart(MetricQuery{Name: "up", By: ByAll}).Groups[0].Lines(true)[0].Points
	for _, p := range points {
		if p.Value != 10 { // 1 + 2 + 3 + 4 a second
			t.Errorf("rate over ranks %v", values(points))
			break
		}
	}
	busy := f.chart(MetricQuery{Name: "busy", By: ByAll}).Groups[0].Lines(true)[0].Points
	if got := busy[len(busy)-1].Value; got != 6 {
		t.Errorf("sum of what goes up and down: %g", got)
	}
}

func TestHistogramsInAChart(t *testing.T) {
	f := newFeed(t)
	for rank := range 2 {
		f.points(trainer(rank, 2), hist("h"), histAt(1, []float64{1, 2}, 1, 2, 0), histAt(2, []float64{1, 2}, 2, 5, 1))
	}
	c := f.chart(MetricQuery{Name: "h", By: ByAll})
	if c.View != ViewDistribution || !slices.Equal(c.Views, []MetricView{ViewDistribution, ViewMean}) || c.NoSum == "" {
		t.Errorf("%v %v %q", c.View, c.Views, c.NoSum)
	}
	whole, window := c.Groups[0].Spread(false), c.Groups[0].Spread(true)
	counts := func(d *Distribution) (out []uint64) {
		for _, b := range d.Buckets() {
			out = append(out, b.N)
		}
		return out
	}
	if d := cmp.Diff([]uint64{4, 10, 2}, counts(whole)); d != "" {
		t.Errorf("whole (-want +got)\n%s", d)
	}
	if d := cmp.Diff([]uint64{2, 6, 2}, counts(window)); d != "" {
		t.Errorf("window of two ranks with [1,2,0] → [2,5,1] each (-want +got)\n%s", d)
	}
	if row := MetricRows(MetricScope{Run: f.Snapshot().Runs[0]})[0]; row.Spread().Count != 16 || !math.IsNaN(row.Mean) {
		t.Errorf("row %+v", row)
	}
	if f.chart(MetricQuery{Name: "h", By: "rank"}).Groups[1].Spread(false).Count != 8 {
		t.Error("one rank has the values of both")
	}
}

func TestBucketAt(t *testing.T) {
	b := []BucketCount{{math.Inf(-1), 1, 3}, {1, 2, 1}, {4, 4, 1}, {5, math.Inf(1), 1}}
	for v, want := range map[float64]int{-5: 0, 1: 0, 1.5: 1, 2: 1, 3: -1, 4: 2, 5: -1, 9: 3} {
		if got := BucketAt(b, v); got != want {
			t.Errorf("%g: %d, want %d", v, got, want)
		}
	}
	if got := BucketAt([]BucketCount{{1, 2, 1}}, 1); got != 0 {
		t.Errorf("the lower end of the first bucket: %d", got)
	}
	if BucketAt(nil, 1) != -1 || len((*Distribution)(nil).Buckets()) != 0 {
		t.Error("nothing holds nothing")
	}
}

// TestSeveralRuns: groups of several runs, each with its own origin; the same name
// for another kind of metric is left out.
func TestSeveralRuns(t *testing.T) {
	f := newFeed(t)
	for i, id := range []string{"a", "b", "c"} {
		info := gauge("m")
		if id == "c" {
			info = sumOf("m", otlp.Delta, true)
		}
		f.points(trainer(0, 1, str("nemo.run.id", id)), info, pt(100*i, 1), pt(100*i+10, 2))
	}
	var scopes []MetricScope
	for _, r := range f.Snapshot().Runs {
		scopes = append(scopes, MetricScope{Run: r})
	}
	c := ChartMetric(scopes, MetricQuery{Name: "m", By: ByRun})
	if d := cmp.Diff([]string{"a", "b"}, labels(c)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if c.Groups[1].Origin != t0+100*sec || c.Groups[1].From != t0+100*sec || c.Groups[1].To != t0+110*sec {
		t.Errorf("%+v", c.Groups[1])
	}
}

// TestUnitsOfRates and of everything else.
func TestUnitsOfViews(t *testing.T) {
	m := &store.Metric{Unit: "{token}"}
	if MetricUnit(m, ViewRate) != "{token}/s" || MetricUnit(m, ViewTotal) != "{token}" {
		t.Error("units")
	}
}

func benchFeed(b *testing.B, series, points int) *store.Run {
	f := newFeed(b)
	f.Store = store.New(store.Config{Budget: 4 << 30, Clock: func() int64 { return f.now }})
	for i := range points {
		for from := 0; from < series; from += 1000 {
			var list []otlp.DataPoint
			for k := from; k < min(series, from+1000); k++ {
				list = append(list, pt(10*i, float64(i*k), str("session", fmt.Sprint(k))))
			}
			f.points(trainer(0, 1), sumOf("m", otlp.Cumulative, true), list...)
		}
	}
	_, r := f.look()
	return r
}

func BenchmarkMetricRows100k(b *testing.B) {
	r := benchFeed(b, 100_000, 2)
	for b.Loop() {
		rows := MetricRows(MetricScope{Run: r})
		rows[0].Trend(20)
	}
}

func BenchmarkChart100k(b *testing.B) {
	r := benchFeed(b, 100_000, 4)
	for _, by := range []string{ByAll, BySeries} {
		b.Run(by, func(b *testing.B) {
			for b.Loop() {
				c := ChartMetric([]MetricScope{{Run: r}}, MetricQuery{Name: "m", By: by})
				c.Groups[0].Lines(false)
			}
		})
	}
}

// BenchmarkChart1024 is a metric of 1,024 series with 1,000 points each.
func BenchmarkChart1024(b *testing.B) {
	r := benchFeed(b, 1024, 1000)
	for b.Loop() {
		c := ChartMetric([]MetricScope{{Run: r}}, MetricQuery{Name: "m", By: ByAll})
		c.Groups[0].Lines(false)
	}
}
