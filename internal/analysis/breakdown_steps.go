package analysis

import (
	"cmp"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// mostBroken is over how many ranks a breakdown is taken at most; of more, ranks
// at equal distances stand for all.
const mostBroken = 256

// stepSpans is the finished spans inside of one step of one process, cut to it.
// Times are ns after the step's start.
type stepSpans struct {
	column  int // of the steps asked for, the newest last
	process int
	start   uint64
	length  uint64
	spans   []inStep
}

// inStep is one span of a step.
type inStep struct {
	from, to   uint64
	name       uint16
	bucket     uint8 // of rl.bucket, 0 for none
	id, parent run.SpanID
}

// stepWindows finds the spans of the last clean steps of some ranks in one pass
// over the retained spans.
type stepWindows struct {
	run     *store.Run
	ranks   []int // processes
	all     int   // ranks there are
	columns []*store.Column
	byProc  map[int][]*stepSpans // by start
}

// newStepWindows takes the last n clean iterations (0 is DefaultSteps) of the
// ranks that the filter lets through, at most limit of them.
func newStepWindows(sc Scope, n, limit int) *stepWindows {
	if n <= 0 {
		n = DefaultSteps
	}
	return windowsOf(sc, lastClean(sc.Run, n), limit)
}

// windowsOf is the windows of these iterations.
func windowsOf(sc Scope, columns []*store.Column, limit int) *stepWindows {
	w := &stepWindows{run: sc.Run, byProc: map[int][]*stepSpans{}, columns: columns}
	ranks := rankProcesses(sc)
	w.all = len(ranks)
	for i := range min(len(ranks), limit) {
		w.ranks = append(w.ranks, ranks[i*len(ranks)/min(len(ranks), limit)])
	}
	for k, c := range w.columns {
		for _, p := range w.ranks {
			cell, ok := c.Cell(p)
			if !ok || !(cell.Step > 0) {
				continue
			}
			start := uint64(c.Base + int64(float64(cell.Start)*1e9))
			w.byProc[p] = append(w.byProc[p], &stepSpans{column: k, process: p, start: start, length: uint64(float64(cell.Step) * 1e9)})
		}
	}
	for _, list := range w.byProc {
		slices.SortFunc(list, func(a, b *stepSpans) int { return cmp.Compare(a.start, b.start) })
	}
	return w
}

// lastClean is the last n iterations of the latest attempt that are in step
// statistics, oldest first.
func lastClean(r *store.Run, n int) []*store.Column {
	why := exclusions(r)
	var out []*store.Column
	for i := len(r.Columns) - 1; i >= 0 && len(out) < n; i-- {
		c := r.Columns[i]
		if c.Attempt != r.Columns[len(r.Columns)-1].Attempt {
			break
		}
		if why(c) == "" {
			out = append(out, c)
		}
	}
	slices.Reverse(out)
	return out
}

// collect puts the retained spans into their steps.
func (w *stepWindows) collect() {
	from, to := w.extent()
	buckets := store.NewKey(bucketKey)
	for _, c := range w.run.Chunks {
		if !c.Overlaps(from, to) {
			continue
		}
		lists := map[int][]*stepSpans{} // a chunk has few processes
		for i := range c.Len() {
			p := c.Process(i)
			list, seen := lists[p]
			if !seen {
				list = w.byProc[p]
				lists[p] = list
			}
			if len(list) > 0 {
				w.put(c, i, list, buckets)
			}
		}
	}
}

func (w *stepWindows) extent() (from, to uint64) {
	from = 1<<64 - 1
	for _, list := range w.byProc {
		last := list[len(list)-1]
		from, to = min(from, list[0].start), max(to, last.start+last.length)
	}
	return from, to
}

// put cuts row i to the step that it is in. What surrounds a step, such as the
// job, is none of its parts, and neither is the step itself or a frame of it.
func (w *stepWindows) put(c *store.Chunk, i int, list []*stepSpans, buckets *store.KeyHandle) {
	ns, ok := c.Duration(i)
	if !ok || c.Dead(i) || w.run.Names[c.NameID(i)].Phase.Class == run.Step && !w.inBucket(c, i, buckets) {
		return
	}
	start := c.Start(i)
	k, _ := slices.BinarySearchFunc(list, start+ns/2, func(s *stepSpans, at uint64) int { return cmp.Compare(s.start, at) })
	if k == 0 {
		return
	}
	s := list[k-1]
	end, last, slack := start+ns, s.start+s.length, s.slack()
	surrounds := start+slack < s.start && end > last+slack
	if surrounds || start >= last || end <= s.start {
		return
	}
	e := inStep{
		from: max(start, s.start) - s.start, to: min(end, last) - s.start,
		name: uint16(c.NameID(i)), id: c.ID(i), parent: c.Parent(i),
	}
	if v, ok := c.Value(i, buckets); ok {
		e.bucket = bucketNamed(v.Str())
	}
	if e.to > e.from {
		s.spans = append(s.spans, e)
	}
}

func (w *stepWindows) inBucket(c *store.Chunk, i int, buckets *store.KeyHandle) bool {
	v, ok := c.Value(i, buckets)
	return ok && bucketNamed(v.Str()) != 0
}

// slack is how exactly the window of a step is known.
func (s *stepSpans) slack() uint64 {
	return slackOf(store.Window{Start: s.start, End: s.start + s.length})
}

// each calls f for every step that has spans, and counts those that have none.
func (w *stepWindows) each(f func(s *stepSpans)) (bare int) {
	for _, p := range w.ranks {
		for _, s := range w.byProc[p] {
			if len(s.spans) == 0 {
				bare++
			}
			f(s)
		}
	}
	return bare
}
