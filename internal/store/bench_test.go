package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// benchResource is what a rank of a large job says of itself: 15 attributes.
func benchResource(rank, world int) []run.Attr {
	return []run.Attr{
		str("service.name", "megatron-lm"), str("service.version", "1.2.3"), str("nemo.run.id", "bench"),
		str("service.instance.id", fmt.Sprint("bench-rank", rank)), str("host.name", fmt.Sprintf("gpu-%04d", rank/8)),
		num("process.pid", int64(4000+rank)), num("nv.dl.rank", int64(rank)), num("nv.dl.world_size", int64(world)),
		num("nv.dl.local_rank", int64(rank%8)), num("nv.dl.topology.size.tp", 4), num("nv.dl.topology.size.pp", 4),
		num("nv.dl.topology.size.dp", int64(max(1, world/16))), str("nv.dl.role", "trainer"),
		str("slurm.job.id", "77"), str("slurm.cluster.name", "c"),
	}
}

// benchSpans is the spans of one step of a rank: 31 children with 8 attributes,
// then the step.
func benchSpans(r *rand.Rand, rank int, iteration int64) []run.Span {
	trace := run.TraceID{}
	for i := range trace {
		trace[i] = byte(r.Uint32())
	}
	at := t0 + uint64(iteration)*second
	step := spanID(r.Uint64())
	attrs := func(i int) []run.Attr {
		return []run.Attr{
			num("dl.microbatch_id", int64(i)), num("dl.iteration", iteration), str("phase", "warm"), real64("loss", r.Float64()),
			truth("cached", i%2 == 0), str("backend", "nccl"), num("bytes", int64(r.IntN(1<<20))), str("layer", fmt.Sprint("layer-", i%16)),
		}
	}
	names := []string{"megatron.microbatch.forward", "megatron.microbatch.backward", "megatron.p2p.send_forward", "megatron.grad_sync.start"}
	var out []run.Span
	for i := range 31 {
		out = append(out, run.Span{TraceID: trace, ID: spanID(r.Uint64()), Parent: step, Name: names[i%4], Kind: 1,
			Start: at + uint64(i)*30*ms, End: at + uint64(i)*30*ms + uint64(r.IntN(int(30*ms))), Attrs: attrs(i)})
	}
	return append(out, run.Span{TraceID: trace, ID: step, Name: "megatron.train_step", Kind: 1, Start: at, End: at + second, Attrs: attrs(31)})
}

// benchBatches is decoded requests of 512 spans, one per rank and round.
func benchBatches(b testing.TB, ranks, rounds int) []*otlp.Batch {
	r := rand.New(rand.NewPCG(1, 2))
	var out []*otlp.Batch
	for round := range rounds {
		for k := range ranks {
			var spans []run.Span
			for i := range 16 {
				spans = append(spans, benchSpans(r, k, int64(round*16+i))...)
			}
			out = append(out, decode(b, run.Traces, request(benchResource(k, ranks), spans...)))
		}
	}
	return out
}

// BenchmarkPut is what storing a span costs; the batches are decoded before. Ids
// are changed from round to round, so no span is a duplicate.
func BenchmarkPut(b *testing.B) {
	for _, ranks := range []int{8, 256} {
		b.Run(fmt.Sprint(ranks, " ranks"), func(b *testing.B) {
			const rounds = 1
			batches := benchBatches(b, ranks, rounds)
			s := New(Config{Budget: 256 << 20, Clock: func() int64 { return int64(t0) }})
			spans := 0
			b.ReportAllocs()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			var cpu time.Duration
			for i := 0; b.Loop(); i++ {
				batch := batches[i%len(batches)]
				b.StopTimer()
				renumber(batch, i, 16*rounds)
				b.StartTimer()
				from := cpuTime(b)
				if _, err := s.Put(context.Background(), batch, run.Receipt{At: int64(t0) + int64(i), Sender: "host"}); err != nil {
					b.Fatal(err)
				}
				cpu += cpuTime(b) - from
				spans += len(batch.Spans)
			}
			runtime.ReadMemStats(&after)
			b.ReportMetric(float64(cpu.Nanoseconds())/float64(spans), "cpu-ns/span")
			b.ReportMetric(float64(after.Mallocs-before.Mallocs)/float64(spans), "allocs/span")
		})
	}
}

// cpuTime is the processor time of the test so far, garbage collection included:
// on a machine shared with others the wall clock says little.
func cpuTime(b testing.TB) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// renumber gives a batch new span ids and moves it on by steps iterations of a
// second each.
func renumber(b *otlp.Batch, round, steps int) {
	for i := range b.Spans {
		sp := &b.Spans[i]
		sp.ID[0], sp.ID[1], sp.ID[2] = byte(round), byte(round>>8), byte(round>>16)
		sp.Parent[0], sp.Parent[1], sp.Parent[2] = byte(round), byte(round>>8), byte(round>>16)
		sp.TraceID[0], sp.TraceID[1] = byte(round), byte(round>>8)
		sp.Start += uint64(steps) * second
		sp.End += uint64(steps) * second
	}
	for i := range b.Attrs {
		if string(b.Bytes(b.Attrs[i].Key)) == "dl.iteration" {
			b.Attrs[i].Num += uint64(steps)
		}
	}
}

// BenchmarkSnapshot takes a snapshot of 16,384 processes, one of which sent
// something since the last.
func BenchmarkSnapshot(b *testing.B) {
	const ranks = 16384
	s := New(Config{Budget: 512 << 20, Clock: func() int64 { return int64(t0) }})
	r := rand.New(rand.NewPCG(1, 2))
	var last *otlp.Batch
	for k := range ranks {
		last = decode(b, run.Traces, request(benchResource(k, ranks), benchSpans(r, k, 1)...))
		if _, err := s.Put(context.Background(), last, run.Receipt{At: int64(t0), Sender: "host"}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		renumber(last, i+1, 1)
		if _, err := s.Put(context.Background(), last, run.Receipt{At: int64(t0), Sender: "host"}); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		s.Snapshot()
	}
}
