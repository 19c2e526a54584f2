package store

import "github.com/beamline-hpc/lensview/internal/run"

// Inside is how far a process has come in the iteration after its last finished
// one: children arrive before their step.
type Inside struct {
	Ended int // spans of it that have ended
	Usual int // spans that a usual step of the process has; 0 when unknown
}

// noteUsual remembers how many spans a step has; an unusual one only until there
// is another.
func (p *procWriter) noteUsual(s *step, flags CellFlags, spans int) {
	unusual := flags&(FirstOfAttempt|HasCheckpoint|HasEvaluate|HasGraphCapture|StepTruncated) != 0
	if s.end < p.steps.lastEnd || unusual && p.pub.Inside.Usual > 0 {
		return
	}
	p.own().Inside.Usual = spans
}

// noteInside counts the spans after the last finished step: the new ones, or all
// anew when a step came.
func (p *procWriter) noteInside() {
	st := &p.steps
	from, n := st.tried, p.pub.Inside.Ended
	if st.fresh {
		from, n = 0, 0
	}
	for i := from; i < len(st.pending); i++ {
		if st.isAhead(&st.pending[i]) {
			n++
		}
	}
	if n != p.pub.Inside.Ended {
		p.own().Inside.Ended = n
	}
}

// isAhead reports whether a span belongs to the step after the last finished one.
func (st *steps) isAhead(e *pending) bool {
	if e.step != 0 || e.info.class == run.Step || e.info.breaks != 0 {
		return false
	}
	if e.info.has(saysIteration) {
		return st.lastEnd == 0 || e.iteration > st.last
	}
	return e.start >= st.lastEnd
}

// Stuck is the deepest span that was closed by force when a process was shut
// down: of spans that are open at one time the innermost started last.
type Stuck struct {
	Name       int // name id; valid when Start is not 0
	Start, End uint64
	Depth      int // open spans above it
}

func (p *Process) noteTruncated(name uint16, start, end uint64) {
	if p.Stuck.Start != 0 {
		p.Stuck.Depth++
	}
	if start >= p.Stuck.Start {
		p.Stuck.Name, p.Stuck.Start, p.Stuck.End = int(name), start, end
	}
}

// noteRoot remembers the longest root span that is no step: a job.
func (st *steps) noteRoot(start, end uint64) {
	if end-start >= st.root.to-st.root.from {
		st.root = interval{start, end}
	}
}

// noteClosed finds out whether the job's span is closed: it ends after all steps
// and began before them. One step alone may have a root of its own.
func (p *procWriter) noteClosed() {
	st := &p.steps
	var closed uint64
	if st.seq > 1 && st.root.to != 0 && st.root.from <= st.firstAt && st.root.to >= st.lastEnd {
		closed = st.root.to
	}
	if closed != p.pub.Closed {
		p.own().Closed = closed
	}
}

// sameReceipt is the time within which points count as one receipt.
const sameReceipt = int64(50e6)

// notePoints notes a receipt of points: how usual the time since the last is.
func (p *Process) notePoints(at int64) {
	if gap := at - p.LastPoint; p.LastPoint != 0 && gap > sameReceipt {
		if p.PointEvery == 0 {
			p.PointEvery = gap
		} else {
			p.PointEvery = (3*p.PointEvery + gap) / 4
		}
	}
	p.LastPoint = max(p.LastPoint, at)
}
