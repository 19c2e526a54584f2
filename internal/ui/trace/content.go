package tracescreen

import (
	"slices"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// content is an answer: the spans to show, assembled, with what is to be said of
// them. It does not change.
type content struct {
	asked    question
	question // with everything decided
	snapshot *store.Snapshot
	in       *store.Run // nil when there is none
	steps    []store.Window
	lanes    []lane
	total    int // nodes of all lanes
	outOf    int // processes of which the lanes are some
	cut      int // spans left out of a process without steps
	senders  int // distinct processes of the nodes of a trace
}

// build assembles what is asked for. Lanes whose spans are the same as in the
// answer before are taken from there. Not for the event loop.
func build(d screen.Data, q question, before *content) *content {
	b := builder{data: d, matchers: make([]*query.Matcher, len(d.Snapshot.Runs)), before: before}
	b.c = &content{asked: q, question: q, snapshot: d.Snapshot, in: d.Snapshot.Run(q.run)}
	switch {
	case b.c.in == nil:
	case !q.trace.IsZero():
		b.whole()
	default:
		b.ranks()
	}
	for i := range b.c.lanes {
		b.c.lanes[i].base = b.c.total
		b.c.total += len(b.c.lanes[i].tree.Nodes)
	}
	return b.c
}

type builder struct {
	data     screen.Data
	c        *content
	before   *content
	matchers []*query.Matcher // by run
}

// matcher is the filter bound to a run.
func (b *builder) matcher(run int) *query.Matcher {
	if b.matchers[run] == nil {
		b.matchers[run] = b.data.Filter.Bind(b.data.Snapshot.Runs[run])
	}
	return b.matchers[run]
}

// ranks decides which processes to show, and where.
func (b *builder) ranks() {
	c, r := b.c, b.c.in
	among := ranked(r, b.matcher(r.Index))
	if c.process < 0 || len(among) > 0 && !slices.Contains(among, c.process) {
		c.process = choose(r, among)
	}
	if c.process < 0 || c.process >= len(r.Processes) {
		return
	}
	c.steps = r.Windows(c.process)
	main := decide(c.steps, r.Processes[c.process], c.at)
	if !main.there {
		main = b.remembered(main)
	}
	c.at = main.at
	all := beside(r, c.process, c.peers, among)
	c.outOf = len(all)
	for _, p := range around(all, c.process, maxLanes) {
		at := main
		if p != c.process {
			at = alongside(r, p, main.at)
		}
		c.lanes = append(c.lanes, b.lane(p, at))
	}
}

// remembered is the place of a step whose column is no longer kept, if the
// answer before knew it.
func (b *builder) remembered(at place) place {
	if b.before == nil || b.before.in == nil || b.before.in.ID != b.c.in.ID {
		return at
	}
	for i := range b.before.lanes {
		if l := &b.before.lanes[i]; l.process == b.c.process && l.at == at.at && l.there {
			return l.place
		}
	}
	return at
}

// alongside is where another process was at that spot.
func alongside(r *store.Run, p int, at spot) place {
	steps := r.Windows(p)
	i := slices.IndexFunc(steps, func(w store.Window) bool { return w.Iteration == at.iteration })
	switch {
	case at.kind == head || at.kind == whole:
		return decide(steps, r.Processes[p], at)
	case i >= 0:
		at.attempt = steps[i].Attempt
		if at.kind == tail && i+1 < len(steps) { // it has finished what the other has not
			return place{at, between(steps[i].End, steps[i+1].End), true}
		}
		return decideAt(steps, i, r.Processes[p], at)
	case at.kind == tail && len(steps) > 0: // it is behind
		return decide(steps, r.Processes[p], tailAt(steps[len(steps)-1]))
	}
	return place{at: at}
}

// lane assembles one process's share, unless it is as before.
func (b *builder) lane(p int, at place) lane {
	r := b.c.in
	l := lane{process: p, place: at, tree: &analysis.Tree{}}
	if at.there {
		l.lost = lostPart(r, p, at.window.Start)
	}
	from, to := at.window.Start, at.window.End
	if at.at.kind == whole {
		from, to = 0, 1<<64-1
	}
	var refs []store.Ref
	if at.there {
		refs = r.ProcessSpans(p, from, to)
	}
	if at.at.kind == whole && len(refs) > maxWhole {
		b.c.cut = len(refs) - maxWhole
		refs = refs[b.c.cut:]
	}
	d := b.digest(at)
	d.refs(r.Index, refs)
	l.sum = uint64(d)
	l = b.assembled(l, func() *analysis.Tree {
		if at.at.kind == whole {
			return analysis.NewTree(b.data.Snapshot, global(r.Index, refs))
		}
		return analysis.IterationTree(b.data.Snapshot, r, []int{p}, at.window)
	})
	switch {
	case at.at.kind == whole && l.tree.To > 0:
		l.window = between(l.tree.From, l.tree.To)
	case at.at.kind == atStep:
		l.exact()
	}
	return l
}

// exact takes the times of the step from its span, if that is there: columns know
// them to a few microseconds only.
func (l *lane) exact() {
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

func global(run int, refs []store.Ref) []store.GlobalRef {
	out := make([]store.GlobalRef, len(refs))
	for i, ref := range refs {
		out[i] = store.GlobalRef{Run: run, Ref: ref}
	}
	return out
}

func (b *builder) digest(at place) digest {
	d := newDigest()
	d.add(at.window.Start)
	d.add(at.window.End)
	return d
}

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
