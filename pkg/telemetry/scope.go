package telemetry

import (
	"context"
	"slices"

	"go.opentelemetry.io/otel/attribute"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

type scopedKey struct{}

// WithSpanAttributes returns a context under which every span has the attributes,
// whoever starts it. Those of an outer context stay; of two with one key the inner
// counts, and one that the span sets itself counts most.
func WithSpanAttributes(ctx context.Context, kvs ...attribute.KeyValue) context.Context {
	outer, _ := ctx.Value(scopedKey{}).([]attribute.KeyValue)
	return context.WithValue(ctx, scopedKey{}, slices.Concat(outer, kvs))
}

// ScopedAttributes returns the processor that WithSpanAttributes needs, for a
// provider of the program's own. Setup installs it.
func ScopedAttributes() sdktrace.SpanProcessor { return scopedAttributes{} }

type scopedAttributes struct{}

func (scopedAttributes) OnStart(parent context.Context, s sdktrace.ReadWriteSpan) {
	kvs, ok := parent.Value(scopedKey{}).([]attribute.KeyValue)
	if !ok {
		return
	}
	set := map[attribute.Key]bool{}
	for _, kv := range s.Attributes() {
		set[kv.Key] = true
	}
	for _, kv := range kvs {
		if !set[kv.Key] {
			s.SetAttributes(kv)
		}
	}
}

func (scopedAttributes) OnEnd(sdktrace.ReadOnlySpan)      {}
func (scopedAttributes) Shutdown(context.Context) error   { return nil }
func (scopedAttributes) ForceFlush(context.Context) error { return nil }
