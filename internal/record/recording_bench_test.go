package record

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// jobRequest is 512 spans of a rank of a large job: 16 steps of 31 children each,
// 8 attributes a span and 15 on the resource.
func jobRequest(b *otlp.Builder, r *rand.Rand, rank, world, round int) []byte {
	text := func(k, v string) run.Attr { return run.Attr{Key: k, Value: run.StringValue(v)} }
	num := func(k string, v int) run.Attr { return run.Attr{Key: k, Value: run.IntValue(int64(v))} }
	b.Reset(run.Traces)
	b.Resource([]run.Attr{
		text("service.name", "megatron-lm"), text("service.version", "1.2.3"), text("nemo.run.id", "bench"),
		text("service.instance.id", fmt.Sprint("bench-rank", rank)), text("host.name", fmt.Sprintf("gpu-%04d", rank/8)),
		num("process.pid", 4000+rank), num("nv.dl.rank", rank), num("nv.dl.world_size", world),
		num("nv.dl.local_rank", rank%8), num("nv.dl.topology.size.tp", 4), num("nv.dl.topology.size.pp", 4),
		num("nv.dl.topology.size.dp", max(1, world/16)), text("nv.dl.role", "trainer"),
		text("slurm.job.id", "77"), text("slurm.cluster.name", "c"),
	}, 0, "")
	b.Scope(run.Scope{Name: "megatron"})
	names := []string{"megatron.microbatch.forward", "megatron.microbatch.backward", "megatron.p2p.send_forward", "megatron.grad_sync.start"}
	var trace run.TraceID
	id := func(to []byte) {
		for i := range to {
			to[i] = byte(r.Uint32())
		}
	}
	for s := range 16 {
		id(trace[:])
		iteration := round*16 + s
		at := uint64(1_700_000_000_000_000_000) + uint64(iteration)*1e9
		var step run.SpanID
		id(step[:])
		for i := range 32 {
			span := run.Span{TraceID: trace, ID: step, Name: "megatron.train_step", Kind: 1, Start: at, End: at + 1e9}
			if i < 31 {
				id(span.ID[:])
				span.Parent, span.Name = step, names[i%4]
				span.Start += uint64(i) * 30e6
				span.End = span.Start + uint64(r.IntN(30e6))
			}
			span.Attrs = []run.Attr{num("dl.microbatch_id", i), num("dl.iteration", iteration), text("phase", "warm"),
				{Key: "loss", Value: run.DoubleValue(r.Float64())}, {Key: "cached", Value: run.BoolValue(i%2 == 0)},
				text("backend", "nccl"), num("bytes", r.IntN(1<<20)), text("layer", fmt.Sprint("layer-", i%16))}
			b.Span(&span)
		}
	}
	return b.Bytes()
}

// writeJob records that many spans of a job.
func writeJob(b testing.TB, dir string, spans int) {
	w, err := Create(Options{Dir: dir})
	if err != nil {
		b.Fatal(err)
	}
	var build otlp.Builder
	r := rand.New(rand.NewPCG(1, 2))
	const world = 256
	for i := range (spans + 511) / 512 {
		raw := jobRequest(&build, r, i%world, world, i/world)
		if err := w.Append(context.Background(), run.Traces, 512, run.Receipt{At: int64(1e18) + int64(i)*1e6, Sender: fmt.Sprint("10.0.0.", i%world/8), Raw: raw}); err != nil {
			b.Fatal(err)
		}
	}
	if err := w.Close(context.Background()); err != nil {
		b.Fatal(err)
	}
	if s := w.Status(); s.Lost.Requests > 0 {
		b.Fatalf("%+v", s)
	}
}

// Size and place of the recording of BenchmarkOpen. In a place of its own it stays,
// and is opened again the next time.
var (
	openSpans = flag.Int("record.spans", 500_000, "spans of the recording that is opened")
	openDir   = flag.String("record.dir", "", "directory of the recording that is opened")
)

// benchDir is the recording to open, and its size on the disk.
func benchDir(b *testing.B) (dir string, size int64) {
	if dir = *openDir; dir == "" {
		dir = b.TempDir()
	}
	if len(files(b, dir)) == 0 {
		writeJob(b, dir, *openSpans)
	}
	for _, name := range files(b, dir) {
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil {
			size += info.Size()
		}
	}
	return dir, size
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkOpen opens a recording: alone, and into a store as 'lensview open' does.
// -record.spans is its size.
func BenchmarkOpen(b *testing.B) {
	dir, size := benchDir(b)
	for _, into := range []string{"nothing", "store"} {
		b.Run(into, func(b *testing.B) {
			from, before := time.Now(), cpuTime()
			spans := uint64(0)
			for b.Loop() {
				spans += openInto(b, dir, into)
			}
			b.ReportMetric(float64(spans)/time.Since(from).Seconds(), "spans/s")
			b.ReportMetric(float64((cpuTime()-before).Nanoseconds())/float64(spans), "cpu-ns/span")
			b.ReportMetric(float64(size)*float64(b.N)/float64(spans), "fileB/span")
		})
	}
}

func openInto(b *testing.B, dir, into string) (spans uint64) {
	sources, err := Sources([]string{dir}, nil)
	if err != nil {
		b.Fatal(err)
	}
	sink := func(*otlp.Batch, run.Receipt) error { return nil }
	if into == "store" {
		st := store.New(store.Config{Files: true})
		sink = func(batch *otlp.Batch, r run.Receipt) error {
			_, err := st.Put(context.Background(), batch, r)
			return err
		}
	}
	for _, src := range sources {
		s, err := Import(context.Background(), src, sink)
		if err != nil || len(s.Messages) > 0 {
			b.Fatal(err, s.Messages)
		}
		spans += s.Spans
	}
	return spans
}
