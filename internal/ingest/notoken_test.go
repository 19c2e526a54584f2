package ingest

import (
	"testing"

	"github.com/beamline-hpc/lensview/internal/run"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// A receiver without a token lets nobody in who brings none: an empty header is no
// token, nor is anything else that a stranger may write.
func TestNoTokenIsNoKey(t *testing.T) {
	for _, w := range ways(t) {
		m := new(memory)
		t.Run(w.name, func(t *testing.T) {
			s := w.start(t, Config{owner: stranger}, m)
			cc := w.dial(t, s)
			for _, kv := range [][2]string{{tokenHeader, ""}, {tokenHeader, "x"}, {"authorization", ""}, {"authorization", "Bearer"}, {"authorization", "Bearer "}, {"authorization", "Bearer x"}} {
				if got := w.post(t, s, "/v1/traces", marshal(t, traces(span(0))), "Content-Type", typeProto, kv[0], kv[1]); got.status != 401 {
					t.Errorf("HTTP, %s %q: %d", kv[0], kv[1], got.status)
				}
				ctx := metadata.AppendToOutgoingContext(within(t), kv[0], kv[1])
				if err := cc.Invoke(ctx, exportTraces, traces(span(0)), traces()); status.Code(err) != codes.Unauthenticated {
					t.Errorf("gRPC, %s %q: %v", kv[0], kv[1], err)
				}
			}
			if n := m.count(run.Traces); n != 0 {
				t.Errorf("%d spans of a stranger are stored", n)
			}
		})
	}
}
