package ingest

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protowire"
)

// The cases below are about what is sent, whatever the protocol: JSON bodies
// go over HTTP, protobuf over HTTP and gRPC.

func TestEmptyEnvelopesAndUnknownFields(t *testing.T) {
	m := new(memory)
	s := start(t, Config{}, m)
	for _, body := range []string{
		`{}`, `{"resourceSpans":[]}`, `{"resourceSpans":[{}]}`,
		`{"resourceSpans":[{"scopeSpans":[{}],"zzz":{"a":[1]}}],"futureField":1}`,
	} {
		got := post(t, s, "/v1/traces", []byte(body), "Content-Type", typeJSON)
		if got.status != 200 || string(got.body) != "{}" {
			t.Errorf("%s: %d %q", body, got.status, got.body)
		}
	}
	if got := m.count(run.Traces); got != 0 {
		t.Errorf("%d spans were invented", got)
	}
	for _, attrs := range []string{`[{"key":"k"}]`, `[{"key":"k","value":{}}]`} {
		body := fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"5b8efff798038103d269b633813fc60c","spanId":"eee19b7ec3c1b174","name":"a","attributes":%s}]}]}]}`, attrs)
		if got := post(t, s, "/v1/traces", []byte(body), "Content-Type", typeJSON); got.status != 200 || string(got.body) != "{}" {
			t.Errorf("%s: %d %q", attrs, got.status, got.body)
		}
	}
	if got := m.count(run.Traces); got != 2 {
		t.Errorf("%d spans stored, want 2", got)
	}
}

func TestBadIDsCostOnlyTheirSpans(t *testing.T) {
	m := new(memory)
	s := start(t, Config{}, m)
	const id = `"traceId":"5b8efff798038103d269b633813fc60c"`
	spans := []string{
		`{` + id + `,"spanId":"eee19b7ec3c1b174","name":"zero parent","parentSpanId":"0000000000000000"}`,
		`{` + id + `,"spanId":"b7ad6b7169203331","name":"empty parent","parentSpanId":""}`,
		`{"traceId":"f9965485593768ce","spanId":"00f067aa0ba902b7","name":"short trace"}`,
		`{"traceId":"00000000000000000000000000000000","spanId":"00f067aa0ba902b7","name":"zero trace"}`,
		`{"traceId":"","spanId":"","name":"no ids"}`,
		`{"traceId":"","spanId":"","name":"no ids"}`,
		`{` + id + `,"spanId":"00f067aa0ba902b7","name":"good"}`,
	}
	body := `{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.Join(spans, ",") + `]}]}]}`
	got := post(t, s, "/v1/traces", []byte(body), "Content-Type", typeJSON)
	if got.status != 200 || !strings.Contains(string(got.body), `"rejectedSpans":"4"`) || !strings.Contains(string(got.body), "errorMessage") {
		t.Errorf("%d %s", got.status, got.body)
	}
	if want := "zero parent, empty parent, good"; strings.Join(m.names, ", ") != want {
		t.Errorf("stored %q, want %s", m.names, want)
	}
}

func TestBase64IDsAreExplained(t *testing.T) {
	s := start(t, Config{}, new(memory))
	body := strings.ReplaceAll(oneSpanJSON, "5b8efff798038103d269b633813fc60c", "Z6z8LqVvEI+kU1/Ci6mXBQ==")
	got := post(t, s, "/v1/traces", []byte(body), "Content-Type", typeJSON)
	if text := got.rpcStatus(t).Message; got.status != 400 || !strings.Contains(text, "traceId") || !strings.Contains(text, "hex") {
		t.Errorf("%d %q", got.status, text)
	}
}

// nestedProto is a trace request with a value of so many arrays in one another.
func nestedProto(t *testing.T, depth int) []byte {
	t.Helper()
	v := protowire.AppendBytes(protowire.AppendTag(nil, 1, protowire.BytesType), nil)
	// Written from the inside out, backwards, so that a deep one is not quadratic.
	back := reversed(v)
	size := len(v)
	wrap := func(field protowire.Number) {
		head := protowire.AppendVarint(protowire.AppendTag(nil, field, protowire.BytesType), uint64(size))
		back = append(back, reversed(head)...)
		size += len(head)
	}
	for range depth {
		wrap(1) // ArrayValue.values
		wrap(5) // AnyValue.array_value
	}
	for _, field := range []protowire.Number{2 /* KeyValue.value */, 9 /* Span.attributes */, 2 /* spans */, 2 /* scope_spans */, 1 /* resource_spans */} {
		if field == 9 {
			back = append(back, reversed([]byte{0x0a, 1, 'k'})...) // KeyValue.key
			size += 3
		}
		wrap(field)
		if field == 9 {
			id := marshal(t, span(0))
			back = append(back, reversed(id)...)
			size += len(id)
		}
	}
	return reversed(back)
}

func reversed(b []byte) []byte {
	out := bytes.Clone(b)
	for i, j := 0, len(out)-1; i < j; i, j = i+1, j-1 {
		out[i], out[j] = out[j], out[i]
	}
	return out
}

func TestDeepNesting(t *testing.T) {
	m := new(memory)
	s := start(t, Config{}, m)
	cc := dial(t, s)
	deepJSON := strings.Replace(oneSpanJSON, `"name":"a"`, `"name":"a","attributes":[{"key":"k","value":`+
		strings.Repeat(`{"arrayValue":{"values":[`, 200_000)+`{"intValue":1}`+strings.Repeat(`]}}`, 200_000)+`}]`, 1)
	if got := post(t, s, "/v1/traces", []byte(deepJSON), "Content-Type", typeJSON); got.status != 400 {
		t.Errorf("JSON: %d %q", got.status, got.body)
	}
	deep := nestedProto(t, 200_000)
	if got := post(t, s, "/v1/traces", deep, "Content-Type", typeProto); got.status != 400 {
		t.Errorf("protobuf over HTTP: %d %q", got.status, got.body)
	}
	if _, err := call(t, cc, exportTraces, deep); status.Code(err) != codes.InvalidArgument {
		t.Errorf("gRPC: %v", err)
	}
	if got := m.count(run.Traces); got != 0 {
		t.Errorf("%d spans stored", got)
	}
	if _, err := call(t, cc, exportTraces, nestedProto(t, 60)); err != nil || m.count(run.Traces) != 1 {
		t.Errorf("60 deep: %v, %d stored", err, m.count(run.Traces))
	}
}

// Invalid UTF-8 is repaired and counted, not refused.
func TestInvalidUTF8(t *testing.T) {
	m := new(memory)
	s := start(t, Config{}, m)
	body := bytes.ReplaceAll(marshal(t, traces(span(0))), []byte("train_step"), []byte("train\xffstep"))
	if _, err := call(t, dial(t, s), exportTraces, body); err != nil {
		t.Fatal(err)
	}
	if st := s.Stats(); st.Repaired != 1 || m.names[0] != "train\uFFFDstep" {
		t.Errorf("%d repaired, name %q", st.Repaired, m.names)
	}
}

// What was merely tolerated is told to the person, not to the sender, whose
// log it would fill.
func TestToleratedJSONIsNoted(t *testing.T) {
	s := start(t, Config{}, new(memory))
	body := strings.NewReplacer("resourceSpans", "resource_spans", "scopeSpans", "scope_spans", "traceId", "trace_id").Replace(oneSpanJSON)
	got := post(t, s, "/v1/traces", []byte(body), "Content-Type", typeJSON)
	if got.status != 200 || string(got.body) != "{}" {
		t.Errorf("%d %q", got.status, got.body)
	}
	if n := notice(s, "json-snake-case"); n.Count == 0 || n.Level != run.Warning {
		t.Errorf("notices %+v", s.Stats().Notices)
	}
}
