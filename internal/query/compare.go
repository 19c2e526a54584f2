package query

import (
	"math"
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
)

// matchInt compares a whole number that is there.
func (t *term) matchInt(n int64) bool {
	if t.ints != nil {
		return t.ints[n] != t.op.negative()
	}
	if t.op == opMatch || t.op == opNoMatch {
		return t.matchText(strconv.FormatInt(n, 10))
	}
	return t.match(number{i: n, f: float64(n), whole: true}, true, "")
}

// matchText compares a text that is there with text.
func (t *term) matchText(s string) bool {
	if t.op == opMatch || t.op == opNoMatch {
		return t.vals[0].re.MatchString(s) == (t.op == opMatch)
	}
	return t.match(number{}, false, s)
}

// matchValue compares an attribute that is there: as numbers when both sides
// are, else as text. An empty value is not there.
func (t *term) matchValue(v run.Value) bool {
	if v.Type == run.Empty {
		return false
	}
	n, isNum := numberOf(v)
	if t.ints != nil && isNum && n.whole {
		return t.ints[n.i] != t.op.negative()
	}
	if t.op == opMatch || t.op == opNoMatch {
		return t.matchText(v.String())
	}
	if !isNum || t.needsText() {
		return t.match(n, isNum, v.String())
	}
	return t.match(n, true, "")
}

// needsText reports whether some value is not a number.
func (t *term) needsText() bool {
	for i := range t.vals {
		if !t.vals[i].isNum {
			return true
		}
	}
	return false
}

// match compares with each value and knows the reverse operators.
func (t *term) match(n number, isNum bool, s string) bool {
	for i := range t.vals {
		if t.vals[i].meets(t.op, n, isNum, s) {
			return !t.op.negative()
		}
	}
	return t.op.negative()
}

// meets compares with one value; for a negative operator it tells whether the
// positive one holds.
func (v *value) meets(op operator, n number, isNum bool, s string) bool {
	if v.isSpan {
		return isNum && n.compare(v.num) >= 0 && n.compare(v.hi) <= 0
	}
	var c int
	switch {
	case v.isNum && isNum:
		c = n.compare(v.num)
	case v.isNum && op.ordered():
		return false // a text is neither above nor below a number
	default:
		c = strings.Compare(s, v.text)
	}
	switch op {
	case opGt:
		return c > 0
	case opGe:
		return c >= 0
	case opLt:
		return c < 0
	case opLe:
		return c <= 0
	}
	return c == 0
}

// numberOf reads an int, a finite double, or a string that is a complete
// base-10 number, exactly where it is whole.
func numberOf(v run.Value) (number, bool) {
	if i, ok := v.IntLike(); ok {
		return number{i: i, f: float64(i), whole: true}, true
	}
	f, ok := v.Number()
	return number{f: f}, ok && !math.IsNaN(f) && !math.IsInf(f, 0)
}
