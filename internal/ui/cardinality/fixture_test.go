package cardinalityscreen

import (
	"fmt"
	"slices"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

var _ = uitest.Flag()

const sec = int64(1e9)

// feed is a store whose clock is the test's.
type feed struct {
	testing.TB
	*store.Store
	now int64
}

func newFeed(t testing.TB) *feed {
	f := &feed{TB: t, now: int64(uitest.Start)}
	f.Store = store.New(store.Config{Clock: func() int64 { return f.now }})
	return f
}

// resource is that of a rank.
func resource(rank int) []run.Attr {
	return []run.Attr{uitest.Text("nemo.run.id", "r"), uitest.Text("service.name", "agents"), uitest.Int("dl.rank", rank), uitest.Int("dl.world_size", 4)}
}

// series sends a point of a metric for each attribute set.
func (f *feed) series(rank int, metric string, sets ...[]run.Attr) {
	f.Helper()
	b := otlp.NewBuilder(run.Metrics)
	b.Resource(resource(rank), 0, "")
	b.Metric(otlp.MetricInfo{Name: metric, Kind: otlp.Sum, Temporality: otlp.Cumulative, Monotonic: true})
	for _, attrs := range sets {
		b.Point(&otlp.DataPoint{Start: uitest.Start, Time: uint64(f.now), Value: run.IntValue(1), Attrs: attrs})
	}
	var batch otlp.Batch
	if err := batch.Decode(run.Metrics, b.Bytes()); err != nil {
		f.Fatal(err)
	}
	if _, err := f.Put(f.Context(), &batch, run.Receipt{At: f.now, Raw: b.Bytes()}); err != nil {
		f.Fatal(err)
	}
}

// spans sends spans of one name with these attributes each.
func (f *feed) spans(name string, sets ...[]run.Attr) {
	b := otlp.NewBuilder(run.Traces)
	b.Resource(resource(0), 0, "")
	b.Scope(run.Scope{})
	for i, attrs := range sets {
		b.Span(&run.Span{TraceID: uitest.TraceID(uint64(i)), ID: uitest.SpanID(uint64(f.now) + uint64(i)), Name: name,
			Start: uitest.Start, End: uitest.Start + 1e6, Attrs: attrs})
	}
	uitest.Put(f, f.Store, b, run.Receipt{At: f.now})
}

// grown is a run with a key that grows without bound, one with too many values to
// be counted exactly, one of which the sender folds series, one that is healthy,
// and two other conventions broken.
func grown(t testing.TB) *store.Snapshot {
	f := newFeed(t)
	for i := range 120 {
		f.now += sec
		f.series(0, "agent.turns", []run.Attr{uitest.Text("session.id", fmt.Sprintf("sess-%05d", i)), uitest.Text("model", "gpt")})
	}
	var many [][]run.Attr
	for i := range 12_000 {
		many = append(many, []run.Attr{uitest.Text("prompt.hash", fmt.Sprintf("%08x", i*2654435761))})
	}
	f.series(1, "prompt.tokens", many[:6_000]...)
	f.now += 90 * sec
	f.series(1, "prompt.tokens", many[6_000:]...)
	f.series(0, "queue.depth", []run.Attr{uitest.Text("queue", "a"), {Key: "otel.metric.overflow", Value: run.BoolValue(true)}})
	var losses [][]run.Attr
	for i := range 60 {
		losses = append(losses, []run.Attr{{Key: "loss", Value: run.DoubleValue(float64(i) / 7)}, uitest.Int("dl.rnak", 1)})
	}
	f.spans("step", losses...)
	f.series(0, "agent.turns", []run.Attr{uitest.Text("session.id", "sess-last"), uitest.Text("model", "gpt")})
	f.Tick(f.now)
	return settled(f.Snapshot())
}

// settled is a snapshot whose estimates do not depend on the seed of a hash.
func settled(s *store.Snapshot) *store.Snapshot {
	keys := slices.Clone(s.Runs[0].Cardinality)
	for i := range keys {
		if !keys[i].Exact {
			keys[i].Distinct = 12_034
		}
	}
	s.Runs[0].Cardinality = keys
	return s
}

// healthy is a run whose metrics have few values.
func healthy(t testing.TB) *store.Snapshot {
	f := newFeed(t)
	for rank := range 4 {
		f.series(rank, "requests", []run.Attr{uitest.Text("model", "a")}, []run.Attr{uitest.Text("model", "b")})
	}
	return f.Snapshot()
}

func plain() theme.Theme { return theme.New(theme.Options{ASCII: true}) }

func open(t testing.TB, s *store.Snapshot, filter string) *Model {
	t.Helper()
	m := New(plain())
	m.SetSize(120, 40)
	uitest.Give(t, m, uitest.Data(t, s, filter))
	return m
}

// column is what a column shows, row by row.
func column(m *Model, id string) []string {
	var out []string
	for i := range m.shown.Len() {
		out = append(out, m.shown.Cell(i, id).Text)
	}
	return out
}
