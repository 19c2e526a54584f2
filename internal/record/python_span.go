package record

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"
)

// pySpan is a span as ReadableSpan.to_json prints it. The SDK does not print the
// scope, the dropped counts and the flags.
type pySpan struct {
	Name       string    `json:"name"`
	Context    pyContext `json:"context"`
	Kind       string    `json:"kind"`
	Parent     pyID      `json:"parent_id"`
	Start      pyTime    `json:"start_time"`
	End        pyTime    `json:"end_time"`
	Status     pyStatus  `json:"status"`
	Attributes pyAttrs   `json:"attributes"`
	Events     []pyEvent `json:"events"`
	Links      []pyLink  `json:"links"`
	Resource   pySource  `json:"resource"`
}

type pyContext struct {
	Trace pyID   `json:"trace_id"`
	Span  pyID   `json:"span_id"`
	State string `json:"trace_state"`
}

type pyStatus struct {
	Code        string `json:"status_code"`
	Description string `json:"description"`
}

type pyEvent struct {
	Name       string  `json:"name"`
	Time       pyTime  `json:"timestamp"`
	Attributes pyAttrs `json:"attributes"`
}

type pyLink struct {
	Context    pyContext `json:"context"`
	Attributes pyAttrs   `json:"attributes"`
}

func (s *pySpan) message() proto.Message {
	span := &tracepb.Span{
		TraceId: s.Context.Trace, SpanId: s.Context.Span, ParentSpanId: s.Parent,
		TraceState: pyTraceState(s.Context.State), Name: s.Name, Attributes: s.Attributes,
		Kind:              tracepb.Span_SpanKind(tracepb.Span_SpanKind_value["SPAN_KIND_"+pyWord(s.Kind)]),
		StartTimeUnixNano: uint64(s.Start), EndTimeUnixNano: uint64(s.End), Status: s.Status.message(),
	}
	for _, e := range s.Events {
		span.Events = append(span.Events, &tracepb.Span_Event{Name: e.Name, TimeUnixNano: uint64(e.Time), Attributes: e.Attributes})
	}
	for _, l := range s.Links {
		span.Links = append(span.Links, &tracepb.Span_Link{
			TraceId: l.Context.Trace, SpanId: l.Context.Span, TraceState: pyTraceState(l.Context.State), Attributes: l.Attributes,
		})
	}
	scope := &tracepb.ScopeSpans{Spans: []*tracepb.Span{span}}
	return &tracepb.TracesData{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: s.Resource.message(), SchemaUrl: s.Resource.schema, ScopeSpans: []*tracepb.ScopeSpans{scope},
	}}}
}

func (s *pyStatus) message() *tracepb.Status {
	code := tracepb.Status_StatusCode_value["STATUS_CODE_"+pyWord(s.Code)]
	if code == 0 && s.Description == "" {
		return nil
	}
	return &tracepb.Status{Code: tracepb.Status_StatusCode(code), Message: s.Description}
}

// pyTraceState turns the printed form of a trace state, a list of
// '{key=a, value=b}', into the header's form a=b,….
func pyTraceState(printed string) string {
	var pairs []string
	for {
		_, rest, found := strings.Cut(printed, "{key=")
		key, rest, isPair := strings.Cut(rest, ", value=")
		value, rest, closed := strings.Cut(rest, "}'")
		if !found || !isPair || !closed {
			return strings.Join(pairs, ",")
		}
		pairs = append(pairs, key+"="+value)
		printed = rest
	}
}

// pySource is a resource: attributes and schema URL, or in SDKs before 1.12 the
// attributes alone.
type pySource struct {
	attributes pyAttrs
	schema     string
}

// UnmarshalJSONFrom reads an object; what else is there (old SDKs print the repr
// of a dict with logs) is passed over.
func (s *pySource) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	var all pyAttrs
	if err := all.UnmarshalJSONFrom(dec); err != nil {
		return err
	}
	s.attributes = all
	for _, a := range all {
		switch a.Key {
		case "attributes":
			s.attributes = a.Value.GetKvlistValue().GetValues()
		case "schema_url":
			s.schema = a.Value.GetStringValue()
		}
	}
	return nil
}

func (s *pySource) message() *resourcepb.Resource {
	return &resourcepb.Resource{Attributes: s.attributes}
}

// pyLog is a log record as the SDK prints it.
type pyLog struct {
	Body       pyAny    `json:"body"`
	Severity   pySev    `json:"severity_number"`
	Text       string   `json:"severity_text"`
	Attributes pyAttrs  `json:"attributes"`
	Dropped    uint32   `json:"dropped_attributes"`
	Time       pyTime   `json:"timestamp"`
	Observed   pyTime   `json:"observed_timestamp"`
	Trace      pyID     `json:"trace_id"`
	Span       pyID     `json:"span_id"`
	Flags      uint32   `json:"trace_flags"`
	Event      string   `json:"event_name"`
	Resource   pySource `json:"resource"`
}

func (l *pyLog) message() proto.Message {
	record := &logspb.LogRecord{
		TimeUnixNano: uint64(l.Time), ObservedTimeUnixNano: uint64(l.Observed), Body: l.Body.value,
		SeverityNumber: logspb.SeverityNumber(l.Severity), SeverityText: l.Text, EventName: l.Event,
		Attributes: l.Attributes, DroppedAttributesCount: l.Dropped, Flags: l.Flags, TraceId: l.Trace, SpanId: l.Span,
	}
	scope := &logspb.ScopeLogs{LogRecords: []*logspb.LogRecord{record}}
	return &logspb.LogsData{ResourceLogs: []*logspb.ResourceLogs{{
		Resource: l.Resource.message(), SchemaUrl: l.Resource.schema, ScopeLogs: []*logspb.ScopeLogs{scope},
	}}}
}

// pySev is a severity: a number, or in old SDKs <SeverityNumber.WARN: 13>.
type pySev int32

// UnmarshalJSONFrom reads a number, or the number in a string.
func (s *pySev) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	raw, err := dec.ReadValue()
	if err != nil {
		return err
	}
	digits := strings.TrimFunc(string(raw), func(c rune) bool { return c < '0' || c > '9' })
	if v, ok := pyInt(jsontext.Value(digits)); ok {
		*s = pySev(v)
	}
	return nil
}
