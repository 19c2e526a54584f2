package otlp

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// CASES row 2: both legal forms of 64-bit integers, exactly.
func TestJSONIntegers(t *testing.T) {
	for text, want := range map[string]int64{
		`"42"`: 42, `42`: 42, `"-7"`: -7, `-7`: -7, `9007199254740993`: 9007199254740993, `"9007199254740993"`: 9007199254740993,
		`"9223372036854775807"`: math.MaxInt64, `-9223372036854775808`: math.MinInt64, `0`: 0, `-0`: 0, `"007"`: 7,
		`1e3`: 1000, `"1.5E+1"`: 15, `10.00`: 10, `120e-1`: 12, `9.223372036854775807e18`: math.MaxInt64, `0e99999`: 0, `0.0`: 0,
	} {
		if got := valueOf(t, decodedJSON(t, run.Traces, jsonValue(`{"intValue":`+text+`}`), JSONOptions{})); got.Type != run.Int || got.Int() != want {
			t.Errorf("%s is read as %v %d, want %d", text, got.Type, got.Int(), want)
		}
	}
}

func TestJSONIntegersRefused(t *testing.T) {
	for _, text := range []string{
		`"abc"`, `""`, `" 42"`, `"+7"`, `"-"`, `1.5`, `"1e-1"`, `true`, `{}`, `[1]`, `"0x10"`, `"1_000"`, `"1e"`, `".5"`, `"e5"`, `"1.2.3"`,
		`9223372036854775808`, `-9223372036854775809`, `18446744073709551616`, `1e19`, `1e999999999999`, `"１"`,
	} {
		refusedJSON(t, run.Traces, jsonValue(`{"intValue":`+text+`}`), "spans[0].attributes[0].value.intValue")
	}
}

func TestJSONTimesAndCounts(t *testing.T) {
	b := decodedJSON(t, run.Traces, jsonSpans(jsonSpan(`,"startTimeUnixNano":1760000000000000123,"endTimeUnixNano":"18446744073709551615"`)), JSONOptions{})
	if s := b.Spans[0]; s.Start != 1760000000000000123 || s.End != math.MaxUint64 {
		t.Errorf("times %d and %d", s.Start, s.End)
	}
	refusedJSON(t, run.Traces, jsonSpans(jsonSpan(`,"startTimeUnixNano":-1`)), "spans[0].startTimeUnixNano", "out of range")
	refusedJSON(t, run.Traces, jsonSpans(jsonSpan(`,"flags":4294967296`)), "spans[0].flags", "out of range")
	for _, point := range []string{`"asInt":"123","count":5`, `"asInt":123,"count":"5"`} {
		m := decodedJSON(t, run.Metrics, []byte(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"sum":{"dataPoints":[{`+point+`}]}}]}]}]}`), JSONOptions{})
		if p := m.Points[0]; p.Num != 123 || !p.HasValue {
			t.Errorf("%s: %+v", point, p)
		}
	}
}

// Signed 32-bit integers of exponential histograms, at their limits.
func TestJSONSigned32(t *testing.T) {
	point := `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"exponentialHistogram":{"dataPoints":[{"scale":%s}]}}]}]}]}`
	for _, v := range []string{"-2147483648", "2147483647", "-1", "0"} {
		body := fmt.Appendf(nil, point, v)
		line, err := AppendJSON(nil, run.Metrics, wireOf(t, run.Metrics, body))
		if err != nil || v != "0" && !strings.Contains(string(line), `"scale":`+v) {
			t.Errorf("scale %s is written as %s (%v)", v, line, err)
		}
	}
	for _, v := range []string{"-2147483649", "2147483648"} {
		refusedJSON(t, run.Metrics, fmt.Appendf(nil, point, v), "dataPoints[0].scale", "out of range")
	}
}

// wireOf is the transcoded bytes.
func wireOf(t *testing.T, s run.Signal, body []byte) []byte {
	t.Helper()
	requests, err := NewTranscoder(JSONOptions{}).Transcode(body, s)
	if err != nil {
		t.Fatal(err)
	}
	return requests[s]
}

// CASES row 9: doubles that JSON numbers cannot write.
func TestJSONDoubles(t *testing.T) {
	for text, want := range map[string]float64{
		`"NaN"`: math.NaN(), `"Infinity"`: math.Inf(1), `"-Infinity"`: math.Inf(-1), `"1.5"`: 1.5, `1.5`: 1.5, `2`: 2, `"-0"`: math.Copysign(0, -1),
		`"nan"`: math.NaN(), `"+Inf"`: math.Inf(1), `"-inf"`: math.Inf(-1), `5e-324`: 5e-324, `0.1`: 0.1, `1e-400`: 0,
	} {
		got := valueOf(t, decodedJSON(t, run.Traces, jsonValue(`{"doubleValue":`+text+`}`), JSONOptions{})).Double()
		if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) {
			t.Errorf("%s is read as %v, want %v", text, got, want)
		}
	}
	for _, text := range []string{`"abc"`, `""`, `"0x1p4"`, `"1_0"`, `1e999`, `true`, `"1.5 "`} {
		refusedJSON(t, run.Traces, jsonValue(`{"doubleValue":`+text+`}`), "value.doubleValue")
	}
}

func TestJSONNullIsUnset(t *testing.T) {
	for _, member := range []string{"doubleValue", "intValue", "stringValue", "boolValue"} {
		b := decodedJSON(t, run.Traces, jsonValue(`{"`+member+`":null}`), JSONOptions{})
		if got := valueOf(t, b); got.Type != run.Empty {
			t.Errorf("%s null is read as %v", member, got)
		}
		want := []run.Notice{{
			Code: "json-null-value", Level: run.Warning, Count: 1,
			Text: "resourceSpans[0].scopeSpans[0].spans[0].attributes[0].value." + member + ": null counts as unset",
		}}
		if diff := cmp.Diff(want, b.Notices); diff != "" {
			t.Error(diff)
		}
	}
	m := decodedJSON(t, run.Metrics, []byte(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"gauge":{"dataPoints":[{"asDouble":null}]}}]}]}]}`), JSONOptions{})
	if m.Points[0].HasValue || !hasNotice(m, "json-null-value") {
		t.Errorf("point %+v, notices %+v", m.Points[0], m.Notices)
	}
	refusedJSON(t, run.Metrics, []byte(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"histogram":{"dataPoints":[{"bucketCounts":[1,null]}]}}]}]}]}`), "bucketCounts[1]")
}

// A null among values is an empty value, so that the others keep their places.
func TestJSONNullInArray(t *testing.T) {
	v := valueOf(t, decodedJSON(t, run.Traces, jsonValue(`{"arrayValue":{"values":[{"intValue":1},null,{"intValue":2}]}}`), JSONOptions{}))
	if list := v.List(); len(list) != 3 || list[1].Type != run.Empty || list[2].Int() != 2 {
		t.Errorf("read as %v", list)
	}
}

func TestJSONEnums(t *testing.T) {
	for text, want := range map[string]run.Kind{`3`: 3, `"SPAN_KIND_CLIENT"`: 3, `"3"`: 3, `0`: 0, `null`: 0} {
		if b := decodedJSON(t, run.Traces, jsonSpans(jsonSpan(`,"kind":`+text)), JSONOptions{}); b.Spans[0].Kind != want {
			t.Errorf("kind %s is read as %d", text, b.Spans[0].Kind)
		}
	}
	b := decodedJSON(t, run.Traces, jsonSpans(jsonSpan(`,"status":{"code":"STATUS_CODE_ERROR"}`)), JSONOptions{})
	if b.Spans[0].Status != run.StatusError {
		t.Errorf("status %d", b.Spans[0].Status)
	}
	refusedJSON(t, run.Traces, jsonSpans(jsonSpan(`,"kind":"CLIENTELE"`)), "spans[0].kind", "CLIENTELE")
}

func TestJSONBytes(t *testing.T) {
	for text, want := range map[string]string{
		"AAEC": "\x00\x01\x02", "": "", "_-8=": "\xff\xef", "_-8": "\xff\xef", "/+8=": "\xff\xef", `\/+8`: "\xff\xef", "AA": "\x00",
	} {
		v := valueOf(t, decodedJSON(t, run.Traces, jsonValue(`{"bytesValue":"`+text+`"}`), JSONOptions{}))
		if v.Type != run.Bytes || v.Str() != want {
			t.Errorf("%q is read as %v %q", text, v.Type, v.Str())
		}
	}
	refusedJSON(t, run.Traces, jsonValue(`{"bytesValue":"%%"}`), "value.bytesValue", "base64")
	refusedJSON(t, run.Traces, jsonValue(`{"bytesValue":[1,2]}`), "value.bytesValue", "want a string, got an array")
}

func TestJSONWrongTypes(t *testing.T) {
	for member, words := range map[string]string{
		`"name":5`:             "spans[0].name: want a string, got 5",
		`"name":{"a":1}`:       "spans[0].name: want a string, got an object",
		`"attributes":{"a":1}`: "spans[0].attributes: want an array, got an object",
		`"attributes":[[]]`:    "spans[0].attributes[0]: want an object, got an array",
		`"status":"OK"`:        "spans[0].status: want an object, got a string",
		`"events":[{"attributes":[{"key":"k","value":{"boolValue":"true"}}]}]`: "events[0].attributes[0].value.boolValue: want true or false",
	} {
		refusedJSON(t, run.Traces, jsonSpans(jsonSpan(","+member)), words)
	}
	refusedJSON(t, run.Traces, jsonSpans(jsonSpan(`,"kind":"`+strings.Repeat("x", 1000)+`\u001b[2J"`)), "…")
}

// nestedJSON is a value of the kind nested n deep.
func nestedJSON(kind string, n int) string {
	open, shut := `{"arrayValue":{"values":[`, `]}}`
	if kind == "kvlist" {
		open, shut = `{"kvlistValue":{"values":[{"key":"k","value":`, `}]}}`
	}
	return strings.Repeat(open, n) + `{"intValue":"1"}` + strings.Repeat(shut, n)
}

// CASES row 8: no depth costs more than an error, and real depth is kept.
func TestJSONDepth(t *testing.T) {
	for _, kind := range []string{"array", "kvlist"} {
		for _, n := range []int{MaxDepth + 1, 2000, 200_000} {
			refusedJSON(t, run.Traces, jsonValue(nestedJSON(kind, n)))
		}
		for _, n := range []int{60, MaxDepth} {
			body := jsonValue(nestedJSON(kind, n))
			b := decodedJSON(t, run.Traces, body, JSONOptions{})
			depth := 0
			for v := valueOf(t, b); v.Type != run.Int; depth++ {
				if v.Type == run.Array {
					v = v.List()[0]
				} else {
					v = v.Attrs()[0].Value
				}
			}
			if depth != n {
				t.Errorf("%s of depth %d is read %d deep", kind, n, depth)
			}
			roundTrip(t, body)
		}
	}
	refusedJSON(t, run.Traces, []byte(`{"unknown":`+strings.Repeat("[", 200_000)+strings.Repeat("]", 200_000)+`}`), "not JSON")
}

// A deep value around much text is not moved once for every level.
func TestJSONDepthOfMuchText(t *testing.T) {
	inner := strings.Repeat("x", 8<<20)
	body := strings.Replace(nestedJSON("kvlist", MaxDepth), `{"intValue":"1"}`, `{"stringValue":"`+inner+`"}`, 1)
	b := decodedJSON(t, run.Traces, jsonValue(body), JSONOptions{})
	if b.Repaired != 0 || len(b.Spans) != 1 {
		t.Errorf("%d spans", len(b.Spans))
	}
}
