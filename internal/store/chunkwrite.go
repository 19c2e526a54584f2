package store

import (
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// chunkWriter is a chunk as the writer has it. Columns are append-only, so views
// share them; what is changed in place is copied for a view or before the
// change.
type chunkWriter struct {
	Chunk
	dict    *dict
	traceOf map[run.TraceID]uint16 // nil once closed
	senders []segment
	view    *Chunk // the last one made, nil when something changed since
	bytes   uint64 // as last charged to the run
	closed  bool
}

// segment says who sent the rows from one on, up to the next segment.
type segment struct {
	row    uint16
	sender *sender
}

// row is one span as a chunk's columns hold it.
type row struct {
	start, end                     uint64
	id, parent                     run.SpanID
	trace, proc, name, form, shape uint16
	marks                          run.Mark
	attrAt                         uint32
}

const (
	rowBytes     = 48      // of the per-row columns
	firstRows    = 64      // rows for which a run's first chunk has room
	maxBlobBytes = 4 << 20 // attributes and extra bytes beyond which a chunk is closed early
)

// newChunkWriter begins a chunk with room for rows spans and blob bytes of their
// attributes.
func newChunkWriter(seq uint32, d *dict, rows, blob int) *chunkWriter {
	c := &chunkWriter{dict: d, traceOf: map[run.TraceID]uint16{}}
	c.seq, c.from, c.anchor = seq, ^uint64(0), &anchor{}
	c.cols.grow(rows)
	c.cols.attrs = make([]byte, 0, blob)
	d.chunks++
	d.begun++
	return c
}

// grow makes room for n rows in all.
func (k *columns) grow(n int) {
	k.start, k.end = grown(k.start, n), grown(k.end, n)
	k.id, k.parent = grown(k.id, n), grown(k.parent, n)
	k.trace, k.proc, k.name = grown(k.trace, n), grown(k.proc, n), grown(k.name, n)
	k.form, k.shape, k.marks = grown(k.form, n), grown(k.shape, n), grown(k.marks, n)
	k.attrAt = grown(k.attrAt, n)
}

func grown[T any](s []T, n int) []T { return append(make([]T, 0, n), s...) }

// isFull reports whether the next span belongs into a new chunk.
func (c *chunkWriter) isFull() bool {
	return c.Len() == chunkRows || len(c.cols.attrs)+len(c.cols.extra) > maxBlobBytes || c.dict.bytes > 2*c.dict.limit
}

// add appends one row. The values of its attributes are at the end of attrs
// already, from r.attrAt on.
func (c *chunkWriter) add(r *row) {
	k := &c.cols
	if len(k.start) == cap(k.start) {
		k.grow(min(4*cap(k.start), chunkRows))
	}
	k.start, k.end = append(k.start, r.start), append(k.end, r.end)
	k.id, k.parent = append(k.id, r.id), append(k.parent, r.parent)
	k.trace, k.proc, k.name = append(k.trace, r.trace), append(k.proc, r.proc), append(k.name, r.name)
	k.form, k.shape, k.marks = append(k.form, r.form), append(k.shape, r.shape), append(k.marks, r.marks)
	k.attrAt = append(k.attrAt, r.attrAt)
	c.widen(r)
	c.view = nil
}

// widen takes a row's time into the chunk's range.
func (c *chunkWriter) widen(r *row) {
	if r.marks.Has(run.InvalidTime) {
		return
	}
	c.from = min(c.from, r.start)
	c.to = max(c.to, r.start, r.end)
	c.hasOpen = c.hasOpen || r.marks.Has(run.Open)
}

// pop takes the last row away again.
func (c *chunkWriter) pop() {
	n := c.Len() - 1
	k := &c.cols
	if len(k.extraRow) > 0 && int(k.extraRow[len(k.extraRow)-1]) == n {
		last := len(k.extraRow) - 1
		k.extra = k.extra[:k.extraAt[last]]
		k.extraRow, k.extraAt = k.extraRow[:last], k.extraAt[:last]
	}
	k.attrs = k.attrs[:k.attrAt[n]]
	k.start, k.end, k.id, k.parent = k.start[:n], k.end[:n], k.id[:n], k.parent[:n]
	k.trace, k.proc, k.name, k.form = k.trace[:n], k.proc[:n], k.name[:n], k.form[:n]
	k.shape, k.marks, k.attrAt = k.shape[:n], k.marks[:n], k.attrAt[:n]
}

// addExtra gives the row that add appends next something beside its columns.
func (c *chunkWriter) addExtra(name, fields []byte) {
	k := &c.cols
	k.extraRow = append(k.extraRow, uint16(c.Len()))
	k.extraAt = append(k.extraAt, uint32(len(k.extra)))
	k.extra = appendExtra(k.extra, name, fields)
}

// trace is the place of a trace id.
func (c *chunkWriter) trace(t run.TraceID) uint16 {
	k := &c.cols
	if n := len(k.traces); n > 0 && k.traces[n-1] == t {
		return uint16(n - 1)
	}
	at, ok := c.traceOf[t]
	if !ok {
		at = uint16(len(k.traces))
		k.traces = append(k.traces, t)
		c.traceOf[t] = at
	}
	return at
}

// process is the place of a process. The bitmap is copied for each view, so it
// may be written in place.
func (c *chunkWriter) process(p int) uint16 {
	for len(c.procBits) <= p>>6 {
		c.procBits = append(c.procBits, 0)
	}
	c.procBits[p>>6] |= 1 << (p & 63)
	c.procs = append(c.procs, int32(p))
	return uint16(len(c.procs) - 1)
}

// sentBy notes who sends the rows that follow.
func (c *chunkWriter) sentBy(s *sender) {
	if n := len(c.senders); n > 0 && int(c.senders[n-1].row) == c.Len() {
		c.senders = c.senders[:n-1] // its rows were dropped again
	}
	if n := len(c.senders); n > 0 && c.senders[n-1].sender == s {
		return
	}
	c.senders = append(c.senders, segment{uint16(c.Len()), s})
}

// senderOf is who sent row i.
func (c *chunkWriter) senderOf(i int) *sender {
	at, found := slices.BinarySearchFunc(c.senders, i, func(s segment, row int) int { return int(s.row) - row })
	if !found {
		at--
	}
	return c.senders[at].sender
}

// eachSender calls f with how many live rows each segment's sender has.
func (c *chunkWriter) eachSender(f func(s *sender, live int)) {
	for k, seg := range c.senders {
		end := c.Len()
		if k+1 < len(c.senders) {
			end = int(c.senders[k+1].row)
		}
		live := end - int(seg.row)
		for i := int(seg.row); c.dead != nil && i < end; i++ {
			if c.Dead(i) {
				live--
			}
		}
		f(seg.sender, live)
	}
}

// kill marks row i as superseded.
func (c *chunkWriter) kill(i int) {
	dead := make([]uint64, chunkRows/64) // a view may hold the old one
	copy(dead, c.dead)
	dead[i>>6] |= 1 << (i & 63)
	c.dead, c.view = dead, nil
	c.deadRows++
}

// close ends the chunk: nothing is appended any more. What was kept for growth
// is given back, and the filter of its traces is made.
func (c *chunkWriter) close(names []Name) {
	c.bloom = newBloom(c.cols.traces)
	c.traceOf = nil
	k := &c.cols
	if spare(cap(k.start), len(k.start)) {
		k.grow(len(k.start))
	}
	k.attrs, k.extra = clipped(k.attrs), clipped(k.extra)
	k.traces, c.senders = clipped(k.traces), clipped(c.senders)
	c.Chunk.dict, c.names = c.dict.dictView, names
	c.closed, c.view = true, nil
}

// spare reports whether more than an eighth of a slice's room is unused.
func spare(room, used int) bool { return room-used > room/8 }

func clipped[T any](s []T) []T {
	if spare(cap(s), len(s)) {
		return append(make([]T, 0, len(s)), s...)
	}
	return s
}

// look is the chunk as a reader may have it.
func (c *chunkWriter) look(names []Name) *Chunk {
	if c.view != nil {
		return c.view
	}
	v := c.Chunk
	if !c.closed {
		v.dict, v.names = c.dict.dictView, names
		v.procBits = slices.Clone(c.procBits)
	}
	c.view = &v
	return c.view
}

// size is what the chunk holds in bytes, by the room of its slices.
func (c *chunkWriter) size() uint64 {
	n := uint64(4*cap(c.procs)+8*cap(c.procBits)+8*len(c.bloom)+16*cap(c.senders)+8*len(c.dead)) + chunkOverhead
	if c.cold != nil {
		return n + c.cold.size()
	}
	if !c.closed {
		n += 40 * uint64(len(c.cols.traces)) // the map
	}
	return n + c.cols.size()
}

// size is what the columns hold in bytes.
func (k *columns) size() uint64 {
	return uint64(rowBytes*cap(k.start) + cap(k.attrs) + cap(k.extra) + 6*cap(k.extraRow) + 16*cap(k.traces))
}

// chunkOverhead is the chunk itself and its view.
const chunkOverhead = 1500
