package otlp

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/run"
)

// filtered is the JSON of what is kept of a JSON request, and the rows asked for.
func filtered(t *testing.T, s run.Signal, body string, keep func(b *Batch, row int) bool) (string, []int) {
	t.Helper()
	b := decodedJSON(t, s, []byte(body), JSONOptions{})
	var rows []int
	wire := b.Filter(nil, func(row int) bool { rows = append(rows, row); return keep(b, row) })
	line, err := AppendJSON(nil, s, wire)
	if err != nil {
		t.Fatal(err)
	}
	return string(line), rows
}

func TestFilterSpans(t *testing.T) {
	span := func(name string) string {
		return `{"traceId":"` + hexA + `","spanId":"` + hex1 + `","name":"` + name + `"}`
	}
	body := `{"resourceSpans":[{"resource":{"entityRefs":[{"type":"t"}]},"scopeSpans":[` +
		`{"scope":{"name":"s","droppedAttributesCount":3},"spans":[` + span("a") + `,{"traceId":"abc123","name":"rejected"},` + span("b") + `],"schemaUrl":"u"},` +
		`{"spans":[` + span("a") + `]}]},{"scopeSpans":[{"spans":[` + span("a") + `]}],"schemaUrl":"gone"}]}`
	got, rows := filtered(t, run.Traces, body, func(b *Batch, row int) bool { return string(b.Bytes(b.Spans[row].Name)) == "b" })
	want := `{"resourceSpans":[{"resource":{"entityRefs":[{"type":"t"}]},"scopeSpans":[{"scope":{"name":"s","droppedAttributesCount":3},"spans":[` + span("b") + `],"schemaUrl":"u"}]}]}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int{0, 1, 2, 3}, rows); diff != "" {
		t.Error(diff)
	}
}

func TestFilterPointsAndLogs(t *testing.T) {
	metrics := `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"a","gauge":{"dataPoints":[{"asInt":"1"},{"asInt":"2"}]}},` +
		`{"name":"none"},{"name":"b","unit":"1","sum":{"dataPoints":[{"asInt":"3"},{"asInt":"4"}],"isMonotonic":true},"metadata":[{"key":"k"}]}]}]}]}`
	got, _ := filtered(t, run.Metrics, metrics, func(b *Batch, row int) bool { return b.Points[row].Num == 4 })
	want := `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"name":"b","unit":"1","sum":{"dataPoints":[{"asInt":"4"}],"isMonotonic":true},"metadata":[{"key":"k"}]}]}]}]}`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	logs := `{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"eventName":"a"},{"eventName":"b"},{}]}]}]}`
	got, _ = filtered(t, run.Logs, logs, func(b *Batch, row int) bool { return row == 1 })
	if diff := cmp.Diff(`{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"eventName":"b"}]}]}]}`, got); diff != "" {
		t.Error(diff)
	}
}

// Keeping all of a request with every field keeps every byte's meaning, and
// keeping nothing leaves nothing.
func TestFilterAllOrNothing(t *testing.T) {
	for _, s := range allSignals {
		body := append(richBody(s), wireField(100, []byte("unknown"))...)
		var b Batch
		if err := b.Decode(s, body); err != nil {
			t.Fatal(err)
		}
		all := b.Filter([]byte("before"), func(int) bool { return true })
		all, found := bytes.CutPrefix(all, []byte("before"))
		want := mustOracle(t, s, body)
		if m, ok := want.(*metricspb.MetricsData); ok {
			dropMetricsWithoutPoints(m)
		}
		sameMessage(t, "request of which all was kept", want, mustOracle(t, s, all))
		if none := b.Filter(nil, func(int) bool { return false }); !found || len(bytes.TrimPrefix(none, wireField(100, []byte("unknown")))) != 0 {
			t.Errorf("%s: %x is left of nothing", s, none)
		}
	}
}

func dropMetricsWithoutPoints(m *metricspb.MetricsData) {
	for _, r := range m.ResourceMetrics {
		for _, s := range r.ScopeMetrics {
			kept := s.Metrics[:0]
			for _, metric := range s.Metrics {
				if proto.Size(metric) > proto.Size(&metricspb.Metric{Name: metric.Name}) {
					kept = append(kept, metric)
				}
			}
			s.Metrics = kept
		}
	}
}

// Of a metric that sends two kinds of data the points without rows are not kept.
func TestFilterOverriddenData(t *testing.T) {
	point := func(v byte) []byte {
		return wireField(1, protowire.AppendFixed64(protowire.AppendTag(nil, 6, 1), uint64(v)))
	}
	body := wireField(1, wireField(2, wireField(2, wireField(5, point(1), point(2)), wireField(7, point(3)), wireField(7, point(4)))))
	var b Batch
	if err := b.Decode(run.Metrics, body); err != nil {
		t.Fatal(err)
	}
	line, err := AppendJSON(nil, run.Metrics, b.Filter(nil, func(row int) bool { return b.Points[row].Num != 3 }))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"resourceMetrics":[{"scopeMetrics":[{"metrics":[{"sum":{"dataPoints":[{"asInt":"4"}]}}]}]}]}`
	if diff := cmp.Diff(want, string(line)); diff != "" {
		t.Error(diff)
	}
}
