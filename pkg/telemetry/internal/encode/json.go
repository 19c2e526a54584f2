package encode

import (
	"encoding/base64"
	"encoding/hex"
	"math"
	"strconv"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// AppendJSON appends a message as OTLP JSON on one line: the JSON mapping of
// protobuf with ids in hexadecimal and enums as numbers, which the stock mapping
// gets wrong.
func AppendJSON(b []byte, m proto.Message) []byte { return appendMessage(b, m.ProtoReflect()) }

func appendMessage(b []byte, m protoreflect.Message) []byte {
	b = append(b, '{')
	empty := len(b)
	fields := m.Descriptor().Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if !m.Has(f) {
			continue
		}
		if len(b) > empty {
			b = append(b, ',')
		}
		b = append(b, '"')
		b = append(b, f.JSONName()...)
		b = append(b, '"', ':')
		b = appendField(b, f, m.Get(f))
	}
	return append(b, '}')
}

func appendField(b []byte, f protoreflect.FieldDescriptor, v protoreflect.Value) []byte {
	if !f.IsList() {
		return appendValue(b, f, v)
	}
	b = append(b, '[')
	for i, list := 0, v.List(); i < list.Len(); i++ {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendValue(b, f, list.Get(i))
	}
	return append(b, ']')
}

func appendValue(b []byte, f protoreflect.FieldDescriptor, v protoreflect.Value) []byte {
	switch f.Kind() {
	case protoreflect.MessageKind:
		return appendMessage(b, v.Message())
	case protoreflect.StringKind:
		return appendString(b, v.String())
	case protoreflect.BytesKind:
		return appendBytes(b, f.Name(), v.Bytes())
	case protoreflect.BoolKind:
		return strconv.AppendBool(b, v.Bool())
	case protoreflect.DoubleKind:
		return appendDouble(b, v.Float())
	case protoreflect.EnumKind:
		return strconv.AppendInt(b, int64(v.Enum()), 10)
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		return strconv.AppendInt(b, v.Int(), 10)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		return strconv.AppendUint(b, v.Uint(), 10)
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind:
		return append(strconv.AppendInt(append(b, '"'), v.Int(), 10), '"')
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return append(strconv.AppendUint(append(b, '"'), v.Uint(), 10), '"')
	}
	return append(b, "null"...) // OTLP has no other kinds
}

func appendBytes(b []byte, name protoreflect.Name, v []byte) []byte {
	b = append(b, '"')
	switch name {
	case "trace_id", "span_id", "parent_span_id":
		b = hex.AppendEncode(b, v)
	default:
		b = base64.StdEncoding.AppendEncode(b, v)
	}
	return append(b, '"')
}

// appendDouble writes what JSON has no number for as quoted words, as the protobuf
// mapping does.
func appendDouble(b []byte, v float64) []byte {
	switch {
	case math.IsNaN(v):
		return append(b, `"NaN"`...)
	case math.IsInf(v, 1):
		return append(b, `"Infinity"`...)
	case math.IsInf(v, -1):
		return append(b, `"-Infinity"`...)
	}
	return strconv.AppendFloat(b, v, 'g', -1, 64)
}

// appendString quotes text. A terminal that shows the line is driven by nothing in
// it: control characters are all escaped.
func appendString(b []byte, s string) []byte {
	const digits = "0123456789abcdef"
	b = append(b, '"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, '\\', 'n')
		case r < 0x20 || r >= 0x7f && r < 0xa0 || r == '\u2028' || r == '\u2029':
			b = append(b, '\\', 'u', digits[r>>12&15], digits[r>>8&15], digits[r>>4&15], digits[r&15])
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}
