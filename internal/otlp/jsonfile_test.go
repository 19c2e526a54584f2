package otlp

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// In a file an item that does not fit costs itself alone, wherever it breaks.
func TestJSONFileLeavesOutItems(t *testing.T) {
	good := jsonSpan("")
	for _, bad := range []string{
		jsonSpan(`,"attributes":[{"key":"k","value":{"intValue":"abc"}},{"key":"l"}],"events":[{}]`),
		jsonSpan(`,"name":5`), jsonSpan(`,"attributes":{"a":[1,{"b":2}]}`), `5`, `[{}]`, `"text"`,
		jsonSpan(`,"attributes":[{"key":"k","value":` + nestedJSON("array", 1000) + `}]`),
		jsonSpan(`,"events":[{"name":"a"}],"events":[{"name":true}]`),
	} {
		body := jsonSpans(good, bad, good)
		b := decodedJSON(t, run.Traces, body, JSONOptions{File: true})
		if len(b.Spans) != 2 || len(b.Notices) != 1 || b.Notices[0].Code != ItemRefused || b.Notices[0].Count != 1 {
			t.Errorf("%.80s: %d spans, notices %+v", bad, len(b.Spans), b.Notices)
		}
		if !strings.Contains(b.Notices[0].Text, "spans[1]") {
			t.Errorf("the notice does not name the place: %q", b.Notices[0].Text)
		}
		refusedJSON(t, run.Traces, body, "spans[1]")
	}
}

// A point costs itself, a metric's own field the metric.
func TestJSONFileLeavesOutPoints(t *testing.T) {
	body := `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[
		{"name":"a","gauge":{"dataPoints":[{"asInt":"1"},{"asInt":"x"},{"asInt":"3"}]}},
		{"name":7,"gauge":{"dataPoints":[{"asInt":"4"}]}},
		{"name":"c","gauge":{"dataPoints":[{"asInt":"5"}]}}]}]}]}`
	b := decodedJSON(t, run.Metrics, []byte(body), JSONOptions{File: true})
	var got []string
	for _, p := range b.Points {
		got = append(got, fmt.Sprintf("%s=%d", b.Bytes(b.Metrics[p.Metric].Name), p.Num))
	}
	if diff := cmp.Diff([]string{"a=1", "a=3", "c=5"}, got); diff != "" {
		t.Error(diff)
	}
	if b.Notices[0].Count != 2 {
		t.Errorf("notices %+v", b.Notices)
	}
}

// What does not belong to an item fails the request, in a file, too.
func TestJSONFileRefusesTheRest(t *testing.T) {
	for _, body := range []string{
		`{"resourceSpans":[{"resource":5}]}`,
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":"cut`,
		`{"resourceSpans":[{"scopeSpans":[{"spans":[{"attributes":[{"key":1} }]}]}]}`,
	} {
		var b Batch
		if err := b.DecodeJSON(run.Traces, []byte(body), JSONOptions{File: true}); err == nil {
			t.Errorf("%s is read", body)
		}
	}
}
