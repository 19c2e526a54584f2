package query

import "github.com/beamline-hpc/lensview/internal/run"

// Item is a log record, or a series of a metric, as a filter sees it.
type Item struct {
	Process int    // in the run
	Name    string // of the metric; of a record what it says
	Attrs   []run.Attr
	Trace   run.TraceID // zero for none
	Span    run.SpanID
}

// Item reports whether an item of the run may match. As with spans its own
// attributes count before the resource's, and words are looked for in its name.
// What only spans have (dur, status, kind, truncated, phase) excludes nothing.
func (m *Matcher) Item(it *Item) bool {
	return m.root == nil || m.root.eval(func(b *bound) tri { return b.aboutItem(it) }) != no
}

func (b *bound) aboutItem(it *Item) tri {
	t := b.term
	switch {
	case b.spellings != nil:
		if v, ok := resourceValue(it.Attrs, b.spellings); ok {
			return known(t.matchValue(v))
		}
		return known(b.process[it.Process] == yes)
	case b.process != nil:
		return b.process[it.Process]
	case t.on == onName:
		return known(t.matchNameText(it.Name))
	case t.on == onTrace:
		return known(!it.Trace.IsZero() && t.matchText(it.Trace.String()))
	case t.on == onSpan:
		return known(!it.Span.IsZero() && t.matchText(it.Span.String()))
	case t.on == onIter:
		return t.itemIteration(it)
	}
	return maybe
}

// itemIteration is no for an item that says it is of another iteration; one that
// says nothing may be of any.
func (t *term) itemIteration(it *Item) tri {
	if v, ok := resourceValue(it.Attrs, iterationKeys()); ok {
		if n, ok := v.IntLike(); ok {
			return known(t.matchInt(n))
		}
	}
	return maybe
}
