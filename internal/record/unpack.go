package record

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/gzip"
)

// packing is a form of a whole stream that is told by its first bytes. Further
// forms (zstd, length-prefixed protobuf) are further rows of packings.
type packing struct {
	magic string
	open  func(io.Reader) (io.Reader, error)
}

func packings() []packing {
	return []packing{
		{"\x1f\x8b", func(in io.Reader) (io.Reader, error) { return gzip.NewReader(in) }},
		{"\x28\xb5\x2f\xfd", cannot("zstd-compressed; decompress it first (zstd -dc FILE | lensview … -)")},
		{"\xff\xfe\x00\x00", otherText("UTF-32")},
		{"\x00\x00\xfe\xff", otherText("UTF-32")},
		{"\xff\xfe", otherText("UTF-16")},
		{"\xfe\xff", otherText("UTF-16")},
		{"{\x00\x00\x00", otherText("UTF-32LE")},
		{"{\x00", otherText("UTF-16LE")},
		{"\x00{\x00", otherText("UTF-16BE")},
	}
}

// errUnpack says that a stream is in a form that is not read.
var errUnpack = errors.New("not read")

func cannot(why string) func(io.Reader) (io.Reader, error) {
	return func(io.Reader) (io.Reader, error) { return nil, fmt.Errorf("%w: %s", errUnpack, why) }
}

// otherText refuses text that is not UTF-8, by its byte-order mark or by the NUL
// beside its first brace.
func otherText(name string) func(io.Reader) (io.Reader, error) {
	return cannot(fmt.Sprintf("%s text; convert it to UTF-8 first (iconv -f %s -t UTF-8)", name, name))
}

// unpack undoes what the first bytes of in announce; a gzip stream in a gzip
// stream, too, as some log shippers make.
func unpack(in io.Reader) (io.Reader, error) {
	for range 2 {
		buffered := bufio.NewReaderSize(in, readSize)
		in = buffered
		head, _ := buffered.Peek(4) // an error is seen again when reading
		p := packingOf(head)
		if p == nil {
			break
		}
		unpacked, err := p.open(buffered)
		if err != nil {
			return nil, err
		}
		in = unpacked
	}
	return in, nil
}

func packingOf(head []byte) *packing {
	for _, p := range packings() {
		if bytes.HasPrefix(head, []byte(p.magic)) {
			return &p
		}
	}
	return nil
}
