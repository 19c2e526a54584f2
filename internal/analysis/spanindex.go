package analysis

import (
	"encoding/binary"
	"math/bits"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// place is a span of a snapshot: a row of a chunk of a run.
type place struct {
	run   uint32
	row   uint32
	chunk *store.Chunk
}

func (p place) id() run.SpanID     { return p.chunk.ID(int(p.row)) }
func (p place) parent() run.SpanID { return p.chunk.Parent(int(p.row)) }
func (p place) trace() run.TraceID { return p.chunk.TraceID(int(p.row)) }
func (p place) process() int       { return p.chunk.Process(int(p.row)) }
func (p place) marks() run.Mark    { return p.chunk.Marks(int(p.row)) }
func (p place) start() uint64      { return p.chunk.Start(int(p.row)) }
func (p place) end() uint64        { return p.chunk.End(int(p.row)) }
func (p place) sameProcess(o place) bool {
	return p.run == o.run && p.process() == o.process()
}

// spanIndex finds spans by trace and id. A parent resolves inside the process of
// its child, then inside the run, then anywhere: several ranks may have sent the
// same ids, and then the earliest counts. It takes 8 to 24 bytes a span beside
// the places.
type spanIndex struct {
	spans []place
	own   hashTable // (trace, id, run, process) → first such span
	any   hashTable // (trace, id, run) → earliest such span; all runs of an id share a chain
}

func newSpanIndex(spans []place) *spanIndex {
	x := &spanIndex{spans: spans, own: newHashTable(len(spans)), any: newHashTable(len(spans))}
	for i := range spans {
		s := &spans[i]
		h := hashID(s.trace(), s.id())
		x.own.insert(hashProcess(h, *s), int32(i), func(j int32) bool {
			o := &spans[j]
			return o.id() == s.id() && o.sameProcess(*s) && o.trace() == s.trace()
		})
		at := x.any.insert(h, int32(i), func(j int32) bool {
			o := &spans[j]
			return o.id() == s.id() && o.run == s.run && o.trace() == s.trace()
		})
		if s.start() < spans[at].start() {
			x.any.replace(h, at, int32(i))
		}
	}
	return x
}

// parent is the place of the parent of span i in spans, −1 when it is not among
// them; i must have one.
func (x *spanIndex) parent(i int) int32 {
	s := &x.spans[i]
	id, trace := s.parent(), s.trace()
	h := hashID(trace, id)
	if at := x.own.find(hashProcess(h, *s), func(j int32) bool {
		o := &x.spans[j]
		return o.id() == id && o.sameProcess(*s) && o.trace() == trace
	}); at >= 0 {
		return at
	}
	best := int32(-1)
	if at := x.any.find(h, func(j int32) bool {
		o := &x.spans[j]
		if o.id() != id || o.trace() != trace {
			return false
		}
		if best < 0 {
			best = j
		}
		return o.run == s.run
	}); at >= 0 {
		return at
	}
	return best
}

// hashTable is open addressing over places in a list. It holds each key once.
type hashTable struct {
	slots []int32 // place+1, 0 is free
	mask  uint64
}

func newHashTable(n int) hashTable {
	size := 1 << bits.Len(uint(n+n/2)|15)
	return hashTable{make([]int32, size), uint64(size - 1)}
}

// insert puts i under h unless an entry is the same; it tells which one is.
func (t *hashTable) insert(h uint64, i int32, same func(int32) bool) int32 {
	for at := h & t.mask; ; at = (at + 1) & t.mask {
		switch j := t.slots[at]; {
		case j == 0:
			t.slots[at] = i + 1
			return i
		case same(j - 1):
			return j - 1
		}
	}
}

// replace puts i in the place of an entry under h.
func (t *hashTable) replace(h uint64, old, i int32) {
	at := h & t.mask
	for t.slots[at] != old+1 {
		at = (at + 1) & t.mask
	}
	t.slots[at] = i + 1
}

// find is the entry under h that is wanted, −1 for none.
func (t *hashTable) find(h uint64, wanted func(int32) bool) int32 {
	for at := h & t.mask; ; at = (at + 1) & t.mask {
		switch j := t.slots[at]; {
		case j == 0:
			return -1
		case wanted(j - 1):
			return j - 1
		}
	}
}

// hashID mixes ids that may be counters or come from one seed.
func hashID(t run.TraceID, s run.SpanID) uint64 {
	h := mix(binary.LittleEndian.Uint64(t[:8]))
	h = mix(h ^ binary.LittleEndian.Uint64(t[8:]))
	return mix(h ^ binary.LittleEndian.Uint64(s[:]))
}

func hashProcess(h uint64, p place) uint64 {
	return mix(h ^ uint64(p.run)<<32 ^ uint64(p.process()))
}

// mix is the finalizer of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
