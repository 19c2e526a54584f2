package store

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// benchSnapshot is a run of 64 ranks with half a million spans.
func benchSnapshot(b *testing.B) *Snapshot {
	b.Helper()
	r := rand.New(rand.NewPCG(1, 2))
	s := New(Config{Budget: 256 << 20, Clock: func() int64 { return int64(t0) }})
	batch, k := new(otlp.Batch), otlp.NewBuilder(run.Traces)
	for i := range 1024 {
		k.Reset(run.Traces)
		k.Resource(benchResource(i%64, 64), 0, "")
		for j := range 16 {
			for _, span := range benchSpans(r, i%64, int64(i/64*16+j)) {
				k.Span(&span)
			}
		}
		if err := batch.Decode(run.Traces, k.Bytes()); err != nil {
			b.Fatal(err)
		}
		if _, err := s.Put(b.Context(), batch, run.Receipt{At: int64(t0), Sender: fmt.Sprint("host-", i%64/8)}); err != nil {
			b.Fatal(err)
		}
	}
	b.ResetTimer()
	return s.Snapshot()
}

// BenchmarkScan reads one attribute of every span, as a filter does.
func BenchmarkScan(b *testing.B) {
	r := benchSnapshot(b).Runs[0]
	key := NewKey("layer")
	spans := 0
	for b.Loop() {
		r.EachSpan(func(c *Chunk, i int) bool {
			if v, ok := c.Value(i, key); ok && v.Str() != "" {
				spans++
			}
			return true
		})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(spans), "ns/span")
}

// BenchmarkTrace finds one trace among half a million spans.
func BenchmarkTrace(b *testing.B) {
	snap := benchSnapshot(b)
	c := snap.Runs[0].Chunks[len(snap.Runs[0].Chunks)/2]
	id := c.TraceID(7)
	for b.Loop() {
		if len(snap.Trace(id)) != 32 {
			b.Fatal("a trace is not whole")
		}
	}
}

// BenchmarkProcessSpans lists all spans of one rank of 64.
func BenchmarkProcessSpans(b *testing.B) {
	r := benchSnapshot(b).Runs[0]
	for b.Loop() {
		if len(r.ProcessSpans(7, 0, math.MaxUint64)) != 16*512 {
			b.Fatal("spans are missing")
		}
	}
}

// BenchmarkSpan expands a span with eight attributes.
func BenchmarkSpan(b *testing.B) {
	r := benchSnapshot(b).Runs[0]
	c := r.Chunks[3]
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if s := c.Span(i % c.Len()); len(s.Attrs) != 8 {
			b.Fatal("attributes are missing")
		}
	}
}

// BenchmarkPutBetweenSnapshots is storing with a snapshot after every 256
// requests of as many ranks: what the writer clones then is part of its cost.
func BenchmarkPutBetweenSnapshots(b *testing.B) {
	const ranks = 256
	batches := benchBatches(b, ranks, 1)
	s := New(Config{Budget: 256 << 20, Clock: func() int64 { return int64(t0) }})
	var cpu time.Duration
	spans := 0
	for i := 0; b.Loop(); i++ {
		for k, batch := range batches {
			renumber(batch, i, 16)
			from := cpuTime(b)
			if _, err := s.Put(b.Context(), batch, run.Receipt{At: int64(t0), Sender: fmt.Sprint("host-", k/8)}); err != nil {
				b.Fatal(err)
			}
			cpu += cpuTime(b) - from
			spans += len(batch.Spans)
		}
		from := cpuTime(b)
		s.Snapshot()
		cpu += cpuTime(b) - from
	}
	b.ReportMetric(float64(cpu.Nanoseconds())/float64(spans), "cpu-ns/span")
}
