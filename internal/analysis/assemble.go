package analysis

import (
	"sort"

	"github.com/beamline-hpc/lensview/internal/store"
)

// table turns the nodes into groups with their statistics.
func (q *question) table() Table {
	q.sum()
	q.order()
	q.place()
	t := Table{By: make([]string, len(q.dims)), Coverage: q.coverage, ShareOf: ShareOfSteps}
	for i, d := range q.dims {
		t.By[i] = d.name
	}
	if q.scope[0] == 0 {
		t.ShareOf = ShareOfListed
	}
	groups := make([]Group, len(q.nodes))
	for i := len(q.nodes) - 1; i >= 0; i-- { // children before parents: percentiles reorder durations
		q.finish(i, groups, t.ShareOf)
	}
	t.All, t.Groups = groups[0].Stats, groups[0].Groups
	return t
}

// sum adds every node to its parent.
func (q *question) sum() {
	for i := len(q.nodes) - 1; i > 0; i-- {
		n := &q.nodes[i]
		parent := &q.nodes[n.parent]
		parent.add(n.counts)
		parent.stages = append(parent.stages, n.stages...)
		parent.kids = append(parent.kids, int32(i))
		if n.hist != nil {
			q.histogram(n.parent).merge(n.hist)
		}
	}
}

// order sorts children: names and attributes by total, the largest first, facts
// of processes by value.
func (q *question) order() {
	for i := range q.nodes {
		kids := q.nodes[i].kids
		if len(kids) == 0 {
			continue
		}
		d := q.dims[q.nodes[i].level]
		sort.Slice(kids, func(a, b int) bool {
			x, y := &q.nodes[kids[a]], &q.nodes[kids[b]]
			if c := x.counts.sum.Compare(y.counts.sum); c != 0 && d.process == nil {
				return c > 0
			}
			return d.labels[x.value].less(d.labels[y.value])
		})
	}
}

// place sorts the collected durations by leaf, so that those of any node are
// neighbours, and tells each node where its own are.
func (q *question) place() {
	sizes := make([]int, len(q.nodes))
	for _, leaf := range q.taken.leaf {
		sizes[leaf]++
	}
	at := 0
	q.depthFirst(func(i int32) {
		q.nodes[i].from = at
		at += sizes[i]
		q.nodes[i].to = at
	})
	for i := len(q.nodes) - 1; i > 0; i-- {
		parent := &q.nodes[q.nodes[i].parent]
		parent.to = max(parent.to, q.nodes[i].to)
	}
	sorted := make([]uint64, len(q.taken.ns))
	next := make([]int, len(q.nodes))
	for k, leaf := range q.taken.leaf {
		sorted[q.nodes[leaf].from+next[leaf]] = q.taken.ns[k]
		next[leaf]++
	}
	q.taken.ns, q.taken.leaf = sorted, nil
}

// depthFirst visits nodes in the order shown.
func (q *question) depthFirst(visit func(int32)) {
	stack := []int32{0}
	for len(stack) > 0 {
		i := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		visit(i)
		kids := q.nodes[i].kids
		for k := len(kids) - 1; k >= 0; k-- {
			stack = append(stack, kids[k])
		}
	}
}

// finish writes group i.
func (q *question) finish(i int, groups []Group, of ShareOf) {
	n := &q.nodes[i]
	s := n.stats()
	switch {
	case len(n.stages) > 0:
		fromStages(&s, n.stages)
	case n.hist != nil:
		s.setPercentiles(n.hist.percentiles(), n.hist.n, true)
	case n.to > n.from:
		s.setPercentiles(selectPercentiles(q.taken.ns[n.from:n.to]), uint64(n.to-n.from), false)
	}
	whole := q.scope[n.scope]
	if of == ShareOfListed {
		whole = q.nodes[0].sum.Seconds()
	}
	if whole > 0 && s.N > 0 {
		s.Share = s.Total / whole
	}
	g := Group{Stats: s}
	if n.level > 0 {
		d := q.dims[n.level-1]
		l := d.labels[n.value]
		g.By, g.Value, g.Known = d.name, l.text, l.known
	}
	for _, k := range n.kids {
		g.Groups = append(g.Groups, &groups[k])
	}
	groups[i] = g
}

// fromStages reads percentiles of the whole run.
func fromStages(s *Stats, stages []*store.StageStat) {
	merged := store.MergeStages(stages...)
	if merged.Count == 0 {
		return
	}
	p50, exact := merged.Quantile(0.50)
	p95, _ := merged.Quantile(0.95)
	p99, _ := merged.Quantile(0.99)
	s.setPercentiles(percentiles[uint64]{p50, p95, p99}, merged.Count, !exact)
}
