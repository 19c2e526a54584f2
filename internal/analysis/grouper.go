package analysis

import (
	"github.com/beamline-hpc/lensview/internal/store"
)

// grouper sorts spans into a tree of groups, one level per dimension. Node 0 is
// everything; a node's parent has a smaller number.
type grouper struct {
	dims  []*dimension
	nodes []groupNode
	kids  map[[2]int32]int32 // (parent, value id) → node
	shape map[[2]int32]int32 // the same for dimensions of processes only, in scopes
	scope []float64          // seconds of steps of the processes of each scope
}

type groupNode struct {
	counts
	parent int32
	value  int32 // label id of the node's dimension
	level  int8  // 0 for everything
	scope  int32 // the processes of the group, see grouper.scope
	stages []*store.StageStat
	hist   *logHist
	kids   []int32
	from   int // its durations in the collection, while they are kept
	to     int
}

func newGrouper(by []string) *grouper {
	g := &grouper{
		nodes: make([]groupNode, 1),
		kids:  map[[2]int32]int32{},
		shape: map[[2]int32]int32{},
		scope: make([]float64, 1),
	}
	for _, name := range by {
		g.dims = append(g.dims, newDimension(name))
	}
	return g
}

// cursor puts the spans of one scope into groups.
type cursor struct {
	*grouper
	run     *store.Run
	keys    []*store.KeyHandle // per dimension: an attribute that spans carry
	perSpan bool               // some dimension must look at each span
	process [][]int32          // per dimension: label id by process, nil for names
	name    [][]int32          // per dimension: label id by name, nil for processes
	leaf    map[[2]int32]int32 // (process, name) → leaf, when no span must be looked at
}

func (g *grouper) cursor(r *store.Run) *cursor {
	c := &cursor{grouper: g, run: r, leaf: map[[2]int32]int32{}}
	for _, d := range g.dims {
		key, process, name := c.resolve(d)
		c.keys = append(c.keys, key)
		c.process = append(c.process, process)
		c.name = append(c.name, name)
		c.perSpan = c.perSpan || key != nil
	}
	return c
}

// resolve numbers the labels of every process or every name.
func (c *cursor) resolve(d *dimension) (key *store.KeyHandle, process, name []int32) {
	if d.ofName != nil {
		name = make([]int32, len(c.run.Names))
		for i, n := range c.run.Names {
			name[i] = d.id(d.ofName(n))
		}
		return nil, nil, name
	}
	process = make([]int32, len(c.run.Processes))
	for i, p := range c.run.Processes {
		if d.process != nil {
			process[i] = d.id(d.process(c.run, p))
		} else {
			process[i] = d.id(d.resource(p))
		}
	}
	if d.spellings != nil {
		if k := store.NewKey(d.spellings...); c.run.HasSpanKey(k) {
			key = k
		}
	}
	return key, process, nil
}

// pair is the leaf of all spans of process p with a name; only when perSpan is
// false.
func (c *cursor) pair(p, name int) int32 {
	key := [2]int32{int32(p), int32(name)}
	if at, ok := c.leaf[key]; ok {
		return at
	}
	at := c.walk(p, name, nil, 0)
	c.leaf[key] = at
	return at
}

// span is the leaf of row i.
func (c *cursor) span(ch *store.Chunk, i int) int32 {
	if !c.perSpan {
		return c.pair(ch.Process(i), ch.NameID(i))
	}
	return c.walk(ch.Process(i), ch.NameID(i), ch, i)
}

// walk goes down the tree and makes the nodes that are missing.
func (c *cursor) walk(p, name int, ch *store.Chunk, i int) int32 {
	node, scope := int32(0), int32(0)
	for d := range c.dims {
		value := c.value(d, p, name, ch, i)
		if c.process[d] != nil && c.keys[d] == nil {
			scope = c.child(c.shape, scope, value, c.newScope)
		}
		node = c.child(c.kids, node, value, func() int32 {
			c.nodes = append(c.nodes, groupNode{parent: node, value: value, level: int8(d + 1), scope: scope})
			return int32(len(c.nodes) - 1)
		})
	}
	return node
}

func (c *cursor) child(in map[[2]int32]int32, parent, value int32, create func() int32) int32 {
	key := [2]int32{parent, value}
	at, ok := in[key]
	if !ok {
		at = create()
		in[key] = at
	}
	return at
}

func (g *grouper) newScope() int32 {
	g.scope = append(g.scope, 0)
	return int32(len(g.scope) - 1)
}

func (c *cursor) value(d, p, name int, ch *store.Chunk, i int) int32 {
	switch {
	case c.name[d] != nil:
		return c.name[d][name]
	case c.keys[d] != nil && ch != nil:
		if v, ok := ch.Value(i, c.keys[d]); ok {
			return c.dims[d].id(valueLabel(v))
		}
	}
	return c.process[d][p]
}
