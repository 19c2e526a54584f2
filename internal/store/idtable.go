package store

import (
	"encoding/binary"
	"math/bits"

	"github.com/beamline-hpc/lensview/internal/run"
)

// idTable finds span ids in a list of up to chunkRows: places in open addressing,
// in a table at most half full. It is made to be used again and again.
type idTable struct {
	seed  uint64
	slots []uint16 // 1 + place, 0 is free
}

// reset empties the table, with room for n ids.
func (t *idTable) reset(seed uint64, n int) {
	t.seed = seed
	size := 1 << bits.Len(uint(2*n))
	if len(t.slots) != size {
		t.slots = make([]uint16, size)
		return
	}
	clear(t.slots)
}

func (t *idTable) first(id *run.SpanID) int {
	hi, lo := bits.Mul64(binary.LittleEndian.Uint64(id[:])^t.seed, 0x9e3779b97f4a7c15)
	return int(hi^lo) & (len(t.slots) - 1)
}

// set takes place i of the list in. Of equal ids the last is found.
func (t *idTable) set(list []run.SpanID, i int) {
	at := t.first(&list[i])
	for t.slots[at] != 0 && list[t.slots[at]-1] != list[i] {
		at = (at + 1) & (len(t.slots) - 1)
	}
	t.slots[at] = uint16(i + 1)
}

// find is the place of an id in the list, -1 when it is not there.
func (t *idTable) find(list []run.SpanID, id run.SpanID) int {
	for at := t.first(&id); t.slots[at] != 0; at = (at + 1) & (len(t.slots) - 1) {
		if i := int(t.slots[at] - 1); list[i] == id {
			return i
		}
	}
	return -1
}
