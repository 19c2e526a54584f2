package otlp

import (
	"encoding/base64"
	"encoding/hex"
	"math"
	"strconv"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// scalar writes the value of f from its wire payload, which has been checked.
func (w *jsonWriter) scalar(f *jsonField, payload []byte) {
	switch f.wire {
	case protowire.Fixed64Type:
		bits, _ := protowire.ConsumeFixed64(payload)
		w.number(f.kind, bits)
	case protowire.Fixed32Type:
		bits, _ := protowire.ConsumeFixed32(payload)
		w.number(f.kind, uint64(bits))
	case protowire.VarintType:
		bits, _ := protowire.ConsumeVarint(payload)
		w.number(f.kind, bits)
	default:
		w.textual(f, payload)
	}
}

// number writes bits as the number of kind k that they stand for.
func (w *jsonWriter) number(k protoreflect.Kind, bits uint64) {
	switch k {
	case protoreflect.BoolKind:
		w.dst = strconv.AppendBool(w.dst, bits != 0)
	case protoreflect.DoubleKind:
		w.double(math.Float64frombits(bits))
	case protoreflect.Int32Kind, protoreflect.EnumKind, protoreflect.Sfixed32Kind:
		w.dst = strconv.AppendInt(w.dst, int64(int32(bits)), 10)
	case protoreflect.Sint32Kind:
		w.dst = strconv.AppendInt(w.dst, int64(int32(protowire.DecodeZigZag(bits&math.MaxUint32))), 10)
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		w.dst = strconv.AppendUint(w.dst, uint64(uint32(bits)), 10)
	case protoreflect.Int64Kind, protoreflect.Sfixed64Kind:
		w.quoted(strconv.AppendInt(w.quote(), int64(bits), 10))
	case protoreflect.Sint64Kind:
		w.quoted(strconv.AppendInt(w.quote(), protowire.DecodeZigZag(bits), 10))
	default:
		w.quoted(strconv.AppendUint(w.quote(), bits, 10))
	}
}

func (w *jsonWriter) quote() []byte   { return append(w.dst, '"') }
func (w *jsonWriter) quoted(b []byte) { w.dst = append(b, '"') }

// double writes the shortest number that reads back the same.
func (w *jsonWriter) double(v float64) {
	switch {
	case math.IsNaN(v):
		w.dst = append(w.dst, `"NaN"`...)
	case math.IsInf(v, 1):
		w.dst = append(w.dst, `"Infinity"`...)
	case math.IsInf(v, -1):
		w.dst = append(w.dst, `"-Infinity"`...)
	default:
		w.dst = appendJSONFloat(w.dst, v)
	}
}

// appendJSONFloat uses an exponent where digits alone would be long, written as
// encoding/json does: e-7, not e-07.
func appendJSONFloat(dst []byte, v float64) []byte {
	if a := math.Abs(v); a == 0 || a >= 1e-6 && a < 1e21 {
		return strconv.AppendFloat(dst, v, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, v, 'e', -1, 64)
	if n := len(dst); dst[n-4] == 'e' && dst[n-2] == '0' {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// textual writes a string, id or bytes.
func (w *jsonWriter) textual(f *jsonField, payload []byte) {
	switch {
	case f.idSize > 0:
		w.quoted(hex.AppendEncode(w.quote(), payload))
	case f.kind == protoreflect.BytesKind:
		w.quoted(base64.StdEncoding.AppendEncode(w.quote(), payload))
	default:
		w.text(payload)
	}
}

// text writes a JSON string. Line ends and all control characters are escaped,
// so that a request stays on its line.
func (w *jsonWriter) text(s []byte) {
	w.dst = append(w.dst, '"')
	if validText(s) {
		w.dst = appendEscaped(w.dst, s)
	} else {
		w.dst = appendEscaped(w.dst, appendRepaired(nil, s))
	}
	w.dst = append(w.dst, '"')
}

func appendEscaped(dst, s []byte) []byte {
	from := 0
	for i, c := range s {
		if c >= ' ' && c != '"' && c != '\\' && c != 0x7f {
			continue
		}
		dst = append(dst, s[from:i]...)
		dst = appendEscape(dst, c)
		from = i + 1
	}
	return append(dst, s[from:]...)
}

func appendEscape(dst []byte, c byte) []byte {
	const digits = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\n':
		return append(dst, '\\', 'n')
	case '\r':
		return append(dst, '\\', 'r')
	case '\t':
		return append(dst, '\\', 't')
	}
	return append(dst, '\\', 'u', '0', '0', digits[c>>4], digits[c&15])
}
