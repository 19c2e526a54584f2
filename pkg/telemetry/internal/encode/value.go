// Package encode turns what OpenTelemetry's SDK hands to an exporter into OTLP
// messages, and messages into OTLP JSON.
//
// All messages carry the one resource they are given, whatever the SDK has made of
// it: the SDK mixes in the raw OTEL_RESOURCE_ATTRIBUTES of the process.
package encode

import (
	"math"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	"go.opentelemetry.io/otel/sdk/resource"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
)

// Encoder makes messages of one process.
type Encoder struct {
	resource *resourcepb.Resource
	schema   string
}

// New returns an encoder for a resource.
func New(r *resource.Resource) *Encoder {
	return &Encoder{&resourcepb.Resource{Attributes: set(r.Set())}, r.SchemaURL()}
}

func scope(s instrumentation.Scope) *commonpb.InstrumentationScope {
	return &commonpb.InstrumentationScope{Name: s.Name, Version: s.Version, Attributes: set(&s.Attributes)}
}

func set(s *attribute.Set) []*commonpb.KeyValue { return keyValues(s.ToSlice()) }

func keyValues(kvs []attribute.KeyValue) []*commonpb.KeyValue {
	if len(kvs) == 0 {
		return nil
	}
	out := make([]*commonpb.KeyValue, len(kvs))
	for i, kv := range kvs {
		out[i] = keyValue(kv)
	}
	return out
}

func keyValue(kv attribute.KeyValue) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: valid(string(kv.Key)), Value: value(kv.Value)}
}

func value(v attribute.Value) *commonpb.AnyValue {
	switch v.Type() {
	case attribute.BOOL:
		return boolean(v.AsBool())
	case attribute.INT64:
		return integer(v.AsInt64())
	case attribute.FLOAT64:
		return double(v.AsFloat64())
	case attribute.STRING:
		return text(v.AsString())
	case attribute.BYTESLICE:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_BytesValue{BytesValue: v.AsByteSlice()}}
	case attribute.MAP:
		return &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{
			KvlistValue: &commonpb.KeyValueList{Values: keyValues(v.AsMap())}}}
	case attribute.BOOLSLICE:
		return list(v.AsBoolSlice(), boolean)
	case attribute.INT64SLICE:
		return list(v.AsInt64Slice(), integer)
	case attribute.FLOAT64SLICE:
		return list(v.AsFloat64Slice(), double)
	case attribute.STRINGSLICE:
		return list(v.AsStringSlice(), text)
	case attribute.SLICE:
		return list(v.AsSlice(), value)
	}
	return &commonpb.AnyValue{} // empty, which is a value too
}

func boolean(v bool) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: v}}
}

func integer(v int64) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: v}}
}

func double(v float64) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: v}}
}

func text(v string) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: valid(v)}}
}

func list[T any](vs []T, one func(T) *commonpb.AnyValue) *commonpb.AnyValue {
	out := make([]*commonpb.AnyValue, len(vs))
	for i, v := range vs {
		out[i] = one(v)
	}
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: &commonpb.ArrayValue{Values: out}}}
}

// nanos is 0 for the zero time and for times before 1970.
func nanos(t time.Time) uint64 {
	if t.IsZero() {
		return 0
	}
	return uint64(max(0, t.UnixNano()))
}

func count(n int) uint32 { return uint32(min(max(0, n), math.MaxUint32)) }
