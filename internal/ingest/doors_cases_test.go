package ingest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

const rank0 = `{"attributes":[{"key":"service.name","value":{"stringValue":"megatron-lm"}},{"key":"dl.rank","value":{"intValue":"0"}}]}`

// spansText is a request of rank 0 with spans: each the members beside its ids,
// which are A and 1, 2, 3 ….
func spansText(members ...string) string {
	var spans []string
	for i, m := range members {
		spans = append(spans, fmt.Sprintf(`{"traceId":"%s","spanId":"%016x",%s}`, idA, i+1, m))
	}
	return `{"resourceSpans":[{"resource":` + rank0 + `,"scopeSpans":[{"scope":{"name":"t"},"spans":[` + strings.Join(spans, ",") + `]}]}]}`
}

func timed(start, end string) string {
	return `"name":"x","startTimeUnixNano":"` + start + `","endTimeUnixNano":"` + end + `"`
}

func withAttrs(pairs ...string) string {
	return timed(caseT0, "1760000001000000000") + `,"attributes":[` + strings.Join(pairs, ",") + `]`
}

func pair(key, value string) string { return `{"key":"` + key + `","value":` + value + `}` }

func metricsText(metrics ...string) string {
	return `{"resourceMetrics":[{"resource":` + rank0 + `,"scopeMetrics":[{"scope":{"name":"t"},"metrics":[` + strings.Join(metrics, ",") + `]}]}]}`
}

// Whatever the way in, the same is stored.
func TestEveryDoorStoresTheSame(t *testing.T) {
	for name, tt := range map[string]struct {
		text string
		want []string // is among what is stored
	}{
		"64-bit numbers as text": {
			spansText(`"name":"n","startTimeUnixNano":"1760000000000000123","endTimeUnixNano":"1760000001000000001","attributes":[` +
				pair("a", `{"intValue":"9007199254740993"}`) + `,` + pair("b", `{"intValue":"9223372036854775807"}`) + `,` + pair("c", `{"intValue":"-7"}`) + `]`),
			[]string{"1760000000000000123–1760000001000000001", `{"a":9007199254740993,"b":9223372036854775807,"c":-7}`},
		},
		"64-bit numbers as numbers": {
			spansText(`"name":"n","startTimeUnixNano":1760000000000000123,"endTimeUnixNano":1760000001000000001,"attributes":[` +
				pair("a", `{"intValue":9007199254740993}`) + `,` + pair("b", `{"intValue":42}`) + `]`),
			[]string{"1760000000000000123–1760000001000000001", `{"a":9007199254740993,"b":42}`},
		},
		"ids in upper case": {
			strings.ReplaceAll(spansText(timed(caseT0, caseT0)+`,"parentSpanId":"EEE19B7EC3C1B174"`), idA, strings.ToUpper(idA)),
			[]string{"span " + idA + " 0000000000000001 " + id1},
		},
		"numbers that are not finite": {
			spansText(withAttrs(pair("nan", `{"doubleValue":"NaN"}`), pair("inf", `{"doubleValue":"Infinity"}`), pair("neg", `{"doubleValue":"-Infinity"}`), pair("q", `{"doubleValue":"1.5"}`))),
			[]string{`{"nan":NaN,"inf":Infinity,"neg":-Infinity,"q":1.5}`},
		},
		"a loss that is not finite": {
			metricsText(`{"name":"dl.loss","gauge":{"dataPoints":[{"asDouble":2,"timeUnixNano":"1"},{"asDouble":"NaN","timeUnixNano":"2"},{"asDouble":1,"timeUnixNano":"3"}]}}`,
				`{"name":"dl.grad_norm","gauge":{"dataPoints":[{"asDouble":"Infinity","timeUnixNano":"1"}]}}`),
			[]string{"Points:3 NotFinite:1 Gaps:0 Finite:2 Min:1 Max:2 Sum:3", "Points:1 NotFinite:1"},
		},
		"impossible times": {
			spansText(timed(caseT0, "1760000010000000000"), timed(caseT0, "1759999999999999999"), timed("0", caseT0), timed("18446744073709551615", caseT0), timed("1760000000000", caseT0), timed(caseT0, "0")),
			[]string{"4 invalid", "1760000000000000000–1759999999999999999", "18446744073709551615–1760000000000000000"},
		},
		"values of every type": {
			spansText(withAttrs(pair("bytes", `{"bytesValue":"AAEC"}`), pair("kv", `{"kvlistValue":{"values":[`+pair("in", `{"kvlistValue":{"values":[`+pair("x", `{"intValue":"1"}`)+`]}}`)+`]}}`),
				pair("mixed", `{"arrayValue":{"values":[{"intValue":"1"},{"stringValue":"a"},{"boolValue":true},{"arrayValue":{}}]}}`),
				pair("empty", `{"stringValue":""}`), pair("false", `{"boolValue":false}`), pair("zero", `{"intValue":"0"}`), pair("k", `{"intValue":"1"}`), pair("k", `{"intValue":"2"}`), pair("", `{"stringValue":"v"}`), pair("unset", `{}`))),
			[]string{`{"bytes":0x000102,"kv":{"in":{"x":1}},"mixed":[1,"a",true,[]],"empty":"","false":false,"zero":0,"k":1,"k":2,"":"v","unset":null}`},
		},
		"what surrounds a span": {
			spansText(timed(caseT0, caseT0) + `,"flags":257,"traceState":"a=b","droppedAttributesCount":1,"droppedEventsCount":2,"droppedLinksCount":3,"kind":3,"status":{"code":2,"message":"boom"},` +
				`"links":[{"traceId":"` + idB + `","spanId":"` + id2 + `","flags":1,"traceState":"c=d"}],"events":[{"timeUnixNano":"` + caseT0 + `","name":"e","droppedAttributesCount":4}]`),
			[]string{`2 "boom" 257`, `"a=b"`, "[1 2 3]", " link " + idB + " " + id2 + ` "c=d" 1`, ` "e" {} 4`},
		},
		"a log with a map for a body": {
			`{"resourceLogs":[{"resource":` + rank0 + `,"scopeLogs":[{"logRecords":[{"timeUnixNano":"` + caseT0 + `","eventName":"e","severityNumber":9,"traceId":"` + idA + `","spanId":"` + id1 + `","body":{"kvlistValue":{"values":[` + pair("x", `{"intValue":"1"}`) + `]}}}]}]}]}`,
			[]string{`log ` + caseT0 + ` 9 ` + idA + ` ` + id1 + ` "e" {"x":1}`},
		},
		"one metric in two parts": {
			metricsText(`{"name":"tw","unit":"s","gauge":{"dataPoints":[{"asInt":"1","timeUnixNano":"1","attributes":[`+pair("a", `{"intValue":"1"}`)+`,`+pair("b", `{"intValue":"2"}`)+`]}]}}`,
				`{"name":"tw","unit":"s","gauge":{"dataPoints":[{"asInt":"3","timeUnixNano":"2","startTimeUnixNano":"1","attributes":[`+pair("b", `{"intValue":"2"}`)+`,`+pair("a", `{"intValue":"1"}`)+`]}]}}`),
			[]string{"metric tw", "1 series", "Points:2"},
		},
		"histograms with one bucket, none, and too few": {
			metricsText(`{"name":"h1","histogram":{"aggregationTemporality":2,"dataPoints":[{"count":"5","sum":10,"bucketCounts":["5"],"timeUnixNano":"1"}]}}`,
				`{"name":"h2","histogram":{"aggregationTemporality":1,"dataPoints":[{"count":5,"sum":10,"min":1,"max":4,"timeUnixNano":"1"}]}}`,
				`{"name":"h3","histogram":{"dataPoints":[{"count":"5","sum":10,"bucketCounts":["1","2","2"],"explicitBounds":[1,2,3,4,5],"timeUnixNano":"1"}]}}`,
				`{"name":"e","exponentialHistogram":{"aggregationTemporality":2,"dataPoints":[{"count":"5","sum":10,"scale":2,"positive":{"offset":0,"bucketCounts":["2","3"]},"timeUnixNano":"1"}]}}`,
				`{"name":"s","summary":{"dataPoints":[{"count":"5","sum":10,"quantileValues":[{"quantile":0.5,"value":2}],"timeUnixNano":"1"}]}}`),
			[]string{"metric h1", "metric h2", "metric h3", "metric e ", "metric s ", "Last:2"},
		},
		"nothing but envelopes": {`{"resourceSpans":[{},{"scopeSpans":[{}]}]}`, []string{"traces: {Received:0 "}},
	} {
		t.Run(name, func(t *testing.T) {
			var first []string
			for _, e := range entrances(t) {
				if got := e.send(t, tt.text); got != (told{status: "ok"}) {
					t.Fatalf("%s: answered %+v", e.name, got)
				}
				all := stored(e.st)
				if first == nil {
					first = all
				}
				if d := cmp.Diff(first, all); d != "" {
					t.Errorf("%s stores something else (-first +this)\n%s", e.name, d)
				}
			}
			text := strings.Join(first, "\n")
			for _, want := range tt.want {
				if !strings.Contains(text, want) {
					t.Errorf("not stored: %s\n%s", want, text)
				}
			}
		})
	}
}

// Items refused one by one are counted at every door, and each reason is named
// to the sender, or in the file's messages.
func TestEveryReasonOfARejectionIsNamed(t *testing.T) {
	span := func(trace, id, more string) string {
		return `{"traceId":"` + trace + `","spanId":"` + id + `","name":"x","startTimeUnixNano":"` + caseT0 + `","endTimeUnixNano":"` + caseT0 + `"` + more + `}`
	}
	text := func(spans ...string) string {
		return `{"resourceSpans":[{"resource":` + rank0 + `,"scopeSpans":[{"spans":[` + strings.Join(spans, ",") + `]}]}]}`
	}
	for name, tt := range map[string]struct {
		text     string
		rejected uint64
		kept     uint64
		reasons  []string
	}{
		"short, zero and missing trace ids": {
			text(span(idA, id1, `,"parentSpanId":"0000000000000000"`), span(idA, id2, `,"parentSpanId":""`), span("f9965485593768ce", id1, ""),
				span(strings.Repeat("0", 32), id1, ""), span("", "", ""), span("", "", ""), span(idB, id1, "")),
			4, 3, []string{"1 spans", "not 16 bytes long", "all zero", "2 spans", "without a trace id"},
		},
		"span ids": {
			text(span(idA, "0000000000000000", ""), span(idA, "abcd", ""), span(idA, id1, `,"parentSpanId":"abcd"`), span(idA, "", ""), span(idA, id2, "")),
			4, 1, []string{"span id is all zero", "span id is not 8 bytes long", "parent span id is not 8 bytes long", "without a span id"},
		},
		"every span": {text(span("", id1, "")), 1, 0, []string{"without a trace id"}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, e := range entrances(t) {
				got := e.send(t, tt.text)
				if got.status != "ok" || got.rejected != tt.rejected {
					t.Errorf("%s: answered %+v, want %d rejected", e.name, got, tt.rejected)
				}
				for _, want := range tt.reasons {
					if !strings.Contains(got.message, want) {
						t.Errorf("%s: %q lacks %q", e.name, got.message, want)
					}
				}
				a := e.st.Snapshot().Accounts[run.Traces]
				if a.Kept != tt.kept || a.Rejected != tt.rejected || !a.Balanced() {
					t.Errorf("%s: account %+v", e.name, a)
				}
			}
		})
	}
}
