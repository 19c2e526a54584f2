package otlp

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// noteTexts are the notices of a request as words.
func noteTexts(b *Batch) (out []string) {
	for _, n := range b.Notices {
		out = append(out, n.Code+" "+n.Text)
	}
	return out
}

const goodGauge = `{"name":"good","gauge":{"dataPoints":[{"asInt":"1"}]}}`

// metricsRequest is a request with the metrics.
func metricsRequest(metrics ...string) []byte {
	return []byte(`{"resourceMetrics":[{"scopeMetrics":[{"metrics":[` + strings.Join(metrics, ",") + `]}]}]}`)
}

// A part of which nothing is understood is told of although the rest is read: a
// sender's old or foreign names must not cost half of the data without a word.
func TestJSONPartsThatAreNotUnderstood(t *testing.T) {
	const at = "json-part-not-understood "
	for name, tt := range map[string]struct {
		signal run.Signal
		body   []byte
		want   []string
	}{
		"a metric of OTLP 0.8": {run.Metrics, metricsRequest(goodGauge, `{"name":"m","intSum":{"dataPoints":[{"value":"5"}]}}`),
			[]string{at + "resourceMetrics[0].scopeMetrics[0].metrics[1]: nothing of it was read; not understood: intSum"}},
		"scopes of another name": {run.Traces, []byte(`{"resourceSpans":[{"libSpans":[{}]},{"scopeSpans":[{"spans":[` + jsonSpan("") + `]}]}]}`),
			[]string{at + "resourceSpans[0]: nothing of it was read; not understood: libSpans"}},
		"items of another name": {run.Logs, []byte(`{"resourceLogs":[{"scopeLogs":[{"records":[{}]},{"logRecords":[{}]}]}]}`),
			[]string{at + "resourceLogs[0].scopeLogs[0]: nothing of it was read; not understood: records"}},
		"newer fields beside items": {run.Traces, []byte(`{"later":1,"resourceSpans":[{"later":1,"scopeSpans":[{"later":[],"spans":[` + jsonSpan(`,"later":{}`) + `]}]}]}`), nil},
		"nothing at all is understood": {run.Metrics, metricsRequest(`{"name":"m","intSum":{"dataPoints":[{"value":"5"}]}}`),
			[]string{"json-not-understood 0 points; not understood: intSum"}},
		"labels of points": {run.Metrics, metricsRequest(`{"name":"m","gauge":{"dataPoints":[{"asInt":"1","labels":[{"key":"a","value":"b"}]},{"asInt":"2","labels":[]},{"asInt":"2","labels":null}]}}`),
			[]string{"json-gone-names labels: a field from before OTLP 0.15, which was not read"}},
		"names of log records": {run.Logs, []byte(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"name":"e"},{"name":""}]}]}]}`),
			[]string{"json-gone-names name: a field from before OTLP 0.15, which was not read"}},
	} {
		for _, opt := range []JSONOptions{{}, {File: true}} {
			b := decodedJSON(t, tt.signal, tt.body, opt)
			if d := cmp.Diff(tt.want, noteTexts(b)); d != "" {
				t.Errorf("%s, %+v (-want +got)\n%s", name, opt, d)
			}
			if name == "labels of points" && (len(b.Notices) != 1 || b.Notices[0].Count != 1 || len(b.Points) != 3) {
				t.Errorf("%s: %d points, %+v", name, len(b.Points), b.Notices)
			}
		}
	}
}

// Names of any length and any bytes stay short in what is said of them.
func TestJSONNamesThatAreNotUnderstoodAreClipped(t *testing.T) {
	long := strings.Repeat("x", 10_000)
	b := decodedJSON(t, run.Metrics, metricsRequest(goodGauge, `{"`+long+`":1}`), JSONOptions{})
	if len(b.Notices) != 1 || len(b.Notices[0].Text) > 200 {
		t.Errorf("%.300q", noteTexts(b))
	}
}

// Base64 that is no id of its length is no id in files either: it costs its span and
// is not told as read.
func TestJSONBase64OfAnotherLength(t *testing.T) {
	for _, id := range []string{"AAAAAAAAAAAAAAAA/w==", "W47/95gDgQPSabYzgT/GDA==", "zz=="} {
		b := decodedJSON(t, run.Traces, jsonSpans(jsonSpan(""), `{"traceId":"`+hexA+`","spanId":"`+id+`"}`), JSONOptions{File: true})
		if len(b.Spans) != 1 || b.Items() != 2 || len(b.Notices) != 0 {
			t.Errorf("span id %s: %d spans of %d, notices %+v", id, len(b.Spans), b.Items(), b.Notices)
		}
	}
}
