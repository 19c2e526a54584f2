package analysis

import (
	"cmp"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// TreeMark says what is unusual about the place of a span in its tree.
type TreeMark uint16

// The marks. What is unusual about the span itself is in its run.Mark.
const (
	OrphanNode   TreeMark = 1 << iota // its parent was not received: it stands at top level
	BeforeParent                      // it starts before its parent, see Node.Lag
	OtherHost                         // its parent is on another host: clocks may differ
	OtherProcess                      // its parent is in another process
	CycleNode                         // it is its own ancestor: it stands at top level
	StillOpen                         // it has no end yet, see Node.Latest
	NoTime                            // its times are impossible: it has no bar
	Outside                           // it reaches beyond the window of the tree
)

// Has reports whether any mark of m is set.
func (k TreeMark) Has(m TreeMark) bool { return k&m != 0 }

// Node is one span in its place. Times are as sent, in unix nanoseconds of the
// sender's clock.
type Node struct {
	Chunk      *store.Chunk
	Row        int
	Run        int // in Snapshot.Runs
	Process    int // in its run
	Parent     int // place in Tree.Nodes, −1 at top level
	Depth      int
	Children   int // direct ones
	SubtreeEnd int // place after its last descendant
	Start, End uint64
	Latest     uint64 // of an open span: the newest time beneath it, so it lasted at least Latest − Start
	Lag        uint64 // by how much it starts before its parent
	Marks      TreeMark
	SpanMarks  run.Mark
}

// Ref names the node's span in its run.
func (n *Node) Ref() store.Ref { return n.Chunk.Ref(n.Row) }

// Name is the span's name.
func (n *Node) Name() string { return n.Chunk.Name(n.Row) }

// ID is the span's id.
func (n *Node) ID() run.SpanID { return n.Chunk.ID(n.Row) }

// TraceID is the span's trace.
func (n *Node) TraceID() run.TraceID { return n.Chunk.TraceID(n.Row) }

// Duration is the span's length in nanoseconds as its bar shows it: ok is false
// when it has no sane one. The length of an open span is the least it can be,
// that of a truncated one is up to where it was cut.
func (n *Node) Duration() (ns uint64, ok bool) {
	switch {
	case n.Marks.Has(NoTime):
		return 0, false
	case n.Marks.Has(StillOpen):
		return n.Latest - n.Start, true
	}
	return n.End - n.Start, true
}

// Tree is spans in the order of a waterfall: parents before children, siblings
// by start. The same spans make the same tree in whatever order they arrived.
type Tree struct {
	Nodes    []Node
	From, To uint64 // time to show: of all sane spans, or the window asked for; both 0 when there is none
	Roots    int    // nodes at top level
	Orphans  int
	Early    int // nodes that start before their parent
	Cycles   int
}

// TraceTree is the tree of all retained spans of a trace, over all runs.
func TraceTree(s *store.Snapshot, id run.TraceID) *Tree { return NewTree(s, s.Trace(id)) }

// NewTree assembles spans of any traces into a tree. Spans that are not retained
// are left out. It neither recurses nor alters a time.
func NewTree(s *store.Snapshot, refs []store.GlobalRef) *Tree { return newTree(s, refs, false) }

func newTree(s *store.Snapshot, refs []store.GlobalRef, lanes bool) *Tree {
	b := treeBuilder{snapshot: s, lanes: lanes, spans: make([]place, 0, len(refs))}
	for _, ref := range refs {
		c := s.Runs[ref.Run].Chunk(ref.Chunk)
		if c != nil && int(ref.Row) < c.Len() {
			b.spans = append(b.spans, place{uint32(ref.Run), uint32(ref.Row), c})
		}
	}
	b.sort()
	b.link()
	t := &Tree{Cycles: b.cut()}
	b.layOut(t)
	b.measure(t)
	return t
}

// treeBuilder holds the spans in the order of siblings.
type treeBuilder struct {
	snapshot *store.Snapshot
	lanes    bool // the processes stand apart at top level
	spans    []place
	parents  []int32
	marks    []TreeMark
}

// sort orders siblings: by start, the longer first, then by what does not depend
// on the order of arrival.
func (b *treeBuilder) sort() {
	type key struct {
		start, end uint64
		id         run.SpanID
		place      place
	}
	keys := make([]key, len(b.spans))
	for i, s := range b.spans {
		keys[i] = key{s.start(), s.end(), s.id(), s}
	}
	slices.SortFunc(keys, func(x, y key) int {
		if b.lanes {
			if c := b.compareSenders(x.place, y.place); c != 0 {
				return c
			}
		}
		switch {
		case x.start != y.start:
			return cmp.Compare(x.start, y.start)
		case x.end != y.end:
			return cmp.Compare(y.end, x.end)
		case x.id != y.id:
			return slices.Compare(x.id[:], y.id[:])
		}
		return b.compareSenders(x.place, y.place)
	})
	for i := range keys {
		b.spans[i] = keys[i].place
	}
}

// compareSenders orders spans with the same ids and times by who sent them.
func (b *treeBuilder) compareSenders(x, y place) int {
	p, q := b.identity(x), b.identity(y)
	return cmp.Or(
		cmp.Compare(p.Run, q.Run), cmp.Compare(p.Role, q.Role), cmp.Compare(p.Rank, q.Rank),
		cmp.Compare(p.Instance, q.Instance), cmp.Compare(p.Host, q.Host), cmp.Compare(p.PID, q.PID),
	)
}

func (b *treeBuilder) identity(s place) *run.Identity {
	return &b.snapshot.Runs[s.run].Processes[s.process()].ID
}

// link finds every span's parent and marks what is unusual about it.
func (b *treeBuilder) link() {
	x := newSpanIndex(b.spans)
	b.parents = make([]int32, len(b.spans))
	b.marks = make([]TreeMark, len(b.spans))
	for i := range b.spans {
		b.parents[i] = -1
		if b.spans[i].parent().IsZero() {
			continue
		}
		at := x.parent(i)
		if b.parents[i] = at; at < 0 {
			b.marks[i] |= OrphanNode
			continue
		}
		if !b.spans[i].sameProcess(b.spans[at]) {
			b.marks[i] |= OtherProcess
			if p, q := b.identity(b.spans[i]), b.identity(b.spans[at]); p.Host != q.Host {
				b.marks[i] |= OtherHost
			}
		}
	}
}

// cut breaks every cycle at its first span and counts them.
func (b *treeBuilder) cut() int {
	heads := cycles(b.parents)
	for _, i := range heads {
		b.parents[i] = -1
		b.marks[i] |= CycleNode
	}
	return len(heads)
}

// layOut writes the nodes depth first, with a stack of its own.
func (b *treeBuilder) layOut(t *Tree) {
	first, kids := b.children()
	t.Nodes = make([]Node, 0, len(b.spans))
	type frame struct {
		left   []int32 // siblings still to write
		parent int
	}
	stack := []frame{{b.roots(), -1}}
	t.Roots = len(stack[0].left)
	for len(stack) > 0 {
		f := &stack[len(stack)-1]
		if len(f.left) == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		span, at := f.left[0], len(t.Nodes)
		f.left = f.left[1:]
		own := kids[first[span]:first[span+1]]
		t.Nodes = append(t.Nodes, b.node(span, f.parent, len(stack)-1, len(own)))
		if len(own) > 0 {
			stack = append(stack, frame{own, at})
		}
	}
}

func (b *treeBuilder) roots() []int32 {
	var out []int32
	for i, p := range b.parents {
		if p < 0 {
			out = append(out, int32(i))
		}
	}
	return out
}

// children lists the children of each span, in the order of siblings: those of i
// are kids[first[i]:first[i+1]].
func (b *treeBuilder) children() (first, kids []int32) {
	first = make([]int32, len(b.spans)+2)
	for _, p := range b.parents {
		if p >= 0 {
			first[p+2]++
		}
	}
	for i := 2; i < len(first); i++ {
		first[i] += first[i-1]
	}
	kids = make([]int32, first[len(first)-1])
	for i, p := range b.parents {
		if p >= 0 {
			kids[first[p+1]] = int32(i)
			first[p+1]++
		}
	}
	return first[:len(b.spans)+1], kids
}

func (b *treeBuilder) node(span int32, parent, depth, children int) Node {
	s := b.spans[span]
	n := Node{
		Chunk: s.chunk, Row: int(s.row), Run: int(s.run), Process: s.process(),
		Parent: parent, Depth: depth, Children: children,
		Start: s.start(), End: s.end(), Marks: b.marks[span], SpanMarks: s.marks(),
	}
	if !n.SpanMarks.Has(run.InvalidTime) {
		n.Latest = n.Start
	}
	return n
}

// measure works out subtrees, open ends, lags and the window.
func (b *treeBuilder) measure(t *Tree) {
	for i := len(t.Nodes) - 1; i >= 0; i-- {
		n := &t.Nodes[i]
		n.SubtreeEnd = max(n.SubtreeEnd, i+1)
		t.mark(n)
		if n.Parent >= 0 {
			p := &t.Nodes[n.Parent]
			p.SubtreeEnd = max(p.SubtreeEnd, n.SubtreeEnd)
			p.Latest = max(p.Latest, n.Latest)
			if !n.Marks.Has(NoTime) {
				p.Latest = max(p.Latest, n.reach())
			}
		}
	}
	for i := range t.Nodes {
		t.compare(&t.Nodes[i])
	}
}

// reach is the last time that the node itself is known to have been there.
func (n *Node) reach() uint64 {
	if n.Marks.Has(StillOpen) {
		return n.Latest
	}
	return n.End
}

// mark sets what follows from the span alone and widens the window. Everything
// beneath it has been seen.
func (t *Tree) mark(n *Node) {
	switch {
	case n.SpanMarks.Has(run.InvalidTime):
		n.Marks |= NoTime
		return
	case n.SpanMarks.Has(run.Open):
		n.Marks |= StillOpen
	}
	if t.To == 0 {
		t.From, t.To = n.Start, n.reach()
	}
	t.From, t.To = min(t.From, n.Start), max(t.To, n.reach())
}

// compare sets what follows from a node and its parent.
func (t *Tree) compare(n *Node) {
	if n.Marks.Has(OrphanNode) {
		t.Orphans++
	}
	if n.Parent < 0 {
		return
	}
	p := &t.Nodes[n.Parent]
	bad := run.ZeroStart | run.BadTime
	if n.Start < p.Start && !(n.SpanMarks | p.SpanMarks).Has(bad) {
		n.Lag = p.Start - n.Start
		n.Marks |= BeforeParent
		t.Early++
	}
}
