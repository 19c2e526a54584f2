package tracescreen

import (
	"github.com/beamline-hpc/lensview/internal/run"
)

// nodeKey is the identity of a row: of a span, or with no ids of a lane.
type nodeKey struct {
	run, process int32
	trace        run.TraceID
	id           run.SpanID
}

// key is the identity of a node; −1 is the lane itself.
func (c *content) key(lane, node int) nodeKey {
	l := &c.lanes[lane]
	if node < 0 {
		return nodeKey{run: int32(c.in.Index), process: int32(l.process)}
	}
	n := &l.tree.Nodes[node]
	return nodeKey{int32(n.Run), int32(n.Process), n.TraceID(), n.ID()}
}

// folding is which rows are folded, by identity, so that it outlives new data.
type folding struct {
	spans bool             // spans are folded, but for the odd ones
	lanes bool             // so are lanes
	odd   map[nodeKey]bool // the others
	bits  [][]bool         // by lane and node of the content at hand
	heads []bool           // by lane
}

func newFolding() folding { return folding{lanes: true, odd: map[nodeKey]bool{}} }

// adopt works out what is folded in new content.
func (f *folding) adopt(c *content) {
	f.bits, f.heads = make([][]bool, len(c.lanes)), make([]bool, len(c.lanes))
	for k := range c.lanes {
		l := &c.lanes[k]
		f.heads[k] = f.lanes != f.odd[c.key(k, -1)]
		f.bits[k] = make([]bool, len(l.ends))
		for i := range l.ends {
			if !l.leaf(i) {
				f.bits[k][i] = f.spans != (len(f.odd) > 0 && f.odd[c.key(k, i)])
			}
		}
	}
}

// folded reports whether a row is folded.
func (f *folding) folded(lane, node int) bool {
	if node < 0 {
		return f.heads[lane]
	}
	return f.bits[lane][node]
}

// set folds or unfolds one row.
func (f *folding) set(c *content, lane, node int, shut bool) {
	rest := f.spans
	if node < 0 {
		rest = f.lanes
		f.heads[lane] = shut
	} else {
		f.bits[lane][node] = shut
	}
	if shut == rest {
		delete(f.odd, c.key(lane, node))
	} else {
		f.odd[c.key(lane, node)] = true
	}
}

// all folds or unfolds everything: lanes where there are several, else spans.
func (f *folding) all(c *content, shut bool) {
	f.odd = map[nodeKey]bool{}
	if len(c.lanes) > 1 {
		f.lanes, f.spans = shut, false
	} else {
		f.spans = shut
	}
	f.adopt(c)
}

// anyOpen reports whether something could be folded.
func (f *folding) anyOpen(c *content) bool {
	for k := range c.lanes {
		if len(c.lanes) > 1 {
			if !f.heads[k] {
				return true
			}
			continue
		}
		l := &c.lanes[k]
		for i := range l.ends {
			if !l.leaf(i) && !f.bits[k][i] {
				return true
			}
		}
	}
	return false
}

// reveal unfolds whatever hides a node.
func (f *folding) reveal(c *content, lane, node int) {
	if f.heads[lane] {
		f.set(c, lane, -1, false)
	}
	nodes := c.lanes[lane].tree.Nodes
	for p := nodes[node].Parent; p >= 0; p = nodes[p].Parent {
		if f.bits[lane][p] {
			f.set(c, lane, p, false)
		}
	}
}
