package store

import (
	"encoding/binary"
	"math/bits"

	"github.com/beamline-hpc/lensview/internal/run"
)

// window remembers the newest spans of a run by a hash of (process, trace, span),
// to find resent ones. It is a set-associative table: a bucket is one cache line
// of eight slots, of which a new span takes the oldest, so a span costs one
// memory access and nothing is ever cleared. What it finds is verified against
// the row. The top bits of a hash name its bucket, and the tag is what follows
// the bits that named it in the first table: when the table doubles, the tags
// themselves say which half of its bucket a span goes to.
type window struct {
	slots []uint64 // buckets of bucketSlots; a slot is tag<<40 | chunk<<12 | row, 0 is free
	limit int      // slots
	bits  int      // of a hash that name its bucket
	first int      // bits of the first table
}

const (
	bucketSlots = 8
	firstSlots  = 256
	growths     = 4         // doublings from a first table to its limit: 20 bits of a tag still tell the spans of a bucket apart
	slotRef     = 1<<40 - 1 // chunk and row; also the age
)

// spanHash is a hash of a span's identity. seed keeps senders from choosing who
// shares a bucket.
func spanHash(seed uint64, process int, t *run.TraceID, id run.SpanID) uint64 {
	a := binary.LittleEndian.Uint64(t[:8]) ^ seed
	b := binary.LittleEndian.Uint64(t[8:]) ^ 0xa0761d6478bd642f
	h1, l1 := bits.Mul64(a, b)
	c := binary.LittleEndian.Uint64(id[:]) ^ h1 ^ l1
	h2, l2 := bits.Mul64(c^0xe7037ed1a0b428db, uint64(process+1)*0x9e3779b97f4a7c15^seed)
	return h2 ^ l2
}

// tag is the 24 bits of a hash that follow those of its first bucket.
func (w *window) tag(h uint64) uint64 { return h << w.first >> 40 }

func (w *window) slotOf(h uint64, r Ref) uint64 {
	return w.tag(h)<<40 | uint64(r.Chunk)<<12&slotRef | uint64(r.Row)
}

func (w *window) bucket(h uint64) []uint64 {
	at := int(h>>(64-w.bits)) * bucketSlots
	return w.slots[at : at+bucketSlots : at+bucketSlots]
}

// find calls ok with the rows that may be the span of hash h until it says yes.
func (w *window) find(h uint64, ok func(Ref) bool) (Ref, bool) {
	if len(w.slots) == 0 {
		return Ref{}, false
	}
	tag := w.tag(h)
	for _, s := range w.bucket(h) {
		if s>>40 == tag && s != 0 {
			r := refOf(s)
			if ok(r) {
				return r, true
			}
		}
	}
	return Ref{}, false
}

// peek reads one slot of the bucket of hash h, to have it in the cache soon.
func (w *window) peek(h uint64) uint64 {
	if len(w.slots) == 0 {
		return 0
	}
	return w.bucket(h)[0]
}

// add remembers the span of hash h. Before it would forget another one that is
// retained, in a chunk from oldest on, the table grows, up to its limit.
func (w *window) add(h uint64, r Ref, oldest uint32) {
	if len(w.slots) == 0 {
		w.begin()
	}
	slot := w.oldest(h)
	for *slot != 0 && refOf(*slot).Chunk >= oldest && len(w.slots) < w.limit && w.bits < w.first+24 {
		w.grow(oldest)
		slot = w.oldest(h)
	}
	*slot = w.slotOf(h, r)
}

func (w *window) begin() {
	n := max(firstSlots, w.limit>>growths)
	w.bits = bits.Len(uint(n/bucketSlots)) - 1
	w.first = w.bits
	w.slots = make([]uint64, bucketSlots<<w.bits)
}

// oldest is the slot in the bucket of h that the next span takes: free ones are 0,
// and chunks and rows only rise.
func (w *window) oldest(h uint64) *uint64 {
	b := (*[bucketSlots]uint64)(w.bucket(h))
	at, least := 0, b[0]&slotRef
	for i := 1; i < bucketSlots; i++ {
		if age := b[i] & slotRef; age < least {
			at, least = i, age
		}
	}
	return &b[at]
}

// grow doubles the table: the spans of a bucket are dealt to two by the next bit
// of their hash. What is in chunks before oldest is gone.
func (w *window) grow(oldest uint32) {
	old := w.slots
	next := 63 - (w.bits - w.first) // the bit of a slot that decides
	w.slots = make([]uint64, 2*len(old))
	w.bits++
	var used [2]int
	for i, s := range old {
		if i%bucketSlots == 0 {
			used = [2]int{}
		}
		if s == 0 || refOf(s).Chunk < oldest {
			continue
		}
		half := int(s >> next & 1)
		w.slots[2*(i-i%bucketSlots)+half*bucketSlots+used[half]] = s
		used[half]++
	}
}

func refOf(slot uint64) Ref {
	return Ref{Chunk: uint32(slot & slotRef >> 12), Row: uint16(slot & (chunkRows - 1))}
}

func (w *window) bytes() uint64 { return uint64(8 * len(w.slots)) }
