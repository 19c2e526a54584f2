package otlp

import (
	"slices"
	"strings"
	"sync"

	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/beamline-hpc/lensview/internal/run"
)

// jsonMaxFields bounds the fields of one OTLP message, so that sets and
// censuses of fields are small fixed values. The largest, Span, has 16.
const jsonMaxFields = 32

// jsonMessage is one protobuf message type as JSON sees it. Nothing in it is
// written by hand but what OTLP's JSON mapping changes: hex ids and old names.
type jsonMessage struct {
	name     string
	fields   []*jsonField // in the order of their numbers
	byNumber []*jsonField // index is the field number, nil where there is none
	byName   map[string]jsonName
	value    bool // AnyValue: null in a list of them is an empty value
	nests    bool // ArrayValue or KeyValueList: through them values contain values
	envelope bool // what lies between the request and its items: unknown names here may be lost items
	item     bool // one span, log record, metric or point: what may be refused alone
}

// jsonField is one field of a message.
type jsonField struct {
	name     string // lowerCamelCase
	number   protowire.Number
	index    int // in jsonMessage.fields
	kind     protoreflect.Kind
	wire     protowire.Type // of one element
	list     bool
	presence bool // a zero that was sent differs from nothing sent
	oneof    int  // 1 + index of its oneof, 0 for none
	idSize   int  // 16 or 8 when it is a trace or span id, written in hex
	message  *jsonMessage
	enum     protoreflect.EnumValueDescriptors
}

// packed says that the elements of a list share one length-delimited field.
func (f *jsonField) packed() bool { return f.list && f.wire != protowire.BytesType }

// jsonName is a spelling under which a field is found.
type jsonName struct {
	field    *jsonField
	spelling jsonSpelling
}

// jsonSpelling says which mapping a name belongs to.
type jsonSpelling uint8

const (
	jsonCurrent jsonSpelling = iota
	jsonSnake                // resource_spans
	jsonOld                  // instrumentationLibrarySpans, before OTLP 0.15
)

// jsonOldNames are the names before OTLP 0.15 by the field that has replaced
// them. The messages were otherwise the same.
func jsonOldNames(name string) []string {
	switch name {
	case "scopeSpans", "scopeMetrics", "scopeLogs":
		item := strings.TrimPrefix(name, "scope")
		return []string{"instrumentationLibrary" + item, "instrumentation_library_" + strings.ToLower(item)}
	case "scope":
		return []string{"instrumentationLibrary", "instrumentation_library"}
	case "logRecords":
		return []string{"logs"}
	}
	return nil
}

// gone reports whether items had a field of the name before OTLP 0.15 that
// no other has replaced as it was: the labels of points, the name of a log record.
func (m *jsonMessage) gone(name []byte) bool {
	if !m.item || m.envelope {
		return false
	}
	return string(name) == "labels" && strings.HasSuffix(m.name, "DataPoint") || string(name) == "name" && m.name == "LogRecord"
}

// jsonRoots is the request message of each signal.
type jsonRoots [run.SignalCount]*jsonMessage

// jsonTables derives the tables from the generated descriptors, once.
var jsonTables = sync.OnceValue(func() jsonRoots {
	build := jsonBuilder{}
	roots := jsonRoots{
		run.Traces:  build.message((&tracepb.TracesData{}).ProtoReflect().Descriptor()),
		run.Metrics: build.message((&metricspb.MetricsData{}).ProtoReflect().Descriptor()),
		run.Logs:    build.message((&logspb.LogsData{}).ProtoReflect().Descriptor()),
	}
	for _, root := range roots {
		root.markEnvelope()
	}
	return roots
})

// jsonBuilder holds the messages built so far, so that types that contain
// themselves end.
type jsonBuilder map[protoreflect.FullName]*jsonMessage

func (build jsonBuilder) message(d protoreflect.MessageDescriptor) *jsonMessage {
	if m := build[d.FullName()]; m != nil {
		return m
	}
	m := &jsonMessage{
		name: string(d.Name()), byName: map[string]jsonName{},
		value: d.Name() == "AnyValue", nests: d.Name() == "ArrayValue" || d.Name() == "KeyValueList",
	}
	build[d.FullName()] = m
	for i := range d.Fields().Len() {
		m.fields = append(m.fields, build.field(d.Fields().Get(i)))
	}
	slices.SortFunc(m.fields, func(a, b *jsonField) int { return int(a.number - b.number) })
	for i, f := range m.fields {
		f.index = i
		m.addNames(f, string(d.Fields().ByNumber(f.number).Name()))
	}
	m.addNumbers()
	return m
}

// addNames enters every spelling of f; the current one wins over older ones.
func (m *jsonMessage) addNames(f *jsonField, snake string) {
	for _, old := range jsonOldNames(f.name) {
		m.byName[old] = jsonName{f, jsonOld}
	}
	m.byName[snake] = jsonName{f, jsonSnake}
	m.byName[f.name] = jsonName{f, jsonCurrent}
}

func (m *jsonMessage) addNumbers() {
	if len(m.fields) == 0 {
		return
	}
	if len(m.fields) > jsonMaxFields {
		panic("otlp: message " + m.name + " has more fields than jsonMaxFields")
	}
	m.byNumber = make([]*jsonField, m.fields[len(m.fields)-1].number+1)
	for _, f := range m.fields {
		m.byNumber[f.number] = f
	}
}

// number is the field with number n, nil when there is none.
func (m *jsonMessage) number(n protowire.Number) *jsonField {
	if int(n) < len(m.byNumber) {
		return m.byNumber[n]
	}
	return nil
}

func (build jsonBuilder) field(d protoreflect.FieldDescriptor) *jsonField {
	f := &jsonField{
		name: d.JSONName(), number: d.Number(), kind: d.Kind(), wire: jsonWireType(d.Kind()),
		list: d.IsList(), presence: d.HasPresence() && d.Message() == nil,
	}
	if o := d.ContainingOneof(); o != nil && !o.IsSynthetic() {
		f.oneof = 1 + o.Index()
	}
	if d.Enum() != nil {
		f.enum = d.Enum().Values()
	}
	if d.Kind() == protoreflect.BytesKind {
		f.idSize = jsonIDSize(d.JSONName())
	}
	if d.Message() != nil {
		f.message = build.message(d.Message())
	}
	return f
}

// jsonIDSize is the size of the ids that OTLP writes in hex, not in base64.
func jsonIDSize(name string) int {
	switch name {
	case "traceId":
		return len(run.TraceID{})
	case "spanId", "parentSpanId":
		return len(run.SpanID{})
	}
	return 0
}

func jsonWireType(k protoreflect.Kind) protowire.Type {
	switch k {
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return protowire.Fixed64Type
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		return protowire.Fixed32Type
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.BytesType
	}
	return protowire.VarintType
}

// markEnvelope marks the messages on the way to the items, and the items.
func (m *jsonMessage) markEnvelope() {
	m.envelope = true
	for _, f := range m.fields {
		if f.message == nil {
			continue
		}
		switch f.name {
		case "spans", "logRecords", "dataPoints":
			f.message.item = true
		case "metrics":
			f.message.item = true
			f.message.markEnvelope()
		case "resourceSpans", "resourceMetrics", "resourceLogs", "scopeSpans", "scopeMetrics", "scopeLogs",
			"gauge", "sum", "histogram", "exponentialHistogram", "summary":
			f.message.markEnvelope()
		}
	}
}
