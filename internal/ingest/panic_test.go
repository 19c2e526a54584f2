package ingest

import (
	"context"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// TestPanicInHandler: the request is answered, the place is named, the next
// requests are served.
func TestPanicInHandler(t *testing.T) {
	m := new(memory)
	armed := true
	s := start(t, Config{}, sinkFunc(func(ctx context.Context, b *otlp.Batch, r run.Receipt) (run.Outcome, error) {
		if armed {
			var none map[string]int
			none["x"] = 1 //nolint:staticcheck // the panic is the test
		}
		return m.Put(ctx, b, r)
	}))
	client := coltrace.NewTraceServiceClient(dial(t, s))
	_, err := client.Export(within(t), traces(span(0)))
	if status.Code(err) != codes.Internal || strings.Contains(err.Error(), "nil map") {
		t.Errorf("gRPC: %v", err)
	}
	for _, form := range []string{typeProto, typeJSON} {
		got := post(t, s, "/v1/traces", []byte("{}")[:2*btoi(form == typeJSON)], "Content-Type", form)
		if got.status != 500 || codes.Code(got.rpcStatus(t).Code) != codes.Internal {
			t.Errorf("HTTP %s: %d %q", form, got.status, got.body)
		}
	}
	r := refused(s, "panic")
	if r.Count != 3 || !strings.Contains(r.Text, "nil map") || !strings.Contains(r.Text, "panic_test.go:") {
		t.Errorf("refusal %+v", r)
	}
	armed = false
	if _, err := client.Export(within(t), traces(span(0))); err != nil || m.count(run.Traces) != 1 {
		t.Errorf("the next request: %v, %d stored", err, m.count(run.Traces))
	}
	if n := s.door.calls.Load(); n != 0 {
		t.Errorf("%d places are still taken", n)
	}
}
