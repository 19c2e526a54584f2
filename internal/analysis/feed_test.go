package analysis

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// t0 is 2025-10-09T08:53:20Z.
const t0 = uint64(1_760_000_000_000_000_000)

const (
	ms  = uint64(1_000_000)
	sec = 1000 * ms
)

// feed is a store that tests fill through its front door, at a clock of their
// own.
type feed struct {
	testing.TB
	*store.Store
	now int64 // receive time of the next request
	ids uint64
}

func newFeed(t testing.TB) *feed {
	f := &feed{TB: t, now: int64(t0)}
	f.Store = store.New(store.Config{Clock: func() int64 { return f.now }})
	return f
}

// trainer is the resource of one rank; more attributes override.
func trainer(rank, world int, more ...run.Attr) []run.Attr {
	return append([]run.Attr{
		str("service.name", "megatron-lm"), str("nemo.run.id", "run-1"), str("nv.dl.role", "trainer"),
		num("nv.dl.rank", int64(rank)), num("nv.dl.world_size", int64(world)),
		str("host.name", fmt.Sprintf("node%d", rank/4)),
	}, more...)
}

func str(k, v string) run.Attr         { return run.Attr{Key: k, Value: run.StringValue(v)} }
func num(k string, v int64) run.Attr   { return run.Attr{Key: k, Value: run.IntValue(v)} }
func dbl(k string, v float64) run.Attr { return run.Attr{Key: k, Value: run.DoubleValue(v)} }
func yesno(k string, v bool) run.Attr  { return run.Attr{Key: k, Value: run.BoolValue(v)} }
func sizes(tp, pp, dp int64) []run.Attr {
	return []run.Attr{num("nv.dl.topology.size.tp", tp), num("nv.dl.topology.size.pp", pp), num("nv.dl.topology.size.dp", dp)}
}
func truncated() run.Attr               { return yesno("nemo.span.truncated", true) }
func traceID(n uint64) (id run.TraceID) { binary.BigEndian.PutUint64(id[8:], n); id[0] = 1; return id }
func spanID(n uint64) (id run.SpanID)   { binary.BigEndian.PutUint64(id[:], n); return id }
func near(a, b, relative float64) bool  { return math.Abs(a-b) <= relative*math.Abs(b) }

// mk is a finished span of trace 1 with an id of its own; times are ns after t0.
func (f *feed) mk(name string, from, to uint64, attrs ...run.Attr) run.Span {
	f.ids++
	return run.Span{
		TraceID: traceID(1), ID: spanID(f.ids), Name: name, Kind: 1,
		Start: t0 + from, End: t0 + to, Attrs: attrs,
	}
}

func under(parent run.Span, s run.Span) run.Span {
	s.TraceID, s.Parent = parent.TraceID, parent.ID
	return s
}

func (f *feed) spans(resource []run.Attr, spans ...run.Span) run.Outcome {
	f.Helper()
	b := otlp.NewBuilder(run.Traces)
	b.Resource(resource, 0, "")
	for i := range spans {
		b.Span(&spans[i])
	}
	return f.put(run.Traces, b.Bytes())
}

// counter sends points of one metric, one for each attribute set.
func (f *feed) counter(resource []run.Attr, name string, sets ...[]run.Attr) {
	f.Helper()
	b := otlp.NewBuilder(run.Metrics)
	b.Resource(resource, 0, "")
	b.Metric(otlp.MetricInfo{Name: name, Kind: otlp.Sum, Temporality: otlp.Cumulative, Monotonic: true})
	for _, attrs := range sets {
		b.Point(&otlp.DataPoint{Start: t0, Time: uint64(f.now), Value: run.IntValue(1), Attrs: attrs})
	}
	f.put(run.Metrics, b.Bytes())
}

func (f *feed) put(signal run.Signal, body []byte) run.Outcome {
	f.Helper()
	var b otlp.Batch
	if err := b.Decode(signal, body); err != nil {
		f.Fatal(err)
	}
	out, err := f.Put(context.Background(), &b, run.Receipt{At: f.now, Sender: "test"})
	if err != nil {
		f.Fatal(err)
	}
	return out
}

// look is the snapshot and its first run.
func (f *feed) look() (*store.Snapshot, *store.Run) {
	f.Helper()
	s := f.Snapshot()
	if len(s.Runs) == 0 {
		f.Fatal("the snapshot has no run")
	}
	return s, s.Runs[0]
}

// step sends one whole step of a rank: a step span that carries the iteration,
// with compute and wait beneath it.
func (f *feed) step(resource []run.Attr, iteration int64, from, compute, wait uint64) {
	f.Helper()
	root := f.mk("megatron.train_step", from, from+compute+wait, num("megatron.iteration", iteration))
	root.TraceID = traceID(1000 + f.ids)
	f.spans(resource,
		under(root, f.mk("megatron.forward_backward", from, from+compute)),
		under(root, f.mk("megatron.all_reduce", from+compute, from+compute+wait)),
		root)
}

// table answers Durations of one run or fails the test.
func (f *feed) table(filter Filter, by ...string) Table {
	f.Helper()
	_, r := f.look()
	t, err := Durations(context.Background(), []Scope{{r, filter}}, by)
	if err != nil {
		f.Fatal(err)
	}
	return t
}

// group finds a group by the values on the way to it.
func (t Table) group(tb testing.TB, path ...string) *Group {
	tb.Helper()
	groups := t.Groups
	var at *Group
	for _, value := range path {
		at = nil
		for _, g := range groups {
			if g.Value == value {
				at = g
			}
		}
		if at == nil {
			tb.Fatalf("no group %q on the way %q", value, path)
		}
		groups = at.Groups
	}
	return at
}

// fakeFilter filters by plain functions; nil functions let everything through.
type fakeFilter struct {
	process func(int) bool
	name    func(int) bool
	span    func(*store.Chunk, int) bool
}

func (f fakeFilter) Process(p int) bool { return f.process == nil || f.process(p) }

func (f fakeFilter) Pair(p, name int) (match, sure bool) {
	match = f.Process(p) && (f.name == nil || f.name(name))
	return match, !match || f.span == nil
}

func (f fakeFilter) Span(c *store.Chunk, i int) bool {
	if match, sure := f.Pair(c.Process(i), c.NameID(i)); sure {
		return match
	}
	return f.span(c, i)
}
