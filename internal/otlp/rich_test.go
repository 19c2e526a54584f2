package otlp

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/run"
)

// The messages here are made with the generated code by hand, field by field,
// beside the values they must give: the reading of no field rests on our own
// writing of it.

func pbStr(k, v string) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: k, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: v}}}
}

func pbInt(v int64) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: v}}
}

func pbList(vs ...*commonpb.AnyValue) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_ArrayValue{ArrayValue: &commonpb.ArrayValue{Values: vs}}}
}

func pbMap(kvs ...*commonpb.KeyValue) *commonpb.AnyValue {
	return &commonpb.AnyValue{Value: &commonpb.AnyValue_KvlistValue{KvlistValue: &commonpb.KeyValueList{Values: kvs}}}
}

// pbRich is richAttrs.
func pbRich() []*commonpb.KeyValue {
	yes := &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{BoolValue: true}}
	no := &commonpb.AnyValue{Value: &commonpb.AnyValue_BoolValue{}}
	return []*commonpb.KeyValue{
		pbStr("s", "text"), pbStr("empty", ""), pbStr("", "no key"),
		{Key: "i", Value: pbInt(-7)}, {Key: "zero", Value: pbInt(0)}, {Key: "big", Value: pbInt(math.MaxInt64)},
		{Key: "d", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: 1.5}}},
		{Key: "d0", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{}}},
		{Key: "t", Value: yes}, {Key: "f", Value: no},
		{Key: "b", Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_BytesValue{BytesValue: []byte{0, 1, 2, 0xff}}}},
		{Key: "none", Value: &commonpb.AnyValue{}},
		{Key: "a", Value: pbList(pbInt(1), pbStr("", "a").Value, yes, pbList(), &commonpb.AnyValue{})},
		{Key: "m", Value: pbMap(
			&commonpb.KeyValue{Key: "k", Value: pbInt(1)}, &commonpb.KeyValue{Key: "k", Value: pbInt(2)},
			&commonpb.KeyValue{Key: "in", Value: pbMap(pbStr("x", "y"))})},
		{Key: "k", Value: pbInt(1)}, {Key: "k", Value: pbInt(2)},
	}
}

func pbResource() *resourcepb.Resource {
	return &resourcepb.Resource{
		Attributes: pbRich(), DroppedAttributesCount: 7,
		EntityRefs: []*commonpb.EntityRef{{SchemaUrl: "u", Type: "service", IdKeys: []string{"service.name"}, DescriptionKeys: []string{"d"}}},
	}
}

func pbScope() *commonpb.InstrumentationScope {
	return &commonpb.InstrumentationScope{Name: "nemo.lens", Version: "0.1.0", Attributes: pbRich(), DroppedAttributesCount: 9}
}

func richOwner() dump {
	return dump{
		Resources: []dumpResource{{richAttrs(), "r-schema", 7}},
		Scopes:    []dumpScope{{run.Scope{Name: "nemo.lens", Version: "0.1.0", Schema: "s-schema", Attrs: richAttrs()}, 0, 9}},
	}
}

func pbTraces() (*coltrace.ExportTraceServiceRequest, dump) {
	span := &tracepb.Span{
		TraceId: idA[:], SpanId: id1[:], ParentSpanId: id2[:], TraceState: "a=b,c=d", Flags: 257, Name: "train.step",
		Kind: tracepb.Span_SPAN_KIND_INTERNAL, StartTimeUnixNano: time0, EndTimeUnixNano: time0 + 1e9,
		Attributes: pbRich(), DroppedAttributesCount: 1, DroppedEventsCount: 2, DroppedLinksCount: 300,
		Events: []*tracepb.Span_Event{
			{TimeUnixNano: time0 + 1, Name: "nemo.span.truncated", Attributes: pbRich(), DroppedAttributesCount: 3}, {TimeUnixNano: 5},
		},
		Links:  []*tracepb.Span_Link{{TraceId: idB[:], SpanId: id3[:], TraceState: "x=y", Attributes: pbRich(), DroppedAttributesCount: 4, Flags: 1}},
		Status: &tracepb.Status{Code: tracepb.Status_STATUS_CODE_ERROR, Message: "NCCL timeout"},
	}
	want := richOwner()
	full := richSpan()
	full.Scope = want.Scopes[0].Scope
	want.Spans = []dumpSpan{{full, 0}}
	return &coltrace.ExportTraceServiceRequest{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: pbResource(), SchemaUrl: "r-schema",
		ScopeSpans: []*tracepb.ScopeSpans{{Scope: pbScope(), SchemaUrl: "s-schema", Spans: []*tracepb.Span{span}}},
	}}}, want
}

func pbLogs() (*collogs.ExportLogsServiceRequest, dump) {
	rec := &logspb.LogRecord{
		TimeUnixNano: time0, ObservedTimeUnixNano: time0 + 2, SeverityNumber: logspb.SeverityNumber_SEVERITY_NUMBER_WARN3,
		SeverityText: "WARN", Body: pbMap(pbRich()...), Attributes: pbRich(), DroppedAttributesCount: 5, Flags: 1,
		TraceId: idA[:], SpanId: id1[:], EventName: "nemo.event",
	}
	want := richOwner()
	want.Logs = []dumpLog{{run.Log{
		Time: time0, Observed: time0 + 2, Severity: 15, SeverityText: "WARN", EventName: "nemo.event",
		Body: run.KVListValue(richAttrs()), Attrs: richAttrs(), Dropped: 5, TraceID: idA, SpanID: id1, Flags: 1,
	}, 0}}
	return &collogs.ExportLogsServiceRequest{ResourceLogs: []*logspb.ResourceLogs{{
		Resource: pbResource(), SchemaUrl: "r-schema",
		ScopeLogs: []*logspb.ScopeLogs{{Scope: pbScope(), SchemaUrl: "s-schema", LogRecords: []*logspb.LogRecord{rec}}},
	}}}, want
}

func richBody(signal run.Signal) []byte {
	var m proto.Message
	switch signal {
	case run.Traces:
		m, _ = pbTraces()
	case run.Metrics:
		m, _ = pbMetrics()
	case run.Logs:
		m, _ = pbLogs()
	}
	p, err := proto.MarshalOptions{Deterministic: true}.Marshal(m)
	if err != nil {
		panic(err)
	}
	return p
}

// TestEveryField reads messages that use every field of the protocol, with
// both decoders.
func TestEveryField(t *testing.T) {
	_, traces := pbTraces()
	_, metrics := pbMetrics()
	_, logs := pbLogs()
	for signal, want := range map[run.Signal]dump{run.Traces: traces, run.Metrics: metrics, run.Logs: logs} {
		for _, name := range DecoderNames() {
			t.Run(signal.String()+"/"+name, func(t *testing.T) {
				decode, err := DecoderNamed(name)
				if err != nil {
					t.Fatal(err)
				}
				var b Batch
				if err := decode(signal, richBody(signal), &b); err != nil {
					t.Fatal(err)
				}
				if d := cmp.Diff(want, dumpBatch(t, &b), sameValues()); d != "" {
					t.Errorf("(-want +got)\n%s", d)
				}
			})
		}
	}
}

// TestWriteEveryField writes those values and compares with the generated code,
// byte by byte.
func TestWriteEveryField(t *testing.T) {
	for s := range run.SignalCount {
		t.Run(s.String(), func(t *testing.T) {
			want := richBody(s)
			got := rebuild(t, mustDecode(t, s, want))
			m := newRequest(s)
			if err := proto.Unmarshal(want, m); err != nil {
				t.Fatal(err)
			}
			stripUnwritten(m)
			if d := cmp.Diff(mustMarshal(t, m), got); d != "" {
				t.Errorf("(-generated +ours)\n%s", d)
			}
		})
	}
}

func newRequest(s run.Signal) proto.Message {
	switch s {
	case run.Metrics:
		return &colmetrics.ExportMetricsServiceRequest{}
	case run.Logs:
		return &collogs.ExportLogsServiceRequest{}
	}
	return &coltrace.ExportTraceServiceRequest{}
}

// stripUnwritten removes what the domain has no place for: entity references
// and the count of dropped scope attributes.
func stripUnwritten(m proto.Message) {
	strip := func(r *resourcepb.Resource, s *commonpb.InstrumentationScope) {
		r.EntityRefs, s.DroppedAttributesCount = nil, 0
	}
	switch m := m.(type) {
	case *coltrace.ExportTraceServiceRequest:
		strip(m.ResourceSpans[0].Resource, m.ResourceSpans[0].ScopeSpans[0].Scope)
	case *colmetrics.ExportMetricsServiceRequest:
		strip(m.ResourceMetrics[0].Resource, m.ResourceMetrics[0].ScopeMetrics[0].Scope)
	case *collogs.ExportLogsServiceRequest:
		strip(m.ResourceLogs[0].Resource, m.ResourceLogs[0].ScopeLogs[0].Scope)
	}
}
