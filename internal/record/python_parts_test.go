package record

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
)

func TestPyTraceState(t *testing.T) {
	for printed, want := range map[string]string{
		"[]": "", "": "", "['{key=a, value=1}']": "a=1", "['{key=a, value=1}', '{key=v@t, value=x=y z}']": "a=1,v@t=x=y z",
		"['{key=a, value=1": "", "['{key=a}']": "",
	} {
		if got := pyTraceState(printed); got != want {
			t.Errorf("%q is read as %q, want %q", printed, got, want)
		}
	}
}

// pyMetricText is one metric as Python prints it, with the data.
func pyMetricText(data string) string {
	return `{"resource_metrics": [{"resource": {"attributes": {}}, "scope_metrics": [{"scope": {"name": "s"}, "metrics": [{"name": "m", "description": "", "unit": "", "data": ` + data + `}]}]}]}`
}

// Kinds of data are told apart by their fields, empty ones included.
func TestPyMetricKinds(t *testing.T) {
	for data, want := range map[string]string{
		`{"data_points": []}`: `name: "m" gauge: {}`,
		`{"data_points": [{"attributes": null, "value": 1, "exemplars": []}]}`:                                                                                        `name: "m" gauge: {data_points: {as_int: 1}}`,
		`{"data_points": [{"value": NaN}, {"value": null}]}`:                                                                                                          `name: "m" gauge: {data_points: {as_double: nan} data_points: {}}`,
		`{"data_points": [{"value": 2.0}], "aggregation_temporality": 1, "is_monotonic": false}`:                                                                      `name: "m" sum: {data_points: {as_double: 2} aggregation_temporality: AGGREGATION_TEMPORALITY_DELTA}`,
		`{"data_points": [], "aggregation_temporality": 2}`:                                                                                                           `name: "m" histogram: {aggregation_temporality: AGGREGATION_TEMPORALITY_CUMULATIVE}`,
		`{"data_points": [{"count": 0, "sum": 0, "min": Infinity, "max": -Infinity, "bucket_counts": [0, 0], "explicit_bounds": [1]}], "aggregation_temporality": 2}`: `name: "m" histogram: {data_points: {sum: 0 min: inf max: -inf bucket_counts: 0 bucket_counts: 0 explicit_bounds: 1} aggregation_temporality: AGGREGATION_TEMPORALITY_CUMULATIVE}`,
		`{"data_points": [{"count": 1, "sum": 2, "scale": -3, "zero_count": 1, "positive": {"offset": -2, "bucket_counts": [4]}, "negative": {"offset": 0, "bucket_counts": []}, "flags": 1, "exemplars": [{"value": 2, "span_id": 258, "trace_id": 1, "filtered_attributes": {"k": "v"}}]}], "aggregation_temporality": 1}`: `name: "m" exponential_histogram: {data_points: {count: 1 sum: 2 scale: -3 zero_count: 1 positive: {offset: -2 bucket_counts: 4} negative: {} flags: 1
			exemplars: {as_int: 2 span_id: "\x00\x00\x00\x00\x00\x00\x01\x02" trace_id: "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01" filtered_attributes: {key: "k" value: {string_value: "v"}}}} aggregation_temporality: AGGREGATION_TEMPORALITY_DELTA}`,
	} {
		s, c := importText(t, pyMetricText(data))
		if s.Format != PythonConsole || s.BadRecords != 0 || len(c.wires) != 1 {
			t.Fatalf("%s: %+v", data, s)
		}
		var got metricspb.MetricsData
		if err := proto.Unmarshal(c.wires[0], &got); err != nil {
			t.Fatal(err)
		}
		var metric metricspb.Metric
		if err := prototext.Unmarshal([]byte(want), &metric); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&metric, got.ResourceMetrics[0].ScopeMetrics[0].Metrics[0], protocmp.Transform(), cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("%s: %s", data, diff)
		}
	}
}

func TestPyBigID(t *testing.T) {
	for _, c := range []struct {
		id   pyBigID
		size int
		want string
	}{{nil, 8, ""}, {pyBigID{1, 2}, 4, "\x00\x00\x01\x02"}, {pyBigID{1, 2}, 2, "\x01\x02"}, {pyBigID{1, 2, 3}, 2, ""}} {
		if got := string(c.id.sized(c.size)); got != c.want {
			t.Errorf("%v of %d is %q, want %q", c.id, c.size, got, c.want)
		}
	}
}

// Log records of newer and older SDKs.
func TestPyLogs(t *testing.T) {
	const line = `{"body": BODY, "severity_number": SEVERITY, "severity_text": null, "attributes": ATTRIBUTES, "dropped_attributes": 0, "timestamp": null, ` +
		`"observed_timestamp": "2025-10-09T08:53:20.000001Z", "trace_id": "0x00000000000000000000000000000000", "span_id": "0x0000000000000000", "trace_flags": null, "resource": RESOURCE}`
	for _, c := range []struct{ body, severity, attributes, resource string }{
		{`"text"`, `13`, `{"k": 1}`, `{"attributes": {"a": 1}, "schema_url": ""}`},
		{`null`, `null`, `null`, `null`},
		{`{"a": [1, null]}`, `"<SeverityNumber.WARN: 13>"`, `{}`, `"{'service.name': 'x'}"`},
	} {
		text := strings.NewReplacer("BODY", c.body, "SEVERITY", c.severity, "ATTRIBUTES", c.attributes, "RESOURCE", c.resource).Replace(line)
		s, got := importText(t, text)
		if got.logs != 1 || s.Format != PythonConsole || s.Rejected != 0 {
			t.Errorf("%s: %+v", text, s)
		}
	}
}
