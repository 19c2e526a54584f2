package otlp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Every message and field of the protocol is in the table, under both spellings.
func TestJSONTableIsComplete(t *testing.T) {
	fields := 0
	for _, s := range allSignals {
		m, _ := oracle(s, nil)
		seen := map[protoreflect.FullName]bool{}
		var walk func(d protoreflect.MessageDescriptor, m *jsonMessage)
		walk = func(d protoreflect.MessageDescriptor, m *jsonMessage) {
			if seen[d.FullName()] {
				return
			}
			seen[d.FullName()] = true
			for i := range d.Fields().Len() {
				fd := d.Fields().Get(i)
				fields++
				camel, snake := m.byName[fd.JSONName()], m.byName[string(fd.Name())]
				if camel.field == nil || camel.field != snake.field || camel.spelling != jsonCurrent || camel.field != m.number(fd.Number()) {
					t.Errorf("%s is not found under its names", fd.FullName())
					continue
				}
				if fd.Message() != nil {
					walk(fd.Message(), camel.field.message)
				}
			}
		}
		walk(m.ProtoReflect().Descriptor(), jsonTables()[s])
	}
	if fields < 120 {
		t.Errorf("only %d fields were walked", fields)
	}
}

// What can be refused alone and what lies around it, by the names of messages.
func TestJSONTableMarks(t *testing.T) {
	var items, envelopes []string
	seen := map[*jsonMessage]bool{}
	var walk func(m *jsonMessage)
	walk = func(m *jsonMessage) {
		if m == nil || seen[m] {
			return
		}
		seen[m] = true
		if m.item {
			items = append(items, m.name)
		}
		if m.envelope {
			envelopes = append(envelopes, m.name)
		}
		for _, f := range m.fields {
			walk(f.message)
		}
	}
	for _, root := range jsonTables() {
		walk(root)
	}
	want := "Span Metric NumberDataPoint HistogramDataPoint ExponentialHistogramDataPoint SummaryDataPoint LogRecord"
	if diff := cmp.Diff(want, strings.Join(items, " ")); diff != "" {
		t.Errorf("items: %s", diff)
	}
	want = "TracesData ResourceSpans ScopeSpans MetricsData ResourceMetrics ScopeMetrics Metric Gauge Sum Histogram ExponentialHistogram Summary " +
		"LogsData ResourceLogs ScopeLogs"
	if diff := cmp.Diff(want, strings.Join(envelopes, " ")); diff != "" {
		t.Errorf("envelopes: %s", diff)
	}
}

// Only ids are hex; all other bytes are base64.
func TestJSONTableIDs(t *testing.T) {
	span := jsonTables()[run.Traces].byName["resourceSpans"].field.message.byName["scopeSpans"].field.message.byName["spans"].field.message
	for name, want := range map[string]int{"traceId": 16, "spanId": 8, "parentSpanId": 8, "name": 0, "traceState": 0} {
		if got := span.byName[name].field.idSize; got != want {
			t.Errorf("%s has an id of %d bytes, want %d", name, got, want)
		}
	}
}

func TestJSONPath(t *testing.T) {
	for pointer, want := range map[string]string{
		"": "", "/a": "a", "/a/0/b": "a[0].b", "/a/b~1c": "a.b~1c", "/\x1b[2J/1": `\x1b[2J[1]`, "/0": "[0]",
	} {
		if got := jsonPath(pointer); got != want {
			t.Errorf("%q is %q, want %q", pointer, got, want)
		}
	}
	if got := jsonPath(strings.Repeat("/values/0", 1000)); len(got) > 2*jsonPathMax || !strings.HasSuffix(got, "…") {
		t.Errorf("a long path is %d bytes: %s", len(got), got)
	}
}
