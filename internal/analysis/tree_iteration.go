package analysis

import (
	"slices"

	"github.com/beamline-hpc/lensview/internal/store"
)

// IterationTree is the tree of one step: the retained spans of the given
// processes of a run that overlap the window, a process after the other by rank.
// Spans that reach beyond it, such as the job, are there and marked Outside; the
// tree's window is the step's.
func IterationTree(s *store.Snapshot, r *store.Run, processes []int, w store.Window) *Tree {
	at := slices.Index(s.Runs, r)
	if at < 0 || w.End <= w.Start {
		return &Tree{}
	}
	var refs []store.GlobalRef
	for _, p := range processes {
		for _, ref := range r.ProcessSpans(p, w.Start, w.End) {
			if c := r.Chunk(ref.Chunk); c != nil && inWindow(c, int(ref.Row), w) {
				refs = append(refs, store.GlobalRef{Run: at, Ref: ref})
			}
		}
	}
	t := newTree(s, refs, true)
	t.From, t.To = w.Start, w.End
	slack := slackOf(w)
	for i := range t.Nodes {
		n := &t.Nodes[i]
		if !n.Marks.Has(NoTime) && (n.Start+slack < w.Start || n.reach() > w.End+slack) {
			n.Marks |= Outside
		}
	}
	return t
}

// slackOf is how exactly a window is known: columns keep times as float32.
func slackOf(w store.Window) uint64 { return 10_000 + (w.End-w.Start)/1_000_000 }

// Widen is a window in which the spans of a step are found: that of the step,
// unless the step is shorter than windows are known exactly.
func Widen(w store.Window) store.Window {
	if slack := slackOf(w); w.End >= w.Start && w.End-w.Start < 4*slack {
		w.Start -= min(w.Start, 2*slack)
		w.End += 2 * slack
	}
	return w
}

// inWindow leaves out the neighbouring steps, which only touch the window.
func inWindow(c *store.Chunk, i int, w store.Window) bool {
	slack := slackOf(w)
	start, end := c.Start(i), c.End(i)
	if start+slack < w.Start {
		return end > w.Start+slack || end == 0
	}
	return start+slack < w.End
}
