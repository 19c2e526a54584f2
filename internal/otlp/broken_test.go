package otlp

import (
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/beamline-hpc/lensview/internal/run"
)

// TestBrokenAtEachLevel damages one message at each level of a request, between
// good ones. Both decoders refuse it, nothing is left, and ours names the place.
func TestBrokenAtEachLevel(t *testing.T) {
	cut := []byte{0x09, 1, 2} // a fixed64 field that ends too early
	deep := kv(7, "k", nested(MaxDepth+1, 6))
	data := func(kind protowire.Number, fields ...[]byte) []byte {
		return msg(1, msg(2, msg(2, msg(kind, fields...))))
	}
	for _, c := range []struct {
		place  string
		signal run.Signal
		body   []byte
	}{
		{"resource_spans[1]:", run.Traces, cat(msg(1), msg(1, cut))},
		{"resource_spans[0].scope_spans[1]:", run.Traces, msg(1, msg(2), msg(2, cut))},
		{"resource_spans[0].resource:", run.Traces, msg(1, msg(2, msg(2, ids())), msg(1, cut))},
		{"resource_spans[0].resource.entity_refs:", run.Traces, msg(1, msg(1, msg(3, cut)))},
		{"resource_spans[0].scope_spans[0].scope:", run.Traces, msg(1, msg(2, msg(2, ids()), msg(1, cut)))},
		{"spans[0]:", run.Traces, oneItem(ids(), cut)},
		{"spans[0].events:", run.Traces, oneItem(ids(), msg(11, cut))},
		{"spans[0].links.attributes[0]:", run.Traces, oneItem(ids(), msg(13, msg(4, cut)))},
		{"spans[0].attributes[1].value:", run.Traces, oneItem(ids(), kv1(9, "a", "b"), kv(9, "k", cut))},
		{"spans[0].attributes[0]:", run.Traces, oneItem(ids(), msg(9, text1(1, "k"), cut))},
		{"spans[0]: field runs", run.Traces, oneItem(ids()[:17])},
		{"spans[0]: field runs", run.Traces, oneItem(ids()[:len(ids())-1])},
		{"spans[0]: field runs", run.Traces, oneItem(ids(), text1(4, string(id2[:]))[:9])},
		{"spans[0]: field runs", run.Traces, oneItem(ids(), fix64(7, 1)[:8])},
		{"spans[0]: field runs", run.Traces, oneItem(ids(), fix64(8, 1)[:8])},
		{"spans[0]: field runs", run.Traces, oneItem(ids(), kv1(9, "a", "b")[:9])},
		{"spans[0]: field runs", run.Traces, oneItem(ids(), text1(5, "name")[:5])},
		{"spans[0]: field runs", run.Traces, oneItem(ids(), fix32(16, 1)[:5])},
		{"resource_logs[0].scope_logs[0]:", run.Logs, msg(1, msg(2, cut))},
		{"log_records[1]:", run.Logs, msg(1, msg(2, msg(2), msg(2, cut)))},
		{"log_records[0].body: nested deeper", run.Logs, oneItem(msg(5, nested(MaxDepth+1, 5)))},
		{"log_records[0].attributes[0].value: nested deeper", run.Logs, oneItem(kv(6, "k", nested(MaxDepth+1, 5)))},
		{"resource_metrics[0].scope_metrics[0]:", run.Metrics, msg(1, msg(2, cut))},
		{"metrics[0]:", run.Metrics, oneItem(text1(1, "m"), cut)},
		{"metrics[0].gauge:", run.Metrics, data(5, cut)},
		{"metrics[0].sum.data_points[1]:", run.Metrics, data(7, msg(1), msg(1, cut))},
		{"sum.data_points[0].attributes[0].value: nested deeper", run.Metrics, data(7, msg(1, deep))},
		{"gauge.data_points[0].exemplars.attributes[0]: nested deeper", run.Metrics, data(5, msg(1, msg(5, deep)))},
		{"histogram.data_points[0].exemplars:", run.Metrics, data(9, msg(1, msg(8, cut)))},
		{"exponential_histogram.data_points[0].positive:", run.Metrics, data(10, msg(1, msg(8, cut)))},
		{"exponential_histogram.data_points[0].negative:", run.Metrics, data(10, msg(1, msg(9, cut)))},
		{"exponential_histogram.data_points[0].exemplars:", run.Metrics, data(10, msg(1, msg(11, cut)))},
		{"summary.data_points[0].quantile_values:", run.Metrics, data(11, msg(1, msg(6, cut)))},
	} {
		t.Run(c.signal.String()+"/"+c.place, func(t *testing.T) {
			b := mustDecode(t, c.signal, richBody(c.signal))
			differential(t, c.signal, c.body, b)
			err := b.Decode(c.signal, c.body)
			if err == nil || !strings.Contains(err.Error(), c.place) {
				t.Errorf("got %v, want the place %q", err, c.place)
			}
			if err := DecodeGenerated(c.signal, c.body, b); err == nil || b.Items() != 0 {
				t.Errorf("the generated path took %d items, %v", b.Items(), err)
			}
		})
	}
}
