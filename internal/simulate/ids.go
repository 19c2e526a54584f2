package simulate

import (
	"encoding/binary"

	"github.com/beamline-hpc/lensview/internal/run"
)

// ids makes trace and span ids. An id is a bijection of (rank, iteration,
// number) under a key drawn from the seed, so ids never repeat within a run and
// runs of different seeds do not share them.
type ids struct {
	span, high, low uint64
	seeds           []int // by rank, whose generator it has; nil: each its own
}

func newIDs(seed uint64) ids {
	return ids{span: mix(seed + 0x9e3779b97f4a7c15), high: mix(seed + 0x3c6ef372fe94f82a), low: mix(seed + 0xdaa66d2c7ddf743f)}
}

// place packs what an id stands for: rank below 2^16, iteration below 2^32 and
// a number below 2^16. Iteration −1 is the life of the process.
func place(rank, iteration int, id uint16) uint64 {
	return uint64(rank)<<48 | uint64(uint32(iteration+1))<<16 | uint64(id)
}

// number is the span id as a number; it also seeds the span's jitter.
func (k ids) number(rank, iteration int, id uint16) uint64 {
	// Only one of 2^64 places gives 0, which would mean "no id".
	return max(1, mix(k.span^place(k.rank(rank), iteration, id)))
}

// ids are those of a run: data-parallel ranks have the same when their
// generators are seeded alike.
func (m *model) ids() ids {
	k := newIDs(m.Seed)
	if m.effects.seeded {
		for rank := range m.Ranks() {
			at := m.lay.coord(rank)
			k.seeds = append(k.seeds, m.lay.rank(at.TP, at.CP, 0, at.PP))
		}
	}
	return k
}

func (k ids) rank(rank int) int {
	if k.seeds == nil {
		return rank
	}
	return k.seeds[rank]
}

func spanID(n uint64) (id run.SpanID) {
	binary.BigEndian.PutUint64(id[:], n)
	return id
}

// trace is the trace of an outermost span.
func (k ids) trace(rank, iteration int, root uint16) (id run.TraceID) {
	at := place(k.rank(rank), iteration, root)
	binary.BigEndian.PutUint64(id[:8], max(1, mix(k.high^at)))
	binary.BigEndian.PutUint64(id[8:], mix(k.low^at))
	return id
}
