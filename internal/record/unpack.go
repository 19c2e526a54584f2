package record

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// packing is a form of a whole stream that is told by its first bytes.
type packing struct {
	magic string
	open  func(io.Reader) (io.Reader, error)
}

// maxWindow is how far back a zstd stream may refer to: that much of it is held
// in memory.
const maxWindow = 128 << 20

func packings() []packing {
	return []packing{
		{"\x1f\x8b", unpackGzip},
		{zstdMagic, unpackZstd},
		{"\xff\xfe\x00\x00", otherText("UTF-32")},
		{"\x00\x00\xfe\xff", otherText("UTF-32")},
		{"\xff\xfe", otherText("UTF-16")},
		{"\xfe\xff", otherText("UTF-16")},
		{"{\x00\x00\x00", otherText("UTF-32LE")},
		{"{\x00", otherText("UTF-16LE")},
		{"\x00{\x00", otherText("UTF-16BE")},
	}
}

const zstdMagic = "\x28\xb5\x2f\xfd"

func unpackGzip(in io.Reader) (io.Reader, error) {
	below := &noting{in: in}
	z, err := gzip.NewReader(below)
	if err != nil {
		return nil, below.explain("gzip", err)
	}
	return &unpacker{z, below, "gzip"}, nil
}

func unpackZstd(in io.Reader) (io.Reader, error) {
	below := &noting{in: in}
	z, err := zstd.NewReader(below, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderMaxMemory(maxGroup))
	if err != nil {
		return nil, below.explain("zstd", err)
	}
	return &unpacker{z, below, "zstd"}, nil
}

// noting remembers how the reader below it failed, which an unpacker above it
// reports as its own.
type noting struct {
	in  io.Reader
	err error
}

func (n *noting) Read(p []byte) (int, error) {
	k, err := n.in.Read(p)
	if err != nil {
		n.err = err
	}
	return k, err
}

// damagedError says that a packed stream is not what its form demands.
type damagedError struct {
	form string
	err  error
}

func (e *damagedError) Error() string { return fmt.Sprintf("damaged %s: %v", e.form, e.err) }

func (e *damagedError) Unwrap() error { return e.err }

// explain tells an end and a failure of the stream below from damage in it.
func (n *noting) explain(form string, err error) error {
	if err == nil || atEnd(err) {
		return err
	}
	if n.err != nil && !atEnd(n.err) {
		return n.err
	}
	return &damagedError{form, err}
}

// unpacker reads an unpacked stream.
type unpacker struct {
	in    io.Reader
	below *noting
	form  string
}

func (u *unpacker) Read(p []byte) (int, error) {
	n, err := u.in.Read(p)
	return n, u.below.explain(u.form, err)
}

// errUnpack says that a stream is in a form that is not read.
var errUnpack = errors.New("not read")

// otherText refuses text that is not UTF-8, by its byte-order mark or by the NUL
// beside its first brace.
func otherText(name string) func(io.Reader) (io.Reader, error) {
	return func(io.Reader) (io.Reader, error) {
		return nil, fmt.Errorf("%w: %s text; convert it to UTF-8 first (iconv -f %s -t UTF-8)", errUnpack, name, name)
	}
}

// headSize is how many of the first bytes tell the form of a stream.
const headSize = 24

// unpack undoes what the first bytes of in announce; a packed stream in a packed
// stream, too, as some log shippers make.
func unpack(in io.Reader, size int) (*bufio.Reader, error) {
	for depth := 0; ; depth++ {
		buffered := bufio.NewReaderSize(in, size)
		head, _ := buffered.Peek(4) // an error is seen again when reading
		p := packingOf(head)
		if p == nil || depth == 2 {
			return buffered, nil
		}
		unpacked, err := p.open(buffered)
		if err != nil {
			return nil, err
		}
		in = unpacked
	}
}

func packingOf(head []byte) *packing {
	for _, p := range packings() {
		if bytes.HasPrefix(head, []byte(p.magic)) {
			return &p
		}
	}
	return nil
}

// isRecording tells a recording by its first bytes, also one that has lost its
// beginning.
func isRecording(head []byte) bool {
	return isHeader(head) || len(head) >= skipSize && isGroup(head)
}

// isPrefixed tells messages with their length before them by the first bytes: a
// length, then a message that is at least as long as its first field, or a zstd
// frame. Text has larger "lengths".
func isPrefixed(head []byte) bool {
	if len(head) < 6 {
		return false
	}
	n := binary.BigEndian.Uint32(head)
	if n < 2 || n >= 0x09000000 {
		return false
	}
	return plausible(head[4:], int64(n))
}

// plausible reports whether b begins a message of n bytes that holds telemetry:
// one field with number 1 after the other, or that in a zstd frame, or JSON in one.
func plausible(b []byte, n int64) bool {
	if bytes.HasPrefix(b, []byte(zstdMagic)) {
		return true
	}
	if len(b) < 2 || b[0] != 1<<3|2 {
		return false
	}
	inner, size := binary.Uvarint(b[1:])
	return size > 0 && inner <= uint64(n)-1-uint64(size) && (inner == 0 || len(b) < 2+size || fieldOf(b[1+size]))
}

// fieldOf reports whether c can begin a ResourceSpans or its likes: fields 1 to 3
// with a length.
func fieldOf(c byte) bool {
	return c == 1<<3|2 || c == 2<<3|2 || c == 3<<3|2 || c == 1000<<3&0x7F|2|0x80
}
