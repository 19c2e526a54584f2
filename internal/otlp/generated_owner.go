package otlp

import (
	"math"

	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"

	"github.com/beamline-hpc/lensview/internal/run"
)

// addResource adds a row and gives its index.
func (b *Batch) addResource(r *resourcepb.Resource, schema string) (uint32, error) {
	attrs, err := b.addAttrs(r.GetAttributes())
	b.Resources = append(b.Resources, Resource{
		Raw: b.marshal(r), Schema: b.keepString(schema), Attrs: attrs, Dropped: r.GetDroppedAttributesCount(),
	})
	return uint32(len(b.Resources) - 1), firstOf(err, b.room())
}

// addScope adds a row and gives its index.
func (b *Batch) addScope(s *commonpb.InstrumentationScope, schema string, resource uint32) (uint32, error) {
	attrs, err := b.addAttrs(s.GetAttributes())
	b.Scopes = append(b.Scopes, Scope{
		Resource: resource, Raw: b.marshal(s), Name: b.keepString(s.GetName()), Version: b.keepString(s.GetVersion()),
		Schema: b.keepString(schema), Attrs: attrs, Dropped: s.GetDroppedAttributesCount(),
	})
	return uint32(len(b.Scopes) - 1), firstOf(err, b.room())
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// addAttrs adds a row for each attribute.
func (b *Batch) addAttrs(kvs []*commonpb.KeyValue) (Range, error) {
	r := Range{From: uint32(len(b.Attrs))}
	for n, kv := range kvs {
		a := Attr{Key: b.keepString(kv.GetKey())}
		if err := b.setValue(&a, kv.GetValue()); err != nil {
			return r, at(err, "attributes", n)
		}
		b.Attrs = append(b.Attrs, a)
	}
	r.To = uint32(len(b.Attrs))
	return r, b.room()
}

func (b *Batch) setValue(a *Attr, v *commonpb.AnyValue) error {
	if err := checkDepth(v, 0); err != nil {
		return err
	}
	switch x := v.GetValue().(type) {
	case *commonpb.AnyValue_StringValue:
		a.set(run.String, 0, b.keepString(x.StringValue))
	case *commonpb.AnyValue_BoolValue:
		if a.set(run.Bool, 0, Ref{}); x.BoolValue {
			a.Num = 1
		}
	case *commonpb.AnyValue_IntValue:
		a.set(run.Int, uint64(x.IntValue), Ref{})
	case *commonpb.AnyValue_DoubleValue:
		a.set(run.Double, math.Float64bits(x.DoubleValue), Ref{})
	case *commonpb.AnyValue_ArrayValue:
		a.set(run.Array, 0, b.marshal(x.ArrayValue))
	case *commonpb.AnyValue_KvlistValue:
		a.set(run.KVList, 0, b.marshal(x.KvlistValue))
	case *commonpb.AnyValue_BytesValue:
		a.set(run.Bytes, 0, b.keep(x.BytesValue))
	}
	return nil
}

// checkDepth refuses a value of more than MaxDepth levels of lists; depth is
// how many there are around it.
func checkDepth(v *commonpb.AnyValue, depth int) error {
	switch v.GetValue().(type) {
	case *commonpb.AnyValue_ArrayValue, *commonpb.AnyValue_KvlistValue:
		if depth == MaxDepth {
			return errDepth
		}
	}
	for _, e := range v.GetArrayValue().GetValues() {
		if err := checkDepth(e, depth+1); err != nil {
			return err
		}
	}
	return checkPairs(v.GetKvlistValue().GetValues(), depth+1)
}

// checkPairs is checkDepth for the values of attributes that stay encoded.
func checkPairs(kvs []*commonpb.KeyValue, depth int) error {
	for _, kv := range kvs {
		if err := checkDepth(kv.GetValue(), depth); err != nil {
			return err
		}
	}
	return nil
}
