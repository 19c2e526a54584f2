package spansscreen

import (
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

func newFeed(t testing.TB, receiver ...run.Listener) *feed {
	f := &feed{TB: t, now: int64(uitest.Start)}
	f.Store = store.New(store.Config{Clock: func() int64 { return f.now },
		Receiver: func() run.Receiver { return run.Receiver{Listeners: receiver} }})
	return f
}

// mk is a span of trace 1 with an id of its own; times are ns after the start.
func (f *feed) mk(name string, from, to uint64, attrs ...run.Attr) run.Span {
	f.ids++
	return run.Span{TraceID: uitest.TraceID(1), ID: uitest.SpanID(f.ids), Name: name, Kind: 1,
		Start: uitest.Start + from, End: uitest.Start + to, Attrs: attrs}
}

func truncated() run.Attr {
	return run.Attr{Key: "nemo.span.truncated", Value: run.BoolValue(true)}
}

// trainer is the resource of a rank of a run.
func trainer(runID string, rank int, more ...run.Attr) []run.Attr {
	return append([]run.Attr{
		uitest.Text("service.name", "megatron-lm"), uitest.Text("nemo.run.id", runID), uitest.Text("host.name", "node-0"),
		uitest.Int("dl.rank", rank), uitest.Int("dl.world_size", 4),
	}, more...)
}

func (f *feed) send(resource []run.Attr, spans ...run.Span) {
	f.Helper()
	b := otlp.NewBuilder(run.Traces)
	b.Resource(resource, 0, "")
	b.Scope(run.Scope{Name: "test"})
	for i := range spans {
		b.Span(&spans[i])
	}
	uitest.Put(f, f.Store, b, run.Receipt{At: f.now, Sender: "test"})
}

// simulated puts what a simulated run sends into a store.
func simulated(t testing.TB, c simulate.Config, until time.Duration) *store.Store {
	t.Helper()
	f := simtest.New(t, c, store.Config{})
	f.Keep = simtest.Only(run.Traces)
	f.Until(until)
	return f.Store
}

// ofRanks is a simulated run of 1, 8 or 1,024 ranks; of none an empty store.
func ofRanks(t testing.TB, ranks int) *store.Snapshot {
	t.Helper()
	c := simulate.Config{Seed: 11, RunID: "llama-70b", Iterations: 4, Microbatches: 4, ExportEvery: time.Second}
	switch ranks {
	case 0:
		return uitest.Snapshot(t)
	case 8:
		c.TP, c.PP, c.DP = 2, 2, 2
	case 1024:
		c.TP, c.PP, c.DP, c.Detail = 8, 8, 16, simulate.ForwardBackward
		thousand.once.Do(func() { thousand.snapshot = simulated(t, c, time.Minute).Snapshot() })
		return thousand.snapshot
	}
	return simulated(t, c, time.Minute).Snapshot()
}

// thousand is made once: a snapshot never changes.
var thousand struct {
	once     sync.Once
	snapshot *store.Snapshot
}

func plain() theme.Theme { return theme.New(theme.Options{ASCII: true}) }

// open is the screen on the first run of a snapshot.
func open(t testing.TB, s *store.Snapshot, filter string) *Model {
	t.Helper()
	m := New(plain())
	m.SetSize(120, 40)
	uitest.Give(t, m, uitest.Data(t, s, filter))
	return m
}

// group groups by levels, as typed.
func group(m *Model, levels string) {
	uitest.Press(m, "b")
	for _, r := range levels {
		uitest.Press(m, string(r))
	}
	uitest.Press(m, "enter")
}

// text is the view in ASCII without blanks at the ends.
func text(m *Model) string {
	lines := strings.Split(draw.ASCII(m.View()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}

// column is what a column shows, row by row.
func column(m *Model, id string) []string {
	var out []string
	for i := range m.shown.Len() {
		out = append(out, strings.TrimSpace(m.shown.Cell(i, id).Text))
	}
	return out
}

type (
	attr = run.Attr
	span = run.Span
)
