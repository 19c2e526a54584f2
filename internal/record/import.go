package record

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// Sink takes one imported request. Batch and receipt are valid during the call
// only; the receipt's Raw is the request in protobuf.
type Sink func(*otlp.Batch, run.Receipt) error

// Import reads all of a source into the sink, in the order of the file. What is
// damaged is told in the summary and costs nothing else; an error is returned
// when the source cannot be opened or read, when the sink fails and when ctx
// ends. The summary is that of what was read until then.
func Import(ctx context.Context, src Source, sink Sink) (Summary, error) {
	im := importer{sink: sink, python: &python{}, found: src.found, stamp: src.stamp(), meter: src.Meter}
	im.Path = src.Path
	if src.tail != nil {
		im.bad.tell, im.told.tell = src.tail.tell(true), src.tail.tell(false)
	}
	src.Meter.begin(src.Path)
	im.json = otlp.NewTranscoder(otlp.JSONOptions{File: true})
	in, file, err := src.open(ctx)
	switch {
	case errors.Is(err, errUnpack) && src.found:
		im.told.add(fmt.Sprintf("%s: %v", src.Path, err))
		return im.summary(true), nil
	case err != nil:
		err = im.streamEnds(ctx, line(1), err)
	default:
		defer file.Close()
		err = im.stream(ctx, src, in)
	}
	if err != nil {
		err = fmt.Errorf("import %s: %w", src.Path, err)
	}
	return im.summary(src.found), err
}

// importer reads one source.
type importer struct {
	journal
	sink   Sink
	json   *otlp.Transcoder
	python *python
	batch  otlp.Batch
	from   int64 // receive time before which requests are passed over
	found  bool  // beside others, so that its end is not theirs
	stamp  func() int64
	meter  *Meter
}

// stream reads what is unpacked, in the form that its first bytes tell of.
func (im *importer) stream(ctx context.Context, src Source, in *bufio.Reader) error {
	head, _ := in.Peek(headSize) // an error is seen again when reading
	switch {
	case isRecording(head), src.from != 0:
		im.Format = Recording
		im.earlier(src)
		im.passes(src)
		if src.tail != nil {
			return im.recording(ctx, src.tail.sections(ctx))
		}
		return im.recording(ctx, sections{newWindow(in, src.skip)})
	case isPrefixed(head):
		im.Format = OTLPProto
		return im.messages(ctx, newWindow(in, 0))
	}
	return im.pieces(ctx, newSplitterOf(newLabels(in), otlp.MaxBody, in.Size()))
}

func (im *importer) pieces(ctx context.Context, split *splitter) error {
	for {
		p, err := split.next()
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return im.streamEnds(ctx, line(split.line), err)
		case ctx.Err() != nil:
			return ctx.Err()
		}
		if err := im.piece(p, split); err != nil {
			return err
		}
	}
}

// streamEnds handles an error of the stream itself: a compressed file that is
// still being written ends early, a damaged one does not go on. What the system
// does not give is an error, but among the files of a directory it costs the
// others nothing.
func (im *importer) streamEnds(ctx context.Context, at spot, err error) error {
	var damaged *damagedError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		if !im.IncompleteTail {
			im.IncompleteTail = true
			im.told.add(im.at(at, "the compressed stream ends early (still being written?)"))
		}
		return nil
	case errors.As(err, &damaged):
		im.bad.add(im.at(at, fmt.Sprintf("damaged %s, nothing behind this place can be read: %v", damaged.form, damaged.err)))
		return nil
	case im.found:
		im.bad.add(im.at(at, "cannot be read: "+systemSays(err)))
		return nil
	}
	return err
}

// systemSays is an error without the path, which stands before it already.
func systemSays(err error) string {
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	return err.Error()
}

func (im *importer) piece(p piece, split *splitter) error {
	switch p.kind {
	case aText:
		im.others.add(im.at(line(p.line), "not JSON"))
	case aBroken:
		im.bad.add(im.at(line(p.line), p.reason))
	case aTail:
		im.IncompleteTail = true
		im.told.add(im.at(line(p.line), "incomplete last line (still being written?)"))
	case aRecord:
		return im.record(p, split)
	}
	return nil
}
