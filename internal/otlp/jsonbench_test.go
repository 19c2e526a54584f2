package otlp

import (
	"bytes"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// BenchmarkJSON reads and writes a recorded run, 117,920 spans in 704 requests.
func BenchmarkJSON(b *testing.B) {
	lines := dataLines(b, "slow-worker.otlp.jsonl.gz")
	size := len(bytes.Join(lines, nil))
	b.Run("Transcode", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		t := NewTranscoder(JSONOptions{File: true})
		for b.Loop() {
			for _, line := range lines {
				if _, err := t.Transcode(line); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	b.Run("DecodeJSON", func(b *testing.B) {
		b.SetBytes(int64(size))
		b.ReportAllocs()
		var batch Batch
		spans := 0
		for b.Loop() {
			for _, line := range lines {
				if err := batch.DecodeJSON(run.Traces, line, JSONOptions{}); err != nil {
					b.Fatal(err)
				}
				spans += batch.Items()
			}
		}
		b.ReportMetric(float64(spans)/b.Elapsed().Seconds(), "spans/s")
	})
	b.Run("AppendJSON", func(b *testing.B) { benchmarkAppendJSON(b, lines) })
}

func benchmarkAppendJSON(b *testing.B, lines [][]byte) {
	t, size := NewTranscoder(JSONOptions{}), 0
	var wires [][]byte
	for _, line := range lines {
		requests, err := t.Transcode(line, run.Traces)
		if err != nil {
			b.Fatal(err)
		}
		wires = append(wires, bytes.Clone(requests[run.Traces]))
		size += len(line)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var dst []byte
	for b.Loop() {
		for _, wire := range wires {
			var err error
			if dst, err = AppendJSON(dst[:0], run.Traces, wire); err != nil {
				b.Fatal(err)
			}
		}
	}
}
