package tracescreen

import (
	"cmp"
	"slices"
	"sort"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// flat is the place of a node among those of all lanes.
func (c *content) flat(lane, node int) int { return c.lanes[lane].base + node }

// unflat is the reverse of flat.
func (c *content) unflat(i int) (lane, node int) {
	lane = sort.Search(len(c.lanes), func(k int) bool { return c.lanes[k].base > i }) - 1
	return lane, i - c.lanes[lane].base
}

// each visits the nodes that the filter leaves, in order, folded ones too.
func (c *content) each(visit func(lane, node int)) {
	for k := range c.lanes {
		l := &c.lanes[k]
		for i := range l.tree.Nodes {
			if !l.hides(i) {
				visit(k, i)
			}
		}
	}
}

// seek goes to the next node, up or down and around the ends, and reports whether
// there is one. The one in focus comes last.
func (m *Model) seek(by int, wanted func(*analysis.Node) bool) bool {
	c := m.content
	if c.total == 0 {
		return false
	}
	i := m.cursorFlat(by)
	for range c.total {
		i = (i + by + c.total) % c.total
		lane, node := c.unflat(i)
		if !c.lanes[lane].hides(node) && wanted(c.node(lane, node)) {
			m.goTo(lane, node)
			return true
		}
	}
	return false
}

// cursorFlat is where the cursor stands among all nodes: on a lane, right before
// its first one.
func (m *Model) cursorFlat(by int) int {
	lane, i, ok := m.focus()
	switch {
	case !ok:
		return m.content.total - 1
	case i >= 0:
		return m.content.flat(lane, i)
	case by < 0:
		return m.content.flat(lane, 0)
	}
	return m.content.flat(lane, 0) - 1
}

func (m *Model) nextError(by int) {
	if !m.seek(by, func(n *analysis.Node) bool { return n.SpanMarks.Has(run.Failed) }) {
		m.note = "no span here has an error"
	}
}

func (m *Model) nextMarked(by int) {
	if !m.seek(by, unusual) {
		m.note = "no span here has a mark"
	}
}

// slowList is the nodes by own time, the longest first, and which of them was
// visited last.
type slowList struct {
	nodes []slowNode // nil until asked for
	at    int
}

type slowNode struct {
	lane, node int
	own        uint64
}

// maxSlow is how many slow spans one can go through.
const maxSlow = 100

// nextSlow goes through the spans that took longest by themselves.
func (m *Model) nextSlow(by int) {
	s := &m.slow
	if s.nodes == nil {
		s.nodes, s.at = slowest(m.content), -1
		if by < 0 {
			s.at = 0
		}
	}
	if len(s.nodes) == 0 {
		m.note = "no span here has a time of its own"
		return
	}
	s.at = (s.at + by + len(s.nodes)) % len(s.nodes)
	at := s.nodes[s.at]
	m.goTo(at.lane, at.node)
	m.note = draw.Count(s.at+1) + ". by own time: " + draw.Duration(float64(at.own))
}

func slowest(c *content) []slowNode {
	all := []slowNode{}
	c.each(func(lane, node int) {
		n := c.node(lane, node)
		if own, ok := ownTime(c.lanes[lane].tree, node); ok && own > 0 && !n.SpanMarks.Has(run.NoDuration) {
			all = append(all, slowNode{lane, node, own})
		}
	})
	slices.SortStableFunc(all, func(a, b slowNode) int { return cmp.Compare(b.own, a.own) })
	return all[:min(len(all), maxSlow)]
}

// ownTime is the time of a node in which none of its children was there, in
// nanoseconds; ok is false when it has no sane time.
func ownTime(t *analysis.Tree, node int) (ns uint64, ok bool) {
	n := &t.Nodes[node]
	took, ok := n.Duration()
	if !ok {
		return 0, false
	}
	end, covered, reached := n.Start+took, uint64(0), n.Start
	for i := node + 1; i < n.SubtreeEnd; i = t.Nodes[i].SubtreeEnd { // by start
		k := &t.Nodes[i]
		long, ok := k.Duration()
		if !ok {
			continue
		}
		from, to := max(k.Start, reached), min(k.Start+long, end)
		if to > from {
			covered, reached = covered+to-from, to
		}
	}
	return took - covered, true
}
