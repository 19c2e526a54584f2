package telemetry

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"go.opentelemetry.io/otel/attribute"
)

// Redacted stands in for a value that must not leave the process.
const Redacted = "[REDACTED]"

// Set sets an attribute whose value comes from elsewhere: a bool, a string, an
// integer or float of any size, or a slice of one of these. A nil value, and one of
// any other kind, sets nothing.
//
// Text under a key that names a secret or a payload (Secret) becomes Redacted.
func (s *Span) Set(key string, value any) *Span {
	if s == nil {
		return nil
	}
	if kv, ok := safe(key, value); ok {
		s.set(kv)
	}
	return s
}

// SetAll is Set for each entry, in the order of the keys.
func (s *Span) SetAll(values map[string]any) *Span {
	if s == nil {
		return nil
	}
	for _, key := range slices.Sorted(maps.Keys(values)) {
		s.Set(key, values[key])
	}
	return s
}

// Secret reports whether text under a key is redacted: when the last part of the
// key, after ".", is in any case one of prompt, input_text, output_text, text,
// password, passwd, secret, token, api_key, apikey, key, credential, credentials,
// authorization and cookie, or ends in one of password, secret, token, key,
// credentials or text after "_" or "-".
// Numbers are never redacted: max_tokens is a count.
func Secret(key string) bool {
	last := strings.ToLower(key[strings.LastIndexByte(key, '.')+1:])
	switch last {
	case "prompt", "input_text", "output_text", "text", "password", "passwd", "secret", "token",
		"api_key", "apikey", "key", "credential", "credentials", "authorization", "cookie":
		return true
	}
	end := last[strings.LastIndexAny(last, "_-")+1:]
	switch end {
	case "password", "secret", "token", "key", "credentials", "text":
		return end != last
	}
	return false
}

// safe makes an attribute of a value, ok is false when it cannot be one.
func safe(key string, value any) (kv attribute.KeyValue, ok bool) {
	v, ok := valueOf(value)
	if !ok || key == "" {
		return kv, false
	}
	switch v.Type() {
	case attribute.STRING, attribute.STRINGSLICE, attribute.BYTESLICE:
		if Secret(key) {
			v = attribute.StringValue(Redacted)
		}
	}
	return attribute.KeyValue{Key: attribute.Key(key), Value: v}, true
}

func valueOf(value any) (attribute.Value, bool) {
	switch v := value.(type) {
	case string:
		return attribute.StringValue(v), true
	case bool:
		return attribute.BoolValue(v), true
	case int:
		return attribute.IntValue(v), true
	case int64:
		return attribute.Int64Value(v), true
	case float64:
		return attribute.Float64Value(v), true
	case attribute.Value:
		return v, true
	case nil:
		return attribute.Value{}, false
	}
	return reflected(reflect.ValueOf(value))
}

// reflected is the value of named and sized kinds, and of slices.
func reflected(v reflect.Value) (attribute.Value, bool) {
	switch v.Kind() {
	case reflect.String:
		return attribute.StringValue(v.String()), true
	case reflect.Bool:
		return attribute.BoolValue(v.Bool()), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return attribute.Int64Value(v.Int()), true
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n := v.Uint()
		return attribute.Int64Value(int64(n)), n <= 1<<63-1
	case reflect.Float32, reflect.Float64:
		return attribute.Float64Value(v.Float()), true
	case reflect.Slice:
		return slice(v)
	}
	return attribute.Value{}, false
}

// slice is the value of a slice whose elements are of one kind.
func slice(v reflect.Value) (attribute.Value, bool) {
	switch v.Type().Elem().Kind() {
	case reflect.String:
		return attribute.StringSliceValue(elements(v, reflect.Value.String)), true
	case reflect.Bool:
		return attribute.BoolSliceValue(elements(v, reflect.Value.Bool)), true
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return attribute.Int64SliceValue(elements(v, reflect.Value.Int)), true
	case reflect.Uint8:
		return attribute.ByteSliceValue(v.Bytes()), true
	case reflect.Float32, reflect.Float64:
		return attribute.Float64SliceValue(elements(v, reflect.Value.Float)), true
	}
	return attribute.Value{}, false
}

func elements[T any](v reflect.Value, one func(reflect.Value) T) []T {
	out := make([]T, v.Len())
	for i := range out {
		out[i] = one(v.Index(i))
	}
	return out
}
