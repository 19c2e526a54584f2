package otlp

import (
	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/beamline-hpc/lensview/internal/run"
)

func (b *Batch) addTraces(m *coltrace.ExportTraceServiceRequest) error {
	for _, rs := range m.GetResourceSpans() {
		r, err := b.addResource(rs.GetResource(), rs.GetSchemaUrl())
		if err != nil {
			return err
		}
		for _, ss := range rs.GetScopeSpans() {
			s, err := b.addScope(ss.GetScope(), ss.GetSchemaUrl(), r)
			if err != nil {
				return err
			}
			for n, span := range ss.GetSpans() {
				if err := b.addSpan(span, s); err != nil {
					return at(err, "spans", n)
				}
			}
		}
	}
	return nil
}

func (b *Batch) addSpan(m *tracepb.Span, scope uint32) error {
	row := Span{
		TraceID: traceID(m.GetTraceId()), ID: spanID(m.GetSpanId()), Parent: spanID(m.GetParentSpanId()),
		Start: m.GetStartTimeUnixNano(), End: m.GetEndTimeUnixNano(), Scope: scope, Flags: m.GetFlags(),
		Kind: run.Kind(enum8(uint64(m.GetKind()))), Status: run.Status(enum8(uint64(m.GetStatus().GetCode()))),
	}
	if err := checkSpan(m); err != nil {
		return err
	}
	sent := spanState{trace: len(m.GetTraceId()), id: len(m.GetSpanId()), parent: len(m.GetParentSpanId())}
	if reason := sent.problem(&row); reason != "" {
		b.reject(reason)
		return nil
	}
	var err error
	row.Name = b.keepString(m.GetName())
	row.Extra = b.marshal(rareFields(m))
	row.Attrs, err = b.addAttrs(m.GetAttributes())
	b.Spans = append(b.Spans, row)
	return err
}

// checkSpan refuses too deep values wherever they stand, also when the span
// will not be kept.
func checkSpan(m *tracepb.Span) error {
	err := checkPairs(m.GetAttributes(), 0)
	for _, e := range m.GetEvents() {
		err = firstOf(err, checkPairs(e.GetAttributes(), 0))
	}
	for _, l := range m.GetLinks() {
		err = firstOf(err, checkPairs(l.GetAttributes(), 0))
	}
	return err
}

// rareFields is the part of a span that Span.Extra holds.
func rareFields(m *tracepb.Span) *tracepb.Span {
	rare := &tracepb.Span{
		TraceState: m.GetTraceState(), Events: m.GetEvents(), Links: m.GetLinks(),
		DroppedAttributesCount: m.GetDroppedAttributesCount(), DroppedEventsCount: m.GetDroppedEventsCount(),
		DroppedLinksCount: m.GetDroppedLinksCount(),
	}
	if m.GetStatus().GetMessage() != "" {
		rare.Status = m.GetStatus()
	}
	return rare
}

func (b *Batch) addLogs(m *collogs.ExportLogsServiceRequest) error {
	for _, rl := range m.GetResourceLogs() {
		r, err := b.addResource(rl.GetResource(), rl.GetSchemaUrl())
		if err != nil {
			return err
		}
		for _, sl := range rl.GetScopeLogs() {
			s, err := b.addScope(sl.GetScope(), sl.GetSchemaUrl(), r)
			if err != nil {
				return err
			}
			for n, rec := range sl.GetLogRecords() {
				if err := b.addLog(rec, s); err != nil {
					return at(err, "log_records", n)
				}
			}
		}
	}
	return nil
}

func (b *Batch) addLog(m *logspb.LogRecord, scope uint32) error {
	row := Log{
		Time: m.GetTimeUnixNano(), Observed: m.GetObservedTimeUnixNano(),
		TraceID: traceID(m.GetTraceId()), SpanID: spanID(m.GetSpanId()),
		Severity: enum8(uint64(m.GetSeverityNumber())), SeverityText: b.keepString(m.GetSeverityText()),
		EventName: b.keepString(m.GetEventName()), Scope: scope, Flags: m.GetFlags(), Dropped: m.GetDroppedAttributesCount(),
	}
	if err := b.setValue(&row.Body, m.GetBody()); err != nil {
		return within(err, "body")
	}
	var err error
	row.Attrs, err = b.addAttrs(m.GetAttributes())
	b.Logs = append(b.Logs, row)
	return firstOf(err, b.room())
}
