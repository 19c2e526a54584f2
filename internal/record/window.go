package record

import (
	"errors"
	"io"
)

// window is a stream of which the next bytes can be looked at, as many as are
// asked for: it grows to the largest piece that is looked at, not beyond.
type window struct {
	in       io.Reader
	buf      []byte
	pos, end int
	offset   int64 // of pos in the stream
	err      error
}

func newWindow(in io.Reader, offset int64) *window { return &window{in: in, offset: offset} }

// peek gives the next n bytes, valid until the next call of a method. There are
// fewer only with an error, which is io.EOF at the end.
func (w *window) peek(n int) ([]byte, error) {
	for w.end-w.pos < n && w.err == nil {
		w.fill(n)
	}
	if have := w.end - w.pos; have < n {
		return w.buf[w.pos:w.end], w.err
	}
	return w.buf[w.pos : w.pos+n], nil
}

// fill reads once more, with room for n bytes from pos on. What is asked for may
// never come, so the room grows with what is there.
func (w *window) fill(n int) {
	if w.pos > 0 && len(w.buf)-w.pos < n {
		w.end = copy(w.buf, w.buf[w.pos:w.end])
		w.pos = 0
	}
	if w.end == len(w.buf) {
		grown := make([]byte, max(readSize, min(n, 2*len(w.buf))))
		w.end = copy(grown, w.buf[w.pos:w.end])
		w.pos, w.buf = 0, grown
	}
	for range 100 {
		k, err := w.in.Read(w.buf[w.end:])
		w.end += k
		w.err = err
		if k > 0 || err != nil {
			return
		}
	}
	w.err = io.ErrNoProgress
}

// skip passes over n bytes that were looked at.
func (w *window) skip(n int) {
	w.pos += n
	w.offset += int64(n)
}

// discard passes over n bytes, whether or not they fit into memory.
func (w *window) discard(n int64) error {
	for n > 0 {
		step := int(min(n, readSize))
		b, err := w.peek(step)
		w.skip(len(b))
		n -= int64(len(b))
		if err != nil && n > 0 {
			return err
		}
	}
	return nil
}

// atEnd reports whether err is the end of what there is to read, be it in the
// middle of a compressed stream.
func atEnd(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }
