package record

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// prefixed is messages as the Collector's file exporter writes them.
func prefixed(all ...[]byte) (out []byte) {
	for _, b := range all {
		out = binary.BigEndian.AppendUint32(out, uint32(len(b)))
		out = append(out, b...)
	}
	return out
}

func zstdOf(t testing.TB, b []byte) []byte {
	t.Helper()
	e, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	return e.EncodeAll(b, nil)
}

// threeWires is one request of each signal.
func threeWires(t testing.TB) [][]byte {
	t.Helper()
	return [][]byte{wireOf(t, run.Traces, trace("a")), wireOf(t, run.Metrics, metricLine), wireOf(t, run.Logs, logLine)}
}

// messageFiles is the same three requests in every form that is not JSON lines.
func messageFiles(t testing.TB) map[string][]byte {
	t.Helper()
	wires := threeWires(t)
	lines := []byte(trace("a") + "\n" + strings.TrimSpace(metricLine) + "\n" + strings.TrimSpace(logLine) + "\n")
	var packed, packedJSON [][]byte
	for i, w := range wires {
		packed = append(packed, zstdOf(t, w))
		packedJSON = append(packedJSON, zstdOf(t, bytes.Split(lines, []byte("\n"))[i]))
	}
	return map[string][]byte{
		"proto":                         prefixed(wires...),
		"proto, a zstd frame each":      prefixed(packed...),
		"JSON, a zstd frame each":       prefixed(packedJSON...),
		"proto, the stream zstd":        zstdOf(t, prefixed(wires...)),
		"JSON lines, the stream zstd":   zstdOf(t, lines),
		"JSON lines, zstd in two parts": append(zstdOf(t, lines[:100]), zstdOf(t, lines[100:])...),
		"proto, the stream gzip":        gzipped(t, prefixed(wires...)),
		"zstd in gzip":                  gzipped(t, zstdOf(t, lines)),
		"bare JSON lines":               lines,
	}
}

func TestEveryForm(t *testing.T) {
	for name, b := range messageFiles(t) {
		t.Run(name, func(t *testing.T) {
			s, got := importBytes(t, b)
			var raws [][]byte
			for _, one := range got {
				raws = append(raws, []byte(one.Raw))
			}
			if diff := cmp.Diff(threeWires(t), raws); diff != "" || len(s.Messages) > 0 {
				t.Errorf("%s %q", diff, s.Messages)
			}
			form := OTLPProto
			if strings.HasPrefix(name, "JSON lines") || strings.HasPrefix(name, "bare") || name == "zstd in gzip" {
				form = OTLPJSON
			}
			if s.Format != form || s.Spans != 1 || s.Points != 2 || s.Logs != 1 || s.Records != 3 {
				t.Errorf("%+v", s)
			}
		})
	}
}

// Export of every form, a recording too, is the same lines, and they import as the
// same requests.
func TestExportOfEveryForm(t *testing.T) {
	forms := messageFiles(t)
	dir := t.TempDir()
	w := create(t, Options{Dir: dir})
	for i, wire := range threeWires(t) {
		if err := w.Append(context.Background(), run.Signal(i), 1, run.Receipt{At: 7, Sender: "s", Raw: wire}); err != nil {
			t.Fatal(err)
		}
	}
	closed(t, w)
	_, fromRecording := exported(t, Source{Path: dir + "/" + segmentName(1)})
	for name, b := range forms {
		_, lines := exported(t, fromBytes(b))
		if diff := cmp.Diff(string(fromRecording), string(lines)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	_, again := exported(t, fromBytes(fromRecording))
	if !bytes.Equal(again, fromRecording) {
		t.Error("the export of the export differs")
	}
}

func TestDamagedMessages(t *testing.T) {
	wires := threeWires(t)
	whole := prefixed(wires...)
	first := len(prefixed(wires[0]))
	tests := map[string]struct {
		in               []byte
		records, bad     uint64
		tail             bool
		word             string
		spans, pts, logs uint64
	}{
		"cut in a message":      {whole[:len(whole)-5], 2, 0, true, "ends early", 1, 2, 0},
		"cut in a length":       {whole[:first+2], 1, 0, true, "ends early", 1, 0, 0},
		"damaged inside":        {flipped(whole, first+5), 2, 1, false, "f:+", 1, 0, 1},
		"a wild length":         {flipped(whole, first), 2, 1, false, "reading goes on at offset", 1, 0, 1},
		"noise between":         {append(append(append([]byte(nil), whole[:first]...), "some text here\n"...), whole[first:]...), 3, 1, false, "no message begins here", 1, 2, 1},
		"NULs behind":           {append(append([]byte(nil), whole...), make([]byte, 100)...), 3, 0, false, "", 1, 2, 1},
		"a zstd frame damaged":  {append(prefixed(wires[0]), prefixed(flipped(zstdOf(t, wires[1]), 20), wires[2])...), 2, 1, false, "damaged zstd", 1, 0, 1},
		"damaged zstd stream":   {flipped(zstdOf(t, incompressibleLines(t)), 90_000), 0, 1, true, "damaged zstd, nothing behind this place can be read", 0, 0, 0},
		"cut zstd stream":       {half(zstdOf(t, incompressibleLines(t))), 0, 0, true, "still being written?", 0, 0, 0},
		"empty messages":        {prefixed(wires[0], nil, nil), 1, 0, false, "", 1, 0, 0},
		"not telemetry at all":  {prefixed([]byte{0x0a, 0x02, 0x12, 0x00}, []byte{0xff, 0xff, 0xff}), 1, 1, false, "not telemetry", 0, 0, 0},
		"JSON that is not OTLP": {prefixed(wires[0], []byte(`{"resourceSpans":3}`)), 1, 1, false, "f:+", 1, 0, 0},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s, _ := importBytes(t, tt.in)
			if !strings.HasSuffix(name, "zstd stream") && s.Records != tt.records || s.BadRecords != tt.bad || s.IncompleteTail != tt.tail {
				t.Errorf("%d records, %d bad, tail %v: %q", s.Records, s.BadRecords, s.IncompleteTail, s.Messages)
			}
			if !strings.HasSuffix(name, "zstd stream") && (s.Spans != tt.spans || s.Points != tt.pts || s.Logs != tt.logs) {
				t.Errorf("%d spans, %d points, %d logs", s.Spans, s.Points, s.Logs)
			}
			if !strings.Contains(strings.Join(s.Messages, "\n"), tt.word) {
				t.Errorf("%q", s.Messages)
			}
		})
	}
}

func half(b []byte) []byte { return b[:len(b)/2] }

// incompressibleLines is lines that zstd makes several blocks of.
func incompressibleLines(t testing.TB) []byte {
	t.Helper()
	var out []byte
	for i := range 200 {
		out = append(out, trace(strings.ToValidUTF8(string(bytes.Map(func(r rune) rune { return 'a' + r%26 }, incompressible(i, 2000))), "x"))...)
		out = append(out, '\n')
	}
	return out
}

func TestSignalOf(t *testing.T) {
	span := run.Span{TraceID: run.TraceID{1}, ID: run.SpanID{2}, Name: "n", Start: 1, End: 2, Kind: 1}
	build := func(sig run.Signal, add func(*otlp.Builder)) []byte {
		b := otlp.NewBuilder(sig)
		add(b)
		return bytes.Clone(b.Bytes())
	}
	bare := span
	bare.Start, bare.End, bare.Kind, bare.Name = 0, 0, 0, ""
	tests := map[string]struct {
		in   []byte
		want run.Signal
		ok   bool
	}{
		"span":             {build(run.Traces, func(b *otlp.Builder) { b.Span(&span) }), run.Traces, true},
		"span, ids alone":  {build(run.Traces, func(b *otlp.Builder) { b.Span(&bare) }), run.Traces, true},
		"metric":           {wireOf(t, run.Metrics, metricLine), run.Metrics, true},
		"log":              {wireOf(t, run.Logs, logLine), run.Logs, true},
		"log, a body only": {[]byte{0x0a, 8, 0x12, 6, 0x12, 4, 0x2a, 2, 0x0a, 0}, run.Logs, true},
		"nothing":          {nil, run.Traces, true},
		"text":             {[]byte("hello, world"), 0, false},
	}
	for name, tt := range tests {
		if got, ok := signalOf(tt.in); ok != tt.ok || ok && got != tt.want {
			t.Errorf("%s: %v %v", name, got, ok)
		}
	}
}

func TestMessagesStop(t *testing.T) {
	boom := errors.New("boom")
	_, err := Import(context.Background(), fromBytes(prefixed(threeWires(t)...)), func(*otlp.Batch, run.Receipt) error { return boom })
	if !errors.Is(err, boom) {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	_, err = Import(ctx, fromBytes(prefixed(threeWires(t)...)), func(*otlp.Batch, run.Receipt) error { n++; cancel(); return nil })
	if !errors.Is(err, context.Canceled) || n != 1 {
		t.Errorf("%d requests, %v", n, err)
	}
}
