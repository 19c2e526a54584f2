package store

import (
	"encoding/binary"
	"math/bits"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// window remembers the newest spans of a run by a hash of (process, trace, span),
// to find resent ones. It is a set-associative table: a bucket is one cache line
// of eight slots, of which a new span takes the oldest, so a span costs one
// memory access and nothing is ever cleared. What it finds is verified against
// the row.
type window struct {
	slots []uint64 // buckets of bucketSlots; a slot is tag<<40 | chunk<<12 | row, 0 is free
	limit int      // slots
}

const (
	bucketSlots = 8
	firstSlots  = 256
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

func slotOf(h uint64, r Ref) uint64 {
	return h>>40<<40 | uint64(r.Chunk)<<12&slotRef | uint64(r.Row)
}

func (w *window) bucket(h uint64) []uint64 {
	n := len(w.slots) / bucketSlots
	at := int(h) & (n - 1) * bucketSlots
	return w.slots[at : at+bucketSlots : at+bucketSlots]
}

// find calls ok with the rows that may be the span of hash h until it says yes.
func (w *window) find(h uint64, ok func(Ref) bool) (Ref, bool) {
	if len(w.slots) == 0 {
		return Ref{}, false
	}
	for _, s := range w.bucket(h) {
		if s != 0 && s>>40 == h>>40 {
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

// add remembers the span of hash h. Before it would forget another one the table
// grows, up to its limit. rehash gives the hash of an earlier span then, ok false
// when it is not retained. What is in sealed chunks is asked for in order, so that
// each is opened once.
func (w *window) add(h uint64, r Ref, from spanSource) {
	if len(w.slots) == 0 {
		w.grow(from)
	}
	slot := w.oldest(h)
	for *slot != 0 && len(w.slots) < w.limit {
		w.grow(from)
		slot = w.oldest(h)
	}
	*slot = slotOf(h, r)
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

// spanSource is where the hashes of earlier spans come from.
type spanSource interface {
	rehash(r Ref) (uint64, bool)
	isCold(r Ref) bool
}

// grow doubles the table: what shared a bucket is spread over two.
func (w *window) grow(from spanSource) {
	old := w.slots
	w.slots = make([]uint64, max(firstSlots, 2*len(old)))
	var cold []uint64
	for _, s := range old {
		switch r := refOf(s); {
		case s == 0:
		case from.isCold(r):
			cold = append(cold, s&slotRef)
		default:
			w.put(r, from)
		}
	}
	slices.Sort(cold)
	for _, s := range cold {
		w.put(refOf(s), from)
	}
}

func (w *window) put(r Ref, from spanSource) {
	if h, ok := from.rehash(r); ok {
		*w.oldest(h) = slotOf(h, r)
	}
}

func refOf(slot uint64) Ref {
	return Ref{Chunk: uint32(slot & slotRef >> 12), Row: uint16(slot & (chunkRows - 1))}
}

func (w *window) bytes() uint64 { return uint64(8 * len(w.slots)) }
