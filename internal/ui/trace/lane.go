package tracescreen

import (
	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// lane is the spans of one rank's iteration, or of one trace.
type lane struct {
	process int // run.Unknown for a trace, which may cross processes
	place
	tree   *analysis.Tree
	base   int     // place of its first node among those of all lanes
	ends   []int32 // Node.SubtreeEnd by node, close together: what folds is decided in one pass over them
	kept   []kept  // by node; nil without a filter
	failed []int32 // spans with an error before node i, in the order of nodes; one longer than the nodes
	counts [markCount]int
	shown  int  // nodes that are not hidden by the filter
	lost   bool // a part of it may have been evicted
	sum    uint64
}

// kept is why the filter leaves a node.
type kept uint8

const (
	hidden kept = iota
	inside
	match
)

// leaf reports whether node i has nothing inside.
func (l *lane) leaf(i int) bool { return int(l.ends[i]) == i+1 }

// hides reports whether the filter hides node i.
func (l *lane) hides(i int) bool { return l.kept != nil && l.kept[i] == hidden }

// isInside reports whether node i is only there for what lies beneath it.
func (l *lane) isInside(i int) bool { return l.kept != nil && l.kept[i] == inside }

// errorsBelow is how many spans beneath node i have an error.
func (l *lane) errorsBelow(i int) int {
	return int(l.failed[l.tree.Nodes[i].SubtreeEnd] - l.failed[i+1])
}

// survey counts what is to be said of a lane, once.
func (l *lane) survey() {
	nodes := l.tree.Nodes
	l.failed, l.ends = make([]int32, len(nodes)+1), make([]int32, len(nodes))
	for i := range nodes {
		n := &nodes[i]
		l.ends[i] = int32(n.SubtreeEnd)
		l.failed[i+1] = l.failed[i]
		if n.SpanMarks.Has(run.Failed) {
			l.failed[i+1]++
		}
		if n.Marks|analysis.TreeMark(n.SpanMarks) == 0 {
			continue
		}
		for k := range markCount {
			if k.on(n) {
				l.counts[k]++
			}
		}
	}
}

// narrow keeps what matches and what it lies in. matcher answers for each run.
func (l *lane) narrow(matcher func(run int) *query.Matcher) {
	nodes := l.tree.Nodes
	l.kept = make([]kept, len(nodes))
	for i := len(nodes) - 1; i >= 0; i-- { // children before parents
		n := &nodes[i]
		if matcher(n.Run).Span(n.Chunk, n.Row) {
			l.kept[i] = match
		}
		if l.kept[i] == hidden {
			continue
		}
		l.shown++
		if n.Parent >= 0 && l.kept[n.Parent] == hidden {
			l.kept[n.Parent] = inside
		}
	}
}

// lostPart reports whether a part of a process's time may have been evicted:
// chunks go in order of arrival, and a process sends in the order of ends.
func lostPart(r *store.Run, p int, from uint64) bool {
	if r.Accounts[run.Traces].Evicted == 0 {
		return false
	}
	for _, c := range r.Chunks {
		if !c.HasProcess(p) {
			continue
		}
		for i := range c.Len() {
			if c.Process(i) == p && !c.Dead(i) {
				return c.End(i) > from
			}
		}
	}
	return true
}

// digest tells whether the same spans are there as before. It is FNV-1a.
type digest uint64

func newDigest() digest { return 14695981039346656037 }

func (d *digest) add(n uint64) { *d = (*d ^ digest(n)) * 1099511628211 }

func (d *digest) refs(run int, refs []store.Ref) {
	for _, r := range refs {
		d.add(uint64(run)<<48 ^ uint64(r.Chunk)<<16 ^ uint64(r.Row))
	}
}
