package ingest

import (
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// The token lets anybody in, in either header; nothing else does.
func TestToken(t *testing.T) {
	for _, w := range ways(t) {
		m := new(memory)
		t.Run(w.name, func(t *testing.T) {
			testToken(t, w, w.start(t, Config{Token: "4f2a", owner: stranger}, m), m)
		})
	}
}

func testToken(t *testing.T, w way, s *Server, m *memory) {
	client := coltrace.NewTraceServiceClient(w.dial(t, s))
	for _, c := range []struct {
		header, value string
		ok            bool
	}{
		{"", "", false},
		{tokenHeader, "4f2a", true},
		{tokenHeader, "4f2b", false},
		{tokenHeader, "", false},
		{tokenHeader, "4f2a4f2a", false},
		{"authorization", "Bearer 4f2a", true},
		{"authorization", "bearer 4f2a", true},
		{"authorization", "Basic 4f2a", false},
		{"authorization", "4f2a", false},
	} {
		ctx := within(t)
		if c.header != "" {
			ctx = metadata.AppendToOutgoingContext(ctx, c.header, c.value)
		}
		_, err := client.Export(ctx, traces(span(0)))
		if want := map[bool]codes.Code{true: codes.OK, false: codes.Unauthenticated}[c.ok]; status.Code(err) != want {
			t.Errorf("gRPC %s %q: %v", c.header, c.value, err)
		}
		h := []string{"Content-Type", typeProto}
		if c.header != "" {
			h = append(h, c.header, c.value)
		}
		if got := w.post(t, s, "/v1/traces", nil, h...); (got.status == 200) != c.ok {
			t.Errorf("HTTP %s %q: %d", c.header, c.value, got.status)
		}
	}
	if none, wrong := refused(s, "other-user"), refused(s, "wrong-token"); none.Count != 2 || wrong.Count != 10 || strings.Contains(none.Text+wrong.Text, "4f2") {
		t.Errorf("refusals %+v, %+v", none, wrong)
	}
	if got := m.count(run.Traces); got != 3 {
		t.Errorf("%d spans stored, want 3", got)
	}
}
