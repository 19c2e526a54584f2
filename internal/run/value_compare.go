package run

import (
	"cmp"
	"slices"
	"strings"
)

// Equal reports whether two values are the same in type and content, as an
// export must keep them. Doubles are compared bit by bit, so NaN equals itself
// and 0 differs from −0. For filters use Same.
func (v Value) Equal(w Value) bool {
	type pair struct{ a, b Value }
	todo := []pair{{v, w}}
	for len(todo) > 0 {
		a, b := todo[len(todo)-1].a, todo[len(todo)-1].b
		todo = todo[:len(todo)-1]
		if !sameNode(a, b) {
			return false
		}
		for i := range a.list {
			todo = append(todo, pair{a.list[i], b.list[i]})
		}
		for i := range a.kvs {
			todo = append(todo, pair{a.kvs[i].Value, b.kvs[i].Value})
		}
	}
	return true
}

// sameNode compares everything of two values but their elements.
func sameNode(a, b Value) bool {
	if a.Type != b.Type || a.num != b.num || a.str != b.str || len(a.list) != len(b.list) {
		return false
	}
	return slices.EqualFunc(a.kvs, b.kvs, func(x, y Attr) bool { return x.Key == y.Key })
}

// Same reports whether two values mean the same in a filter: two numbers by
// amount however they were sent (0, 0.0 and "0"), everything else by its text.
func (v Value) Same(w Value) bool {
	if order, ok := compareNumbers(v, w); ok {
		return order == 0
	}
	if v.isScalar() && w.isScalar() {
		return v.String() == w.String()
	}
	return v.Equal(w)
}

// Compare orders two values for a filter: numbers by amount, else two strings
// by bytes and two bools false before true. ok is false where there is no order,
// as between a number and a word, or with NaN.
func (v Value) Compare(w Value) (order int, ok bool) {
	if order, ok := compareNumbers(v, w); ok {
		return order, true
	}
	switch {
	case v.Type == String && w.Type == String:
		return strings.Compare(v.str, w.str), true
	case v.Type == Bool && w.Type == Bool:
		return cmp.Compare(v.num, w.num), true
	}
	return 0, false
}

// compareNumbers orders two numbers exactly; ok is false unless both are.
func compareNumbers(v, w Value) (order int, ok bool) {
	a, aInt := v.IntLike()
	b, bInt := w.IntLike()
	if aInt && bInt {
		return cmp.Compare(a, b), true
	}
	x, xOK := v.Number()
	y, yOK := w.Number()
	switch {
	case !xOK || !yOK || x != x || y != y:
		return 0, false
	case aInt:
		return compareIntFloat(a, y)
	case bInt:
		order, ok = compareIntFloat(b, x)
		return -order, ok
	}
	return cmp.Compare(x, y), true
}

func (v Value) isScalar() bool { return v.Type != Array && v.Type != KVList }
