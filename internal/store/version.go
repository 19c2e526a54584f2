package store

import (
	"bytes"
	"slices"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// maxOpen is how many open spans of a run are remembered beyond the window, so
// that the end of a long one finds it.
const maxOpen = 1 << 16

// known is the live row of a span that was sent before. Versions of a span have
// the same start: what has another one is another span under a reused id.
func (w *runWriter) known(h uint64, p *procWriter, sp *otlp.Span) (Ref, bool) {
	same := func(r Ref) bool {
		c := w.chunk(r.Chunk)
		i := int(r.Row)
		if c == nil || i >= c.Len() || !c.HasProcess(p.pub.Index) || c.ID(i) != sp.ID || c.TraceID(i) != sp.TraceID ||
			c.Process(i) != p.pub.Index || c.Dead(i) {
			return false
		}
		if c.Start(i) != sp.Start {
			w.reused++
			return false
		}
		return true
	}
	if r, ok := w.seen.find(h, same); ok {
		return r, true
	}
	if p.open > 0 {
		if r, ok := w.open[h]; ok && same(r) {
			return r, true
		}
	}
	return Ref{}, false
}

// opened remembers an open span.
func (w *runWriter) opened(h uint64, r Ref, p *procWriter) {
	if _, ok := w.open[h]; !ok {
		if len(w.open) >= maxOpen {
			return
		}
		p.open++
	}
	w.open[h] = r
}

// version decides between the row old and the one just added for the same span;
// false says that the new one was dropped again. An open version gives way to a
// finished one; of two finished ones the last is shown and flagged, and the first
// has counted.
func (g *spanGroup) version(h uint64, old, added Ref) bool {
	oc, c := g.w.chunk(old.Chunk), g.chunk
	i, j := int(old.Row), int(added.Row)
	wasOpen, isOpen := oc.Marks(i).Has(run.Open), c.Marks(j).Has(run.Open)
	switch {
	case sameRow(oc, i, c, j):
		g.tally.duplicates++
		c.pop()
		return false
	case isOpen && !wasOpen:
		g.tally.replaced++ // it was superseded before it came
		c.pop()
		return false
	case !wasOpen:
		c.cols.marks[j] |= run.Versions
	}
	g.replace(oc, i)
	if wasOpen && !isOpen {
		if _, ok := g.w.open[h]; ok {
			delete(g.w.open, h)
			g.proc.open--
		}
	}
	return true
}

// replace marks a row as superseded, and moves it in the accounts of those who
// sent it.
func (g *spanGroup) replace(c *chunkWriter, i int) {
	from := c.senderOf(i)
	c.kill(i)
	t := tally{kept: -1, replaced: 1}
	g.s.ledger.book(run.Traces, t)
	g.w.ledger.book(run.Traces, t)
	from.ledger.book(run.Traces, t)
	g.proc.own().Spans--
}

// sameRow reports whether two rows are the same in all that was sent.
func sameRow(a *chunkWriter, i int, b *chunkWriter, j int) bool {
	x, y := a.rows(), b.rows()
	if x.start[i] != y.start[j] || x.end[i] != y.end[j] || x.parent[i] != y.parent[j] || x.name[i] != y.name[j] {
		return false
	}
	name, fields := a.extra(i)
	name2, fields2 := b.extra(j)
	if name != name2 || !bytes.Equal(fields, fields2) {
		return false
	}
	if a.dict == b.dict && x.form[i] == y.form[j] && x.shape[i] == y.shape[j] && bytes.Equal(a.values(i), b.values(j)) {
		return true
	}
	// Equal values may be written differently: the first time they are inline.
	return sameForm(a.formAt(i), b.formAt(j)) && sameAttrs(a.attrList(i), b.attrList(j))
}

func sameForm(a, b *form) bool {
	return a.flags == b.flags && a.kind == b.kind && a.status == b.status &&
		a.scope.Name == b.scope.Name && a.scope.Version == b.scope.Version && a.scope.Schema == b.scope.Schema &&
		sameAttrs(a.scope.Attrs, b.scope.Attrs)
}

func sameAttrs(a, b []run.Attr) bool {
	return slices.EqualFunc(a, b, func(x, y run.Attr) bool { return x.Key == y.Key && x.Value.Equal(y.Value) })
}

// values is the blob of row i.
func (c *chunkWriter) values(i int) []byte {
	k := c.rows()
	if i+1 < len(k.attrAt) {
		return k.attrs[k.attrAt[i]:k.attrAt[i+1]]
	}
	return k.attrs[k.attrAt[i]:]
}

func (c *chunkWriter) formAt(i int) *form { return &c.dict.forms[c.rows().form[i]] }

// attrList is the attributes of row i as the writer sees them.
func (c *chunkWriter) attrList(i int) []run.Attr {
	v := c.Chunk
	v.dict = c.dict.dictView
	return v.Attrs(i)
}
