package metricsscreen

import (
	"context"
	"fmt"
	"github.com/beamline-hpc/lensview/internal/simulate/simtest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

var _ = uitest.Flag()

const sec = uint64(1e9)

// feed is a store that a test fills.
type feed struct {
	testing.TB
	*store.Store
	now int64
}

func newFeed(t testing.TB) *feed {
	f := &feed{TB: t, now: int64(uitest.Start)}
	f.Store = store.New(store.Config{Budget: 2 << 30, Clock: func() int64 { return f.now }})
	return f
}

// trainer is the resource of a rank of run r.
func trainer(rank int, more ...run.Attr) []run.Attr {
	return append([]run.Attr{
		uitest.Text("service.name", "megatron-lm"), uitest.Text("nemo.run.id", "r"), uitest.Text("host.name", fmt.Sprintf("node-%d", rank/4)),
		uitest.Int("dl.rank", rank), uitest.Int("dl.world_size", 8),
	}, more...)
}

// pt is a point so many seconds after the start.
func pt(second int, v float64, attrs ...run.Attr) otlp.DataPoint {
	return otlp.DataPoint{Start: uitest.Start, Time: uitest.Start + uint64(second)*sec, Value: run.DoubleValue(v), Attrs: attrs}
}

func (f *feed) send(resource []run.Attr, info otlp.MetricInfo, points ...otlp.DataPoint) {
	f.Helper()
	b := otlp.NewBuilder(run.Metrics)
	b.Resource(resource, 0, "")
	b.Scope(run.Scope{Name: "test"})
	b.Metric(info)
	for i := range points {
		b.Point(&points[i])
		f.now = max(f.now, int64(points[i].Time))
	}
	var batch otlp.Batch
	if err := batch.Decode(run.Metrics, b.Bytes()); err != nil {
		f.Fatal(err)
	}
	if _, err := f.Put(context.Background(), &batch, run.Receipt{At: f.now, Sender: "test"}); err != nil {
		f.Fatal(err)
	}
}

func gauge(name string) otlp.MetricInfo { return otlp.MetricInfo{Name: name, Kind: otlp.Gauge} }

func counter(name string) otlp.MetricInfo {
	return otlp.MetricInfo{Name: name, Kind: otlp.Sum, Temporality: otlp.Cumulative, Monotonic: true, Unit: "{request}"}
}

func histogram(name string) otlp.MetricInfo {
	return otlp.MetricInfo{Name: name, Kind: otlp.Histogram, Temporality: otlp.Cumulative, Unit: "ms"}
}

func simulated(t testing.TB, c simulate.Config) *store.Snapshot {
	t.Helper()
	f := simtest.New(t, c, store.Config{})
	f.Keep = simtest.Only(run.Metrics)
	return f.End()
}

// ofRanks is a simulated run of 1, 8 or 1,024 ranks; of none an empty store.
func ofRanks(t testing.TB, ranks int) *store.Snapshot {
	t.Helper()
	c := simulate.Config{Seed: 11, RunID: "llama-70b", Iterations: 60, Microbatches: 4, MetricEvery: 2 * time.Second, Detail: simulate.StepOnly, NaNEvery: 7,
		Faults: []simulate.Fault{simulate.Explosion{PerSecond: 3}}}
	switch ranks {
	case 0:
		return uitest.Snapshot(t)
	case 8:
		c.TP, c.PP, c.DP = 2, 2, 2
		eight.once.Do(func() { eight.snapshot = simulated(t, c) })
		return eight.snapshot
	case 1024:
		c.TP, c.PP, c.DP, c.Iterations = 8, 8, 16, 5
		thousand.once.Do(func() { thousand.snapshot = simulated(t, c) })
		return thousand.snapshot
	}
	return simulated(t, c)
}

// Snapshots that are made once: they never change.
var eight, thousand struct {
	once     sync.Once
	snapshot *store.Snapshot
}

func plain() theme.Theme { return theme.New(theme.Options{ASCII: true}) }

func open(t testing.TB, s *store.Snapshot, filter string) *Model {
	t.Helper()
	m := New(plain())
	m.SetSize(120, 38)
	uitest.Give(t, m, uitest.Data(t, s, filter))
	return m
}

// chartOf opens the chart of a metric.
func chartOf(t testing.TB, m *Model, name string) *chart {
	t.Helper()
	if !m.list.table.Select(name) {
		t.Fatalf("there is no metric %s", name)
	}
	uitest.Press(m, "enter")
	if m.chart == nil || m.chart.answer.Metric == nil {
		t.Fatalf("no chart of %s\n%s", name, text(m))
	}
	return m.chart
}

// text is the view in ASCII without blanks at the ends.
func text(m *Model) string {
	lines := strings.Split(draw.ASCII(m.View()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// cell is what a column of the list shows of a metric.
func (m *Model) cell(t testing.TB, name, column string) string {
	t.Helper()
	for i := range m.list.rows.Len() {
		if m.list.rows.list[i].Metric.Name == name {
			return strings.TrimSpace(m.list.rows.Cell(i, column).Text)
		}
	}
	t.Fatalf("there is no metric %s", name)
	return ""
}

// column is what a column of the chart's table shows, row by row.
func (c *chart) column(id string) []string {
	r := groupRows{c}
	var out []string
	for i := range r.Len() {
		out = append(out, strings.TrimSpace(r.Cell(i, id).Text))
	}
	return out
}

// has fails for every text that is not in the view.
func has(t testing.TB, m *Model, wants ...string) {
	t.Helper()
	view := text(m)
	for _, want := range wants {
		if !strings.Contains(view, want) {
			t.Errorf("%q is missing in\n%s", want, view)
		}
	}
}
