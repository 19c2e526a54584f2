package store

import "github.com/beamline-hpc/lensview/internal/run"

// placeAll finds the steps of the spans that have none: all of them when a step
// came, else those that came.
func (st *steps) placeAll() {
	from := st.tried
	if st.fresh {
		from = 0
	}
	var placed map[run.SpanID]*step // by their parent
	for more := true; more; {
		more = st.placeFrom(from, &placed)
	}
}

// placeFrom goes over spans once, newest first because parents mostly come after
// their children. It reports whether a span was placed beneath its parent: that
// may place others.
func (st *steps) placeFrom(from int, placed *map[run.SpanID]*step) (more bool) {
	for i := len(st.pending) - 1; i >= from; i-- {
		e := &st.pending[i]
		if e.step != 0 {
			continue
		}
		s := st.within(e)
		if s == nil && !e.info.has(saysIteration) {
			if s = st.beneath(e, *placed); s != nil {
				if *placed == nil {
					*placed = map[run.SpanID]*step{}
				}
				(*placed)[e.id] = s
				more = true
			}
		}
		if s != nil {
			e.step, s.dirty = s.seq, true
		}
	}
	return more
}

// within is the step that a span says it belongs to, else the one step whose
// time contains its start.
func (st *steps) within(e *pending) *step {
	var found *step
	for i := len(st.recent) - 1; i >= 0; i-- {
		s := &st.recent[i]
		if e.info.has(saysIteration) {
			if s.iteration == e.iteration {
				return s
			}
			continue
		}
		if s.start <= e.start && e.start < s.end {
			if found != nil {
				return nil // steps overlap: only an ancestor can tell
			}
			found = s
		}
	}
	return found
}

// beneath is the step that is an ancestor of a span.
func (st *steps) beneath(e *pending, placed map[run.SpanID]*step) *step {
	if e.parent.IsZero() {
		return nil
	}
	for i := range st.recent {
		if st.recent[i].id == e.parent {
			return &st.recent[i]
		}
	}
	return placed[e.parent]
}

// prune lets go of steps that are no more recent, of their spans, and of spans
// before them that found no step.
func (st *steps) prune() {
	extra := len(st.recent) - recentSteps
	if extra <= 0 {
		return
	}
	old := st.recent[extra-1]
	kept := st.pending[:0]
	st.covers = false
	for _, e := range st.pending {
		gone := e.step != 0 && e.step <= old.seq || e.step == 0 && e.end <= old.start
		if !gone || e.info.breaks != 0 && e.end > old.end {
			st.covers = st.covers || e.info.has(coversBeneath)
			kept = append(kept, e)
		}
	}
	st.pending = kept
	st.recent = append(st.recent[:0], st.recent[extra:]...)
}

// Bounds of a process's pending spans: what every process may have, and what one
// may have that never sent a step.
const (
	minPending  = 64
	idlePending = 2048
)

// makeRoom is for a full buffer. Steps that came are settled, so that what went
// into them can go; else the buffer grows up to the process's share of the pool.
// Beyond that the older half goes, so that a span costs no shift of all others;
// it is counted where it might have belonged to a step.
func (p *procWriter) makeRoom() {
	p.settle()
	s, st := p.w.s, &p.steps
	limit := max(minPending, s.limits.pending/max(s.processes, 1))
	if !p.hasSteps {
		limit = min(limit, idlePending)
	}
	if len(st.pending) >= limit {
		n := len(st.pending) - limit/2
		for _, e := range st.pending[:n] {
			if e.step == 0 && p.hasSteps {
				s.dropped++
			}
		}
		st.pending = append(st.pending[:0], st.pending[n:]...)
		st.tried = len(st.pending)
	}
	if 4*len(st.pending) > 3*cap(st.pending) {
		room := min(max(minPending, 2*cap(st.pending)), limit)
		st.pending = append(make([]pending, 0, room), st.pending...)
	}
	s.pendingRoom += cap(st.pending) - p.pendingRoom
	p.pendingRoom = cap(st.pending)
}
