package otlp

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Ids of CASES.md.
const (
	hexA = "5b8efff798038103d269b633813fc60c"
	hex1 = "eee19b7ec3c1b174"
	hex2 = "b7ad6b7169203331"
)

// jsonSpans is a request with the given spans.
func jsonSpans(spans ...string) []byte {
	return []byte(`{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.Join(spans, ",") + `]}]}]}`)
}

// jsonSpan is a good span with more members.
func jsonSpan(more string) string {
	return fmt.Sprintf(`{"traceId":"%s","spanId":"%s","name":"n"%s}`, hexA, hex1, more)
}

// jsonValue is a request with one span that has one attribute of the value.
func jsonValue(value string) []byte {
	return jsonSpans(jsonSpan(`,"attributes":[{"key":"k","value":` + value + `}]`))
}

// decodedJSON decodes or fails the test.
func decodedJSON(t *testing.T, s run.Signal, body []byte, opt JSONOptions) *Batch {
	t.Helper()
	b := &Batch{}
	if err := b.DecodeJSON(s, body, opt); err != nil {
		t.Fatalf("DecodeJSON(%.200s): %v", body, err)
	}
	return b
}

// valueOf is the one attribute of the one span.
func valueOf(t *testing.T, b *Batch) run.Value {
	t.Helper()
	if len(b.Spans) != 1 || b.Spans[0].Attrs.Len() != 1 {
		t.Fatalf("want one span with one attribute, got %+v", b.Spans)
	}
	return b.Value(b.Attributes(b.Spans[0].Attrs)[0])
}

// refusedJSON decodes, and fails unless that is refused with all the words.
func refusedJSON(t *testing.T, s run.Signal, body []byte, words ...string) {
	t.Helper()
	var b Batch
	err := b.DecodeJSON(s, body, JSONOptions{})
	var bad *JSONError
	if !errors.As(err, &bad) {
		t.Fatalf("DecodeJSON(%.200s): want a JSONError, got %v", body, err)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("DecodeJSON(%.200s): %q is not in %q", body, w, err)
		}
	}
	if b.Items() != 0 || len(b.Resources) != 0 {
		t.Errorf("batch is not empty after an error: %+v", b.Spans)
	}
}

// CASES row 1: hex in either case is one id, base64 is not hex.
func TestJSONIDs(t *testing.T) {
	upper := fmt.Sprintf(`{"traceId":"%s","spanId":"%s"}`, strings.ToUpper(hexA), strings.ToUpper(hex1))
	child := fmt.Sprintf(`{"traceId":"%s","spanId":"%s","parentSpanId":"%s"}`, hexA, hex2, hex1)
	b := decodedJSON(t, run.Traces, jsonSpans(upper, child), JSONOptions{})
	if b.Spans[0].TraceID != b.Spans[1].TraceID || b.Spans[0].ID != b.Spans[1].Parent {
		t.Errorf("upper and lower case are not the same id: %+v", b.Spans)
	}
	if got := b.Spans[0].TraceID.String(); got != hexA {
		t.Errorf("trace id %s, want %s", got, hexA)
	}
}

func TestJSONBase64IDsOnTheNetwork(t *testing.T) {
	refusedJSON(t, run.Traces, jsonSpans(`{"traceId":"Z6z8LqVvEI+kU1/Ci6mXBQ==","spanId":"gMEgDJS+EXg="}`),
		"resourceSpans[0].scopeSpans[0].spans[0].traceId", "hex", "Z6z8LqVvEI")
	refusedJSON(t, run.Traces, jsonSpans(jsonSpan(""), `{"traceId":"`+hexA+`","spanId":"gMEgDJS+EXg="}`), "spans[1].spanId", "16 hex digits")
	refusedJSON(t, run.Logs, []byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"spanId":"gMEgDJS+EXg="}]}]}]}`), "logRecords[0].spanId")
}

func TestJSONBase64IDsInFiles(t *testing.T) {
	for name, ids := range map[string]string{
		"padded":   `"traceId":"Z6z8LqVvEI+kU1/Ci6mXBQ==","spanId":"gMEgDJS+EXg="`,
		"unpadded": `"traceId":"Z6z8LqVvEI+kU1/Ci6mXBQ","spanId":"gMEgDJS+EXg"`,
		"url":      `"traceId":"Z6z8LqVvEI-kU1_Ci6mXBQ==","spanId":"gMEgDJS-EXg="`,
		"escaped":  `"traceId":"Z6z8LqVvEI+kU1\/Ci6mXBQ==","spanId":"gMEgDJS+EXg\u003d"`,
	} {
		b := decodedJSON(t, run.Traces, jsonSpans("{"+ids+"}"), JSONOptions{File: true})
		got := []string{b.Spans[0].TraceID.String(), b.Spans[0].ID.String()}
		if diff := cmp.Diff([]string{"67acfc2ea56f108fa4535fc28ba99705", "80c1200c94be1178"}, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if len(b.Notices) != 1 || b.Notices[0].Count != 2 || !strings.Contains(b.Notices[0].Text, "spans[0].traceId") {
			t.Errorf("%s: notices %+v", name, b.Notices)
		}
	}
}

// CASES row 6: ids of a wrong length cost their span alone, at both doors.
func TestJSONIDsOfWrongLength(t *testing.T) {
	for _, id := range []string{"f9965485593768ce", "abc", strings.Repeat("a", 31), strings.Repeat("b", 33), strings.Repeat("0", 32), strings.Repeat("c", 64), ""} {
		for _, opt := range []JSONOptions{{}, {File: true}} {
			b := decodedJSON(t, run.Traces, jsonSpans(jsonSpan(""), `{"traceId":"`+id+`","spanId":"`+hex1+`"}`), opt)
			if len(b.Spans) != 1 || b.Items() != 2 {
				t.Errorf("trace id %q: %d spans of %d items, want 1 of 2", id, len(b.Spans), b.Items())
			}
		}
	}
	for _, id := range []string{"zzzzzzzz", "not hex at all!!", strings.Repeat("z", 16)} {
		b := decodedJSON(t, run.Traces, jsonSpans(jsonSpan(""), `{"traceId":"`+hexA+`","spanId":"`+id+`"}`), JSONOptions{File: true})
		if len(b.Spans) != 1 || b.Items() != 2 {
			t.Errorf("span id %q in a file: %d spans of %d items, want 1 of 2", id, len(b.Spans), b.Items())
		}
	}
}

func TestJSONRoots(t *testing.T) {
	for _, parent := range []string{`"0000000000000000"`, `""`, `null`} {
		b := decodedJSON(t, run.Traces, jsonSpans(jsonSpan(`,"parentSpanId":`+parent)), JSONOptions{})
		if len(b.Spans) != 1 || !b.Spans[0].Parent.IsZero() {
			t.Errorf("parent %s: %+v", parent, b.Spans)
		}
	}
}

// CASES row 5: what is not known or not there is no error and invents nothing.
func TestJSONEmptyAndUnknown(t *testing.T) {
	for _, body := range []string{
		`{}`, ` {} `, `{"resourceSpans":[]}`, `{"resourceSpans":null}`, `{"resourceSpans":[{}]}`,
		`{"resourceSpans":[{"scopeSpans":[{}],"zzz":{"a":[1]}}],"futureField":1}`,
		`{"resourceSpans":[{"resource":null,"scopeSpans":null}]}`,
	} {
		if b := decodedJSON(t, run.Traces, []byte(body), JSONOptions{}); b.Items() != 0 {
			t.Errorf("%s: %d items", body, b.Items())
		}
	}
	b := decodedJSON(t, run.Traces, jsonSpans(jsonSpan(`,"attributes":[{"key":"k"},{"key":"l","value":{}},{"key":"m","value":null}],"later":[{}]`)), JSONOptions{})
	for _, a := range b.AttrList(b.Spans[0].Attrs) {
		if a.Value.Type != run.Empty {
			t.Errorf("%s has the value %v, want none", a.Key, a.Value)
		}
	}
	if b.Spans[0].Attrs.Len() != 3 {
		t.Errorf("%d attributes, want 3", b.Spans[0].Attrs.Len())
	}
}

func TestJSONZeroItemsAreNotSilent(t *testing.T) {
	b := decodedJSON(t, run.Traces, []byte(`{"resourceSpans":[{"scopeSpanz":[{"spans":[{}]}],"other":1}],"resourceLogs":[{}]}`), JSONOptions{})
	want := []run.Notice{{
		Code: "json-not-understood", Level: run.Warning, Count: 1,
		Text: "0 spans; not understood: scopeSpanz, other, resourceLogs",
	}}
	if diff := cmp.Diff(want, b.Notices); diff != "" {
		t.Error(diff)
	}
}

func TestJSONThatIsNone(t *testing.T) {
	for body, word := range map[string]string{
		``: "empty", " \n": "empty", `[]`: "want an object, got an array", `null`: "want an object, got null",
		`{"resourceSpans":`: "ends early", `{"resourceSpans":[{}]}x`: "after the end", `{} {}`: "after the end",
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":nope}]}]}]}`: "resourceSpans[0].scopeSpans[0].spans[0].name: not JSON at byte 52",
		`{"resourceSpans":{}}`:  "resourceSpans: want an array, got an object",
		`{"resourceSpans":[5]}`: "resourceSpans[0]: want an object, got a number",
	} {
		refusedJSON(t, run.Traces, []byte(body), word)
	}
}

// CASES row 4: snake_case and the names before OTLP 0.15.
func TestJSONOtherNames(t *testing.T) {
	span := `{"trace_id":"` + hexA + `","span_id":"` + hex1 + `","start_time_unix_nano":"1760000000000000000"}`
	for body, note := range map[string]string{
		`{"resource_spans":[{"scope_spans":[{"scope":{"name":"x"},"spans":[` + span + `]}]}]}`:                                             "json-snake-case",
		`{"resourceSpans":[{"instrumentationLibrarySpans":[{"instrumentationLibrary":{"name":"x"},"spans":[` + jsonSpan("") + `]}]}]}`:     "json-old-names",
		`{"resource_spans":[{"instrumentation_library_spans":[{"instrumentation_library":{"name":"x"},"spans":[` + jsonSpan("") + `]}]}]}`: "json-old-names",
	} {
		for _, opt := range []JSONOptions{{}, {File: true}} {
			b := decodedJSON(t, run.Traces, []byte(body), opt)
			if len(b.Spans) != 1 || string(b.Bytes(b.Scopes[0].Name)) != "x" {
				t.Errorf("%s: %+v", body, b.Spans)
			}
			if !hasNotice(b, note) {
				t.Errorf("%s: no notice %s in %+v", body, note, b.Notices)
			}
		}
	}
	logs := decodedJSON(t, run.Logs, []byte(`{"resourceLogs":[{"instrumentationLibraryLogs":[{"logs":[{"severityNumber":9}]}]}]}`), JSONOptions{})
	metrics := decodedJSON(t, run.Metrics, []byte(`{"resourceMetrics":[{"instrumentationLibraryMetrics":[{"metrics":[{"name":"m","gauge":{"dataPoints":[{"asInt":"1"}]}}]}]}]}`), JSONOptions{})
	if len(logs.Logs) != 1 || len(metrics.Points) != 1 {
		t.Errorf("%d logs, %d points, want 1 and 1", len(logs.Logs), len(metrics.Points))
	}
}

func hasNotice(b *Batch, code string) bool {
	for _, n := range b.Notices {
		if n.Code == code && n.Level == run.Warning {
			return true
		}
	}
	return false
}

// The last of equal keys wins, whatever the key holds.
func TestJSONDuplicateKeys(t *testing.T) {
	body := `{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"dropped"}]}]}],"resourceSpans":[{
		"resource":{"attributes":[{"key":"a"}],"droppedAttributesCount":1},"resource":{"attributes":[{"key":"b"}]},
		"scopeSpans":[{"spans":[` + jsonSpan(`,"name":"last","attributes":[{"key":"x"},{"key":"y"}],"flags":1,"attributes":[{"key":"z"}],"flags":null`) + `]}]}]}`
	got := fromJSON(t, JSONOptions{}, run.Traces, []byte(body))
	want := fromJSON(t, JSONOptions{}, run.Traces, []byte(`{"resourceSpans":[{"resource":{"attributes":[{"key":"b"}]},
		"scopeSpans":[{"spans":[{"traceId":"`+hexA+`","spanId":"`+hex1+`","name":"last","attributes":[{"key":"z"}]}]}]}]}`))
	sameMessage(t, "request", want, got)
}

func TestJSONDuplicateListsOfNumbers(t *testing.T) {
	point := `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"histogram":{"dataPoints":[{%s}]}}]}]}]}`
	got := fromJSON(t, JSONOptions{}, run.Metrics, fmt.Appendf(nil, point, `"bucketCounts":[1,2],"explicitBounds":[1],"bucketCounts":["3"],"explicitBounds":[]`))
	sameMessage(t, "point", fromJSON(t, JSONOptions{}, run.Metrics, fmt.Appendf(nil, point, `"bucketCounts":[3]`)), got)
}

// Members that come again beside a long list are resolved in one pass; walking
// the list for each of them would not end within a test's time.
func TestJSONManyDuplicates(t *testing.T) {
	spans := strings.Repeat(jsonSpan("")+",", 50_000)
	again := strings.Repeat(`"scope":{},"schemaUrl":"",`, 500_000)
	body := `{"resourceSpans":[{"scopeSpans":[{"spans":[` + strings.TrimSuffix(spans, ",") + `],` + again + `"scope":{"name":"last"}}]}]}`
	b := decodedJSON(t, run.Traces, []byte(body), JSONOptions{})
	if got := string(b.Bytes(b.Scopes[0].Name)); len(b.Spans) != 50_000 || got != "last" {
		t.Errorf("%d spans in scope %q", len(b.Spans), got)
	}
}

// Names may be written with escapes, values with any white space.
func TestJSONEscapesAndSpace(t *testing.T) {
	body := "{\t\"resource\\u0053pans\" :\r\n [ { \"scopeSpans\":[{\"spans\":[{\"tr\\u0061ceId\":\"" + hexA + "\",\"spanId\":\"" + hex1 + "\",\"name\":\"a\\n\\ud83d\\ude00\\/\"}]}]}]}"
	b := decodedJSON(t, run.Traces, []byte(body), JSONOptions{})
	if got := string(b.Bytes(b.Spans[0].Name)); got != "a\n😀/" {
		t.Errorf("name %q", got)
	}
}

func TestJSONRepairsText(t *testing.T) {
	for text, want := range map[string]string{
		"a\xffb": "a\uFFFDb", `\ud800`: "\uFFFD", `x\udc00y`: "x\uFFFDy", "\xe2\x82": "\uFFFD\uFFFD",
	} {
		b := decodedJSON(t, run.Traces, jsonValue(`{"stringValue":"`+text+`"}`), JSONOptions{})
		if got := valueOf(t, b).Str(); got != want || b.Repaired != 1 {
			t.Errorf("%q became %q with %d repaired, want %q and 1", text, got, b.Repaired, want)
		}
	}
}

// A request of another signal is not silently empty.
func TestJSONSeveralSignals(t *testing.T) {
	body := []byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"eventName":"e"}]}]}],"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"s"}]}]}],
		"resource_metrics":[{"scope_metrics":[{"metrics":[{"name":"m"}]}]}]}`)
	requests, err := NewTranscoder(JSONOptions{}).Transcode(body)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, s := range allSignals {
		m, err := oracle(s, requests[s])
		if err != nil {
			t.Fatal(err)
		}
		switch m := m.(type) {
		case *tracepb.TracesData:
			names = append(names, m.ResourceSpans[0].ScopeSpans[0].Spans[0].Name)
		case *metricspb.MetricsData:
			names = append(names, m.ResourceMetrics[0].ScopeMetrics[0].Metrics[0].Name)
		case *logspb.LogsData:
			names = append(names, m.ResourceLogs[0].ScopeLogs[0].LogRecords[0].EventName)
		}
	}
	if diff := cmp.Diff([]string{"s", "m", "e"}, names); diff != "" {
		t.Error(diff)
	}
}
