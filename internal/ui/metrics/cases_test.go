package metricsscreen

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// TestOneBucket: a histogram with one count and no bounds, without buckets, with
// counts that do not fit the bounds, and an exponential one without a negative
// side: nothing is made up and nothing fails.
func TestOneBucket(t *testing.T) {
	five := otlp.DataPoint{Time: uitest.Start, Count: 5, Sum: 10, HasSum: true}
	with := func(b otlp.Buckets) otlp.DataPoint { p := five; p.Buckets = b; return p }
	bounded := with(otlp.Buckets{Counts: []uint64{5}})
	bounded.Min, bounded.Max, bounded.HasMin, bounded.HasMax = 1, 4, true, true
	exponential := otlp.MetricInfo{Name: "h", Kind: otlp.ExpHistogram, Temporality: otlp.Cumulative}
	for _, test := range []struct {
		name       string
		info       otlp.MetricInfo
		point      otlp.DataPoint
		count, p50 string
		mean       string
		says       string
	}{
		{"one count", histogram("h"), with(otlp.Buckets{Counts: []uint64{5}}), "5", "–", "2", "any value"},
		{"one count between extremes", histogram("h"), bounded, "5", "~2.5", "2", "1 - 4"},
		{"no buckets", histogram("h"), five, "5", "–", "2", "5 values, mean 2. They came without buckets"},
		{"counts that do not fit", histogram("h"), with(otlp.Buckets{Counts: []uint64{1, 2, 2}, Bounds: []float64{1, 2, 3, 4, 5}}), "–", "–", "–", "contradicts itself"},
		{"no negative side", exponential, with(otlp.Buckets{Scale: 0, Positive: otlp.BucketSpan{Offset: 0, Counts: []uint64{5}}}), "5", "~1.5", "2", "1 - 2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			f := newFeed(t)
			f.send(trainer(0), test.info, test.point)
			m := open(t, f.Snapshot(), "")
			c := chartOf(t, m, "h")
			for column, want := range map[string]string{"count": test.count, "p50": test.p50, "dmean": test.mean} {
				if got := c.column(column)[0]; got != want {
					t.Errorf("%s: %q, want %q", column, got, want)
				}
			}
			has(t, m, test.says)
		})
	}
}

// TestSeriesIdentity: points of one metric by attribute, in any order of
// attributes, through a new start, twice in a scope.
func TestSeriesIdentity(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), gauge("two"), pt(1, 1, uitest.Int("gen", 0)), pt(1, 2, uitest.Int("gen", 1)))
	f.send(trainer(0), gauge("one"), pt(1, 1, uitest.Int("a", 1), uitest.Int("b", 2)), pt(2, 1, uitest.Int("b", 2), uitest.Int("a", 1)))
	again := pt(3, 1, uitest.Int("a", 1), uitest.Int("b", 2))
	again.Start += sec
	f.send(trainer(0), gauge("one"), again)
	f.send(trainer(0), gauge("one"), pt(4, 1, uitest.Int("a", 1), uitest.Int("b", 2)))
	m := open(t, f.Snapshot(), "")
	if m.list.rows.Len() != 2 || m.cell(t, "two", "series") != "2" || m.cell(t, "one", "series") != "1" || m.cell(t, "one", "points") != "4" {
		t.Errorf("\n%s", text(m))
	}
	if d := cmp.Diff([]string{"rank 0  gen=0", "rank 0  gen=1"}, []string{chartOf(t, m, "two").groups[0].Label, m.chart.groups[1].Label}); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestTemporalities as a person sees them: increments with the reset marked, delta
// added, no rate of what does not say whether it counts on.
func TestTemporalities(t *testing.T) {
	f := newFeed(t)
	restarted := func(p otlp.DataPoint) otlp.DataPoint { p.Start += 25 * sec; return p }
	f.send(trainer(0), counter("cumulative"), pt(10, 10), pt(20, 30), restarted(pt(30, 5)), restarted(pt(40, 15)))
	delta, odd := counter("delta"), counter("odd")
	delta.Temporality, odd.Temporality = otlp.Delta, otlp.Unspecified
	f.send(trainer(0), delta, pt(10, 10), pt(20, 20), pt(30, 5))
	f.send(trainer(0), odd, pt(10, 10), pt(20, 30))
	m := open(t, f.Snapshot(), "")
	if got := m.cell(t, "cumulative", "resets"); got != "R1" {
		t.Errorf("resets in the list: %q", got)
	}
	if got := m.cell(t, "odd", "temporality"); got != "unspecified" {
		t.Errorf("temporality 0: %q", got)
	}
	c := chartOf(t, m, "cumulative")
	has(t, m, "rate in {request}/s  cumulative counter", "R 1 began again")
	uitest.Press(m, "v")
	if c.column("min")[0] != "5" || c.column("max")[0] != "20" || c.column("newest")[0] != "10" || c.column("resets")[0] != "R1" {
		t.Errorf("increments\n%s", text(m))
	}
	m.Back()
	c = chartOf(t, m, "delta")
	uitest.Press(m, "v", "v")
	if c.column("newest")[0] != "35" {
		t.Errorf("total\n%s", text(m))
	}
	m.Back()
	chartOf(t, m, "odd")
	has(t, m, "temporality unspecified: no rate is made", "value in {request}")
	uitest.Press(m, "v")
	has(t, m, "value in {request}")
}

// TestHistogramWindow: counts [1,2,0] → [2,5,1] are [1,3,1] in the last interval.
func TestHistogramWindow(t *testing.T) {
	f := newFeed(t)
	hist := func(second int, counts ...uint64) otlp.DataPoint {
		p := otlp.DataPoint{Start: uitest.Start, Time: uitest.Start + uint64(second)*sec, Buckets: otlp.Buckets{Bounds: []float64{1, 2}, Counts: counts}}
		for _, n := range counts {
			p.Count += n
		}
		return p
	}
	f.send(trainer(0), histogram("h"), hist(1, 1, 2, 0), hist(2, 2, 5, 1))
	m := open(t, f.Snapshot(), "")
	c := chartOf(t, m, "h")
	has(t, m, "< 1", "1 - 2", "> 2", "all since each process began")
	if c.column("count")[0] != "8" || c.column("p99")[0] != ">2" {
		t.Errorf("whole: count %s p99 %s", c.column("count")[0], c.column("p99")[0])
	}
	uitest.Press(m, "w")
	has(t, m, "of the last interval")
	if got := c.column("count")[0]; got != "5" {
		t.Errorf("the last interval has %s values", got)
	}
}

// TestExponentialQuantiles: zero and negative buckets count.
func TestExponentialQuantiles(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), otlp.MetricInfo{Name: "e", Kind: otlp.ExpHistogram, Temporality: otlp.Delta}, otlp.DataPoint{
		Time: uitest.Start, Count: 7, Buckets: otlp.Buckets{Scale: 2, ZeroCount: 1,
			Positive: otlp.BucketSpan{Counts: []uint64{2, 3}}, Negative: otlp.BucketSpan{Counts: []uint64{1}}}})
	m := open(t, f.Snapshot(), "")
	chartOf(t, m, "e")
	has(t, m, "-1.189 - -1", "1 - 1.189", "p50 in 1 - 1.189", "p99 in 1.189 - 1.414")
}

// TestOverflow is a badge, and the folded series is no rank.
func TestOverflow(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(3), counter("c"), pt(1, 96, run.Attr{Key: "otel.metric.overflow", Value: run.BoolValue(true)}), pt(1, 1, uitest.Int("dl.rank", 7)))
	m := open(t, f.Snapshot(), "")
	if got := m.cell(t, "c", "series"); got != "x2" {
		t.Errorf("series %q", got)
	}
	has(t, m, "the sender folds series together")
	c := chartOf(t, m, "c")
	has(t, m, "values per series are incomplete")
	uitest.Press(m, "b") // after series the first grouping around is by what tells them apart
	for c.answer.By != "all" {
		uitest.Press(m, "b")
	}
	for _, by := range c.answer.Facts {
		t.Errorf("one process sent this: nothing tells its senders apart, but %s", by)
	}
}

// TestNotFinite: NaN and infinities have marks and counts, and stay out of the
// figures; "no recorded value" is a gap.
func TestNotFinite(t *testing.T) {
	f := newFeed(t)
	f.send(trainer(0), gauge("loss"), pt(10, 2), pt(20, math.NaN()), pt(30, math.Inf(1)), otlp.DataPoint{Time: uitest.Start + 40*sec, Flags: 1}, pt(50, 1))
	f.send(trainer(0), gauge("ends in NaN"), pt(10, 2), pt(20, math.NaN()))
	m := open(t, f.Snapshot(), "")
	for column, want := range map[string]string{"bad": "x2", "gaps": "-1", "min": "1", "max": "2", "mean": "1.5", "last": "1"} {
		if got := m.cell(t, "loss", column); got != want {
			t.Errorf("%s: %q, want %q", column, got, want)
		}
	}
	if got := m.cell(t, "ends in NaN", "last"); got != "NaN" {
		t.Errorf("last: %q", got)
	}
	c := chartOf(t, m, "loss")
	has(t, m, "x 2 not finite", "- 1 no value recorded", "marks|")
	for _, at := range []struct {
		second uint64
		want   string
	}{{10, "2"}, {20, "NaN"}, {30, "+Inf"}, {40, "gap"}, {50, "1"}} {
		c.setCursor(float64(uitest.Start + at.second*sec))
		if got := c.column("at")[0]; got != at.want {
			t.Errorf("at %d s: %q, want %q", at.second, got, at.want)
		}
	}
}

// TestGlobalCounters are never added up over ranks, and it is said why.
func TestGlobalCounters(t *testing.T) {
	f := newFeed(t)
	for rank := range 4 {
		f.send(trainer(rank), counter("nv.dl.training.tokens.processed"), pt(10, 100), pt(20, 300))
		f.send(trainer(rank), counter("own"), pt(10, 0), pt(20, float64(10*(rank+1))))
	}
	m := open(t, f.Snapshot(), "")
	c := chartOf(t, m, "nv.dl.training.tokens.processed")
	uitest.Press(m, "b", "b", "b")
	for c.answer.By != "all" {
		uitest.Press(m, "b")
	}
	uitest.Press(m, "a")
	has(t, m, "not added up: every rank sends the world's value")
	if got := c.column("at")[0]; got != "20" {
		t.Errorf("%s a second, want that of one rank", got)
	}
	m.Back()
	c = chartOf(t, m, "own")
	for c.answer.By != "all" {
		uitest.Press(m, "b")
	}
	uitest.Press(m, "a")
	has(t, m, "added up")
	if got := c.column("at")[0]; got != "10" {
		t.Errorf("%s a second over four ranks, want 1 + 2 + 3 + 4", got)
	}
}
