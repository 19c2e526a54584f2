package record

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"

	"github.com/beamline-hpc/lensview/internal/run"
)

// A recording is a directory of segments; docs/recording.md describes them byte
// by byte. A segment is a sequence of zstd frames, so that any zstd tool unpacks
// it: skippable frames carry our headers, the others a group of requests each.
//
//	segment = header [ older ] { groupHeader zstdFrame } [ index ]
//	group   = { frame }, unpacked
//	frame   = length u32 | crc32c u32 | receive time i64 | kind u8 | sender length u16 | sender | raw request
//
// All numbers are little-endian. The checksum of a frame is of all that follows
// it; length counts the same bytes.
const (
	magicHeader = 0x184D2A50 // of skippable frames
	magicGroup  = 0x184D2A51
	magicIndex  = 0x184D2A52
	skipSize    = 8 // magic and size of a skippable frame

	signature     = "lensview"
	formatVersion = 1
	headerSize    = skipSize + len(signature) + 2 + 4 + 8 + 4
	groupSize     = skipSize + 3*4 + 2*8 + 3*4 + 4 + 4

	frameHead  = 8             // length and checksum
	frameFixed = 8 + 1 + 2     // what has a fixed place behind them
	maxSender  = 1 << 10       // of a sender's name
	maxGroup   = 1<<29 + 1<<20 // unpacked: one request of the largest size, and what stands around it
)

// Kinds of a frame: the signal, with jsonKind for a request in OTLP JSON, or gapKind.
const (
	jsonKind   = 0x80
	gapKind    = 0x40
	signalMask = 0x03
)

var (
	errChecksum = errors.New("the checksum is wrong")
	errFrame    = errors.New("a frame does not fit")
	errNewer    = errors.New("recording format")
)

// checksum is crc32c, which processors compute.
func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// skippable begins a skippable frame of the given size.
func skippable(dst []byte, magic uint32, size int) []byte {
	dst = binary.LittleEndian.AppendUint32(dst, magic)
	return binary.LittleEndian.AppendUint32(dst, uint32(size))
}

// header is the beginning of a segment.
type header struct {
	number  uint32 // of the segment
	created int64  // unix ns
}

func (h header) append(dst []byte) []byte {
	from := len(dst)
	dst = skippable(dst, magicHeader, headerSize-skipSize)
	dst = append(dst, signature...)
	dst = binary.LittleEndian.AppendUint16(dst, formatVersion)
	dst = binary.LittleEndian.AppendUint32(dst, h.number)
	dst = binary.LittleEndian.AppendUint64(dst, uint64(h.created))
	return binary.LittleEndian.AppendUint32(dst, checksum(dst[from:]))
}

// isHeader reports whether b begins like a segment, of whatever version.
func isHeader(b []byte) bool {
	return len(b) >= skipSize+len(signature) && binary.LittleEndian.Uint32(b) == magicHeader &&
		string(b[skipSize:skipSize+len(signature)]) == signature
}

// parseHeader reads the first headerSize bytes of a segment.
func parseHeader(b []byte) (header, error) {
	if !isHeader(b) {
		return header{}, errors.New("not a recording")
	}
	end := headerSize - 4 // as in all versions to come
	if binary.LittleEndian.Uint32(b[end:]) != checksum(b[:end]) {
		return header{}, errChecksum
	}
	p := b[skipSize+len(signature):]
	if v := binary.LittleEndian.Uint16(p); v != formatVersion {
		return header{}, fmt.Errorf("%w %d; this lensview reads %d: use a newer one", errNewer, v, formatVersion)
	}
	return header{binary.LittleEndian.Uint32(p[2:]), int64(binary.LittleEndian.Uint64(p[6:]))}, nil
}

// group is the header of a group of requests.
type group struct {
	packed, plain uint32 // bytes of the zstd frame and of what is in it
	frames        uint32
	first, last   int64 // receive times
	items         [run.SignalCount]uint32
	sum           uint32 // of the packed bytes
}

func (g *group) append(dst []byte) []byte {
	from := len(dst)
	dst = skippable(dst, magicGroup, groupSize-skipSize)
	for _, v := range []uint32{g.packed, g.plain, g.frames} {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	dst = binary.LittleEndian.AppendUint64(dst, uint64(g.first))
	dst = binary.LittleEndian.AppendUint64(dst, uint64(g.last))
	for _, v := range append(g.items[:], g.sum) {
		dst = binary.LittleEndian.AppendUint32(dst, v)
	}
	return binary.LittleEndian.AppendUint32(dst, checksum(dst[from:]))
}

// isGroup reports whether b begins like a group's header.
func isGroup(b []byte) bool {
	return binary.LittleEndian.Uint32(b) == magicGroup && binary.LittleEndian.Uint32(b[4:]) == groupSize-skipSize
}

// parseGroup reads the groupSize bytes of a group's header.
func parseGroup(b []byte) (g group, err error) {
	end := groupSize - 4
	if !isGroup(b) || binary.LittleEndian.Uint32(b[end:]) != checksum(b[:end]) {
		return g, errChecksum
	}
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(b[skipSize+at:]) }
	g.packed, g.plain, g.frames = u32(0), u32(4), u32(8)
	g.first = int64(binary.LittleEndian.Uint64(b[skipSize+12:]))
	g.last = int64(binary.LittleEndian.Uint64(b[skipSize+20:]))
	g.items = [run.SignalCount]uint32{u32(28), u32(32), u32(36)}
	g.sum = u32(40)
	if g.plain > maxGroup || g.packed > maxGroup {
		return g, errFrame
	}
	return g, nil
}
