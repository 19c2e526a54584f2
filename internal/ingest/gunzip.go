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
func (g *gunzip) all(src io.Reader, hint, limit int) (*[]byte, error) {
	z, ok := g.readers.Get().(*gzip.Reader)
	if !ok {
		z = new(gzip.Reader)
	}
	defer g.readers.Put(z)
	if err := z.Reset(src); err != nil {
		return nil, noEOF(err)
	}
	return g.buffers.readAll(z, unpackedGuess(hint), limit)
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
// back. hint sizes the first buffer. More than limit bytes is errLimit.
func (p *pool) readAll(r io.Reader, hint, limit int) (*[]byte, error) {
	b := p.Get(max(hint, 1<<minClass))
	*b = (*b)[:cap(*b)]
	n := 0
	for {
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
		case n == len(*b):
			b = p.grow(b, n, limit+1)
		}
	}
}
