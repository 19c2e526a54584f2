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

// blocks is a group in memory as it can stand in the file: a zstd frame of blocks
// that hold the bytes as they are, with room for the group's header before it. So
// what is not compressed is copied once on its way from the request to the disk.
type blocks struct {
	buf   []byte
	plain int // bytes in the blocks
	last  int // where the last block begins
}

const (
	zstdHead  = 4 + 1 + 8 // magic, descriptor, content size
	blockHead = 3
)

// reset begins a group in buf's memory.
func (g *blocks) reset(buf []byte) {
	*g = blocks{buf: append(buf[:0], make([]byte, groupSize+zstdHead)...)}
}

// add appends a and then b, in as few blocks as they fit.
func (g *blocks) add(a, b []byte) {
	left := len(a) + len(b)
	g.plain += left
	for left > 0 {
		n := min(left, maxBlock)
		left -= n
		g.block(n)
		k := min(n, len(a))
		g.buf = append(append(g.buf, a[:k]...), b[:n-k]...)
		a, b = a[k:], b[n-k:]
	}
}

// block begins a block of n bytes.
func (g *blocks) block(n int) {
	g.last = len(g.buf)
	head := uint32(n) << 3 // type 0: raw
	g.buf = append(g.buf, byte(head), byte(head>>8), byte(head>>16))
}

// frame completes the zstd frame, behind the room for the group's header.
func (g *blocks) frame() []byte {
	const singleSegment, wideSize = 1 << 5, 3 << 6
	head := binary.LittleEndian.AppendUint32(g.buf[:groupSize], 0xFD2FB528)
	head = append(head, singleSegment|wideSize)
	binary.LittleEndian.AppendUint64(head, uint64(g.plain))
	if g.last == 0 {
		g.block(0)
	}
	g.buf[g.last] |= 1 // the last one
	return g.buf
}

// gather appends what is in the blocks.
func (g *blocks) gather(dst []byte) []byte {
	for b := g.buf[groupSize+zstdHead:]; len(b) > 0; {
		n := (int(b[0]) | int(b[1])<<8 | int(b[2])<<16) >> 3
		dst = append(dst, b[blockHead:blockHead+n]...)
		b = b[blockHead+n:]
	}
	return dst
}
