package semconv

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
)

// Convert gives a value the type that types has for its key: string, int64,
// float64 or bool. The value of a key that is not in types comes back unchanged.
//
// An integer is a native one of any size within int64, or a string as ParseInt
// reads it, exactly; a float is never an integer, however whole. A float is a
// native float or integer, or a string in base 10; a bool is a bool, "true" or
// "false"; a string is a string. For anything else Convert returns the value as
// it came and an error that names key and value.
func Convert(key string, value any, types Types) (any, error) {
	want, typed := types[key]
	if !typed {
		return value, nil
	}
	if v, ok := convert(value, want); ok {
		return v, nil
	}
	return value, fmt.Errorf("attribute %s: %s is not %s", key, quote(value), phrase(want))
}

func convert(value any, want Type) (any, bool) {
	switch want {
	case IntType:
		return toInt(value)
	case FloatType:
		return toFloat(value)
	case BoolType:
		return toBool(value)
	}
	s, ok := value.(string)
	return s, ok
}

func toInt(value any) (any, bool) {
	if s, ok := value.(string); ok {
		return wrap(ParseInt(s))
	}
	v := reflect.ValueOf(value)
	switch {
	case v.CanInt():
		return v.Int(), true
	case v.CanUint() && v.Uint() <= math.MaxInt64:
		return int64(v.Uint()), true
	}
	return nil, false
}

func toFloat(value any) (any, bool) {
	switch v := reflect.ValueOf(value); {
	case v.CanFloat():
		return v.Float(), true
	case v.CanInt():
		return float64(v.Int()), true
	case v.CanUint():
		return float64(v.Uint()), true
	}
	s, _ := value.(string)
	return wrap(parseDecimal(trimBlanks(s)))
}

func toBool(value any) (any, bool) {
	switch v := value.(type) {
	case bool:
		return v, true
	case string:
		s := trimBlanks(v)
		return s == "true", s == "true" || s == "false"
	}
	return nil, false
}

// parseDecimal leaves out strconv's other spellings of numbers.
func parseDecimal(s string) (float64, bool) {
	for _, c := range s {
		if (c < '0' || c > '9') && c != '+' && c != '-' && c != '.' && c != 'e' && c != 'E' {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(s, 64)
	return f, err == nil
}

func wrap[T any](v T, ok bool) (any, bool) { return v, ok }

// quote shows a value in an error, cut so that a huge one does not fill a log.
func quote(value any) string {
	s, ok := value.(string)
	if !ok {
		s = fmt.Sprint(value)
	}
	const most = 40
	if len(s) > most {
		s = s[:most] + "…"
	}
	if ok {
		return strconv.Quote(s)
	}
	return s + " (" + fmt.Sprintf("%T", value) + ")"
}

func phrase(t Type) string {
	switch t {
	case IntType:
		return "an integer: write a whole number in base 10 within 64 bits"
	case FloatType:
		return "a number: write it in base 10"
	case BoolType:
		return "a bool: write true or false"
	}
	return "a string"
}
