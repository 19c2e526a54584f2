package query

import (
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Matcher is a filter bound to one run of one snapshot: keys are resolved, and
// what is known of processes and names is decided once. It is a cursor of one
// reader: not for use by several goroutines at once; bind again for another.
type Matcher struct {
	run     *store.Run
	root    *bound // nil matches everything
	rows    []tri  // per process: where the resource has an attribute, it decides
	spans   []tri  // per process: what can be said of its spans without reading them
	windows map[int][]store.Window
	steps   *store.KeyHandle
}

// bound is a node with its term's answers so far.
type bound struct {
	*node
	kids      []*bound
	process   []tri            // per process; nil for a term about spans
	name      []tri            // per name id; nil unless the term is about names
	attr      *store.KeyHandle // an attribute that spans of the run may carry
	spellings []string
}

// Bind prepares the filter for a run of a snapshot.
func (f *Filter) Bind(r *store.Run) *Matcher {
	m := &Matcher{run: r, windows: map[int][]store.Window{}}
	if f.Empty() {
		return m
	}
	m.root = m.bind(f.root)
	m.rows = make([]tri, len(r.Processes))
	m.spans = make([]tri, len(r.Processes))
	for p := range r.Processes {
		m.rows[p] = m.root.eval(func(b *bound) tri { return b.aboutRow(p) })
		m.spans[p] = m.root.eval(func(b *bound) tri { return b.aboutSpans(p) })
	}
	return m
}

func (m *Matcher) bind(n *node) *bound {
	b := &bound{node: n}
	for _, k := range n.kids {
		b.kids = append(b.kids, m.bind(k))
	}
	if n.kind != isTerm {
		return b
	}
	switch t := n.term; {
	case t.on == onAttribute:
		m.bindAttribute(b)
	case t.on == onRun || t.aboutProcess():
		b.process = make([]tri, len(m.run.Processes))
		for p := range b.process {
			b.process[p] = known(t.matchProcess(m.run, m.run.Processes[p]))
		}
	case t.on == onName || t.on == onPhase || t.on == onClass:
		b.name = make([]tri, len(m.run.Names))
		for i, n := range m.run.Names {
			b.name[i] = known(t.matchName(n))
			if t.on == onName && n.Text == otherNames {
				b.name[i] = maybe
			}
		}
	case t.on == onIter:
		m.steps = store.NewKey(iterationKeys()...)
	}
	return b
}

func iterationKeys() []string {
	var keys []string
	for _, k := range run.IterationKeys() {
		keys = append(keys, k.Key)
	}
	return keys
}

// bindAttribute asks every resource, and whether spans may carry the key too.
// A process whose resource lacks it stays a maybe.
func (m *Matcher) bindAttribute(b *bound) {
	b.spellings = run.Aliases(b.term.key).Keys
	if key := store.NewKey(b.spellings...); m.run.HasSpanKey(key) {
		b.attr = key
	}
	b.process = make([]tri, len(m.run.Processes))
	for p := range b.process {
		b.process[p] = maybe
		if v, ok := resourceValue(m.run.Processes[p].Resource, b.spellings); ok {
			b.process[p] = known(b.term.matchValue(v))
		}
	}
}

// resourceValue is the first spelling that was sent with a value; of a key that
// is there twice the last counts.
func resourceValue(attrs []run.Attr, spellings []string) (run.Value, bool) {
	for _, key := range spellings {
		for i := len(attrs) - 1; i >= 0; i-- {
			if attrs[i].Key == key && !blank(attrs[i].Value, spellings) {
				return attrs[i].Value, true
			}
		}
	}
	return run.Value{}, false
}

// blank reports a value that stands for "not sent": no value at all, and an
// empty string where another spelling may say more.
func blank(v run.Value, spellings []string) bool {
	return v.Type == run.Empty || len(spellings) > 1 && v.Type == run.String && v.Str() == ""
}

// aboutRow is what the term says of process p as a row of a table: its own
// facts decide, terms about spans stay open.
func (b *bound) aboutRow(p int) tri {
	if b.process == nil {
		return maybe
	}
	if b.process[p] == maybe && b.attr == nil {
		return no
	}
	return b.process[p]
}

// aboutSpans is what the term says of all spans of process p.
func (b *bound) aboutSpans(p int) tri {
	if b.process == nil || b.attr != nil {
		return maybe
	}
	return known(b.process[p] == yes)
}

// aboutPair is what the term says of all spans of process p with a name.
func (b *bound) aboutPair(p, name int) tri {
	if b.name != nil {
		return b.name[name]
	}
	return b.aboutSpans(p)
}
