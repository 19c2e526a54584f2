package encode_test

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/attribute"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/encode"
)

// TestJSONAsProtobufSays: the stock JSON mapping with ids as hexadecimal.
func TestJSONAsProtobufSays(t *testing.T) {
	e := encode.New(theResource())
	metrics := e.Metrics(someMetrics(sdkmetric.DefaultAggregationSelector, sdkmetric.CumulativeTemporalitySelector))
	for name, m := range map[string]proto.Message{
		"spans": e.Spans(someSpans()), "metrics": metrics, "logs": e.Logs(someLogs()),
	} {
		line := encode.AppendJSON(nil, m)
		if strings.ContainsAny(string(line), "\n\r") {
			t.Errorf("%s: more than one line", name)
		}
		stock, err := protojson.MarshalOptions{UseEnumNumbers: true}.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(hexIDs(decode(t, stock)), decode(t, line)); diff != "" {
			t.Errorf("%s: stock - ours +\n%s", name, diff)
		}
	}
}

func decode(t *testing.T, text []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return v
}

// hexIDs turns the base64 of ids into hexadecimal.
func hexIDs(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = hexIDs(v[i])
		}
	case map[string]any:
		for key := range v {
			if text, ok := v[key].(string); ok && (key == "traceId" || key == "spanId" || key == "parentSpanId") {
				b, _ := base64.StdEncoding.DecodeString(text)
				v[key] = hex.EncodeToString(b)
				continue
			}
			v[key] = hexIDs(v[key])
		}
	}
	return v
}

func TestJSONNumbersAndText(t *testing.T) {
	tests := []struct {
		value *commonpb.AnyValue
		want  string
	}{
		{&commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: math.NaN()}}, `{"doubleValue":"NaN"}`},
		{&commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: math.Inf(1)}}, `{"doubleValue":"Infinity"}`},
		{&commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: math.Inf(-1)}}, `{"doubleValue":"-Infinity"}`},
		{&commonpb.AnyValue{Value: &commonpb.AnyValue_DoubleValue{DoubleValue: 0.1}}, `{"doubleValue":0.1}`},
		{&commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: 1<<53 + 1}}, `{"intValue":"9007199254740993"}`},
		{&commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{}}, `{"intValue":"0"}`},
		{&commonpb.AnyValue{Value: &commonpb.AnyValue_BytesValue{BytesValue: []byte{0, 1, 2}}}, `{"bytesValue":"AAEC"}`},
		{&commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: "a\nb\"\\"}}, `{"stringValue":"a\nb\"\\"}`},
		{&commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: "\x1b[2J\u009b\x7f"}}, `{"stringValue":"\u001b[2J\u009b\u007f"}`},
		{&commonpb.AnyValue{}, `{}`},
	}
	for _, tt := range tests {
		if got := string(encode.AppendJSON(nil, tt.value)); got != tt.want {
			t.Errorf("%s, want %s", got, tt.want)
		}
	}
}

// TestRepairs: text that is no UTF-8 would make the whole message impossible.
func TestRepairs(t *testing.T) {
	bad := "a\xffb"
	stub := tracetest.SpanStub{
		Name: bad, Attributes: []attribute.KeyValue{attribute.String(bad, bad), attribute.StringSlice("s", []string{bad})},
		Events: []sdktrace.Event{{Name: bad}}, Status: sdktrace.Status{Description: bad},
	}
	m := encode.New(resource.NewSchemaless(attribute.String("k", bad))).Spans([]sdktrace.ReadOnlySpan{stub.Snapshot()})
	if _, err := proto.Marshal(m); err != nil {
		t.Fatal(err)
	}
	s := m.ResourceSpans[0].ScopeSpans[0].Spans[0]
	if s.Name != "a\uFFFDb" || s.StartTimeUnixNano != 0 || s.ParentSpanId != nil {
		t.Errorf("%v", s)
	}
}

// TestOddMetrics: a kind that OTLP does not know is left out, a summary is not.
func TestOddMetrics(t *testing.T) {
	rm := &metricdata.ResourceMetrics{ScopeMetrics: []metricdata.ScopeMetrics{{Metrics: []metricdata.Metrics{
		{Name: "nothing"},
		{Name: "summary", Data: metricdata.Summary{DataPoints: []metricdata.SummaryDataPoint{{
			Time: time.Unix(1, 0), Count: 2, Sum: 3, QuantileValues: []metricdata.QuantileValue{{Quantile: 0.5, Value: 1}}}}}},
		{Name: "old", Data: metricdata.Sum[int64]{DataPoints: []metricdata.DataPoint[int64]{{Time: time.Unix(-5, 0)}}}},
	}}}}
	m := encode.New(theResource()).Metrics(rm)
	metrics := m.ResourceMetrics[0].ScopeMetrics[0].Metrics
	if len(metrics) != 2 || metrics[0].Name != "summary" {
		t.Fatalf("%v", metrics)
	}
	if q := metrics[0].GetSummary().DataPoints[0].QuantileValues; len(q) != 1 || q[0].Value != 1 {
		t.Errorf("quantiles %v", q)
	}
	if p := metrics[1].GetSum().DataPoints[0]; p.TimeUnixNano != 0 {
		t.Errorf("a time before 1970 is %d", p.TimeUnixNano)
	}
}
