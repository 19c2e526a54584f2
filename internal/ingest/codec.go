package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc/mem"
)

// message is one request as the codec hands it to a handler: the bytes of the
// wire in one buffer of the pool, still packed when gz is set.
type message struct {
	buf *[]byte
	gz  bool
}

// rawCodec gives handlers the bytes and takes bytes for the answer. Decoding
// is the handler's: grpc's generated codec costs more than all else we do.
type rawCodec struct{ buffers *pool }

// Name is grpc's content subtype.
func (rawCodec) Name() string { return "proto" }

// Marshal sends the bytes as they are; none is an empty message.
func (rawCodec) Marshal(v any) (mem.BufferSlice, error) {
	b, ok := v.([]byte)
	if !ok {
		return nil, fmt.Errorf("answer is %T, not bytes", v)
	}
	if len(b) == 0 {
		return nil, nil
	}
	return mem.BufferSlice{mem.SliceBuffer(b)}, nil
}

// Unmarshal gathers the frames of a message in one buffer.
func (c rawCodec) Unmarshal(data mem.BufferSlice, v any) error {
	m, ok := v.(*message)
	if !ok {
		return fmt.Errorf("request wanted as %T, not raw", v)
	}
	b := c.buffers.Get(data.Len())
	data.CopyTo(*b)
	m.buf, m.gz = b, len(*b) > 0 && (*b)[0] == packed
	return nil
}

// packed stands before a message that is still gzip. No protobuf message
// begins with it: it would be field number 0.
const packed = 0

// laterGzip hands packed messages through to the handler, which unpacks them
// itself: grpc would answer INTERNAL to a damaged stream, which is not the
// server's fault, and would need a compressor registered for the whole process.
type laterGzip struct{}

// Type is the encoding's name on the wire.
func (laterGzip) Type() string { return "gzip" }

// Do marks the packed bytes.
func (laterGzip) Do(r io.Reader) ([]byte, error) {
	var out bytes.Buffer
	if l, ok := r.(interface{ Remaining() int }); ok {
		out.Grow(l.Remaining() + bytes.MinRead + 1)
	}
	out.WriteByte(packed)
	_, err := out.ReadFrom(r)
	return out.Bytes(), err
}

// body is the message unpacked, in a buffer that the caller gives back.
func (d *door) body(m message, held *hold) (*[]byte, *fault) {
	if held.take(cap(*m.buf)) != nil {
		d.buffers.Put(m.buf)
		return nil, d.space.busy()
	}
	if !m.gz {
		return m.buf, nil
	}
	defer d.buffers.Put(m.buf)
	src := (*m.buf)[1:]
	b, err := d.gunzip.all(bytes.NewReader(src), len(src), d.limit, held)
	switch {
	case errors.Is(err, errFull):
		return nil, d.space.busy()
	case errors.Is(err, errLimit):
		return nil, tooLarge(0, d.limit, fmt.Sprintf("of %s unpacks to too much", megabytes(int64(len(src)))))
	case err != nil:
		return nil, badGzip(err)
	}
	return b, nil
}
