package record

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"

	"github.com/beamline-hpc/lensview/internal/otlp"
)

// pyAttrs is a map of attributes, in the order printed.
type pyAttrs []*commonpb.KeyValue

// UnmarshalJSONFrom reads an object or null.
func (a *pyAttrs) UnmarshalJSONFrom(dec *jsontext.Decoder) (err error) {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	*a, err = pyPairs(dec, 0)
	return err
}

// pyAny is a value of any type, nil when it is null.
type pyAny struct{ value *commonpb.AnyValue }

// UnmarshalJSONFrom reads one value.
func (v *pyAny) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() == 'n' {
		return dec.SkipValue()
	}
	value, err := pyValue(dec, 0)
	v.value = value
	return err
}

var errPyDepth = errors.New("values nest too deep")

func pyPairs(dec *jsontext.Decoder, depth int) (pairs []*commonpb.KeyValue, err error) {
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		value, err := pyValue(dec, depth)
		if err != nil {
			return nil, err
		}
		pairs = append(pairs, &commonpb.KeyValue{Key: key, Value: value})
	}
	_, err = dec.ReadToken()
	return pairs, err
}

func pyValue(dec *jsontext.Decoder, depth int) (*commonpb.AnyValue, error) {
	if depth >= otlp.MaxDepth {
		return nil, errPyDepth
	}
	switch dec.PeekKind() {
	case '{':
		pairs, err := pyPairs(dec, depth+1)
		list := &commonpb.KeyValueList{Values: pairs}
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{KvlistValue: list}}, err
	case '[':
		values, err := pyList(dec, depth+1)
		list := &commonpb.ArrayValue{Values: values}
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: list}}, err
	}
	raw, err := dec.ReadValue()
	if err != nil {
		return nil, err
	}
	return pyScalar(raw), nil
}

func pyList(dec *jsontext.Decoder, depth int) (values []*commonpb.AnyValue, err error) {
	if _, err := dec.ReadToken(); err != nil {
		return nil, err
	}
	for dec.PeekKind() != ']' {
		value, err := pyValue(dec, depth)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	_, err = dec.ReadToken()
	return values, err
}

// pyScalar keeps the type that Python had: 1 is an int, 1.0 a double. An int
// beyond 64 bits is kept as its digits.
func pyScalar(raw jsontext.Value) *commonpb.AnyValue {
	if v, ok := pyInt(raw); ok {
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: v}}
	}
	if v, ok := pyDouble(raw); ok {
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: v}}
	}
	switch raw.Kind() {
	case 't', 'f':
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: raw.Kind() == 't'}}
	case '"':
		text, _ := jsontext.AppendUnquote(nil, raw)
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: string(text)}}
	case '0':
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: string(raw)}}
	}
	return &commonpb.AnyValue{}
}

func pyInt(raw jsontext.Value) (int64, bool) {
	v, err := strconv.ParseInt(string(raw), 10, 64)
	return v, err == nil
}

// pyDouble reads a double, bare words included as quoteNonFinite has left them.
func pyDouble(raw jsontext.Value) (float64, bool) {
	switch string(raw) {
	case quotedNaN:
		return math.NaN(), true
	case quotedInfinity:
		return math.Inf(1), true
	case quotedNegative:
		return math.Inf(-1), true
	}
	if raw.Kind() != '0' || !bytes.ContainsAny(raw, ".eE") {
		return 0, false
	}
	v, err := strconv.ParseFloat(string(raw), 64)
	return v, err == nil
}

// pyTime is a time in ISO 8601, as unix nanoseconds; 0 when it is null.
type pyTime uint64

// UnmarshalText reads a time as datetime.isoformat writes it.
func (t *pyTime) UnmarshalText(text []byte) error {
	at, err := time.Parse(time.RFC3339Nano, string(text))
	if err != nil {
		return fmt.Errorf("want a time like 2025-10-09T08:53:20.000000Z, got %q", text)
	}
	*t = pyTime(at.UnixNano())
	return nil
}

// pyID is an id, "0x" and hex digits; empty when it is null. What is not hex is
// kept as it is, so that only its span is refused.
type pyID []byte

// UnmarshalText reads an id.
func (id *pyID) UnmarshalText(text []byte) error {
	digits := strings.TrimPrefix(string(text), "0x")
	raw, err := hex.DecodeString(digits)
	if err != nil {
		raw = []byte("not hex: " + digits)
	}
	*id = raw
	return nil
}

// pyWord is the last word of an enum: INTERNAL of SpanKind.INTERNAL.
func pyWord(s string) string { return s[strings.LastIndexByte(s, '.')+1:] }
