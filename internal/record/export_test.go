package record

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

var update = flag.Bool("update", false, "write the golden files")

func exported(t testing.TB, src Source) (Summary, []byte) {
	t.Helper()
	var out bytes.Buffer
	s, err := Export(context.Background(), &out, src)
	if err != nil {
		t.Fatal(err)
	}
	return s, out.Bytes()
}

func fromBytes(b []byte) Source { return Source{Path: "f", Input: bytes.NewReader(b)} }

// CASES row 16: import, export, import changes nothing.
func TestExportIsFaithful(t *testing.T) {
	want, err := os.ReadFile(filepath.Join("testdata", "fidelity.otlp.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	s, got := exported(t, fromBytes(want))
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Error(diff)
	}
	if s.Spans != 2 || s.Rejected != 1 || s.Points != 5 || s.Logs != 1 {
		t.Errorf("%+v", s)
	}
}

// What is exported imports as the same requests, however the source was written.
func TestExportImportsAgain(t *testing.T) {
	sources := map[string]Source{}
	for name := range oracle {
		if name != "slow-worker.otlp.jsonl.gz" {
			sources[name] = Source{Path: recording(t, name)}
		}
	}
	examples, _ := filepath.Glob(recording(t, "otlp-examples") + "/*.json")
	for _, path := range examples {
		sources[filepath.Base(path)] = Source{Path: path}
	}
	for name, src := range sources {
		t.Run(name, func(t *testing.T) {
			first, line := exported(t, src)
			second, again := exported(t, fromBytes(line))
			if !bytes.Equal(line, again) {
				t.Error("the second export differs from the first")
			}
			if diff := cmp.Diff(countsOf(first), countsOf(second)); diff != "" || len(second.Messages) > 0 {
				t.Errorf("%s %q", diff, second.Messages)
			}
			if bytes.Count(line, []byte("\n")) != int(first.Records) {
				t.Errorf("%d lines for %d records", bytes.Count(line, []byte("\n")), first.Records)
			}
		})
	}
}

func TestExportOfDamage(t *testing.T) {
	s, line := exported(t, fromBytes([]byte(trace("a")+"\nbad\n"+trace("b")+"\n"+cutLine)))
	if s.BadRecords != 1 || !s.IncompleteTail || bytes.Count(line, []byte("\n")) != 2 {
		t.Errorf("%+v\n%s", s, line)
	}
}

func TestExportOfSome(t *testing.T) {
	var out bytes.Buffer
	src := fromBytes([]byte(trace("a") + trace("b") + metricLine + trace("a")))
	s, err := ExportSome(context.Background(), &out, src, func(b *otlp.Batch, row int) bool {
		return b.Signal == run.Traces && string(b.Bytes(b.Spans[row].Name)) == "b"
	})
	if err != nil || s.Spans != 3 || s.Points != 2 {
		t.Errorf("%+v, %v", s, err)
	}
	if diff := cmp.Diff(trace("b")+"\n", out.String()); diff != "" {
		t.Error(diff)
	}
}

func TestExportToFullDisk(t *testing.T) {
	_, err := Export(context.Background(), failingWriter{}, fromBytes([]byte(trace("a"))))
	if !errors.Is(err, errFull) || !strings.Contains(err.Error(), "write OTLP JSON") {
		t.Errorf("error %v", err)
	}
	big := fromBytes(bytes.Repeat([]byte(trace("a")+"\n"), 5000))
	if _, err := Export(context.Background(), failingWriter{}, big); !errors.Is(err, errFull) {
		t.Errorf("error %v", err)
	}
}

var errFull = errors.New("no space left")

type failingWriter struct{}

func (failingWriter) Write([]byte) (int, error) { return 0, errFull }

func TestImportStops(t *testing.T) {
	boom := errors.New("boom")
	_, err := Import(context.Background(), fromBytes([]byte(trace("a"))), func(*otlp.Batch, run.Receipt) error { return boom })
	if !errors.Is(err, boom) {
		t.Errorf("the sink's error is lost: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	n := 0
	s, err := Import(ctx, fromBytes([]byte(trace("a")+trace("b"))), func(*otlp.Batch, run.Receipt) error { n++; cancel(); return nil })
	if !errors.Is(err, context.Canceled) || n != 1 || s.Spans != 1 {
		t.Errorf("%d requests, %d spans after cancel, error %v", n, s.Spans, err)
	}
	broken := Source{Path: "f", Input: io.MultiReader(strings.NewReader(trace("a")+"\n"), &failingReader{})}
	if s, err := Import(context.Background(), broken, (&collected{}).put); !errors.Is(err, errFull) || s.Spans != 1 {
		t.Errorf("%d spans, error %v", s.Spans, err)
	}
}

type failingReader struct{}

func (*failingReader) Read([]byte) (int, error) { return 0, errFull }

func TestReceipt(t *testing.T) {
	_, err := Import(context.Background(), fromBytes([]byte(metricLine+logLine+trace("a"))), func(b *otlp.Batch, r run.Receipt) error {
		var again otlp.Batch
		if err := again.Decode(b.Signal, r.Raw); err != nil || again.Items() != b.Items() || r.JSON || r.Sender != "f" {
			t.Errorf("receipt %+v: %v", r, err)
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
