package telemetry

import (
	"context"
	"fmt"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// MaxInversion is how much earlier than its start the end of an emitted span may be:
// two clocks read one after the other, as a GPU's and the host's, differ by that.
const MaxInversion = 30 * time.Millisecond

// EmitSpan records a span whose times are known from elsewhere, as from GPU events
// or a log, under the span of the context. It returns the span's identity for links
// and children, and zero while the group is off.
//
// An end before the start by up to MaxInversion is moved to the start, with a
// warning; one by more, and a missing time, are errors, and there is no span.
func (h *Handle) EmitSpan(ctx context.Context, g Group, name string, start, end time.Time, kvs ...attribute.KeyValue) (trace.SpanContext, error) {
	if !h.On(g) {
		return trace.SpanContext{}, nil
	}
	if start.IsZero() || end.IsZero() {
		return trace.SpanContext{}, fmt.Errorf("emit span %s: start %v, end %v: both must be given", name, start, end)
	}
	if back := start.Sub(end); back > MaxInversion {
		return trace.SpanContext{}, fmt.Errorf("emit span %s: it ends %v before it starts, which is more than %v: take both times from one clock", name, back, MaxInversion)
	} else if back > 0 {
		h.warner.warn(name, fmt.Sprintf("span %s: an end before the start, by up to %v, is moved to the start", name, MaxInversion))
		end = start
	}
	_, span := h.tracer.Start(ctx, name, trace.WithTimestamp(start), trace.WithAttributes(kvs...))
	span.End(trace.WithTimestamp(end))
	return span.SpanContext(), nil
}

// EmitSpan is Handle.EmitSpan of the active set-up.
func EmitSpan(ctx context.Context, g Group, name string, start, end time.Time, kvs ...attribute.KeyValue) (trace.SpanContext, error) {
	return active.Load().EmitSpan(ctx, g, name, start, end, kvs...)
}

// StartLinked is Start with links to spans elsewhere, as of another pipeline stage,
// where one is not the parent of the other. What is no valid identity makes no link.
func (h *Handle) StartLinked(ctx context.Context, g Group, name string, to ...trace.SpanContext) (context.Context, *Span) {
	if !h.On(g) {
		return ctx, nil
	}
	var links []trace.Link
	for _, sc := range to {
		if sc.IsValid() {
			links = append(links, trace.Link{SpanContext: sc})
		}
	}
	return h.begin(ctx, name, trace.WithLinks(links...))
}

// StartLinked is Handle.StartLinked of the active set-up.
func StartLinked(ctx context.Context, g Group, name string, to ...trace.SpanContext) (context.Context, *Span) {
	return active.Load().StartLinked(ctx, g, name, to...)
}

// Identity is the span's identity, for links and for messages to elsewhere.
func (s *Span) Identity() trace.SpanContext {
	if s == nil {
		return trace.SpanContext{}
	}
	return s.span.SpanContext()
}
