package record

import (
	"encoding/binary"
	"errors"
	"io"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Index is what stands at the end of a finished segment: its groups, and what is
// in all of them.
type Index struct {
	Groups      []IndexGroup
	Frames      uint64
	Items       [run.SignalCount]uint64
	First, Last int64 // receive times, unix ns
}

// IndexGroup is the place of one group.
type IndexGroup struct {
	Offset int64 // of its header in the segment
	Last   int64 // latest receive time in it, unix ns
}

// trailer ends an index: length of the part before it, its checksum, a word.
const (
	trailerSize = 4 + 4 + 8
	trailerWord = "lv index"
	maxIndex    = 1 << 28
)

func (x *Index) add(offset int64, g *group) {
	x.Groups = append(x.Groups, IndexGroup{offset, g.last})
	x.Frames += uint64(g.frames)
	for s, n := range g.items {
		x.Items[s] += uint64(n)
	}
	if x.First == 0 || g.first < x.First {
		x.First = g.first
	}
	x.Last = max(x.Last, g.last)
}

// append writes the index as a skippable frame.
func (x *Index) append(dst []byte) []byte {
	var p []byte
	p = binary.AppendUvarint(p, x.Frames)
	for _, n := range x.Items {
		p = binary.AppendUvarint(p, n)
	}
	p = binary.AppendVarint(p, x.First)
	p = binary.AppendVarint(p, x.Last)
	p = binary.AppendUvarint(p, uint64(len(x.Groups)))
	var at, last int64
	for _, g := range x.Groups {
		p = binary.AppendVarint(p, g.Offset-at)
		p = binary.AppendVarint(p, g.Last-last)
		at, last = g.Offset, g.Last
	}
	dst = skippable(dst, magicIndex, len(p)+trailerSize)
	dst = append(dst, p...)
	dst = binary.LittleEndian.AppendUint32(dst, uint32(len(p)))
	dst = binary.LittleEndian.AppendUint32(dst, checksum(p))
	return append(dst, trailerWord...)
}

var errIndex = errors.New("the index does not read")

// ReadIndex finds the index of a segment of the given size. ok is false for a
// segment that is not finished.
func ReadIndex(in io.ReaderAt, size int64) (x Index, ok bool, err error) {
	var t [trailerSize]byte
	if size < int64(headerSize+skipSize+trailerSize) {
		return x, false, nil
	}
	if _, err := in.ReadAt(t[:], size-trailerSize); err != nil {
		return x, false, err
	}
	n := int64(binary.LittleEndian.Uint32(t[:]))
	if string(t[8:]) != trailerWord || n > maxIndex || n > size-int64(headerSize+skipSize+trailerSize) {
		return x, false, nil
	}
	b := make([]byte, n+trailerSize)
	if _, err := in.ReadAt(b, size-int64(len(b))); err != nil {
		return x, false, err
	}
	x, err = parseIndex(b)
	return x, err == nil, err
}

// parseIndex reads the content of an index frame, trailer included.
func parseIndex(b []byte) (x Index, err error) {
	if len(b) < trailerSize {
		return x, errIndex
	}
	p, t := b[:len(b)-trailerSize], b[len(b)-trailerSize:]
	if string(t[8:]) != trailerWord || binary.LittleEndian.Uint32(t) != uint32(len(p)) || binary.LittleEndian.Uint32(t[4:]) != checksum(p) {
		return x, errIndex
	}
	v := varints{b: p}
	x.Frames = v.unsigned()
	for s := range x.Items {
		x.Items[s] = v.unsigned()
	}
	x.First, x.Last = v.signed(), v.signed()
	n := v.unsigned()
	if n > uint64(len(p)) {
		return Index{}, errIndex
	}
	x.Groups = make([]IndexGroup, n)
	var at, last int64
	for i := range x.Groups {
		at, last = at+v.signed(), last+v.signed()
		x.Groups[i] = IndexGroup{at, last}
	}
	if v.bad || len(v.b) > 0 {
		return Index{}, errIndex
	}
	return x, nil
}

// varints reads numbers one after the other.
type varints struct {
	b   []byte
	bad bool
}

func (v *varints) unsigned() uint64 {
	n, size := binary.Uvarint(v.b)
	v.took(size)
	return n
}

func (v *varints) signed() int64 {
	n, size := binary.Varint(v.b)
	v.took(size)
	return n
}

func (v *varints) took(size int) {
	v.bad = v.bad || size <= 0
	v.b = v.b[max(0, size):]
}
