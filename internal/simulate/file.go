package simulate

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/beamline-hpc/lensview/internal/otlp"
)

// WriteJSON writes a source as OTLP JSON lines, one request a line, as the
// Collector's file exporter does: the three signals stand in one file, in the
// order of the source. It ends with the source or the context; a run that never
// ends needs the latter. In the Result, accepted items are those written.
func WriteJSON(ctx context.Context, w io.Writer, src Source) (Result, error) {
	var res Result
	var line []byte
	out := bufio.NewWriterSize(w, 1<<16)
	for ctx.Err() == nil {
		r, ok := src.Next()
		if !ok {
			return res, flushFile(out)
		}
		var err error
		if line, err = otlp.AppendJSON(line[:0], r.Signal, r.Body); err != nil {
			return res, fmt.Errorf("simulate: turning %s of rank %d into JSON: %w", r.Signal, r.Rank, err)
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return res, fmt.Errorf("simulate: writing the file: %w", err)
		}
		res.wrote(&r)
	}
	if err := flushFile(out); err != nil {
		return res, err
	}
	return res, context.Cause(ctx)
}

func flushFile(out *bufio.Writer) error {
	if err := out.Flush(); err != nil {
		return fmt.Errorf("simulate: writing the file: %w", err)
	}
	return nil
}

// wrote counts a request that is in the file.
func (res *Result) wrote(r *Request) {
	res.Requests++
	res.Bytes += uint64(len(r.Body))
	res.Signals[r.Signal].Sent += uint64(r.Items)
	res.Signals[r.Signal].Accepted += uint64(r.Items)
}
