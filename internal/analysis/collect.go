package analysis

import (
	"context"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// maxExact is up to how many retained spans the percentiles are exact: 12 bytes
// each while they are collected, 8 more while they are sorted.
const maxExact = 1 << 21

// collection is the durations of the retained spans with the leaf of each.
type collection struct {
	ns    []uint64
	leaf  []int32
	over  bool // too many: they are in the leaves' histograms
	limit int
}

// scan goes over the retained spans of all scopes.
func (q *question) scan(ctx context.Context) error {
	if q.taken.limit == 0 {
		q.taken.limit = maxExact
	}
	for k, s := range q.scopes {
		steps := newStepTimes(s.Run)
		for _, c := range s.Run.Chunks {
			if err := ctx.Err(); err != nil {
				return err
			}
			q.scanChunk(k, c, steps)
		}
		if !q.wholeRun {
			steps.each(func(p int, sec float64) { q.addSteps(q.cursors[k], p, sec) })
		}
	}
	return nil
}

func (q *question) scanChunk(k int, c *store.Chunk, steps *stepTimes) {
	s, cur := q.scopes[k], q.cursors[k]
	for i := range c.Len() {
		if c.Dead(i) || !s.span(c, i) {
			continue
		}
		leaf := cur.span(c, i)
		ns, ok := c.Duration(i)
		if !q.wholeRun {
			q.nodes[leaf].span(c.Marks(i), ns)
		}
		if ok {
			q.take(leaf, ns)
			steps.add(c, i, ns)
		}
	}
}

func (q *question) take(leaf int32, ns uint64) {
	t := &q.taken
	if !t.over && len(t.ns) < t.limit {
		t.ns, t.leaf = append(t.ns, ns), append(t.leaf, leaf)
		return
	}
	if !t.over {
		t.over = true
		for i, ns := range t.ns {
			q.histogram(t.leaf[i]).add(ns)
		}
		t.ns, t.leaf = nil, nil
	}
	q.histogram(leaf).add(ns)
}

func (q *question) histogram(node int32) *logHist {
	n := &q.nodes[node]
	if n.hist == nil {
		n.hist = &logHist{}
	}
	return n.hist
}

// stepSeconds is the step time of a process: of its span names of class step the
// one with the largest total, because steps may be nested.
func stepSeconds(r *store.Run, p *store.Process) float64 {
	most := run.Sum{}
	for _, st := range p.Stats() {
		if r.Names[st.Name].Phase.Class == run.Step && st.Sum.Compare(most) > 0 {
			most = st.Sum
		}
	}
	return most.Seconds()
}

// stepTimes is stepSeconds over the spans that were looked at.
type stepTimes struct {
	run *store.Run
	sum map[[2]int]uint64 // (process, name) → ns
}

func newStepTimes(r *store.Run) *stepTimes {
	return &stepTimes{run: r, sum: map[[2]int]uint64{}}
}

func (t *stepTimes) add(c *store.Chunk, i int, ns uint64) {
	if name := c.NameID(i); t.run.Names[name].Phase.Class == run.Step {
		t.sum[[2]int{c.Process(i), name}] += ns
	}
}

func (t *stepTimes) each(f func(process int, seconds float64)) {
	most := map[int]uint64{}
	for k, ns := range t.sum {
		most[k[0]] = max(most[k[0]], ns)
	}
	for p, ns := range most {
		f(p, seconds(ns))
	}
}

// addSteps adds the step time of process p to every scope that it belongs to.
func (q *question) addSteps(c *cursor, p int, sec float64) {
	scope := int32(0)
	c.scope[0] += sec
	for d := range c.dims {
		if c.process[d] == nil || c.keys[d] != nil {
			continue
		}
		scope = c.child(c.shape, scope, c.process[d][p], c.newScope)
		c.scope[scope] += sec
	}
}
