package record

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// collected is what a sink was given.
type collected struct {
	wires [][]byte
	kinds []run.Signal
	spans []run.Span
	logs  int
}

func (c *collected) put(b *otlp.Batch, r run.Receipt) error {
	c.wires = append(c.wires, bytes.Clone(r.Raw))
	c.kinds = append(c.kinds, b.Signal)
	for i := range b.Spans {
		s, err := b.FullSpan(&b.Spans[i])
		if err != nil {
			return err
		}
		c.spans = append(c.spans, s)
	}
	c.logs += len(b.Logs)
	return nil
}

// importText imports text as a file of the name "f".
func importText(t testing.TB, text string) (Summary, *collected) {
	t.Helper()
	c := &collected{}
	s, err := Import(context.Background(), Source{Path: "f", Input: strings.NewReader(text)}, c.put)
	if err != nil {
		t.Fatal(err)
	}
	return s, c
}

// recording is the path of a recording beside the module; the test skips where
// it is not there.
func recording(t testing.TB, name string) string {
	t.Helper()
	path := filepath.Join("..", "..", "..", "shared", "data", name)
	if _, err := os.Stat(path); err != nil {
		t.Skip("no recording:", err)
	}
	return path
}

func gunzip(t testing.TB, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	b, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// counts is the figures of a summary that tests compare.
type counts struct {
	Format                           string
	Spans, Metrics, Points, Logs     uint64
	Rejected, BadRecords, OtherLines uint64
	IncompleteTail                   bool
}

func countsOf(s Summary) counts {
	return counts{s.Format, s.Spans, s.Metrics, s.Points, s.Logs, s.Rejected, s.BadRecords, s.OtherLines, s.IncompleteTail}
}
