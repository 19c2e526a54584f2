package query

import (
	"cmp"
	"regexp"
	"strings"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// operator is a comparison.
type operator uint8

const (
	opEq operator = iota
	opNe
	opGt
	opGe
	opLt
	opLe
	opMatch
	opNoMatch
	opIn
	opNotIn
)

var opWords = [...]string{"=", "!=", ">", ">=", "<", "<=", "=~", "!~", "in", "not in"}

func (o operator) String() string { return opWords[o] }

// negative reports whether the operator is the reverse of another one.
func (o operator) negative() bool { return o == opNe || o == opNoMatch || o == opNotIn }

// ordered reports whether the operator needs a first and a second.
func (o operator) ordered() bool { return o >= opGt && o <= opLe }

// number is an exact integer or a float64.
type number struct {
	i     int64
	f     float64
	whole bool // i is exact
}

// compare is -1, 0 or 1. NaN is refused by parseNumber, and a NaN that was sent
// is text.
func (n number) compare(m number) int {
	if n.whole && m.whole {
		return cmp.Compare(n.i, m.i)
	}
	return cmp.Compare(n.f, m.f)
}

// parseNumber reads a complete base-10 number, exactly where it is whole. "inf",
// "nan", "0x10" and "1_000" are text, as they are when they were sent.
func parseNumber(s string) (number, bool) { return numberOf(run.StringValue(s)) }

// value is one right-hand side.
type value struct {
	text   string
	num    number
	isNum  bool
	hi     number // a range num..hi, both ends in it
	isSpan bool
	re     *regexp.Regexp
}

// literal reads a word as a number, a range of numbers, or text.
func literal(word string) value {
	v := value{text: word}
	v.num, v.isNum = parseNumber(word)
	if lo, hi, ok := strings.Cut(word, ".."); ok && !v.isNum {
		a, okA := parseNumber(lo)
		b, okB := parseNumber(hi)
		if okA && okB {
			return value{text: word, num: a, hi: b, isNum: true, isSpan: true}
		}
	}
	return v
}

// halfRange reports a range with one end missing, which is almost surely not
// meant as text.
func halfRange(word string) bool {
	lo, hi, ok := strings.Cut(word, "..")
	if !ok || (lo == "") == (hi == "") {
		return false
	}
	_, okLo := parseNumber(lo)
	_, okHi := parseNumber(hi)
	return okLo || okHi
}

// spanOfTime reads a duration or a range of durations as nanoseconds.
func spanOfTime(word string) (value, bool) {
	if lo, hi, ok := strings.Cut(word, ".."); ok {
		a, okA := nanoseconds(lo)
		b, okB := nanoseconds(hi)
		return value{text: word, num: a, hi: b, isNum: true, isSpan: true}, okA && okB
	}
	n, ok := nanoseconds(word)
	return value{text: word, num: n, isNum: true}, ok
}

// nanoseconds reads 2s, 150ms, 1.5h, 1h30m; 0 needs no unit.
func nanoseconds(word string) (number, bool) {
	d, err := time.ParseDuration(word)
	if err != nil || d < 0 || strings.HasPrefix(word, "+") || strings.HasPrefix(word, "-") {
		return number{}, false
	}
	return number{i: int64(d), f: float64(d), whole: true}, true
}
