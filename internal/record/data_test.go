package record

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// oracle is what the recordings hold, from CASES.md row 17 and the README of
// the data.
var oracle = map[string]counts{
	"collector-mixed.otlp.jsonl.gz": {Format: OTLPJSON, Spans: 547, Metrics: 2650, Points: 4551, Logs: 23},
	"stage-imbalance.otlp.jsonl.gz": {Format: OTLPJSON, Spans: 7040},
	"slow-worker.otlp.jsonl.gz":     {Format: OTLPJSON, Spans: 117920},
}

func importCounts(t *testing.T, src Source) counts {
	t.Helper()
	s, err := Import(context.Background(), src, func(*otlp.Batch, run.Receipt) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	if len(s.Messages) > 0 {
		t.Errorf("messages: %q", s.Messages)
	}
	return countsOf(s)
}

func TestRecordingsInEveryForm(t *testing.T) {
	for name, want := range oracle {
		if testing.Short() && want.Spans > 10_000 {
			continue
		}
		t.Run(name, func(t *testing.T) {
			path := recording(t, name)
			plain := gunzip(t, path)
			from := func(b []byte) Source { return Source{Path: "stdin", Input: bytes.NewReader(b)} }
			forms := map[string]func() Source{
				"gzip":   func() Source { return Source{Path: path} },
				"plain":  func() Source { return Source{Path: writeFile(t, plain)} },
				"stdin":  func() Source { return from(plain) },
				"pretty": func() Source { return from(pretty(t, plain)) },
				"fused":  func() Source { return from(bytes.ReplaceAll(plain, []byte("\n"), nil)) },
				"crlf":   func() Source { return from(bytes.ReplaceAll(plain, []byte("\n"), []byte("\r\n"))) },
			}
			for form, source := range forms {
				if want.Spans > 10_000 && form != "gzip" {
					continue // the others differ in ways that the small ones show
				}
				if got := importCounts(t, source()); got != want {
					t.Errorf("%s: %s", form, cmp.Diff(want, got))
				}
			}
		})
	}
}

func writeFile(t *testing.T, b []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// pretty prints each line over many.
func pretty(t *testing.T, lines []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	for line := range bytes.SplitSeq(lines, []byte("\n")) {
		if len(line) == 0 {
			continue
		}
		if err := json.Indent(&out, line, "", "  "); err != nil {
			t.Fatal(err)
		}
		out.WriteByte('\n')
	}
	return out.Bytes()
}
