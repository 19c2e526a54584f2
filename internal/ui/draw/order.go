package draw

import (
	"cmp"
	"math"
)

// Compare orders two figures of a column; NaN, which is no figure, comes last in
// either direction.
func Compare(a, b float64, desc bool) int {
	if math.IsNaN(a) || math.IsNaN(b) {
		return TrueLast(math.IsNaN(a), math.IsNaN(b))
	}
	return Turned(cmp.Compare(a, b), desc)
}

// TrueLast orders what is not so before what is.
func TrueLast(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// Turned is the order c, turned when desc is.
func Turned(c int, desc bool) int {
	if desc {
		return -c
	}
	return c
}
