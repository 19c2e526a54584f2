package run

import (
	"cmp"
	"math"
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// Number reads an Int, a Double, or a String that is a complete base-10 number
// with blanks around it allowed. A string in another base, with underscores, or
// that spells an infinity or NaN is text, not a number; so is one beyond
// float64. Integers beyond 2^53 are rounded: use IntLike where it matters.
func (v Value) Number() (float64, bool) {
	switch v.Type {
	case Int:
		return float64(int64(v.num)), true
	case Double:
		return v.Double(), true
	case String:
		return parseDecimal(v.str)
	}
	return 0, false
}

// IntLike reads an Int, or a String that is a complete signed base-10 integer
// within int64 with blanks around it allowed, exactly. A Double is never an
// integer, and neither are "3.5", "1e3", "1_000", "0x10" or a bool.
func (v Value) IntLike() (int64, bool) {
	switch v.Type {
	case Int:
		return int64(v.num), true
	case String:
		return semconv.ParseInt(v.str)
	}
	return 0, false
}

// parseDecimal reads what strconv reads, less its other spellings of numbers.
func parseDecimal(s string) (float64, bool) {
	s = strings.Trim(s, " \t\n\v\f\r")
	if strings.Trim(s, "0123456789+-.eE") != "" || strings.ContainsAny(s, "xX_nN") {
		return 0, false
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

// compareIntFloat orders an integer and a float without rounding the integer.
// ok is false for NaN, which has no order.
func compareIntFloat(n int64, f float64) (order int, ok bool) {
	switch {
	case math.IsNaN(f):
		return 0, false
	case f >= 1<<63:
		return -1, true
	case f < -1<<63:
		return 1, true
	}
	whole := math.Trunc(f)
	if m := int64(whole); n != m {
		return cmp.Compare(n, m), true
	}
	return cmp.Compare(whole, f), true
}
