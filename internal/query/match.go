package query

import (
	"sort"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Run reports whether anything of the run may match.
func (m *Matcher) Run() bool {
	if m.root == nil {
		return true
	}
	for p := range m.rows {
		if m.rows[p] != no || m.spans[p] != no {
			return true
		}
	}
	return false
}

// Process reports whether process p belongs into a table of processes. Terms
// about the run and the process decide; an attribute is the resource's where
// that has it. Terms about spans, names or iterations, and attributes that only
// spans have, exclude nobody.
func (m *Matcher) Process(p int) bool { return m.root == nil || m.rows[p] != no }

// Spans reports whether any span of process p may match. It is wider than
// Process: a span's own attribute counts before the resource's.
func (m *Matcher) Spans(p int) bool { return m.root == nil || m.spans[p] != no }

// SpanLevel reports whether some span must be read to tell whether it matches:
// then whole-run roll-ups cannot answer for the filter.
func (m *Matcher) SpanLevel() bool {
	for _, t := range m.spans {
		if t == maybe {
			return true
		}
	}
	return false
}

// Pair tells of the spans of process p with that name id whether they match.
// When sure is false they differ, and each must be asked.
func (m *Matcher) Pair(p, name int) (match, sure bool) {
	if m.root == nil {
		return true, true
	}
	t := m.spans[p]
	if t == maybe {
		t = m.root.eval(func(b *bound) tri { return b.aboutPair(p, name) })
	}
	return t != no, t != maybe
}

// Span reports whether row i of a chunk of the run matches.
func (m *Matcher) Span(c *store.Chunk, i int) bool {
	if m.root == nil {
		return true
	}
	if t := m.spans[c.Process(i)]; t != maybe {
		return t == yes
	}
	return m.root.span(m, c, i)
}

// Iteration reports whether a column of the run may match. Only terms about the
// iteration decide.
func (m *Matcher) Iteration(attempt int, iter int64) bool {
	if m.root == nil {
		return true
	}
	return m.root.eval(func(b *bound) tri {
		if b.term.on == onIter {
			return known(b.term.matchInt(iter))
		}
		return maybe
	}) != no
}

// span is eval for one row, without closures.
func (b *bound) span(m *Matcher, c *store.Chunk, i int) bool {
	switch b.kind {
	case isNot:
		return !b.kids[0].span(m, c, i)
	case isAnd:
		for _, k := range b.kids {
			if !k.span(m, c, i) {
				return false
			}
		}
		return true
	case isOr:
		for _, k := range b.kids {
			if k.span(m, c, i) {
				return true
			}
		}
		return false
	}
	return b.spanTerm(m, c, i)
}

// spanTerm is one term of one row.
func (b *bound) spanTerm(m *Matcher, c *store.Chunk, i int) bool {
	switch {
	case b.attr != nil:
		if v, ok := b.own(c, i); ok {
			return b.term.matchValue(v)
		}
		return b.process[c.Process(i)] == yes
	case b.process != nil:
		return b.process[c.Process(i)] == yes
	case b.name != nil:
		if t := b.name[c.NameID(i)]; t != maybe {
			return t == yes
		}
		return b.term.matchNameText(c.Name(i))
	case b.term.on == onIter:
		n, ok := m.iteration(c, i)
		return ok && b.term.matchInt(n)
	}
	return b.term.matchSpan(c, i)
}

// own is the span's own attribute under the term's key.
func (b *bound) own(c *store.Chunk, i int) (run.Value, bool) {
	v, ok := c.Value(i, b.attr)
	if !ok || !blank(v, b.spellings) {
		return v, ok
	}
	for _, key := range b.spellings {
		if v, ok := c.Attr(i, key); ok && !blank(v, b.spellings) {
			return v, true
		}
	}
	return run.Value{}, false
}

// iteration is the iteration that row i belongs to: its own attribute, else the
// step of its process whose time contains its start.
func (m *Matcher) iteration(c *store.Chunk, i int) (int64, bool) {
	if v, ok := c.Value(i, m.steps); ok {
		if n, ok := v.IntLike(); ok {
			return n, true
		}
	}
	p, at := c.Process(i), c.Start(i)
	w, ok := m.windows[p]
	if !ok {
		w = m.run.Windows(p)
		m.windows[p] = w
	}
	k := sort.Search(len(w), func(k int) bool { return w[k].Start > at }) - 1
	if k < 0 || at >= w[k].End {
		return 0, false
	}
	return w[k].Iteration, true
}
