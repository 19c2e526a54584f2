package otlp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/encoding/protowire"

	"github.com/beamline-hpc/lensview/internal/run"
)

// CASES row 16: what came in as JSON goes out as the same JSON, member for
// member; only unknown members are missing.
func TestJSONFidelity(t *testing.T) {
	attributes := `"attributes":[{"key":"b","value":{"bytesValue":"AAEC"}},{"key":"n","value":{"kvlistValue":{"values":[{"key":"x","value":{"kvlistValue":{"values":[{"key":"y"}]}}}]}}},` +
		`{"key":"a","value":{"arrayValue":{"values":[{"intValue":"1"},{"stringValue":"a"},{"boolValue":true},{"arrayValue":{}},{"doubleValue":"NaN"},{}]}}},` +
		`{"key":"e","value":{"stringValue":""}},{"key":"f","value":{"boolValue":false}},{"key":"z","value":{"intValue":"0"}},{"key":"d","value":{"doubleValue":0}},` +
		`{"key":"k","value":{"intValue":"1"}},{"key":"k","value":{"intValue":"2"}},{"value":{"stringValue":"no key"}},{"key":"i","value":{"doubleValue":"-Infinity"}}]`
	resource := `"resource":{` + attributes + `,"droppedAttributesCount":3,"entityRefs":[{"schemaUrl":"u","type":"service","idKeys":["service.name",""],"descriptionKeys":["d"]}]}`
	for s, body := range map[run.Signal]string{
		run.Traces: `{"resourceSpans":[{` + resource + `,"scopeSpans":[{"scope":{"name":"t","version":"1",` + attributes + `,"droppedAttributesCount":1},"spans":[{"traceId":"` + hexA + `","spanId":"` + hex1 + `","traceState":"a=b",` +
			`"parentSpanId":"` + hex2 + `","name":"s","kind":1,"startTimeUnixNano":"1760000000000000123","endTimeUnixNano":"18446744073709551615",` + attributes + `,"droppedAttributesCount":1,` +
			`"events":[{"timeUnixNano":"5","name":"e",` + attributes + `,"droppedAttributesCount":2}],"droppedEventsCount":4,` +
			`"links":[{"traceId":"` + hexA + `","spanId":"` + hex1 + `","traceState":"c=d",` + attributes + `,"droppedAttributesCount":6,"flags":1}],"droppedLinksCount":5,"status":{"message":"m","code":2},"flags":257}],"schemaUrl":"s"}],"schemaUrl":"r"}]}`,
		run.Logs: `{"resourceLogs":[{` + resource + `,"scopeLogs":[{"logRecords":[{"timeUnixNano":"1","severityNumber":9,"severityText":"INFO","body":{"kvlistValue":{"values":[{"key":"k","value":{"intValue":"1"}}]}},` +
			attributes + `,"droppedAttributesCount":2,"flags":1,"traceId":"` + hexA + `","spanId":"` + hex1 + `","observedTimeUnixNano":"2","eventName":"ev"}]}]}]}`,
		run.Metrics: fidelityMetrics(attributes),
	} {
		line, err := AppendJSON(nil, s, wireOf(t, s, []byte(body)))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(body, string(line)); diff != "" {
			t.Errorf("%s: %s", s, diff)
		}
		roundTrip(t, []byte(body))
	}
}

func fidelityMetrics(attributes string) string {
	exemplars := `"exemplars":[{"timeUnixNano":"7","asInt":"-3","spanId":"` + hex1 + `","traceId":"` + hexA + `","filteredAttributes":[{"key":"q","value":{"stringValue":"v"}}]},{"asDouble":0.25}]`
	point := `"startTimeUnixNano":"1","timeUnixNano":"2"`
	return `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[` +
		`{"name":"g","description":"d","unit":"1","gauge":{"dataPoints":[{` + point + `,"asDouble":"NaN",` + exemplars + `,` + attributes + `,"flags":1},{"asInt":"0"},{}]},"metadata":[{"key":"m","value":{"stringValue":"v"}}]},` +
		`{"name":"s","sum":{"dataPoints":[{"asInt":"-9223372036854775808"}],"aggregationTemporality":2,"isMonotonic":true}},` +
		`{"name":"h","histogram":{"dataPoints":[{` + point + `,"count":"18446744073709551615","sum":-0,"bucketCounts":["0","5"],"explicitBounds":[0,1e+21],"min":0,"max":1e-7}],"aggregationTemporality":1}},` +
		`{"name":"x","exponentialHistogram":{"dataPoints":[{"count":"1","sum":1.5,"scale":-2,"zeroCount":"1","positive":{"offset":-7,"bucketCounts":["1","300"]},"negative":{},"flags":1,"zeroThreshold":0.5}]}},` +
		`{"name":"y","summary":{"dataPoints":[{"count":"1","sum":2.5,"quantileValues":[{"quantile":0.5,"value":"Infinity"},{}]}]}},{"name":"none","gauge":{}}]}]}]}`
}

// A request stays on one line and no control character is written as it is.
func TestJSONText(t *testing.T) {
	for text, want := range map[string]string{
		"a\nb\r\t": `a\nb\r\t`, "\"\\/": `\"\\/`, "\x00\x1b\x7f": `\u0000\u001b\u007f`, "é😀": "é😀", "a\xff": "a\uFFFD",
	} {
		w := jsonWriter{}
		w.text([]byte(text))
		if got := string(w.dst); got != `"`+want+`"` {
			t.Errorf("%q is written as %s, want %q", text, got, want)
		}
	}
}

// wireField is one length-delimited field.
func wireField(number protowire.Number, parts ...[]byte) []byte {
	b := protowire.AppendTag(nil, number, protowire.BytesType)
	var body []byte
	for _, p := range parts {
		body = append(body, p...)
	}
	return protowire.AppendBytes(b, body)
}

// inSpan wraps the fields of a span into a request.
func inSpan(fields ...[]byte) []byte {
	return wireField(1, wireField(2, wireField(2, fields...)))
}

// Protobuf lets fields come in parts and in any order.
func TestJSONOfScatteredFields(t *testing.T) {
	attr := func(key string) []byte { return wireField(9, wireField(1, []byte(key))) }
	event := wireField(11, wireField(2, []byte("e")))
	name := func(s string) []byte { return wireField(5, []byte(s)) }
	status := func(fields ...[]byte) []byte { return wireField(15, fields...) }
	code := append(protowire.AppendTag(nil, 3, protowire.VarintType), 2)
	unknown := wireField(900, []byte("x"))
	foreign := append(protowire.AppendTag(nil, 5, protowire.VarintType), 1) // name as a number: unknown
	got, err := AppendJSON(nil, run.Traces, inSpan(attr("a"), name("first"), event, unknown, status(code), attr("b"), foreign, name("last"), status(wireField(2, []byte("m")))))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":"a"},{"key":"b"}],"name":"last","events":[{"name":"e"}],"status":{"code":2,"message":"m"}}]}]}]}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

// The member of a oneof that was sent last counts.
func TestJSONOfOneofSentTwice(t *testing.T) {
	value := func(parts ...[]byte) []byte { return inSpan(wireField(9, wireField(2, parts...))) }
	text, list := wireField(1, []byte("t")), wireField(5, wireField(1, wireField(1, []byte("x"))))
	for want, wire := range map[string][]byte{
		`{"stringValue":"t"}`:                                                 value(list, text),
		`{"arrayValue":{"values":[{"stringValue":"x"}]}}`:                     value(list, text, list),
		`{"arrayValue":{"values":[{"stringValue":"x"},{"stringValue":"x"}]}}`: value(text, list, list),
	} {
		got, err := AppendJSON(nil, run.Traces, wire)
		if err != nil || !strings.Contains(string(got), `"value":`+want) {
			t.Errorf("got %s (%v), want %s", got, err, want)
		}
		sameMessage(t, "oneof", mustOracle(t, run.Traces, wire), fromJSON(t, JSONOptions{}, run.Traces, got))
	}
}

// Lists of numbers may come packed, unpacked or in parts.
func TestJSONOfUnpackedNumbers(t *testing.T) {
	fixed := func(v uint64) []byte { return protowire.AppendFixed64(nil, v) }
	single := append(protowire.AppendTag(nil, 6, protowire.Fixed64Type), fixed(3)...)
	point := wireField(9, wireField(1, wireField(6, fixed(1), fixed(2)), single, wireField(6), wireField(6, fixed(4))))
	wire := wireField(1, wireField(2, wireField(2, point)))
	got, err := AppendJSON(nil, run.Metrics, wire)
	if err != nil || !strings.Contains(string(got), `"bucketCounts":["1","2","3","4"]`) {
		t.Errorf("got %s (%v)", got, err)
	}
	cut := wireField(1, wireField(2, wireField(2, wireField(9, wireField(1, wireField(6, fixed(1), []byte{1, 2}))))))
	if _, err := AppendJSON(nil, run.Metrics, cut); err == nil || !strings.Contains(err.Error(), "dataPoints[0].bucketCounts[0]") {
		t.Errorf("a cut list gives %v", err)
	}
}

func TestJSONOfDamagedWire(t *testing.T) {
	good := inSpan(wireField(5, []byte("name")))
	for n := 1; n < len(good); n++ {
		dst := []byte("kept")
		got, err := AppendJSON(dst, run.Traces, good[:n])
		if err == nil {
			t.Errorf("%x is written as %s", good[:n], got)
		}
		if string(got) != "kept" {
			t.Errorf("dst is %q after an error", got)
		}
	}
	deep := wireField(1, []byte("x"))
	for range MaxDepth + 1 {
		deep = wireField(5, wireField(1, deep))
	}
	_, err := AppendJSON(nil, run.Traces, inSpan(wireField(9, wireField(2, deep))))
	if err == nil || !strings.Contains(err.Error(), fmt.Sprint(MaxDepth)) {
		t.Errorf("deep values give %v", err)
	}
}
