package tracescreen

import (
	"slices"

	"github.com/beamline-hpc/lensview/internal/query"
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
