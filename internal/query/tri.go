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
func (b *bound) eval(leaf func(*bound) tri) tri {
	switch b.kind {
	case isTerm:
		return leaf(b)
	case isNot:
		return yes - b.kids[0].eval(leaf)
	case isAnd:
		out := yes
		for _, k := range b.kids {
			if out = min(out, k.eval(leaf)); out == no {
				return no
			}
		}
		return out
	}
	out := no
	for _, k := range b.kids {
		if out = max(out, k.eval(leaf)); out == yes {
			return yes
		}
	}
	return out
}
