package store

import (
	"slices"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// node is a place in the trie over (key, type) sequences: the spans of one call
// site walk one path, and each node remembers the child it was left by last.
type node struct {
	key    string
	head   uint64 // of key
	tail   uint64 // of a key of eight bytes or more
	typ    run.Type
	parent *node
	last   *node
	kids   map[nodeKey]*node
	shape  uint16 // 1 + place in dict.shapes; 0 until a span ends here
}

type nodeKey struct {
	key string
	typ run.Type
}

func newNode(parent *node, key string, t run.Type) *node {
	n := &node{key: key, head: headOf([]byte(key)), typ: t, parent: parent}
	if len(key) >= 8 {
		n.tail = tailOf([]byte(key))
	}
	return n
}

// is reports whether key is the node's.
func (n *node) is(key []byte) bool {
	switch {
	case len(n.key) != len(key) || n.head != headOf(key):
		return false
	case len(key) <= 8:
		return true
	case len(key) <= 16:
		return n.tail == tailOf(key)
	}
	return n.tail == tailOf(key) && n.key == string(key)
}

// step is the child of n for an attribute.
func (d *dict) step(n *node, key []byte, t run.Type) *node {
	if l := n.last; l != nil && l.typ == t && l.is(key) {
		return l
	}
	kid, ok := n.kids[nodeKey{string(key), t}]
	if !ok {
		kid = newNode(n, d.keyText(key), t)
		if n.kids == nil {
			n.kids = map[nodeKey]*node{}
		}
		n.kids[nodeKey{kid.key, t}] = kid
		d.bytes += 80 + 128 // the node and its place in a map of few
	}
	n.last = kid
	return kid
}

// encode appends the values of attrs to blob and gives the place of their shape.
func (d *dict) encode(blob []byte, b *otlp.Batch, attrs []otlp.Attr) ([]byte, uint16) {
	n := &d.root
	for i := range attrs {
		a := &attrs[i]
		n = d.step(n, b.Bytes(a.Key), a.Type)
		blob = d.appendValue(blob, b, a)
	}
	if n.shape == 0 {
		d.addShape(n)
	}
	return blob, n.shape - 1
}

func (d *dict) addShape(n *node) {
	var keys []string
	var types []run.Type
	for at := n; at != &d.root; at = at.parent {
		keys, types = append(keys, at.key), append(types, at.typ)
	}
	slices.Reverse(keys)
	slices.Reverse(types)
	d.shapes = append(d.shapes, newShape(keys, types, d.iterations))
	n.shape = uint16(len(d.shapes))
	d.bytes += uint64(160 + 20*len(keys))
}

// scope is the one copy of an instrumentation scope.
func (d *dict) scope(b *otlp.Batch, s *otlp.Scope) *run.Scope {
	raw, schema := b.Bytes(s.Raw), b.Bytes(s.Schema)
	if known, ok := d.scopes[scopeKey{string(raw), string(schema)}]; ok {
		return known
	}
	full := &run.Scope{
		Name: string(b.Bytes(s.Name)), Version: string(b.Bytes(s.Version)),
		Schema: string(schema), Attrs: b.AttrList(s.Attrs),
	}
	d.scopes[scopeKey{string(raw), full.Schema}] = full
	d.bytes += uint64(256 + 2*len(raw) + len(schema) + 96*len(full.Attrs))
	return full
}
