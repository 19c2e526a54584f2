package telemetry_test

import (
	"context"
	"net"
	"sync"
	"testing"

	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

type grpcServer struct {
	tracepb.UnimplementedTraceServiceServer
	mu   sync.Mutex
	reqs []*tracepb.ExportTraceServiceRequest
}

func (s *grpcServer) Export(_ context.Context, r *tracepb.ExportTraceServiceRequest) (*tracepb.ExportTraceServiceResponse, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.reqs = append(s.reqs, r)
	return &tracepb.ExportTraceServiceResponse{}, nil
}

func TestLine(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &grpcServer{}
	srv := grpc.NewServer()
	tracepb.RegisterTraceServiceServer(srv, s)
	go srv.Serve(l)
	defer srv.Stop()
	cfg := telemetry.DefaultConfig()
	cfg.Enabled, cfg.MetricsEnabled = true, false
	h, err := telemetry.Setup(t.Context(), cfg, telemetry.WithEndpoint("http://"+l.Addr().String()), telemetry.WithRank(3, 4))
	if err != nil {
		t.Fatal(err)
	}
	ctx, span := telemetry.Start(t.Context(), telemetry.Job, "job")
	span.Int("a", 1).Str("b", "x")
	_, inner := telemetry.Start(ctx, telemetry.Checkpoint, "save")
	inner.End()
	if err := h.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	t.Log(s.reqs, h.Stats(), h.Warnings())
}
