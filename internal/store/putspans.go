package store

import (
	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// spans stores the spans of a traces request, scope by scope.
func (p *put) spans() {
	rows := p.b.Spans
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && rows[to].Scope == rows[from].Scope {
			to++
		}
		p.scopeSpans(rows[from:to])
		from = to
	}
}

// spanGroup is consecutive spans of one scope.
type spanGroup struct {
	*put
	proc  *procWriter
	w     *runWriter
	scope *otlp.Scope
	at    int64
	tally tally

	chunk    *chunkWriter
	dict     *dict
	interned *run.Scope // scope in dict
	hash     [16]uint64 // of the next spans
}

func (p *put) scopeSpans(rows []otlp.Span) {
	at := p.at
	if at == 0 {
		at = lastEnd(rows)
	}
	proc, err := p.from(rows[0].Scope, at)
	if err != nil {
		p.reject(len(rows), err)
		return
	}
	g := spanGroup{put: p, proc: proc, w: proc.w, scope: &p.b.Scopes[rows[0].Scope], at: at}
	for len(rows) > 0 {
		n := min(len(rows), len(g.hash))
		g.lookAhead(rows[:n])
		for i := range rows[:n] {
			g.span(&rows[i], g.hash[i])
		}
		rows = rows[n:]
	}
	g.end()
}

// lookAhead hashes the next spans and touches their places in the table of
// recent ones: each is a cache miss, and misses that do not wait for each other
// cost a fraction.
func (g *spanGroup) lookAhead(rows []otlp.Span) {
	process, seed := g.proc.pub.Index, g.s.seed
	for i := range rows {
		g.hash[i] = spanHash(seed, process, &rows[i].TraceID, rows[i].ID)
	}
	touched := g.s.touched
	for _, h := range g.hash[:len(rows)] {
		touched ^= g.w.seen.peek(h)
	}
	g.s.touched = touched
}

// lastEnd stands in for the receive time of a file that has none.
func lastEnd(rows []otlp.Span) (at int64) {
	for i := range rows {
		if run.Sane(rows[i].Start, rows[i].End) == 0 {
			at = max(at, int64(rows[i].End))
		}
	}
	return at
}

// end takes the group into the counts of its process and run.
func (g *spanGroup) end() {
	g.book(g.w, g.tally)
	if g.put.at == 0 {
		g.s.noteTime(g.at, true)
	}
	g.w.touch(g.at)
	g.proc.touch(run.Traces, g.at, g.tally.kept)
	g.proc.settle()
	if g.proc.group != nil && len(g.proc.group.members) > 1 {
		g.proc.group.classify()
	}
	if g.chunk != nil {
		g.w.charge(g.chunk)
	}
}

// prepare makes sure that there is room for a span.
func (g *spanGroup) prepare() {
	c := g.chunk
	if c == nil || c.isFull() {
		if c != nil {
			g.w.charge(c)
		}
		c = g.w.writable()
		c.sentBy(g.sender)
		g.chunk = c
	}
	if g.dict != c.dict {
		g.dict, g.interned = c.dict, c.dict.scope(g.b, g.scope)
	}
	if g.proc.localSeq != c.seq {
		g.proc.local, g.proc.localSeq = c.process(g.proc.pub.Index), c.seq
	}
}

// span stores one span: encoded at the end of the open chunk, looked up, then
// kept as a row or dropped again.
func (g *spanGroup) span(sp *otlp.Span, h uint64) {
	g.prepare()
	c := g.chunk
	attrs := g.b.Attributes(sp.Attrs)
	r := row{start: sp.Start, end: sp.End, id: sp.ID, parent: sp.Parent, proc: g.proc.local, attrAt: uint32(len(c.cols.attrs))}
	c.cols.attrs, r.shape = g.dict.encode(c.cols.attrs, g.b, attrs)
	sh := g.dict.shapes[r.shape]
	name, own := g.w.name(g.b.Bytes(sp.Name))
	extra := g.b.Bytes(sp.Extra)
	r.name = name
	r.form = g.dict.formOf(form{scope: g.interned, flags: sp.Flags, kind: sp.Kind, status: sp.Status})
	r.trace = c.trace(sp.TraceID)
	r.marks = marksOf(sp, sh, attrs, extra)
	if own != nil || len(extra) > 0 {
		c.addExtra(own, extra)
	}
	ref := c.Ref(c.Len())
	c.add(&r)
	if old, ok := g.w.known(h, g.proc, sp); ok && !g.version(h, old, ref) {
		return
	}
	g.keep(h, ref, sp, &r, sh, attrs)
}

// marksOf is the facts about a span that decide how it may be used.
func marksOf(sp *otlp.Span, sh *shape, attrs []otlp.Attr, extra []byte) run.Mark {
	m := run.Sane(sp.Start, sp.End) | sh.truncation(attrs)
	if sp.Status == run.StatusError {
		m |= run.Failed
	}
	if len(extra) > 0 && m&(run.Truncated|run.OddTruncate) == 0 && otlp.HasEvent(extra, run.TruncatedKey) {
		m |= run.OddTruncate
	}
	return m
}

// keep takes a span that is in the chunk as a new one, or as a later version.
func (g *spanGroup) keep(h uint64, ref Ref, sp *otlp.Span, r *row, sh *shape, attrs []otlp.Attr) {
	g.tally.kept++
	w := g.w
	w.seen.add(h, ref, w.chunks[0].seq)
	if r.marks.Has(run.Open) {
		w.opened(h, ref, g.proc)
	}
	w.shared.note(w, g.proc, sp.ID, g.at)
	if g.chunk.cols.marks[ref.Row].Has(run.Versions) {
		return // the first version counts
	}
	w.note(r)
	g.proc.span(w.counted(g.proc, r.name), r.start, r.end, r.marks)
	g.proc.collect(g, r, sh, attrs)
}

// note takes a span into the run's own counts.
func (w *runWriter) note(r *row) {
	pub := &w.pub
	if !r.marks.Has(run.InvalidTime) {
		if pub.Start == 0 || r.start < pub.Start {
			pub.Start = r.start
		}
		pub.End = max(pub.End, r.start, r.end)
	}
	if r.marks.Has(run.Open) {
		return
	}
	if r.marks.Has(run.Failed) {
		pub.Errors++
	}
	if r.marks.Has(run.Truncated) {
		pub.Truncated++
	} else if r.marks.Has(run.InvalidTime) {
		pub.Invalid++
	}
}
