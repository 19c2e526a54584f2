package query

// tri is a truth that may not be known yet: about a process before its spans
// are looked at.
type tri uint8

const (
	no tri = iota
	maybe
	yes
)

func known(b bool) tri {
	if b {
		return yes
	}
	return no
}

// eval combines what leaf says about each term by Kleene's rules: a maybe stays
// one unless the other side decides.
func (n *node) eval(leaf func(*term) tri) tri {
	switch n.kind {
	case isTerm:
		return leaf(n.term)
	case isNot:
		return yes - n.kids[0].eval(leaf)
	case isAnd:
		out := yes
		for _, k := range n.kids {
			if out = min(out, k.eval(leaf)); out == no {
				return no
			}
		}
		return out
	}
	out := no
	for _, k := range n.kids {
		if out = max(out, k.eval(leaf)); out == yes {
			return yes
		}
	}
	return out
}
