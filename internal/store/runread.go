package store

import (
	"math"
	"slices"
	"sort"

	"github.com/beamline-hpc/lensview/internal/run"
)

// GlobalRef names a span of a snapshot: a place in Snapshot.Runs and a span.
type GlobalRef struct {
	Run int
	Ref
}

// Trace is the retained spans of a trace over all runs, in order of arrival
// within a run. A trace may cross services.
func (s *Snapshot) Trace(id run.TraceID) []GlobalRef {
	var out []GlobalRef
	for i, r := range s.Runs {
		for _, ref := range r.Trace(id) {
			out = append(out, GlobalRef{Run: i, Ref: ref})
		}
	}
	return out
}

// NameID is the place of a span name in Names.
func (r *Run) NameID(text string) (int, bool) {
	i := slices.IndexFunc(r.Names, func(n Name) bool { return n.Text == text })
	return i, i >= 0
}

// Chunk is the chunk of that number, nil when it is not retained.
func (r *Run) Chunk(seq uint32) *Chunk {
	if len(r.Chunks) == 0 || seq < r.Chunks[0].seq {
		return nil
	}
	if i := int(seq - r.Chunks[0].seq); i < len(r.Chunks) {
		return r.Chunks[i]
	}
	return nil
}

// Span is the span at ref in full; ok is false when it is not retained.
func (r *Run) Span(ref Ref) (s run.Span, ok bool) {
	c := r.Chunk(ref.Chunk)
	if c == nil || int(ref.Row) >= c.Len() {
		return run.Span{}, false
	}
	return c.Span(int(ref.Row)), true
}

// EachSpan calls f for every retained span that is not superseded, in order of
// arrival, until f says no.
func (r *Run) EachSpan(f func(c *Chunk, row int) bool) {
	for _, c := range r.Chunks {
		for i := range c.Len() {
			if !c.Dead(i) && !f(c, i) {
				return
			}
		}
	}
}

// Trace is the retained spans of a trace, in order of arrival. It looks only
// into chunks that may hold it.
func (r *Run) Trace(id run.TraceID) []Ref {
	var out []Ref
	for _, c := range r.Chunks {
		if !c.MayHaveTrace(id) {
			continue
		}
		at := c.traceIndex(id)
		if at < 0 {
			continue
		}
		for i, t := range c.rows().trace {
			if int(t) == at && !c.Dead(i) {
				out = append(out, c.Ref(i))
			}
		}
	}
	return out
}

// ProcessSpans is the retained spans of process p that overlap from … to (unix
// ns, sender clock, bounds included), in order of arrival. An open span counts
// from its start on. 0 … MaxUint64 is all, impossible times included.
func (r *Run) ProcessSpans(p int, from, to uint64) []Ref {
	var out []Ref
	all := from == 0 && to == math.MaxUint64
	for _, c := range r.Chunks {
		local := c.localProcess(p)
		if local < 0 || !c.Overlaps(from, to) {
			continue
		}
		for i, q := range c.rows().proc {
			if int(q) == local && !c.Dead(i) && (all || c.rowOverlaps(i, from, to)) {
				out = append(out, c.Ref(i))
			}
		}
	}
	return out
}

func (c *Chunk) rowOverlaps(i int, from, to uint64) bool {
	end := c.End(i)
	if c.Marks(i).Has(run.Open) {
		end = math.MaxUint64
	}
	return c.Start(i) <= to && end >= from
}

// Window is the time of one step of one process, sender clock, unix ns.
type Window struct {
	Attempt    int
	Iteration  int64
	Start, End uint64
}

// Windows is the steps of process p that are in the columns, by start.
// Truncated steps have no end that means anything and are left out.
func (r *Run) Windows(p int) []Window {
	var out []Window
	for _, c := range r.Columns {
		cell, ok := c.Cell(p)
		if !ok || cell.Flags&StepTruncated != 0 {
			continue
		}
		out = append(out, c.window(cell))
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Start < out[j].Start })
	return out
}

func (c *Column) window(cell Cell) Window {
	start := uint64(c.Base + int64(float64(cell.Start)*1e9))
	return Window{c.Attempt, c.Iteration, start, start + uint64(float64(cell.Step)*1e9)}
}

// IterationAt is the step of process p whose time contains t (unix ns, sender
// clock). For many spans take Windows once.
func (r *Run) IterationAt(p int, t uint64) (w Window, ok bool) {
	for _, w := range r.Windows(p) {
		if w.Start <= t && t < w.End {
			return w, true
		}
	}
	return Window{}, false
}

// Stats is the exact statistics of the process by span name, by name id.
func (p *Process) Stats() []NameStat { return p.stats }

// Stat is the statistics of the name with that id; ok is false when the process
// sent none.
func (p *Process) Stat(name int) (s NameStat, ok bool) {
	i := sort.Search(len(p.stats), func(i int) bool { return p.stats[i].Name >= name })
	if i == len(p.stats) || p.stats[i].Name != name {
		return NameStat{}, false
	}
	return p.stats[i], true
}
