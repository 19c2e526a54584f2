package store

import "sync/atomic"

// columnMemo is what Reasons and Collected answer, kept up to date by the writer.
// Only where a cell lost a reason it has to be looked for again: by the first
// reader that asks. Readers of several snapshots may share a column, so it is
// written as one word; the writer never changes what it shares.
type columnMemo struct{ word uint32 }

const (
	memoKnown     = 1 << 8
	memoCollected = 1 << 9
)

// Reasons is every reason to exclude the iteration that any rank gave. HasGC is
// among them when a garbage collection took more than 5 % of some rank's step;
// ComputeIsUmbrella is none.
func (c *Column) Reasons() CellFlags { return CellFlags(c.facts()) }

// Collected reports whether any rank collected garbage, however short.
func (c *Column) Collected() bool { return c.facts()&memoCollected != 0 }

func (c *Column) facts() uint32 {
	if word := atomic.LoadUint32(&c.memo.word); word != 0 {
		return word
	}
	word := uint32(memoKnown)
	for _, b := range c.blocks {
		if b == nil {
			continue
		}
		for i := range b.cells {
			word |= b.cells[i].facts()
		}
	}
	atomic.StoreUint32(&c.memo.word, word)
	return word
}

func (c *Cell) facts() uint32 {
	if isMissing(*c) {
		return 0
	}
	flags := c.Flags &^ ComputeIsUmbrella
	if flags&HasGC == 0 {
		return uint32(flags)
	}
	if !c.gc.above(heavyGC) {
		flags &^= HasGC
	}
	return uint32(flags) | memoCollected
}

// clone is a copy for writing.
func (c *Column) clone() *Column {
	return &Column{
		Attempt: c.Attempt, Iteration: c.Iteration, Base: c.Base, Arrived: c.Arrived, Seen: c.Seen,
		blocks: append([]*block(nil), c.blocks...), memo: columnMemo{atomic.LoadUint32(&c.memo.word)},
	}
}

// replace is for a cell whose facts changed.
func (m *columnMemo) replace(before, after uint32) {
	if before&^after != 0 {
		m.word = 0
	} else if m.word != 0 {
		m.word |= after
	}
}
