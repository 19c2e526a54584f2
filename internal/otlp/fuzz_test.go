package otlp

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
)

// FuzzTraces, FuzzMetrics and FuzzLogs hold the hand-written decoder and the
// generated code equal: for any bytes both refuse, or both accept and give the
// same rows. DecodeGenerated already does what the generated code alone does
// not (repair of text, ids refused one by one, the bound on nesting).
func FuzzTraces(f *testing.F)  { fuzzSignal(f, run.Traces) }
func FuzzMetrics(f *testing.F) { fuzzSignal(f, run.Metrics) }
func FuzzLogs(f *testing.F)    { fuzzSignal(f, run.Logs) }

func fuzzSignal(f *testing.F, signal run.Signal) {
	for _, body := range seeds(f, signal) {
		f.Add(body)
	}
	used := richBody(signal) // so that decoding starts from a used batch
	f.Fuzz(func(t *testing.T, body []byte) {
		b := mustDecode(t, signal, used)
		differential(t, signal, body, b)
	})
}

// differential compares what both decoders make of body, using b for ours.
func differential(t testing.TB, signal run.Signal, body []byte, b *Batch) {
	t.Helper()
	var gen Batch
	err, genErr := b.Decode(signal, body), DecodeGenerated(signal, body, &gen)
	if errors.Is(err, errDepth) && genErr == nil {
		return // unknown groups, or values that a later member of their oneof replaces
	}
	if (err == nil) != (genErr == nil) {
		t.Fatalf("ours: %v\ngenerated: %v", err, genErr)
	}
	if err != nil {
		sameDump(t, "rows left after an error", dump{}, dumpBatch(t, b))
		return
	}
	ours := dumpBatch(t, b)
	sameDump(t, "decoders differ (-generated +ours)", dumpBatch(t, &gen), ours)
	sameEvents(t, b)

	back := mustDecode(t, signal, rebuild(t, b))
	again := dumpBatch(t, back)
	ours.Rejected, ours.Repaired = nil, 0
	for i := range ours.Scopes {
		ours.Scopes[i].Dropped = 0 // not part of run.Scope
	}
	sameDump(t, "rows change when written and read again (-before +after)", ours, again)
}

// sameEvents checks HasEvent against DecodeExtra.
func sameEvents(t testing.TB, b *Batch) {
	t.Helper()
	for i := range b.Spans {
		extra := b.Bytes(b.Spans[i].Extra)
		e, err := DecodeExtra(extra)
		if err != nil {
			t.Fatal(err)
		}
		names := map[string]bool{}
		for _, v := range e.Events {
			names[v.Name] = true
		}
		for name := range names {
			if b.Repaired == 0 && !HasEvent(extra, name) {
				t.Fatalf("event %q not found", name)
			}
		}
		if HasEvent(extra, "no such event \xff") {
			t.Fatal("found an event that is not there")
		}
	}
}

// FuzzLazy throws any bytes at what is normally given checked ones.
func FuzzLazy(f *testing.F) {
	for _, signal := range []run.Signal{run.Traces, run.Metrics} {
		b := mustDecode(f, signal, richBody(signal))
		for i := range b.Spans {
			f.Add(b.Bytes(b.Spans[i].Extra))
		}
		for i := range b.Points {
			f.Add(b.Bytes(b.Points[i].Raw))
		}
		for _, a := range b.Attrs {
			f.Add(b.Bytes(a.Val))
		}
	}
	f.Fuzz(func(_ *testing.T, p []byte) {
		_, _ = DecodeExtra(p)
		HasEvent(p, "nemo.span.truncated")
		for t := run.Empty; t <= run.Bytes; t++ {
			ExpandValue(t, 1, p)
		}
		for _, kind := range metricKinds() {
			_, _ = ReadBuckets(kind, p)
			_, _ = ReadExemplars(kind, p)
		}
	})
}

func metricKinds() []MetricKind {
	return []MetricKind{NoData, Gauge, Sum, Histogram, ExpHistogram, Summary}
}

// seeds are requests to start from: built ones, odd ones, and small ones of the
// recordings when those are there.
func seeds(t testing.TB, signal run.Signal) [][]byte {
	list := [][]byte{nil, richBody(signal)}
	for _, c := range wireCases() {
		list = append(list, c.body(signal))
	}
	return append(list, recorded(t, signal, 20, 8_000)...)
}

// recorded are up to n requests of at most size bytes from each recording in
// the shared data, none when that is absent.
func recorded(t testing.TB, signal run.Signal, n, size int) [][]byte {
	t.Helper()
	files, err := filepath.Glob("../../../shared/data/*.otlp.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	var list [][]byte
	for _, name := range files {
		for _, line := range linesOf(t, name) {
			b := &Batch{}
			if b.DecodeJSON(signal, line, JSONOptions{}) == nil && b.Items() > 0 && len(b.buf) <= size && n > 0 {
				list = append(list, bytes.Clone(b.buf))
			}
			if len(list) >= n {
				break
			}
		}
	}
	return list
}

func linesOf(t testing.TB, name string) [][]byte {
	t.Helper()
	file, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(bufio.NewReader(z))
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Split(bytes.TrimSpace(data), []byte("\n"))
}
