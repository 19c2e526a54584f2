package record

import (
	"github.com/beamline-hpc/lensview/internal/run"
)

// Sizes of what a writer holds in memory.
const (
	groupTarget = 1 << 20  // unpacked; a group is closed when it is that large
	maxHeld     = 64 << 20 // of all groups that are not written yet
	maxSpare    = 8        // buffers kept for the next groups
)

// pending is a group of requests on its way to the file.
type pending struct {
	blocks
	head group
	size int           // bytes of the requests, as admitted
	due  bool          // need not wait to be filled
	done chan struct{} // closed when it is written, or is not going to be
	err  error         // valid after done
}

// add puts a request into the group; head is all of its frame that stands before it.
func (g *pending) add(head []byte, sig run.Signal, items uint32, r run.Receipt) {
	before := g.plain
	g.blocks.add(head, r.Raw)
	g.size += g.plain - before
	if g.head.frames == 0 || r.At < g.head.first {
		g.head.first = r.At
	}
	g.head.last = max(g.head.last, r.At)
	g.head.frames++
	g.head.items[sig] += items
}

// buffer is what waits to be written. The writer's lock guards it.
type buffer struct {
	cur     *pending // being filled, nil when empty
	full    []*pending
	writing *pending
	held    int // bytes in memory, of the group being written as well
	spare   [][]byte
}

// group is the one to add to.
func (b *buffer) group() *pending {
	if b.cur == nil {
		b.cur = &pending{done: make(chan struct{})}
		if n := len(b.spare); n > 0 {
			b.cur.reset(b.spare[n-1])
			b.spare = b.spare[:n-1]
		} else {
			b.cur.reset(make([]byte, 0, groupTarget+groupTarget/4))
		}
	}
	return b.cur
}

// close ends the group being filled.
func (b *buffer) close() {
	b.full = append(b.full, b.cur)
	b.cur = nil
}

// take gives the oldest group that is to be written, nil for none.
func (b *buffer) take() *pending {
	if len(b.full) == 0 && b.cur != nil && b.cur.due {
		b.close()
	}
	if len(b.full) == 0 {
		return nil
	}
	b.writing = b.full[0]
	b.full = b.full[1:]
	return b.writing
}

// newest is the group that was begun last, nil for none.
func (b *buffer) newest() *pending {
	if b.cur != nil {
		return b.cur
	}
	if n := len(b.full); n > 0 {
		return b.full[n-1]
	}
	return b.writing
}

// release ends a group's stay in memory. The buffer of a huge one is not kept.
func (b *buffer) release(g *pending) {
	b.writing = nil
	b.held -= g.size
	if len(b.spare) < maxSpare && cap(g.buf) <= 4*groupTarget {
		b.spare = append(b.spare, g.buf[:0])
	}
}
