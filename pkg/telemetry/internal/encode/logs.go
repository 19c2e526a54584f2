package encode

import (
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/instrumentation"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	colpb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
)

// Logs makes one request of log records, in the order of their first scope.
func (e *Encoder) Logs(records []*sdklog.Record) *colpb.ExportLogsServiceRequest {
	rl := &logspb.ResourceLogs{Resource: e.resource, SchemaUrl: e.schema}
	scopes := map[instrumentation.Scope]*logspb.ScopeLogs{}
	for _, r := range records {
		in := r.InstrumentationScope()
		sl := scopes[in]
		if sl == nil {
			sl = &logspb.ScopeLogs{Scope: scope(in), SchemaUrl: in.SchemaURL}
			scopes[in] = sl
			rl.ScopeLogs = append(rl.ScopeLogs, sl)
		}
		sl.LogRecords = append(sl.LogRecords, record(r))
	}
	return &colpb.ExportLogsServiceRequest{ResourceLogs: []*logspb.ResourceLogs{rl}}
}

func record(r *sdklog.Record) *logspb.LogRecord {
	out := &logspb.LogRecord{
		TimeUnixNano: nanos(r.Timestamp()), ObservedTimeUnixNano: nanos(r.ObservedTimestamp()),
		EventName:      valid(r.EventName()),
		SeverityNumber: logspb.SeverityNumber(r.Severity()), SeverityText: valid(r.SeverityText()),
		Body: value(r.Body()), Attributes: make([]*commonpb.KeyValue, 0, r.AttributesLen()),
		DroppedAttributesCount: count(r.DroppedAttributes()), Flags: uint32(r.TraceFlags()),
	}
	r.WalkAttributes(func(kv attribute.KeyValue) bool {
		out.Attributes = append(out.Attributes, keyValue(kv))
		return true
	})
	if id := r.TraceID(); id.IsValid() {
		out.TraceId = id[:]
	}
	if id := r.SpanID(); id.IsValid() {
		out.SpanId = id[:]
	}
	return out
}
