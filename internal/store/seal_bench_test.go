package store

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// filled is a store with n spans of a shape of data from 64 ranks.
func filled(b testing.TB, shape dataShape, budget uint64, n int) *Store {
	r := rand.New(rand.NewPCG(3, 4))
	s := New(Config{Budget: budget, Clock: func() int64 { return int64(t0) }})
	for i := 0; n > 0; i++ {
		var spans []run.Span
		for k := range 16 {
			spans = append(spans, shape.spans(r, i%64, int64(i/64*16+k))...)
		}
		body := request(benchResource(i%64, 64), spans...)
		if _, err := s.Put(context.Background(), decode(b, run.Traces, body), run.Receipt{At: int64(t0), Sender: "host"}); err != nil {
			b.Fatal(err)
		}
		n -= len(spans)
	}
	return s
}

// BenchmarkSeal packs full chunks and opens them again.
func BenchmarkSeal(b *testing.B) {
	for _, shape := range dataShapes() {
		s := filled(b, shape, 512<<20, 16*chunkRows)
		p, dec := newPacker(b), newDecoder(b)
		c := s.runs[0].chunks[3]
		var blob []byte
		b.Run(shape.name, func(b *testing.B) {
			from := cpuTime(b)
			for b.Loop() {
				blob = p.seal(&c.cols, c.dict.shapes)
			}
			b.ReportMetric(float64((cpuTime(b)-from).Nanoseconds())/float64(b.N*c.Len()), "cpu-ns/span")
			b.ReportMetric(float64(len(blob))/float64(c.Len()), "B/span")
		})
		b.Run(shape.name+" opened", func(b *testing.B) {
			from := cpuTime(b)
			for b.Loop() {
				unseal(blob, c.Len(), c.dict.shapes, dec)
			}
			b.ReportMetric(float64((cpuTime(b)-from).Nanoseconds())/float64(b.N*c.Len()), "cpu-ns/span")
		})
	}
}
