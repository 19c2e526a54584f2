package query

// Filter is a parsed filter. It is immutable and safe for use by many
// goroutines; Bind applies it to a run.
type Filter struct {
	text string
	root *node // nil for the empty filter
}

// String is the filter's text, as given.
func (f *Filter) String() string {
	if f == nil {
		return ""
	}
	return f.text
}

// Empty reports whether the filter matches everything.
func (f *Filter) Empty() bool { return f == nil || f.root == nil }

type nodeKind uint8

const (
	isTerm nodeKind = iota
	isAnd
	isOr
	isNot
)

// node is a term, or a combination of nodes.
type node struct {
	kind nodeKind
	kids []*node
	term *term
}

// term is one comparison.
type term struct {
	on       subject
	shape    shape
	key      string // the attribute's name, or the short key
	op       operator
	vals     []value
	ints     map[int64]bool // the whole numbers of vals, when they are many
	contains string         // a bare word: lower case, looked for in names
}

// terms calls fn for every term below n.
func (n *node) terms(fn func(*term)) {
	if n == nil {
		return
	}
	if n.kind == isTerm {
		fn(n.term)
	}
	for _, k := range n.kids {
		k.terms(fn)
	}
}
