package query

import (
	"encoding/json"
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
		return t.matchText(textOf(v))
	}
	if !isNum || t.needsText() {
		return t.match(n, isNum, textOf(v))
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
	c := 0
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
	switch v.Type {
	case run.Int:
		return number{i: v.Int(), f: float64(v.Int()), whole: true}, true
	case run.Double:
		f := v.Double()
		return number{f: f}, !math.IsNaN(f) && !math.IsInf(f, 0)
	case run.String:
		return parseNumber(v.Str())
	}
	return number{}, false
}

// textOf is the text against which a value is matched: scalars as they are
// written, lists as JSON, bytes as they are.
func textOf(v run.Value) string {
	switch v.Type {
	case run.String, run.Bytes:
		return v.Str()
	case run.Bool:
		return strconv.FormatBool(v.Bool())
	case run.Int:
		return strconv.FormatInt(v.Int(), 10)
	case run.Double:
		return strconv.FormatFloat(v.Double(), 'g', -1, 64)
	case run.Array, run.KVList:
		var b strings.Builder
		writeJSON(&b, v)
		return b.String()
	}
	return ""
}

func writeJSON(b *strings.Builder, v run.Value) {
	switch v.Type {
	case run.Array:
		b.WriteByte('[')
		for i, e := range v.List() {
			comma(b, i)
			writeJSON(b, e)
		}
		b.WriteByte(']')
	case run.KVList:
		b.WriteByte('{')
		for i, a := range v.Attrs() {
			comma(b, i)
			writeString(b, a.Key)
			b.WriteByte(':')
			writeJSON(b, a.Value)
		}
		b.WriteByte('}')
	case run.String, run.Bytes:
		writeString(b, v.Str())
	case run.Empty:
		b.WriteString("null")
	default:
		b.WriteString(textOf(v))
	}
}

func comma(b *strings.Builder, i int) {
	if i > 0 {
		b.WriteByte(',')
	}
}

func writeString(b *strings.Builder, s string) {
	j, err := json.Marshal(s)
	if err != nil {
		j = []byte(strconv.Quote(s))
	}
	b.Write(j)
}
