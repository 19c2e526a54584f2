package tracescreen

import (
	"context"
	"github.com/beamline-hpc/lensview/internal/simulate/simtest"
	"strings"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

var _ = uitest.Flag()

// ms and sec are in nanoseconds.
const (
	ms  = uint64(1e6)
	sec = uint64(1e9)
)

// feed is a store that a test fills.
type feed struct {
	testing.TB
	*store.Store
	now int64
	ids uint64
}

func newFeed(t testing.TB) *feed {
	f := &feed{TB: t, now: int64(uitest.Start)}
	f.Store = store.New(store.Config{Clock: func() int64 { return f.now }})
	return f
}

// mk is a span of trace 1 with an id of its own; times are ns after the start.
func (f *feed) mk(name string, from, to uint64, attrs ...run.Attr) run.Span {
	f.ids++
	return run.Span{
		TraceID: uitest.TraceID(1), ID: uitest.SpanID(f.ids), Name: name, Kind: 1,
		Start: uitest.Start + from, End: uitest.Start + to, Attrs: attrs,
	}
}

func under(parent, s run.Span) run.Span {
	s.TraceID, s.Parent = parent.TraceID, parent.ID
	return s
}

// trainer is the resource of a rank of run "r".
func trainer(rank int, more ...run.Attr) []run.Attr {
	return append([]run.Attr{
		uitest.Text("service.name", "megatron-lm"), uitest.Text("nemo.run.id", "r"), uitest.Text("host.name", "node1"),
		uitest.Int("dl.rank", rank), uitest.Int("dl.world_size", 4),
	}, more...)
}

func (f *feed) send(resource []run.Attr, spans ...run.Span) {
	f.Helper()
	b := otlp.NewBuilder(run.Traces)
	b.Resource(resource, 0, "")
	b.Scope(run.Scope{Name: "test", Version: "1.0"})
	for i := range spans {
		b.Span(&spans[i])
	}
	uitest.Put(f, f.Store, b, run.Receipt{At: f.now, Sender: "test"})
}

// simulated is a store with what a simulated run sent in so much of its time.
func simulated(t testing.TB, c simulate.Config, until time.Duration) *store.Store {
	t.Helper()
	f := simtest.New(t, c, store.Config{})
	f.Keep = simtest.Only(run.Traces)
	f.Until(until)
	return f.Store
}

// small is a run of eight ranks: tp 2, pp 2, dp 2.
func small() simulate.Config {
	return simulate.Config{Seed: 7, RunID: "small", TP: 2, PP: 2, DP: 2, Microbatches: 4, RanksPerHost: 4,
		ExportEvery: time.Second, CheckpointEvery: 4, EvalEvery: 6}
}

func plain() theme.Theme { return theme.New(theme.Options{ASCII: true}) }

// open is the screen on the first run of a store.
func open(t testing.TB, s *store.Store, filter string) *Model {
	t.Helper()
	m := New(plain())
	m.SetSize(120, 40)
	uitest.Give(t, m, uitest.Data(t, s.Snapshot(), filter))
	return m
}

// openTrace is the screen on a whole trace.
func openTrace(t testing.TB, s *store.Store, id run.TraceID) *Model {
	t.Helper()
	m := open(t, s, "")
	uitest.Settle(m, m.SetTarget(screen.Target{TraceID: id}))
	return m
}

// text is the view in ASCII without blanks at the ends.
func text(m *Model) string {
	lines := strings.Split(draw.ASCII(m.View()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// names is the names of the rows from top to bottom, indented by depth.
func names(m *Model) string {
	var b strings.Builder
	for _, at := range m.rows.list {
		if at.node < 0 {
			b.WriteString("[" + processName(m.content.in.Processes[m.content.lanes[at.lane].process]) + "]\n")
			continue
		}
		n := m.content.node(int(at.lane), int(at.node))
		b.WriteString(strings.Repeat("  ", n.Depth) + n.Name() + "\n")
	}
	return b.String()
}

// deepless is a trace of one sound span.
func deepless(t testing.TB) *store.Store {
	f := newFeed(t)
	f.send(trainer(0), f.mk("alone", 0, sec))
	return f.Store
}

// uitestMatch is a style that can be told from others.
func uitestMatch() theme.Style {
	return theme.New(theme.Options{Profile: theme.TrueColor}).Match
}

// points sends one point of a metric.
func (f *feed) points(resource []run.Attr, name string) {
	f.Helper()
	b := otlp.NewBuilder(run.Metrics)
	b.Resource(resource, 0, "")
	b.Metric(otlp.MetricInfo{Name: name, Kind: otlp.Gauge})
	b.Point(&otlp.DataPoint{Time: uint64(f.now), Value: run.IntValue(1)})
	var batch otlp.Batch
	if err := batch.Decode(run.Metrics, b.Bytes()); err != nil {
		f.Fatal(err)
	}
	if _, err := f.Put(context.Background(), &batch, run.Receipt{At: f.now, Sender: "test"}); err != nil {
		f.Fatal(err)
	}
}
