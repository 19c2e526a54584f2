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
	return ExportSome(ctx, w, src, nil)
}

// ExportSome is Export of the items that keep accepts, each with its resource
// and scope. The summary still counts all that was read. A nil keep accepts all.
func ExportSome(ctx context.Context, w io.Writer, src Source, keep Keep) (Summary, error) {
	out := &exporter{w: bufio.NewWriterSize(w, readSize), keep: keep}
	s, err := Import(ctx, src, out.put)
	if err != nil {
		return s, err
	}
	if err := out.w.Flush(); err != nil {
		return s, fmt.Errorf("write OTLP JSON: %w", err)
	}
	return s, nil
}

// Keep says of one row of a batch's Spans, Points or Logs whether to export it.
type Keep func(b *otlp.Batch, row int) bool

type exporter struct {
	w    *bufio.Writer
	keep Keep
	wire []byte
	line []byte
}

func (e *exporter) put(b *otlp.Batch, r run.Receipt) (err error) {
	wire := r.Raw
	if e.keep != nil {
		e.wire = b.Filter(e.wire[:0], func(row int) bool { return e.keep(b, row) })
		if wire = e.wire; len(wire) == 0 {
			return nil
		}
	}
	if e.line, err = otlp.AppendJSON(e.line[:0], b.Signal, wire); err != nil {
		return err
	}
	e.line = append(e.line, '\n')
	if _, err := e.w.Write(e.line); err != nil {
		return fmt.Errorf("write OTLP JSON: %w", err)
	}
	return nil
}
