package store

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/run"
)

// chunkRows is how many spans a chunk holds. Chunks are evicted whole.
const chunkRows = 4096

// Chunk is up to 4,096 consecutive spans of one run, in order of arrival, as a
// reader sees them: it never changes. Rows are 0 … Len()-1; skip those that are
// Dead.
type Chunk struct {
	cols     columns
	dict     dictView
	names    []Name
	seq      uint32
	from, to uint64  // time range of the rows with sane times; from > to when there are none
	hasOpen  bool    // a row was open when it came
	cold     *sealed // the columns when they are sealed: cols is empty then
	bloom    bloom   // of the traces; nil while the chunk is open
	procs    []int32
	procBits []uint64
	dead     []uint64 // bitmap of superseded rows, nil when there are none
	deadRows int
	anchor   *anchor
}

// columns are the rows of a chunk. All per-row slices have the same length.
type columns struct {
	traces     []run.TraceID
	start, end []uint64
	id, parent []run.SpanID
	trace      []uint16 // place in traces
	proc       []uint16 // place in Chunk.procs
	name       []uint16 // name id of the run
	form       []uint16 // place in dict.forms
	shape      []uint16 // place in dict.shapes
	marks      []run.Mark
	attrAt     []uint32 // start of the row's values in attrs
	attrs      []byte
	extraRow   []uint16 // sorted rows that have something in extra
	extraAt    []uint32
	extra      []byte
}

// rows are the columns to read from; those of a sealed chunk are opened for it.
func (c *Chunk) rows() *columns {
	if c.cold != nil {
		return c.cold.open()
	}
	return &c.cols
}

// Len is the number of rows, superseded ones included.
func (c *Chunk) Len() int {
	if c.cold != nil {
		return c.cold.rows
	}
	return len(c.cols.start)
}

// Live is the number of rows that are not superseded.
func (c *Chunk) Live() int { return c.Len() - c.deadRows }

// Seq is the chunk's number in its run; see Ref.
func (c *Chunk) Seq() uint32 { return c.seq }

// Ref is the name of row i.
func (c *Chunk) Ref(i int) Ref { return Ref{Chunk: c.seq, Row: uint16(i)} }

// Dead reports whether row i is a version of a span that a later row replaced.
func (c *Chunk) Dead(i int) bool {
	return c.dead != nil && c.dead[i>>6]&(1<<(i&63)) != 0
}

// Start is the start of row i, unix ns as sent.
func (c *Chunk) Start(i int) uint64 { return c.rows().start[i] }

// End is the end of row i, unix ns as sent; 0 while open.
func (c *Chunk) End(i int) uint64 { return c.rows().end[i] }

// Duration is the duration of row i in nanoseconds. It is ok only for spans
// that may enter a duration statistic: none of run.NoDuration.
func (c *Chunk) Duration(i int) (ns uint64, ok bool) {
	k := c.rows()
	if k.marks[i].Has(run.NoDuration) {
		return 0, false
	}
	return k.end[i] - k.start[i], true
}

// NameID is the span name of row i, a place in Run.Names.
func (c *Chunk) NameID(i int) int { return int(c.rows().name[i]) }

// Process is the sender of row i, a place in Run.Processes.
func (c *Chunk) Process(i int) int { return int(c.procs[c.rows().proc[i]]) }

// Marks are the facts that decide how row i may be used.
func (c *Chunk) Marks(i int) run.Mark { return c.rows().marks[i] }

// Kind is the span kind of row i.
func (c *Chunk) Kind(i int) run.Kind { return c.form(i).kind }

// Status is the status of row i.
func (c *Chunk) Status(i int) run.Status { return c.form(i).status }

// Scope is the instrumentation scope of row i.
func (c *Chunk) Scope(i int) run.Scope { return *c.form(i).scope }

func (c *Chunk) form(i int) *form { return &c.dict.forms[c.rows().form[i]] }

// TraceID is the trace of row i.
func (c *Chunk) TraceID(i int) run.TraceID { k := c.rows(); return k.traces[k.trace[i]] }

// ID is the span id of row i.
func (c *Chunk) ID(i int) run.SpanID { return c.rows().id[i] }

// Parent is the parent's span id of row i, zero for a root.
func (c *Chunk) Parent(i int) run.SpanID { return c.rows().parent[i] }

// TimeRange is the earliest start and the latest end of the chunk's spans with
// sane times; ok is false when it has none. Spans with other times are outside
// of it.
func (c *Chunk) TimeRange() (from, to uint64, ok bool) { return c.from, c.to, c.from <= c.to }

// Overlaps reports whether a span of the chunk may overlap from … to, bounds
// included; an open one does from its start on. The whole time (0 … MaxUint64)
// matches every chunk.
func (c *Chunk) Overlaps(from, to uint64) bool {
	if from == 0 && to == math.MaxUint64 {
		return true
	}
	return c.from <= to && (c.to >= from || c.hasOpen)
}

// MayHaveTrace reports whether the chunk may hold a span of trace t. It never
// says no for one that it holds.
func (c *Chunk) MayHaveTrace(t run.TraceID) bool {
	if c.bloom != nil {
		return c.bloom.has(t)
	}
	return c.traceIndex(t) >= 0
}

func (c *Chunk) traceIndex(t run.TraceID) int {
	traces := c.rows().traces
	for i := len(traces) - 1; i >= 0; i-- {
		if traces[i] == t {
			return i
		}
	}
	return -1
}

// HasProcess reports whether the chunk holds, or once held, a span of process p.
func (c *Chunk) HasProcess(p int) bool {
	return p>>6 < len(c.procBits) && c.procBits[p>>6]&(1<<(p&63)) != 0
}

// localProcess is p's place in procs, -1 when it has none.
func (c *Chunk) localProcess(p int) int {
	if !c.HasProcess(p) {
		return -1
	}
	for i, q := range c.procs {
		if int(q) == p {
			return i
		}
	}
	return -1
}
