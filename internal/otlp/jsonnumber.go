package otlp

import (
	"bytes"
	"math"
	"math/bits"
	"strconv"

	"google.golang.org/protobuf/reflect/protoreflect"
)

// jsonInteger reads an integer exactly: digits, or a number with fraction and
// exponent that is integral, as 1.5e3 is. ok is false for all else and beyond 64
// bits.
func jsonInteger(text []byte) (magnitude uint64, negative, ok bool) {
	if len(text) > 0 && text[0] == '-' {
		negative, text = true, text[1:]
	}
	if len(text) == 0 {
		return 0, false, false
	}
	if magnitude, ok = jsonDigits(text); !ok {
		magnitude, ok = jsonScientific(text)
	}
	return magnitude, negative, ok
}

// jsonDigits reads digits alone, below 2^64.
func jsonDigits(text []byte) (n uint64, ok bool) {
	for i, c := range text {
		if c -= '0'; c <= 9 && i < 19 {
			n = n*10 + uint64(c)
		} else if n, ok = jsonDigit(n, c+'0'); !ok {
			return 0, false
		}
	}
	return n, true
}

// jsonDigit is n with one more decimal digit.
func jsonDigit(n uint64, c byte) (uint64, bool) {
	high, low := bits.Mul64(n, 10)
	sum, carry := bits.Add64(low, uint64(c-'0'), 0)
	return sum, c >= '0' && c <= '9' && high == 0 && carry == 0
}

// jsonScientific reads an integral number in the grammar of JSON numbers.
func jsonScientific(text []byte) (uint64, bool) {
	mantissa, exponent := text, 0
	if i := bytes.IndexAny(text, "eE"); i >= 0 {
		n, err := strconv.Atoi(string(text[i+1:]))
		if err != nil {
			return 0, false
		}
		mantissa, exponent = text[:i], n
	}
	whole, fraction, _ := bytes.Cut(mantissa, []byte("."))
	digits := append(bytes.Clone(whole), fraction...)
	if len(whole) == 0 {
		return 0, false
	}
	return jsonShift(digits, exponent-len(fraction))
}

// jsonShift is digits × 10^exponent when that is an integer below 2^64.
func jsonShift(digits []byte, exponent int) (n uint64, ok bool) {
	kept := bytes.TrimRight(digits, "0")
	exponent += len(digits) - len(kept)
	for _, c := range kept {
		if n, ok = jsonDigit(n, c); !ok {
			return 0, false
		}
	}
	if n == 0 {
		return 0, len(kept) == 0
	}
	for ; exponent > 0; exponent-- {
		if n, ok = jsonDigit(n, '0'); !ok {
			return 0, false
		}
	}
	return n, exponent == 0
}

// jsonIntegerBits is the wire payload of an integer of kind k; ok is false when
// it does not fit.
func jsonIntegerBits(k protoreflect.Kind, magnitude uint64, negative bool) (uint64, bool) {
	limit := uint64(math.MaxUint64)
	switch k {
	case protoreflect.Int64Kind, protoreflect.Sfixed64Kind, protoreflect.Sint64Kind:
		limit = math.MaxInt64
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind, protoreflect.EnumKind:
		limit = math.MaxInt32
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		limit = math.MaxUint32
	}
	unsigned := limit == math.MaxUint64 || limit == math.MaxUint32
	v := magnitude
	if negative {
		if v = -v; unsigned {
			return 0, magnitude == 0
		}
		limit++
	}
	if k == protoreflect.Sint32Kind || k == protoreflect.Sint64Kind {
		v = v<<1 ^ uint64(int64(v)>>63)
	}
	return v, magnitude <= limit
}

// jsonDouble reads a number or one of the names of the numbers that JSON cannot
// write. Of those it takes what other encoders write, too: inf, +Inf, nan.
func jsonDouble(text []byte) (float64, bool) {
	switch string(text) {
	case "NaN", "nan":
		return math.NaN(), true
	case "Infinity", "+Infinity", "inf", "+inf", "Inf", "+Inf":
		return math.Inf(1), true
	case "-Infinity", "-inf", "-Inf":
		return math.Inf(-1), true
	}
	if len(bytes.Trim(text, "0123456789+-.eE")) > 0 {
		return 0, false // ParseFloat takes hexadecimal and underscores, too
	}
	v, err := strconv.ParseFloat(string(text), 64)
	return v, err == nil
}
