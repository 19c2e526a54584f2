package store

import (
	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// recentSteps is how many finished steps of a process still take late children.
const recentSteps = 3

// pending is a finished span until it is known which step it belongs to, and
// until that step is no more recent. Children arrive before their step.
type pending struct {
	start, end uint64
	id, parent run.SpanID
	iteration  int64 // its own, when it says one
	step       uint32
	info       nameInfo
}

// step is a finished step of a process.
type step struct {
	iteration  int64 // counted from 0
	start, end uint64
	id, parent run.SpanID
	arrived    int64
	seq        uint32
	name       uint16
	flags      CellFlags
	dirty      bool
}

// steps is the newest steps of a process and the spans that may belong to them
// or to the next.
type steps struct {
	pending []pending
	tried   int // of pending: those for which no step was found yet
	recent  []step
	seq     uint32
	fresh   bool // steps came since the last settle
	covers  bool // one of pending covers what is beneath it
	inner   int  // how many names of inner steps have been taken into account
	first   cellKey
	firstAt uint64 // start of the first step; 0 for none
	lastEnd uint64
	last    int64    // iteration of the step that ended last; valid with lastEnd
	root    interval // the longest root span that is no step
}

// collect takes a finished span into the steps of its process.
func (p *procWriter) collect(g *spanGroup, r *row, sh *shape, attrs []otlp.Attr) {
	if r.marks.Has(run.Open | run.InvalidTime) {
		return
	}
	w := p.w
	info := w.infoOf(r.name)
	n, base, ok := sh.iterationOf(g.b, attrs)
	if base == 1 {
		n--
	}
	if r.parent.IsZero() && info.class != run.Step && !ok && !r.marks.Has(run.Truncated) {
		p.steps.noteRoot(r.start, r.end)
	}
	if info.class == run.Step && !w.isInner(r.name) {
		if !ok {
			return // no column can be named after it
		}
		w.noteBase(base)
		p.addStep(step{
			iteration: n, start: r.start, end: r.end, id: r.id, parent: r.parent, arrived: g.at, name: r.name,
			flags: stepFlags(g.b, r, sh, attrs),
		})
		return
	}
	if r.marks.Has(run.Truncated) {
		return
	}
	if ok && info.class != run.Step {
		info.facts |= saysIteration
	}
	p.push(pending{start: r.start, end: r.end, id: r.id, parent: r.parent, iteration: n, info: info})
}

// asPending is a step that turned out to lie inside of another one: a frame
// through which its spans find that one.
func (s *step) asPending() pending {
	return pending{start: s.start, end: s.end, id: s.id, parent: s.parent, info: nameInfo{class: run.Step}}
}

func (p *procWriter) push(e pending) {
	if len(p.steps.pending) == cap(p.steps.pending) {
		p.makeRoom()
	}
	p.steps.pending = append(p.steps.pending, e)
	p.steps.covers = p.steps.covers || e.info.has(coversBeneath)
}

func stepFlags(b *otlp.Batch, r *row, sh *shape, attrs []otlp.Attr) (f CellFlags) {
	if r.marks.Has(run.Truncated) {
		f |= StepTruncated
	}
	if sh.isSkipped(b, attrs) {
		f |= Skipped
	}
	return f
}

// addStep takes a step in. Of nested steps the outermost counts: the names of
// those inside are known from then on.
func (p *procWriter) addStep(s step) {
	st := &p.steps
	for i := range st.recent {
		r := &st.recent[i]
		switch {
		case r.name == s.name:
		case contains(&s, r):
			p.w.demote(r.name)
		case contains(r, &s):
			p.w.demote(s.name)
			p.push(s.asPending())
			return
		}
	}
	st.seq++
	s.seq, s.dirty = st.seq, true
	st.recent = append(st.recent, s)
	st.fresh = true
}

// contains reports whether b lies within a; of two of the same time the one that
// names the other as its parent is inside.
func contains(a, b *step) bool {
	if a.start == b.start && a.end == b.end {
		return b.parent == a.id
	}
	return a.start <= b.start && b.end <= a.end
}

// settle places what came and fills the cells of the steps that changed, after a
// group of spans.
func (p *procWriter) settle() {
	st := &p.steps
	if !st.fresh && st.tried == len(st.pending) {
		return
	}
	if st.fresh && !p.hasSteps {
		p.hasSteps = true
		if p.group != nil {
			p.group.classify() // it may begin a new attempt
		}
	}
	if st.inner != p.w.innerCount {
		st.forgetInner(p.w)
	}
	p.flagLate()
	st.placeAll()
	st.touch()
	for i := range st.recent {
		if s := &st.recent[i]; s.dirty {
			p.fill(s)
			s.dirty = false
		}
	}
	p.noteInside()
	p.noteClosed()
	st.prune()
	st.fresh, st.tried = false, len(st.pending)
}

// forgetInner lets go of steps whose name turned out to be that of an inner one.
func (st *steps) forgetInner(w *runWriter) {
	st.inner = w.innerCount
	kept := st.recent[:0]
	for _, s := range st.recent {
		if !w.isInner(s.name) {
			kept = append(kept, s)
			continue
		}
		for i := range st.pending {
			if st.pending[i].step == s.seq {
				st.pending[i].step = 0
			}
		}
		st.pending = append(st.pending, s.asPending())
	}
	st.recent = kept
	st.fresh, st.firstAt = true, 0
}

// flagLate marks the cells of earlier steps that a new checkpoint, evaluation
// and the like has touched.
func (p *procWriter) flagLate() {
	st := &p.steps
	for i := st.tried; i < len(st.pending); i++ {
		e := &st.pending[i]
		if f := e.info.breaks; f != 0 {
			p.w.columns.flagOverlap(p, e.start, e.end, f)
			if e.info.has(saysIteration) {
				p.w.columns.flag(p, cellKey{p.pub.Attempt, e.iteration}, f, 0)
			}
		}
	}
}

// touch marks the step that a checkpoint, evaluation and the like between two
// steps followed: it is part of what that iteration took, though not of its step
// span. Only the next step tells that it was between them, for children arrive
// before their step.
func (st *steps) touch() {
	from := st.tried
	if st.fresh {
		from = 0
	}
	for i := from; i < len(st.pending); i++ {
		e := &st.pending[i]
		if e.info.breaks == 0 || e.step != 0 || e.info.has(saysIteration) {
			continue
		}
		if s := st.before(e); s != nil && s.flags&e.info.breaks == 0 {
			s.flags |= e.info.breaks
			s.dirty = true
		}
	}
}

// before is the step that was over last when a span began; nil when no step began
// after it, or one ran meanwhile.
func (st *steps) before(e *pending) (last *step) {
	next := false
	for i := range st.recent {
		s := &st.recent[i]
		switch {
		case s.start < e.end && e.start < s.end:
			return nil // it overlaps a step, which is marked for that
		case s.start >= e.end:
			next = true
		case last == nil || s.end > last.end:
			last = s
		}
	}
	if !next {
		return nil
	}
	return last
}
