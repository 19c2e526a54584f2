package ingest

import (
	"errors"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// errLimit says that a stream holds more than the limit allows.
var errLimit = errors.New("more bytes than the limit")

// gunzip unpacks whole bodies into pooled buffers with pooled readers. Streams
// of several members are one body.
type gunzip struct {
	readers sync.Pool
	buffers *pool
}

// all unpacks src. hint is the packed size, if known. The error is errLimit as
// soon as one byte more than limit came out, else gzip's or src's.
func (g *gunzip) all(src io.Reader, hint, limit int, h *hold) (*[]byte, error) {
	z, ok := g.readers.Get().(*gzip.Reader)
	if !ok {
		z = new(gzip.Reader)
	}
	defer g.readers.Put(z)
	if err := z.Reset(src); err != nil {
		return nil, noEOF(err)
	}
	return g.buffers.readAll(z, unpackedGuess(hint), limit, h)
}

// unpackedGuess is a first buffer for a packed size: telemetry packs five to
// one and better. A false header must not make us reserve much.
func unpackedGuess(packed int) int { return max(4<<10, min(6*packed, 1<<20)) }

// noEOF makes an end before the first byte an error: an empty body is not an
// empty gzip stream.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// readAll reads r to its end into a buffer of the pool, which the caller puts
// back and which h pays for. hint sizes the first buffer. More than limit bytes is
// errLimit.
func (p *pool) readAll(r io.Reader, hint, limit int, h *hold) (*[]byte, error) {
	b, err := p.larger(nil, 0, max(hint, 1<<minClass), h)
	if err != nil {
		return nil, err
	}
	for n := 0; ; {
		m, err := r.Read((*b)[n:])
		n += m
		switch {
		case n > limit:
			p.Put(b)
			return nil, errLimit
		case errors.Is(err, io.EOF):
			*b = (*b)[:n]
			return b, nil
		case err != nil:
			p.Put(b)
			return nil, err
		case n == limit:
			*b = (*b)[:n]
			return p.ended(r, b)
		case n == len(*b):
			if b, err = p.larger(b, n, min(2*n, limit), h); err != nil {
				return nil, err
			}
		}
	}
}

// ended is b, which is as long as may be, if r has no more.
func (p *pool) ended(r io.Reader, b *[]byte) (*[]byte, error) {
	_, err := io.ReadFull(r, make([]byte, 1))
	if errors.Is(err, io.EOF) {
		return b, nil
	}
	p.Put(b)
	if err == nil {
		err = errLimit
	}
	return nil, err
}

// larger moves the first n bytes of b, nil at first, into a buffer of at least size
// bytes, if h has space for it, and gives b back in any case.
func (p *pool) larger(b *[]byte, n, size int, h *hold) (*[]byte, error) {
	next := p.Get(size)
	*next = (*next)[:cap(*next)]
	err := h.take(len(*next))
	if b != nil {
		copy(*next, (*b)[:n])
		h.give(cap(*b))
		p.Put(b)
	}
	if err != nil {
		p.Put(next)
		return nil, err
	}
	return next, nil
}
