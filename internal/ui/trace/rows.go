package tracescreen

import (
	"encoding/binary"
	"sort"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// rowAt is what a row shows: a node of a lane, or with −1 the lane itself.
type rowAt struct{ lane, node int32 }

// rows is the table's content: the nodes that are neither folded away nor hidden.
type rows struct {
	theme   theme.Theme
	content *content
	list    []rowAt
	folds   *folding
	axis    axis
	origins []uint64 // by lane: the time of 0 on the axis
	widths  widths
	find    string // text that is marked in names
}

// visible lists the rows in order.
func visible(c *content, f *folding) []rowAt {
	out := make([]rowAt, 0, c.total+len(c.lanes))
	for k := range c.lanes {
		if len(c.lanes) > 1 {
			out = append(out, rowAt{int32(k), -1})
			if f.heads[k] {
				continue
			}
		}
		out = appendVisible(out, &c.lanes[k], k, f.bits[k])
	}
	return out
}

func appendVisible(out []rowAt, l *lane, k int, shut []bool) []rowAt {
	for i := 0; i < len(l.ends); {
		hides := l.hides(i) // and so is all beneath it
		if !hides {
			out = append(out, rowAt{int32(k), int32(i)})
		}
		if hides || shut[i] {
			i = int(l.ends[i])
		} else {
			i++
		}
	}
	return out
}

func (r rows) Len() int { return len(r.list) }

// Key is the identity of a row as bytes.
func (r rows) Key(row int) string {
	at := r.list[row]
	k := r.content.key(int(at.lane), int(at.node))
	b := make([]byte, 0, 32)
	b = binary.BigEndian.AppendUint32(b, uint32(k.run))
	b = binary.BigEndian.AppendUint32(b, uint32(k.process))
	b = append(b, k.trace[:]...)
	return string(append(b, k.id[:]...))
}

// parseKey is the reverse of Key.
func parseKey(s string) (k nodeKey) {
	k.run = int32(binary.BigEndian.Uint32([]byte(s[:4])))
	k.process = int32(binary.BigEndian.Uint32([]byte(s[4:8])))
	copy(k.trace[:], s[8:24])
	copy(k.id[:], s[24:])
	return k
}

// Find is the row of an identity, or the row that it is folded into.
func (r rows) Find(key string) (row int, ok bool) {
	lane, node, ok := r.content.find(parseKey(key))
	if !ok {
		return 0, false
	}
	return r.row(lane, node)
}

// row is the row of a node, or of the nearest that holds it.
func (r rows) row(lane, node int) (int, bool) {
	nodes := r.content.lanes[lane].tree.Nodes
	for {
		if i, ok := r.exact(rowAt{int32(lane), int32(node)}); ok {
			return i, true
		}
		if node < 0 {
			return 0, false
		}
		node = nodes[node].Parent
	}
}

func (r rows) exact(at rowAt) (int, bool) {
	i := sort.Search(len(r.list), func(i int) bool {
		o := r.list[i]
		return o.lane > at.lane || o.lane == at.lane && o.node >= at.node
	})
	return i, i < len(r.list) && r.list[i] == at
}

// find is the place of an identity in the content.
func (c *content) find(k nodeKey) (lane, node int, ok bool) {
	for j := range c.lanes {
		l := &c.lanes[j]
		if l.process >= 0 && l.process != int(k.process) {
			continue
		}
		if k.trace.IsZero() && k.id.IsZero() {
			return j, -1, true
		}
		for i := range l.tree.Nodes {
			n := &l.tree.Nodes[i]
			if n.ID() == k.id && n.Process == int(k.process) && n.Run == int(k.run) && n.TraceID() == k.trace {
				return j, i, true
			}
		}
	}
	return 0, 0, false
}

// Cell is one place of the table.
func (r rows) Cell(row int, column string) draw.Cell {
	at := r.list[row]
	l := &r.content.lanes[at.lane]
	if at.node < 0 {
		return r.laneCell(l, int(at.lane), column)
	}
	return r.nodeCell(l, at, column)
}
