package analysis

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// points sends points of one metric.
func (f *feed) points(resource []run.Attr, info otlp.MetricInfo, points ...otlp.DataPoint) {
	f.Helper()
	b := otlp.NewBuilder(run.Metrics)
	b.Resource(resource, 0, "")
	b.Metric(info)
	for i := range points {
		b.Point(&points[i])
	}
	f.put(run.Metrics, b.Bytes())
}

// at is a point i·10 s after t0.
func at(i int, v float64) otlp.DataPoint {
	return otlp.DataPoint{Start: t0, Time: t0 + uint64(i)*10*sec, Value: run.DoubleValue(v)}
}

func gauge(name string) otlp.MetricInfo { return otlp.MetricInfo{Name: name, Kind: otlp.Gauge} }

func counter(name string, t otlp.Temporality) otlp.MetricInfo {
	return otlp.MetricInfo{Name: name, Kind: otlp.Sum, Temporality: t, Monotonic: true}
}

func (f *feed) quantity(id string) *Quantity {
	f.Helper()
	_, r := f.look()
	q := Find(Quantities(Scope{Run: r}), id)
	if q == nil {
		f.Fatalf("no quantity %s", id)
	}
	return q
}

func values(points []Point) (v []float64) {
	for _, p := range points {
		v = append(v, p.Value)
	}
	return v
}

func marks(points []Point) (m []PointMark) {
	for _, p := range points {
		m = append(m, p.Marks)
	}
	return m
}

// Every name of the table is read as its quantity, in the quantity's unit.
func TestEveryNameOfAQuantity(t *testing.T) {
	for _, row := range quantityTable() {
		for _, src := range row.sources {
			if src.event {
				continue
			}
			f := newFeed(t)
			f.points(trainer(0, 1), gauge(src.name), at(0, 2), at(1, 4))
			q := f.quantity(row.id)
			if q.Name != src.name || q.Unit != row.unit || q.RL != row.rl || !near(q.Last, 4*src.scale, 1e-12) || !near(q.Mean, 3*src.scale, 1e-12) {
				t.Errorf("%s is read as %+v", src.name, q)
			}
		}
	}
}

func TestNotFinitePointsAreMarked(t *testing.T) {
	f := newFeed(t)
	gap := at(3, 7)
	gap.Flags = 1
	f.points(trainer(0, 1), gauge("dl.loss"), at(0, 2), at(1, math.NaN()), at(2, 1), gap)
	f.points(trainer(0, 1), gauge("dl.grad_norm"), at(0, math.Inf(1)))
	q := f.quantity("loss")
	want := PointStats{Finite: 2, NotFinite: 1, Gaps: 1, Min: 1, Max: 2, Mean: 1.5, Sum: 3, Last: 1, LastTime: t0 + 20*sec}
	if d := cmp.Diff(want, q.PointStats); d != "" {
		t.Errorf("loss (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]PointMark{0, NotFinite, 0, Gap}, marks(q.Line)); d != "" {
		t.Errorf("marks (-want +got):\n%s", d)
	}
	if g := f.quantity("grad_norm"); g.Finite != 0 || g.NotFinite != 1 || !math.IsNaN(g.Mean) || !math.IsNaN(g.Max) || !math.IsInf(g.Last, 1) {
		t.Errorf("grad norm %+v", g.PointStats)
	}
}

// Case 37: a running total is read as increments with the reset marked, a delta
// is added up, and a sum that says neither is no rate.
func TestCounters(t *testing.T) {
	reset := func(i int, v float64, start uint64) otlp.DataPoint {
		p := at(i, v)
		p.Start = start
		return p
	}
	cumulative := []otlp.DataPoint{reset(0, 10, t0), reset(1, 30, t0), reset(2, 5, t0+15*sec), reset(3, 15, t0+15*sec)}
	risen := []otlp.DataPoint{reset(0, 10, t0), reset(1, 12, t0+5*sec), reset(2, 20, t0+5*sec)}
	tests := []struct {
		name   string
		t      otlp.Temporality
		points []otlp.DataPoint
		want   []float64
		marks  []PointMark
		total  float64
		read   Reading
	}{
		{"cumulative", otlp.Cumulative, cumulative, []float64{20, 5, 10}, []PointMark{0, Reset, 0}, 45, Increment},
		{"reset that rose", otlp.Cumulative, risen, []float64{12, 8}, []PointMark{Reset, 0}, 30, Increment},
		{"delta", otlp.Delta, []otlp.DataPoint{at(0, 10), at(1, 20), at(2, 5)}, []float64{10, 20, 5}, []PointMark{0, 0, 0}, 35, Increment},
		{"unspecified", otlp.Unspecified, []otlp.DataPoint{at(0, 10), at(1, 30)}, []float64{10, 30}, []PointMark{0, 0}, math.NaN(), Unspecified},
		{"gap between", otlp.Cumulative, []otlp.DataPoint{at(0, 10), {Start: t0, Time: t0 + 10*sec, Flags: 1}, at(2, 25)}, []float64{math.NaN(), 15}, []PointMark{Gap, 0}, 25, Increment},
		{"one point", otlp.Cumulative, []otlp.DataPoint{at(0, 10)}, nil, nil, 10, Increment},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFeed(t)
			f.points(trainer(0, 1), counter("megatron.training.skipped_iters", tt.t), tt.points...)
			q := f.quantity("skipped")
			got := []any{values(q.Line), marks(q.Line), q.Total, q.Read}
			if d := cmp.Diff([]any{tt.want, tt.marks, tt.total, tt.read}, got, cmpopts.EquateNaNs()); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// A counter that carries the world's value on every rank is never summed.
func TestGlobalCountersAreNotSummed(t *testing.T) {
	f := newFeed(t)
	for rank := range 4 {
		f.points(trainer(rank, 4), counter("nv.dl.training.tokens.processed", otlp.Cumulative), at(0, 1000), at(1, 3000))
	}
	q := f.quantity("tokens")
	if q.Total != 3000 || !slices.Equal(values(q.Line), []float64{2000}) || !q.Global || q.Over != "median of 4 ranks" {
		t.Errorf("tokens: total %v, line %v over %s", q.Total, values(q.Line), q.Over)
	}
	if !GlobalCounter(q.Name) || GlobalCounter("http.requests") {
		t.Error("which counters are global")
	}
}

func TestLinesOverRanks(t *testing.T) {
	f := newFeed(t)
	for rank, gb := range []float64{40, 60, 50} {
		later := func(i int, v float64) otlp.DataPoint {
			p := at(i, v)
			p.Time += uint64(rank) * sec // ranks do not export at the same moment
			return p
		}
		f.points(trainer(rank, 3), gauge("megatron.training.memory_allocated_gb"), later(0, gb), later(1, gb+1))
		f.points(trainer(rank, 3), gauge("megatron.training.throughput_tflops"), later(0, gb), later(1, math.NaN()))
	}
	m, tf := f.quantity("memory"), f.quantity("tflops")
	if !slices.Equal(values(m.Line), []float64{60, 61}) || m.Over != "largest of 3 ranks" {
		t.Errorf("memory %v over %s", values(m.Line), m.Over)
	}
	if d := cmp.Diff([]float64{50, math.NaN()}, values(tf.Line), cmpopts.EquateNaNs()); d != "" || tf.Line[1].Marks != NotFinite {
		t.Errorf("tflops %v, %s", tf.Line, d)
	}
	if len(m.Series) != 3 || m.Series[1].Label != "rank 1" || m.Series[1].Max != 61 {
		t.Errorf("series %+v", m.Series)
	}
}

// The two namespaces are kept apart, and of several names of one quantity the
// first that has a number counts.
func TestNamesAreNotMixed(t *testing.T) {
	f := newFeed(t)
	f.points(trainer(0, 1), gauge("rl.grad_norm"), at(0, 9))
	_, r := f.look()
	if qs := Quantities(Scope{Run: r}); len(qs) != 1 || qs[0].ID != "rl.grad_norm" || !qs[0].RL {
		t.Fatalf("quantities %+v", qs)
	}
	f.points(trainer(0, 1), gauge("dl.loss"), at(0, math.NaN()))
	f.points(trainer(0, 1), gauge("megatron.training.loss"), at(0, 3))
	if q := f.quantity("loss"); q.Name != "megatron.training.loss" || q.Last != 3 || !slices.Equal(q.Others, []string{"dl.loss"}) {
		t.Errorf("loss from %s: %v, others %v", q.Name, q.Last, q.Others)
	}
}

func TestQuantitiesFromSpanEvents(t *testing.T) {
	f := newFeed(t)
	for i := range 3 {
		s := f.mk("nv.mlm.train.log", uint64(i)*sec, uint64(i)*sec+ms)
		report := func(name string, v float64) run.Event {
			return run.Event{Time: t0 + uint64(i)*sec, Name: objectiveEvent, Attrs: []run.Attr{str(objectiveName, name), dbl(objectiveValue, v), num("nv.dl.training.step", int64(i+1))}}
		}
		s.Events = []run.Event{
			report("lm loss", 3-float64(i)), report("mtp loss", 100),
			{Time: t0 + uint64(i)*sec, Name: numericsEvent, Attrs: []run.Attr{dbl(rateAttr, 1e-4), num(skippedAttr, int64(i))}},
			{Time: t0, Name: "other", Attrs: []run.Attr{str(objectiveName, objectiveEvent)}},
		}
		f.spans(trainer(7, 8), s)
	}
	q := f.quantity("loss")
	if !q.Event || !slices.Equal(values(q.Line), []float64{3, 2, 1}) || q.Over != "rank 7 · lm loss" {
		t.Errorf("loss %v over %q", values(q.Line), q.Over)
	}
	if lr, sk := f.quantity("learning_rate"), f.quantity("skipped"); lr.Last != 1e-4 || sk.Last != 2 {
		t.Errorf("learning rate %v, skipped %v", lr.Last, sk.Last)
	}
}

func TestQuantitiesOfAFilter(t *testing.T) {
	f := newFeed(t)
	for rank := range 3 {
		f.points(trainer(rank, 3), gauge("dl.loss"), at(0, float64(rank)))
	}
	_, r := f.look()
	only := fakeFilter{process: func(p int) bool { return r.Processes[p].ID.Rank == 2 }}
	if qs := Quantities(Scope{r, only}); len(qs) != 1 || qs[0].Last != 2 || qs[0].Over != "rank 2" {
		t.Errorf("quantities %+v", qs)
	}
}

// A line over ranks has the shape of the ranks' own, whatever their order.
func TestLineIsOfItsRanks(t *testing.T) {
	f := newFeed(t)
	for _, rank := range []int{5, 2, 0, 7, 1} {
		var ps []otlp.DataPoint
		for i := range 600 {
			ps = append(ps, at(i, float64(i)))
		}
		f.points(trainer(rank, 8), gauge("dl.loss"), ps...)
	}
	q := f.quantity("loss")
	v := values(q.Line)
	if len(v) != lineLength || !slices.IsSorted(v) || v[len(v)-1] != 599 {
		t.Errorf("%d points, the last %v", len(v), v[len(v)-1])
	}
}
