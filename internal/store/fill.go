package store

import (
	"cmp"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// interval is a time range in unix ns.
type interval struct{ from, to uint64 }

// intervals is scratch for the spans of one step, by class; compute by level.
type intervals struct {
	compute [computeLevels][]interval
	byClass [run.ClassCount][]interval
	gc      []interval
	both    []interval
	covered map[run.SpanID]nameInfo

	spans, forwards, passes int    // of the step: all, forward passes of microbatches, all their passes
	collective, wait        uint64 // start of the last wait in which ranks meet, of the last of any kind; 0 for none
}

func (v *intervals) reset() {
	for i := range v.compute {
		v.compute[i] = v.compute[i][:0]
	}
	for i := range v.byClass {
		v.byClass[i] = v.byClass[i][:0]
	}
	v.gc = v.gc[:0]
	v.spans, v.forwards, v.passes, v.collective, v.wait = 0, 0, 0, 0, 0
}

// fill computes the cell of a step from its spans and writes it into its column.
func (p *procWriter) fill(s *step) {
	st := &p.steps
	v := &p.w.s.scratch
	v.reset()
	flags := s.flags
	cover := st.coverage(s, v)
	for i := len(st.pending) - 1; i >= 0; i-- {
		e := &st.pending[i]
		info := e.info
		inside := e.start < s.end && e.end > s.start
		if inside || e.step == s.seq {
			flags |= info.breaks
		}
		if inside && info.breaks == HasGC {
			v.gc = append(v.gc, interval{max(e.start, s.start), min(e.end, s.end)})
		}
		if e.step != s.seq || info.breaks != 0 && !inside {
			continue // a checkpoint after its iteration's step takes none of its time
		}
		if cover {
			info = v.cover(e)
		}
		v.add(e, info)
	}
	p.write(s, v.cell(s, flags))
	p.noteUsual(s, flags, v.spans)
}

// add takes a span's time in. A step inside of the step is only a frame.
func (v *intervals) add(e *pending, info nameInfo) {
	iv := interval{e.start, e.end}
	switch info.class {
	case run.Step:
		return
	case run.Compute:
		v.compute[info.level] = append(v.compute[info.level], iv)
		v.countPass(info)
	default:
		v.byClass[info.class] = append(v.byClass[info.class], iv)
		v.noteWait(e, info)
	}
	v.spans++
}

// cell is the unions as seconds.
func (v *intervals) cell(s *step, flags CellFlags) Cell {
	c := Cell{Step: float32(math.NaN()), Flags: flags, step: s.name + 1}
	if flags&StepTruncated == 0 {
		c.Step = seconds(s.end - s.start)
	}
	level := microbatch
	for level > otherCompute && len(v.compute[level]) == 0 {
		level--
	}
	if level < microbatch {
		c.Flags |= ComputeIsUmbrella
	}
	c.Level, c.Microbatches = v.levelOf(level), v.microbatches()
	c.gc, c.lastWait = v.gcShare(s), v.lastWaitShare(s)
	c.Compute = seconds(v.withoutGC(v.compute[level]))
	c.Wait = seconds(union(v.byClass[run.Wait]))
	c.IO = seconds(union(v.byClass[run.IO]))
	c.Other = seconds(union(v.byClass[run.Other]))
	return c
}

func seconds(ns uint64) float32 { return float32(float64(ns) / 1e9) }

// union is the length of the union of intervals, which it sorts.
func union(ivs []interval) (ns uint64) {
	byStart := func(a, b interval) int { return cmp.Compare(a.from, b.from) }
	if !slices.IsSortedFunc(ivs, byStart) {
		slices.SortFunc(ivs, byStart)
	}
	var end uint64
	for _, iv := range ivs {
		if iv.from > end {
			end = iv.from
		}
		if iv.to > end {
			ns += iv.to - end
			end = iv.to
		}
	}
	return ns
}

// coverDepth bounds how deep below an evaluation a span is still found, and how
// long spans are followed that are each other's ancestors.
const coverDepth = 64

// coverage finds the spans of a step that lie beneath an evaluation, a checkpoint
// or a report and so belong to it; false when the step has none. What comes is in
// any order, so it goes over the spans, newest first because parents mostly come
// after their children, until nothing changes.
func (st *steps) coverage(s *step, v *intervals) bool {
	if !st.covers {
		return false
	}
	if v.covered == nil {
		v.covered = map[run.SpanID]nameInfo{}
	}
	clear(v.covered)
	changed := true
	for pass := 0; changed && pass < coverDepth; pass++ {
		changed = false
		for i := len(st.pending) - 1; i >= 0; i-- {
			if e := &st.pending[i]; e.step == s.seq && v.coverOne(e) {
				changed = true
			}
		}
	}
	return len(v.covered) > 0
}

// coverOne looks what covers a span, and reports whether that is news: what
// covers its parent, so that the one nearest to the root decides, else it itself.
func (v *intervals) coverOne(e *pending) bool {
	info, covered := v.covered[e.parent]
	if !covered {
		info, covered = e.info, e.info.has(coversBeneath)
	}
	if old, known := v.covered[e.id]; !covered || known && old == info {
		return false
	}
	v.covered[e.id] = info
	return true
}

// cover is what decides a span's class: that of a span above it, else its own.
func (v *intervals) cover(e *pending) nameInfo {
	if info, ok := v.covered[e.id]; ok {
		return info
	}
	return e.info
}

// write puts a step's cell into its column and notes what is last and first.
func (p *procWriter) write(s *step, c Cell) {
	ring := &p.w.columns
	key := cellKey{p.pub.Attempt, s.iteration}
	if st := &p.steps; st.firstAt == 0 || s.start < st.firstAt {
		if st.firstAt != 0 && st.first != key {
			ring.flag(p, st.first, 0, FirstOfAttempt)
		}
		st.first, st.firstAt = key, s.start
	}
	if p.steps.first == key {
		c.Flags |= FirstOfAttempt
	}
	ring.put(p, key, s, c)
	if c.Flags&StepTruncated == 0 && s.end >= p.steps.lastEnd {
		p.steps.lastEnd, p.steps.last = s.end, s.iteration
		pub := p.own()
		pub.Iteration, pub.HasIteration, pub.IterationAt = s.iteration+ring.shift(), true, s.arrived
	}
}
