package query

import (
	"math/rand/v2"
	"testing"
)

// leafy is a tree whose leaves have their answers in name[0], as eval asks them.
func leafy(t tri) *bound { return &bound{node: &node{kind: isTerm}, name: []tri{t}} }

func branch(kind nodeKind, kids ...*bound) *bound {
	return &bound{node: &node{kind: kind}, kids: kids}
}

func asked(b *bound) tri { return b.name[0] }

// The truth tables of Kleene's strong logic.
func TestTruthTables(t *testing.T) {
	and := [3][3]tri{{no, no, no}, {no, maybe, maybe}, {no, maybe, yes}}
	or := [3][3]tri{{no, maybe, yes}, {maybe, maybe, yes}, {yes, yes, yes}}
	not := [3]tri{yes, maybe, no}
	for a := range tri(3) {
		if got := branch(isNot, leafy(a)).eval(asked); got != not[a] {
			t.Errorf("not %d is %d", a, got)
		}
		for b := range tri(3) {
			if got := branch(isAnd, leafy(a), leafy(b)).eval(asked); got != and[a][b] {
				t.Errorf("%d and %d is %d", a, b, got)
			}
			if got := branch(isOr, leafy(a), leafy(b)).eval(asked); got != or[a][b] {
				t.Errorf("%d or %d is %d", a, b, got)
			}
		}
	}
	if known(true) != yes || known(false) != no {
		t.Error("what is known is known")
	}
}

// randomTree is a tree of some depth with leaves of any truth.
func randomTree(r *rand.Rand, depth int) *bound {
	if depth == 0 || r.IntN(4) == 0 {
		return leafy(tri(r.IntN(3)))
	}
	switch r.IntN(3) {
	case 0:
		return branch(isNot, randomTree(r, depth-1))
	case 1:
		return branch(isAnd, randomTree(r, depth-1), randomTree(r, depth-1), randomTree(r, depth-1))
	}
	return branch(isOr, randomTree(r, depth-1), randomTree(r, depth-1))
}

// maybes is the leaves that are not known.
func maybes(b *bound) (out []*bound) {
	if b.kind == isTerm {
		if b.name[0] == maybe {
			out = append(out, b)
		}
		return out
	}
	for _, k := range b.kids {
		out = append(out, maybes(k)...)
	}
	return out
}

// What is decided while some leaves are not known stays so whatever they turn out
// to be: nothing is ever excluded that may match.
func TestMaybeIsNeverWrong(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2_000 {
		tree := randomTree(r, 4)
		before := tree.eval(asked)
		open := maybes(tree)
		if len(open) > 10 {
			continue
		}
		for bits := range 1 << len(open) {
			for i, leaf := range open {
				leaf.name[0] = known(bits>>i&1 == 1)
			}
			if after := tree.eval(asked); before != maybe && after != before || after == maybe {
				t.Fatalf("decided %d, and with all known %d", before, after)
			}
		}
	}
}
