package store

import (
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// procWriter is a process as the writer has it. What readers see is cloned on
// the first change after a snapshot.
type procWriter struct {
	w   *runWriter
	pub *Process
	gen uint64
	key procKey

	local    uint16 // place in the open chunk's processes
	localSeq uint32 // of which chunk
	statAt   []uint16
	stage    *stageRow
	group    *group
	open     int // open spans
	lastEnd  uint64
	hasSteps bool // it sends step spans with an iteration
	steps    steps

	pendingRoom   int    // of steps.pending, as last counted by the store
	sent          int    // attributes of the resource that is shown, as sent
	resourceBytes uint64 // of it, beyond what each process is charged
}

// own is the process for writing.
func (p *procWriter) own() *Process {
	if p.gen != p.w.s.gen {
		c := *p.pub
		c.stats = slices.Clone(c.stats)
		p.pub, p.gen = &c, p.w.s.gen
		p.w.procsChanged = true
	}
	return p.pub
}

// touch notes that something of the signal came at the receive time.
func (p *procWriter) touch(sig run.Signal, at int64, items int) {
	pub := p.own()
	pub.First = min(pub.First, at)
	pub.Last = max(pub.Last, at)
	switch sig {
	case run.Traces:
		pub.LastSpan = max(pub.LastSpan, at)
		pub.Spans += uint64(items)
	case run.Metrics:
		pub.notePoints(at)
		pub.Points += uint64(items)
	case run.Logs:
		pub.LastLog = max(pub.LastLog, at)
		pub.Logs += uint64(items)
	}
}

// span takes a new span into the process's counts and roll-ups. An open one has
// nothing to count yet: it will come again.
func (p *procWriter) span(name uint16, start, end uint64, marks run.Mark) {
	pub := p.own()
	if !marks.Has(run.InvalidTime) {
		pub.widen(start, max(start, end))
	}
	if marks.Has(run.Open) {
		return
	}
	pub.count(marks)
	if marks.Has(run.Truncated) {
		pub.noteTruncated(name, start, end)
	}
	ns := end - start
	p.stat(name).note(ns, marks)
	p.stageStat(name).note(p.w.s, ns, marks)
	if !marks.Has(run.NoDuration) && end >= p.lastEnd {
		p.lastEnd, pub.LastName = end, int(name)
	}
}

// count takes a finished span's marks in.
func (p *Process) count(marks run.Mark) {
	if marks.Has(run.Failed) {
		p.Errors++
	}
	if marks.Has(run.Truncated) {
		p.Truncated++
	} else if marks.Has(run.InvalidTime) {
		p.Invalid++
	}
}

// widen takes sane times into the process's range.
func (p *Process) widen(start, end uint64) {
	if p.Start == 0 || start < p.Start {
		p.Start = start
	}
	p.End = max(p.End, end)
}
