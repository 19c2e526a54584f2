package encode

import (
	"strings"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
	colpb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// Spans makes one request of spans, in the order of their first scope.
func (e *Encoder) Spans(spans []sdktrace.ReadOnlySpan) *colpb.ExportTraceServiceRequest {
	rs := &tracepb.ResourceSpans{Resource: e.resource, SchemaUrl: e.schema}
	scopes := map[instrumentation.Scope]*tracepb.ScopeSpans{}
	for _, s := range spans {
		in := s.InstrumentationScope()
		ss := scopes[in]
		if ss == nil {
			ss = &tracepb.ScopeSpans{Scope: scope(in), SchemaUrl: in.SchemaURL}
			scopes[in] = ss
			rs.ScopeSpans = append(rs.ScopeSpans, ss)
		}
		ss.Spans = append(ss.Spans, span(s))
	}
	return &colpb.ExportTraceServiceRequest{ResourceSpans: []*tracepb.ResourceSpans{rs}}
}

func span(s sdktrace.ReadOnlySpan) *tracepb.Span {
	sc := s.SpanContext()
	traceID, spanID := sc.TraceID(), sc.SpanID()
	out := &tracepb.Span{
		TraceId: traceID[:], SpanId: spanID[:],
		TraceState: sc.TraceState().String(), Flags: flags(sc, s.Parent()),
		Name: valid(s.Name()), Kind: tracepb.Span_SpanKind(trace.ValidateSpanKind(s.SpanKind())),
		StartTimeUnixNano: nanos(s.StartTime()), EndTimeUnixNano: nanos(s.EndTime()),
		Attributes: keyValues(s.Attributes()), DroppedAttributesCount: count(s.DroppedAttributes()),
		Events: events(s.Events()), DroppedEventsCount: count(s.DroppedEvents()),
		Links: links(s.Links()), DroppedLinksCount: count(s.DroppedLinks()),
		Status: status(s.Status()),
	}
	if parent := s.Parent().SpanID(); parent.IsValid() {
		out.ParentSpanId = parent[:]
	}
	return out
}

func status(s sdktrace.Status) *tracepb.Status {
	out := &tracepb.Status{Message: valid(s.Description)}
	switch s.Code {
	case codes.Ok:
		out.Code = tracepb.Status_STATUS_CODE_OK
	case codes.Error:
		out.Code = tracepb.Status_STATUS_CODE_ERROR
	}
	return out
}

func events(events []sdktrace.Event) []*tracepb.Span_Event {
	var out []*tracepb.Span_Event
	for _, e := range events {
		out = append(out, &tracepb.Span_Event{
			Name: valid(e.Name), TimeUnixNano: nanos(e.Time),
			Attributes: keyValues(e.Attributes), DroppedAttributesCount: count(e.DroppedAttributeCount),
		})
	}
	return out
}

func links(links []sdktrace.Link) []*tracepb.Span_Link {
	var out []*tracepb.Span_Link
	for _, l := range links {
		traceID, spanID := l.SpanContext.TraceID(), l.SpanContext.SpanID()
		out = append(out, &tracepb.Span_Link{
			TraceId: traceID[:], SpanId: spanID[:],
			TraceState: l.SpanContext.TraceState().String(), Flags: flags(l.SpanContext, l.SpanContext),
			Attributes: keyValues(l.Attributes), DroppedAttributesCount: count(l.DroppedAttributeCount),
		})
	}
	return out
}

// flags is the W3C trace flags, and whether the other span is of another process.
func flags(sc, other trace.SpanContext) uint32 {
	bits := uint32(sc.TraceFlags()) | uint32(tracepb.SpanFlags_SPAN_FLAGS_CONTEXT_HAS_IS_REMOTE_MASK)
	if other.IsRemote() {
		bits |= uint32(tracepb.SpanFlags_SPAN_FLAGS_CONTEXT_IS_REMOTE_MASK)
	}
	return bits
}

// valid repairs text that is no UTF-8, since one bad byte makes the whole message
// impossible.
func valid(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
