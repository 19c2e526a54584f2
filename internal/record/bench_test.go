package record

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// BenchmarkImport reads the larger recording, 117,920 spans, on one core.
func BenchmarkImport(b *testing.B) {
	path := recording(b, "slow-worker.otlp.jsonl.gz")
	plain := gunzip(b, path)
	for name, src := range map[string]func() Source{
		"gzip":  func() Source { return Source{Path: path} },
		"plain": func() Source { return Source{Path: "plain", Input: bytes.NewReader(plain)} },
	} {
		b.Run(name, func(b *testing.B) { benchmarkImport(b, src, len(plain)) })
	}
	b.Run("export", func(b *testing.B) {
		b.SetBytes(int64(len(plain)))
		for b.Loop() {
			src := Source{Path: "plain", Input: bytes.NewReader(plain)}
			if _, err := Export(context.Background(), io.Discard, src); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func benchmarkImport(b *testing.B, src func() Source, size int) {
	b.SetBytes(int64(size))
	b.ReportAllocs()
	var spans uint64
	for b.Loop() {
		s, err := Import(context.Background(), src(), func(*otlp.Batch, run.Receipt) error { return nil })
		if err != nil {
			b.Fatal(err)
		}
		spans += s.Spans
	}
	b.ReportMetric(float64(spans)/b.Elapsed().Seconds(), "spans/s")
}

// BenchmarkPythonConsole reads spans as the Python SDK prints them.
func BenchmarkPythonConsole(b *testing.B) {
	var text bytes.Buffer
	for i := range 10_000 {
		fmt.Fprintf(&text, pySpanLine, i+1)
	}
	benchmarkImport(b, func() Source { return Source{Path: "py", Input: bytes.NewReader(text.Bytes())} }, text.Len())
}

// pySpanLine is one span of ReadableSpan.to_json(indent=None).
const pySpanLine = `{"name": "train_step", "context": {"trace_id": "0x1213a1529b97ceb4aa94090cc433ca13", "span_id": "0x%016x", "trace_state": "[]"}, "kind": "SpanKind.INTERNAL", "parent_id": null, "start_time": "2026-11-30T10:31:24.661476Z", "end_time": "2026-11-30T10:31:24.661504Z", "status": {"status_code": "OK"}, "attributes": {"iteration": 7, "loss": 2.5}, "events": [], "links": [], "resource": {"attributes": {"service.name": "megatron-lm", "dl.rank": 3}, "schema_url": ""}}
`
