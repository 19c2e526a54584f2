// Package uitest makes snapshots for the tests of screens: a training run with
// known numbers, through the real store, and the checks that every screen has to
// pass. Nothing but tests imports it.
package uitest

import (
	"context"
	"encoding/binary"
	"fmt"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Start is when the first step of every fixture starts: 2025-10-09T08:53:20Z.
const Start = uint64(1_760_000_000_000_000_000)

// second in nanoseconds.
const second = uint64(1_000_000_000)

// Training is a run whose numbers follow from its fields: step s (from 1) of rank
// r takes one second, 600 ms of it compute and 400 ms wait; the rank Slow computes
// for 900 ms and waits for 100. tp is 2, pp 2, dp the rest,
// where the world is a multiple of four, else all is dp; eight ranks a host.
type Training struct {
	Run   string
	Ranks int
	World int // 0 is Ranks
	Steps int
	Slow  int // a rank, or −1
	Quiet int // seconds that passed since the last step
}

// Store is a store that received the runs, with its clock after the last step.
func Store(t testing.TB, runs ...Training) *store.Store {
	t.Helper()
	now := int64(Start)
	s := store.New(store.Config{Clock: func() int64 { return now }, Receiver: receiver})
	for _, r := range runs {
		for rank := range r.Ranks {
			now = max(now, int64(Start+uint64(r.Steps)*second))
			r.put(t, s, rank, now)
		}
		now += int64(r.Quiet) * int64(second)
	}
	s.Tick(now)
	return s
}

// Snapshot is Store's snapshot.
func Snapshot(t testing.TB, runs ...Training) *store.Snapshot {
	t.Helper()
	return Store(t, runs...).Snapshot()
}

func receiver() run.Receiver {
	return run.Receiver{Listeners: []run.Listener{
		{Protocol: "gRPC", Addr: "127.0.0.1:4317"}, {Protocol: "HTTP", Addr: "127.0.0.1:4318"},
	}}
}

func (r Training) put(t testing.TB, s *store.Store, rank int, at int64) {
	t.Helper()
	b := otlp.NewBuilder(run.Traces)
	b.Resource(r.resource(rank), 0, "")
	b.Scope(run.Scope{Name: "uitest"})
	for step := 1; step <= r.Steps; step++ {
		r.step(b, rank, step)
	}
	Put(t, s, b, run.Receipt{At: at, Sender: "10.0.0." + fmt.Sprint(1+rank/8)})
}

// Put decodes what a builder made and puts it into a store.
func Put(t testing.TB, s *store.Store, b *otlp.Builder, r run.Receipt) {
	t.Helper()
	var batch otlp.Batch
	body := b.Bytes()
	if err := batch.Decode(run.Traces, body); err != nil {
		t.Fatalf("decoding a fixture: %v", err)
	}
	r.Raw = body
	if _, err := s.Put(context.Background(), &batch, r); err != nil {
		t.Fatalf("storing a fixture: %v", err)
	}
}

func (r Training) resource(rank int) []run.Attr {
	world := r.World
	if world == 0 {
		world = r.Ranks
	}
	tp := 2
	if world%4 != 0 {
		tp = 1
	}
	return []run.Attr{
		Text("service.name", "megatron-lm"), Text("nemo.run.id", r.Run), Text("nemo.user.id", "ada"),
		Text("host.name", fmt.Sprintf("node-%04d", rank/8)), Text("service.instance.id", fmt.Sprintf("%s-%d", r.Run, rank)),
		Int("process.pid", 1000+rank), Int("dl.rank", rank), Int("dl.world_size", world),
		Int("dl.tensor_parallel.size", tp), Int("dl.pipeline_parallel.size", tp), Int("dl.data_parallel.size", world/tp/tp),
	}
}

func (r Training) step(b *otlp.Builder, rank, step int) {
	from := Start + uint64(step-1)*second
	compute := second * 6 / 10
	if rank == r.Slow {
		compute = second * 9 / 10
	}
	trace := TraceID(uint64(rank)<<32 | uint64(step))
	id := func(n int) run.SpanID { return SpanID(uint64(rank)<<40 | uint64(step)<<8 | uint64(n)) }
	iteration := []run.Attr{Int("megatron.iteration", step)}
	b.Span(&run.Span{TraceID: trace, ID: id(1), Name: "megatron.train.iteration", Kind: 1,
		Start: from, End: from + second, Attrs: iteration})
	b.Span(&run.Span{TraceID: trace, ID: id(2), Parent: id(1), Name: "megatron.forward_backward", Kind: 1,
		Start: from, End: from + compute})
	b.Span(&run.Span{TraceID: trace, ID: id(3), Parent: id(1), Name: "megatron.grad_sync.finish", Kind: 1,
		Start: from + compute, End: from + second})
}

// Text is an attribute.
func Text(key, value string) run.Attr { return run.Attr{Key: key, Value: run.StringValue(value)} }

// Int is an attribute.
func Int(key string, value int) run.Attr {
	return run.Attr{Key: key, Value: run.IntValue(int64(value))}
}

// TraceID is the id with n in its last bytes.
func TraceID(n uint64) (id run.TraceID) {
	id[0] = 1
	binary.BigEndian.PutUint64(id[8:], n)
	return id
}

// SpanID is the id n.
func SpanID(n uint64) (id run.SpanID) {
	binary.BigEndian.PutUint64(id[:], n)
	return id
}
