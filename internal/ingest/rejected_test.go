package ingest

import (
	"context"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
)

// crowded is a store with no room for two items of each request.
type crowded struct{}

func (crowded) Put(_ context.Context, b *otlp.Batch, _ run.Receipt) (run.Outcome, error) {
	n := uint64(b.Items())
	return run.Outcome{Kept: n - 2, Rejected: 2, Reason: "no room"}, nil
}

// Items that are rejected are told of on the screen, with the reason: most exporters
// tell nobody.
func TestRejectedItemsAreToldOf(t *testing.T) {
	bad := span(0)
	bad.TraceId = nil
	for name, c := range map[string]struct {
		sink  Sink
		spans []*tracepb.Span
		want  []run.Notice
	}{
		"all kept":       {new(memory), []*tracepb.Span{span(0)}, nil},
		"by the decoder": {new(memory), []*tracepb.Span{span(0), bad}, []run.Notice{{Code: "rejected-spans", Level: run.Warning, Count: 2, Text: "spans were rejected; the last: 1 spans: span without a trace id"}}},
		"by the store":   {crowded{}, nSpans(3), []run.Notice{{Code: "rejected-spans", Level: run.Warning, Count: 4, Text: "spans were rejected; the last: no room"}}},
	} {
		s := start(t, Config{}, c.sink)
		for range 2 {
			post(t, s, "/v1/traces", marshal(t, traces(c.spans...)), "Content-Type", typeProto)
		}
		got := s.Stats().Notices
		for i := range got {
			got[i].At = 0
		}
		if len(got) != len(c.want) || len(got) == 1 && got[0] != c.want[0] {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}
