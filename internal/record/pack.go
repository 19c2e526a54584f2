package record

import (
	"encoding/binary"

	"github.com/klauspost/compress/zstd"
)

// maxBlock is the longest block of a zstd frame.
const maxBlock = 128 << 10

// newEncoder is a compressor that costs little: a recording must not slow down
// what it records.
func newEncoder() *zstd.Encoder {
	e, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderCRC(false), zstd.WithWindowSize(1<<20))
	if err != nil {
		panic(err) // the options are constants
	}
	return e
}

// stored appends a zstd frame that holds b as it is: for when there is no time to
// compress.
func stored(dst, b []byte) []byte {
	const singleSegment, wideSize = 1 << 5, 3 << 6
	dst = binary.LittleEndian.AppendUint32(dst, 0xFD2FB528)
	dst = append(dst, singleSegment|wideSize)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(len(b)))
	for {
		n := min(len(b), maxBlock)
		head := uint32(n) << 3 // type 0: raw
		if n == len(b) {
			head |= 1 // the last one
		}
		dst = append(dst, byte(head), byte(head>>8), byte(head>>16))
		dst = append(dst, b[:n]...)
		if b = b[n:]; len(b) == 0 {
			return dst
		}
	}
}
