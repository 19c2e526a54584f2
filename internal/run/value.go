package run

import "math"

// Type is the type of an attribute value as sent. Nothing is inferred from how
// a value looks: "007" is a string.
type Type uint8

// The types of OTLP's AnyValue. Their numbers are the field numbers of AnyValue
// on the wire, so codec and columns store them unchanged.
const (
	Empty  Type = 0
	String Type = 1
	Bool   Type = 2
	Int    Type = 3
	Double Type = 4
	Array  Type = 5
	KVList Type = 6
	Bytes  Type = 7
)

var typeNames = [...]string{"empty", "string", "bool", "int", "double", "array", "kvlist", "bytes"}

// String is the lower-case OTLP word for the type.
func (t Type) String() string {
	if int(t) < len(typeNames) {
		return typeNames[t]
	}
	return "unknown"
}

// Value is one attribute value, fully expanded. The zero Value is Empty.
type Value struct {
	Type Type
	num  uint64 // bool 0/1, int as two's complement, double as IEEE bits
	str  string // string or bytes
	list []Value
	kvs  []Attr
}

// Attr is a key with its value. Keys may repeat; readers take the last.
type Attr struct {
	Key   string
	Value Value
}

// StringValue holds text, as sent.
func StringValue(s string) Value { return Value{Type: String, str: s} }

// BytesValue holds raw bytes.
func BytesValue(b []byte) Value { return Value{Type: Bytes, str: string(b)} }

// IntValue holds a signed 64-bit integer, exactly.
func IntValue(n int64) Value { return Value{Type: Int, num: uint64(n)} }

// DoubleValue holds a float64, NaN and infinities included.
func DoubleValue(f float64) Value { return Value{Type: Double, num: math.Float64bits(f)} }

// ArrayValue holds values in order.
func ArrayValue(vs []Value) Value { return Value{Type: Array, list: vs} }

// KVListValue holds pairs in the order sent, duplicates included.
func KVListValue(kvs []Attr) Value { return Value{Type: KVList, kvs: kvs} }

// BoolValue holds a bool.
func BoolValue(b bool) Value {
	v := Value{Type: Bool}
	if b {
		v.num = 1
	}
	return v
}

// Raw makes a scalar of type t from its column form: num for bool, int and
// double, s for string and bytes.
func Raw(t Type, num uint64, s string) Value { return Value{Type: t, num: num, str: s} }

// Str is the text of a String or the bytes of a Bytes value, else "".
func (v Value) Str() string { return v.str }

// Int is the number of an Int value, else 0.
func (v Value) Int() int64 { return int64(v.num) }

// Double is the number of a Double value.
func (v Value) Double() float64 { return math.Float64frombits(v.num) }

// Bool is the truth of a Bool value.
func (v Value) Bool() bool { return v.Type == Bool && v.num != 0 }

// List is the elements of an Array.
func (v Value) List() []Value { return v.list }

// Attrs is the pairs of a KVList.
func (v Value) Attrs() []Attr { return v.kvs }
