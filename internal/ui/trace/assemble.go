package tracescreen

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// lane assembles one process's share, unless it is as before.
func (b *builder) lane(p int, at place) lane {
	r := b.c.in
	l := lane{process: p, place: at, tree: &analysis.Tree{}}
	if !at.there {
		return l
	}
	l.lost = lostPart(r, p, at.window.Start)
	refs := b.spans(p, at)
	d := newDigest()
	d.add(at.window.Start)
	d.add(at.window.End)
	d.refs(r.Index, refs)
	l.sum = uint64(d)
	if at.at.kind != whole {
		l = b.assembled(l, func() *analysis.Tree {
			return analysis.IterationTree(b.data.Snapshot, r, []int{p}, wide(at))
		})
		l.exact()
		return l
	}
	l = b.assembled(l, func() *analysis.Tree { return analysis.NewTree(b.data.Snapshot, global(r.Index, refs)) })
	if l.tree.To > 0 {
		l.window = between(l.tree.From, l.tree.To)
	}
	return l
}

// spans is a process's share of a place: of one without steps the newest.
func (b *builder) spans(p int, at place) []store.Ref {
	if at.at.kind != whole {
		w := wide(at)
		return b.c.in.ProcessSpans(p, w.Start, w.End)
	}
	refs := b.c.in.ProcessSpans(p, 0, math.MaxUint64)
	if b.c.cut = len(refs) - maxWhole; b.c.cut > 0 {
		return refs[b.c.cut:]
	}
	return refs
}

// wide is the time in which the spans of a place are looked for.
func wide(at place) store.Window {
	if at.at.kind == atStep {
		return analysis.Widen(at.window)
	}
	return at.window
}

func global(run int, refs []store.Ref) []store.GlobalRef {
	out := make([]store.GlobalRef, len(refs))
	for i, ref := range refs {
		out[i] = store.GlobalRef{Run: run, Ref: ref}
	}
	return out
}

// exact takes the times of the step from its span, if that is there: columns know
// them to a few microseconds only.
func (l *lane) exact() {
	if l.at.kind != atStep {
		return
	}
	slack := slackOf(l.window)
	for i := range l.tree.Nodes {
		n := &l.tree.Nodes[i]
		if !n.SpanMarks.Has(run.NoDuration) && near(n.Start, l.window.Start, slack) && near(n.End, l.window.End, slack) {
			l.window.Start, l.window.End = n.Start, n.End
			return
		}
	}
}

func near(a, b, slack uint64) bool { return max(a, b)-min(a, b) <= slack }

// assembled fills in what takes time, or takes it from the answer before.
func (b *builder) assembled(l lane, tree func() *analysis.Tree) lane {
	if old := b.same(l); old != nil {
		old := *old
		old.place, old.lost = l.place, l.lost
		return old
	}
	l.tree = tree()
	l.shown = len(l.tree.Nodes)
	l.survey()
	if !b.data.Filter.Empty() {
		l.shown = 0
		l.narrow(b.matcher)
	}
	return l
}

func (b *builder) same(l lane) *lane {
	if b.before == nil || b.before.asked.run != b.c.asked.run || b.before.asked.filter != b.c.asked.filter {
		return nil
	}
	for i := range b.before.lanes {
		if o := &b.before.lanes[i]; o.process == l.process && o.sum == l.sum {
			return o
		}
	}
	return nil
}

// whole shows a trace over all processes.
func (b *builder) whole() {
	c, s := b.c, b.data.Snapshot
	l := lane{process: run.Unknown, place: place{there: true}}
	d, refs := newDigest(), s.Trace(c.trace)
	seen := map[[2]int]bool{}
	for _, ref := range refs {
		d.refs(ref.Run, []store.Ref{ref.Ref})
		r := s.Runs[ref.Run]
		seen[[2]int{ref.Run, r.Chunk(ref.Chunk).Process(int(ref.Row))}] = true
		l.lost = l.lost || r.Accounts[run.Traces].Evicted > 0 && r.Chunks[0].Seq() == ref.Chunk
	}
	l.sum = uint64(d)
	l = b.assembled(l, func() *analysis.Tree { return analysis.NewTree(s, refs) })
	l.window = store.Window{Start: l.tree.From, End: l.tree.To}
	c.senders = len(seen)
	c.lanes = []lane{l}
}
