package store

import (
	"cmp"
	"math"
	"slices"
	"unsafe"
)

// maxColumns is how many columns a run keeps; minColumns are kept however many
// processes there are.
const (
	maxColumns = 512
	minColumns = 8
	blockBytes = uint64(unsafe.Sizeof(block{}))
)

// cellKey is the place of a step: attempt and iteration counted from 0.
type cellKey struct {
	attempt   int
	iteration int64
}

func (a cellKey) compare(b cellKey) int {
	return cmp.Or(cmp.Compare(a.attempt, b.attempt), cmp.Compare(a.iteration, b.iteration))
}

// columnWriter is a column as the writer has it: it and its blocks are cloned on
// the first change after a snapshot.
type columnWriter struct {
	key cellKey
	pub *Column
	gen uint64
}

// columnRing is the newest columns of a run, by attempt and iteration.
type columnRing struct {
	s           *Store
	list        []*columnWriter
	view        []*Column // nil when the list or a column changed since
	bytes       uint64
	seen        map[int]*rangeSet // by attempt
	zeros, ones bool              // iterations came that count from 0, from 1
	gone        Gone
}

func (r *columnRing) init(s *Store) {
	r.s, r.seen = s, map[int]*rangeSet{}
}

// shift is what is added to show iterations as they were sent. Where a run mixes
// names that count from 0 and from 1, all are shown from 0.
func (r *columnRing) shift() int64 {
	if r.ones && !r.zeros {
		return 1
	}
	return 0
}

// put writes the cell of a process. A column that has left the window does not
// come back for a late rank: it has been counted as gone.
func (r *columnRing) put(p *procWriter, key cellKey, s *step, c Cell) {
	set := r.seen[key.attempt]
	if set == nil {
		set = &rangeSet{}
		r.seen[key.attempt] = set
	}
	if fresh := set.add(key.iteration); !fresh {
		if _, kept := r.search(key); !kept {
			return
		}
	}
	w := r.column(key, s)
	c.Start = float32(float64(int64(s.start)-w.pub.Base) / 1e9)
	c.Arrival = float32(float64(s.arrived-w.pub.Arrived) / 1e9)
	old := r.cell(w, p.pub.Index)
	w.pub.Seen += finished(c) - finished(*old)
	w.pub.memo.replace(old.facts(), c.facts())
	*old = c
	r.bound()
}

func finished(c Cell) int {
	if isMissing(c) || c.Flags&StepTruncated != 0 {
		return 0
	}
	return 1
}

func isMissing(c Cell) bool { return math.IsNaN(float64(c.Start)) }

// column is the column of key for writing, made when there is none.
func (r *columnRing) column(key cellKey, s *step) *columnWriter {
	at, ok := r.search(key)
	if !ok {
		w := &columnWriter{key: key, gen: r.s.gen, pub: &Column{
			Attempt: key.attempt, Iteration: key.iteration + r.shift(), Base: int64(s.start), Arrived: s.arrived,
			memo: columnMemo{memoKnown},
		}}
		r.list = slices.Insert(r.list, at, w)
	}
	return r.own(r.list[at])
}

func (r *columnRing) search(key cellKey) (int, bool) {
	if n := len(r.list); n > 0 && r.list[n-1].key.compare(key) < 0 {
		return n, false
	}
	return slices.BinarySearchFunc(r.list, key, func(w *columnWriter, k cellKey) int { return w.key.compare(k) })
}

// own is the column for writing.
func (r *columnRing) own(w *columnWriter) *columnWriter {
	r.view = nil
	if w.gen != r.s.gen {
		w.pub, w.gen = w.pub.clone(), r.s.gen
	}
	return w
}

// cell is the cell of a process for writing, in a column that own gave.
func (r *columnRing) cell(w *columnWriter, p int) *Cell {
	b := p / cellBlock
	for len(w.pub.blocks) <= b {
		w.pub.blocks = append(w.pub.blocks, nil)
	}
	k := w.pub.blocks[b]
	switch {
	case k == nil:
		k = newBlock(r.s.gen)
		r.charge(blockBytes)
	case k.gen != r.s.gen:
		c := *k
		c.gen = r.s.gen
		k = &c
	}
	w.pub.blocks[b] = k
	return &k.cells[p%cellBlock]
}

func newBlock(gen uint64) *block {
	k := &block{gen: gen}
	for i := range k.cells {
		k.cells[i].Start = float32(math.NaN())
	}
	return k
}

func (r *columnRing) charge(n uint64) {
	r.bytes += n
	r.s.columnBytes += n
}

func (r *columnRing) uncharge(n uint64) {
	r.bytes -= n
	r.s.columnBytes -= n
}

// bound drops the oldest columns beyond the limits.
func (r *columnRing) bound() {
	for len(r.list) > maxColumns || len(r.list) > minColumns && r.s.columnBytes > r.s.limits.columns {
		r.gone.add(r.list[0].pub)
		r.drop(0)
	}
}

func (r *columnRing) drop(at int) {
	for _, k := range r.list[at].pub.blocks {
		if k != nil {
			r.uncharge(blockBytes)
		}
	}
	r.list = slices.Delete(r.list, at, at+1)
	r.view = nil
}

// flag sets and clears flags of a cell that is there.
func (r *columnRing) flag(p *procWriter, key cellKey, set, unset CellFlags) {
	at, ok := r.search(key)
	if !ok {
		return
	}
	if c, ok := r.list[at].pub.Cell(p.pub.Index); ok && c.Flags&^unset|set != c.Flags {
		w := r.own(r.list[at])
		old := r.cell(w, p.pub.Index)
		before := old.facts()
		old.Flags = c.Flags&^unset | set
		w.pub.memo.replace(before, old.facts())
	}
}

// overlapColumns is how many of the newest columns a late span is compared with.
const overlapColumns = 64

// flagOverlap sets a flag on the cells of a process whose step overlaps a time.
func (r *columnRing) flagOverlap(p *procWriter, from, to uint64, f CellFlags) {
	for i := len(r.list) - 1; i >= max(0, len(r.list)-overlapColumns); i-- {
		c, ok := r.list[i].pub.Cell(p.pub.Index)
		if !ok || c.Flags&StepTruncated != 0 {
			continue
		}
		if win := r.list[i].pub.window(c); win.Start < to && from < win.End {
			r.flag(p, r.list[i].key, f, 0)
		}
	}
}

// look is the columns as a reader may have them.
func (r *columnRing) look() []*Column {
	if r.view == nil {
		r.view = make([]*Column, len(r.list))
		for i, w := range r.list {
			r.view[i] = w.pub
		}
	}
	return r.view
}

// iterations is what is known of all iterations.
func (r *columnRing) iterations() (it Iterations) {
	for _, set := range r.seen {
		n := set.len()
		if n == 0 {
			continue
		}
		if it.Seen == 0 || set.low+r.shift() < it.First {
			it.First = set.low + r.shift()
		}
		if it.Seen == 0 || set.high+r.shift() > it.Last {
			it.Last = set.high + r.shift()
		}
		it.Seen += n
	}
	it.Gone = r.gone
	return it
}

// noteBase notes from what a step's iterations are counted. It reports whether
// that makes a run mixed, so that what is shown changes.
func (r *columnRing) noteBase(base int) (changed bool) {
	before := r.shift()
	if base == 1 {
		r.ones = true
	} else {
		r.zeros = true
	}
	if r.shift() == before {
		return false
	}
	for _, w := range r.list {
		r.own(w).pub.Iteration = w.key.iteration + r.shift()
	}
	return true
}

// remove takes the cells out that steps of a name made.
func (r *columnRing) remove(name uint16) {
	for i := len(r.list) - 1; i >= 0; i-- {
		w := r.list[i]
		left := 0
		for p := range w.pub.Len() {
			c, ok := w.pub.Cell(p)
			if ok && c.step == name+1 {
				r.clear(w, p)
			} else if ok {
				left++
			}
		}
		if left == 0 {
			r.seen[w.key.attempt].remove(w.key.iteration)
			r.drop(i)
		}
	}
}

func (r *columnRing) clear(w *columnWriter, p int) {
	old := r.cell(r.own(w), p)
	w.pub.Seen -= finished(*old)
	w.pub.memo.replace(old.facts(), 0)
	*old = Cell{Start: float32(math.NaN())}
}
