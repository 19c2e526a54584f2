package record

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// Export imports a source and writes it as OTLP JSON lines: one request a line,
// in the order of the source. Imported again, they give the same items with the
// same values; spans that are refused on import for their ids are written, too.
// The summary tells of damage in the source as Import does.
func Export(ctx context.Context, w io.Writer, src Source) (Summary, error) {
	out := &exporter{w: bufio.NewWriterSize(w, readSize)}
	s, err := Import(ctx, src, out.put)
	if err != nil {
		return s, err
	}
	if err := out.w.Flush(); err != nil {
		return s, fmt.Errorf("write OTLP JSON: %w", err)
	}
	return s, nil
}

type exporter struct {
	w    *bufio.Writer
	line []byte
}

func (e *exporter) put(b *otlp.Batch, r run.Receipt) (err error) {
	if e.line, err = otlp.AppendJSON(e.line[:0], b.Signal, r.Raw); err != nil {
		return err
	}
	e.line = append(e.line, '\n')
	if _, err := e.w.Write(e.line); err != nil {
		return fmt.Errorf("write OTLP JSON: %w", err)
	}
	return nil
}
