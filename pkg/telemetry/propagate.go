package telemetry

import (
	"context"
	"encoding/json"
	"fmt"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// Carrier is the context of a trace on its way to another process: the W3C headers
// traceparent, tracestate and baggage.
type Carrier map[string]string

// Inject returns the carrier of the context's span and baggage. It is empty without
// either. It works without a set-up, and on ranks that do not export.
func Inject(ctx context.Context) Carrier {
	c := propagation.MapCarrier{}
	w3c().Inject(ctx, c)
	return Carrier(c)
}

// Extract returns a context under which spans are children of the carrier's span. A
// carrier without a valid span leaves the context as it is.
func Extract(ctx context.Context, c Carrier) context.Context {
	return w3c().Extract(ctx, propagation.MapCarrier(c))
}

// maxCarrier bounds what ExtractBytes reads: traceparent is 55 bytes, tracestate
// has 512 and baggage 8192 at most.
const maxCarrier = 16 << 10

// InjectBytes is Inject for a message that has no headers, as one beside tensors in
// a broadcast. The form is a JSON object, that of the Python library, so that either
// side may be of either kind.
func InjectBytes(ctx context.Context) []byte {
	b, err := json.Marshal(Inject(ctx))
	if err != nil { // a map of strings always has a form
		return []byte("{}")
	}
	return b
}

// ExtractBytes is Extract of what InjectBytes has made. Zero bytes at the end, as of
// a tensor of fixed size, are no part of it. On an error, or without a valid span,
// the context is as it was.
func ExtractBytes(ctx context.Context, b []byte) (context.Context, error) {
	for len(b) > 0 && b[len(b)-1] == 0 {
		b = b[:len(b)-1]
	}
	if len(b) == 0 {
		return ctx, nil
	}
	if len(b) > maxCarrier {
		return ctx, fmt.Errorf("read a trace context: %d bytes are more than the %d it can have", len(b), maxCarrier)
	}
	var c Carrier
	if err := json.Unmarshal(b, &c); err != nil {
		return ctx, fmt.Errorf("read a trace context: it must be a JSON object of texts, as InjectBytes makes it: %w", err)
	}
	return Extract(ctx, c), nil
}

// IdentityIn is the span in a carrier, for StartLinked; an invalid one without any.
func IdentityIn(c Carrier) trace.SpanContext {
	return trace.SpanContextFromContext(Extract(context.Background(), c))
}
