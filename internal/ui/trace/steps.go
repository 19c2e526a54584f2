package tracescreen

import (
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// place is a spot with its time. there is false when the process has no such
// step, or none that is remembered.
type place struct {
	at     spot
	window store.Window
	there  bool
}

// slackOf is how exactly the times of steps are known: columns keep float32.
func slackOf(w store.Window) uint64 { return 10_000 + (w.End-w.Start)/1_000_000 }

// decide finds a spot among the steps of a process, which are by start.
func decide(steps []store.Window, p *store.Process, at spot) place {
	if len(steps) == 0 {
		if at.kind == atStep {
			return place{at: at}
		}
		return place{at: spot{kind: whole}, window: between(p.Start, p.End), there: true}
	}
	last := steps[len(steps)-1]
	switch at.kind {
	case newest:
		return place{stepAt(last), last, true}
	case whole: // the first step has come
		return place{stepAt(steps[0]), steps[0], true}
	case head:
		return place{at, between(p.Start, steps[0].Start), true}
	}
	i := indexOf(steps, at)
	if i < 0 {
		return place{at: at}
	}
	return decideAt(steps, i, p, at)
}

func decideAt(steps []store.Window, i int, p *store.Process, at spot) place {
	w, more := steps[i], i+1 < len(steps)
	switch {
	case at.kind == atStep:
		return place{stepAt(w), w, true}
	case at.kind == tail && more: // it was finished since
		return place{stepAt(steps[i+1]), steps[i+1], true}
	case more:
		return place{afterAt(w), between(w.End, steps[i+1].Start), true}
	}
	return place{tailAt(w), between(w.End, p.End), true}
}

// indexOf is the step that a spot names, −1 when it is not there.
func indexOf(steps []store.Window, at spot) int {
	return slices.IndexFunc(steps, func(w store.Window) bool {
		return w.Iteration == at.iteration && (w.Attempt == at.attempt || at.attempt == anyAttempt)
	})
}

// between is a window that is not empty.
func between(from, to uint64) store.Window { return store.Window{Start: from, End: max(to, from+1)} }

// move is the spot before or after another; ok is false at the ends.
func move(r *store.Run, p int, steps []store.Window, at spot, by int) (next spot, ok bool) {
	i := indexOf(steps, at)
	switch {
	case len(steps) == 0 || at.kind == tail && by > 0 || at.kind == head && by < 0:
		return at, false
	case at.kind == head:
		return stepAt(steps[0]), true
	case i < 0:
		return stepAt(steps[len(steps)-1]), true
	case at.kind != atStep && by < 0:
		return stepAt(steps[i]), true
	case at.kind == afterStep:
		return stepAt(steps[i+1]), true
	case by > 0:
		return following(r, p, steps, i), true
	}
	return preceding(r, p, steps, i)
}

func following(r *store.Run, p int, steps []store.Window, i int) spot {
	switch {
	case i == len(steps)-1:
		return tailAt(steps[i])
	case occupied(r, p, between(steps[i].End, steps[i+1].Start)):
		return afterAt(steps[i])
	}
	return stepAt(steps[i+1])
}

func preceding(r *store.Run, p int, steps []store.Window, i int) (spot, bool) {
	switch {
	case i == 0 && occupied(r, p, between(r.Processes[p].Start, steps[0].Start)):
		return spot{kind: head}, true
	case i == 0:
		return stepAt(steps[0]), false
	case occupied(r, p, between(steps[i-1].End, steps[i].Start)):
		return afterAt(steps[i-1]), true
	}
	return stepAt(steps[i-1]), true
}

// occupied reports whether a span of the process lies within a time between its
// steps: a checkpoint, an evaluation, the set-up.
func occupied(r *store.Run, p int, w store.Window) bool {
	slack := slackOf(w)
	for _, ref := range r.ProcessSpans(p, w.Start, w.End) {
		c, i := r.Chunk(ref.Chunk), int(ref.Row)
		start, end := c.Start(i), c.End(i)
		if !c.Marks(i).Has(run.Open|run.InvalidTime) && start+slack >= w.Start && end <= w.End+slack && end-start > slack {
			return true
		}
	}
	return false
}
