package send_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/resource"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/encode"
	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/send"
	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func request() *tracepb.ExportTraceServiceRequest {
	return encode.New(resource.NewSchemaless(attribute.String("k", "v"))).Spans(nil)
}

// grpcServer answers with what answer says, counting calls.
type grpcServer struct {
	tracepb.UnimplementedTraceServiceServer
	calls  atomic.Int64
	answer func(n int64, md metadata.MD) (*tracepb.ExportTraceServiceResponse, error)
}

func (s *grpcServer) Export(ctx context.Context, _ *tracepb.ExportTraceServiceRequest) (*tracepb.ExportTraceServiceResponse, error) {
	md, _ := metadata.FromIncomingContext(ctx)
	return s.answer(s.calls.Add(1), md)
}

func (s *grpcServer) start(t *testing.T) target.Target {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	tracepb.RegisterTraceServiceServer(server, s)
	go func() { _ = server.Serve(l) }()
	t.Cleanup(server.Stop)
	return target.Target{Signal: target.Traces, Protocol: target.GRPC, Address: l.Addr().String(), Insecure: true, Timeout: 10 * time.Second}
}

func httpServer(t *testing.T, h http.HandlerFunc) target.Target {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return target.Target{Signal: target.Traces, Protocol: target.HTTPProtobuf, URL: s.URL + "/v1/traces", Insecure: true, Timeout: 10 * time.Second}
}

// sender makes a sender whose connections end with the test.
func sender(t *testing.T, to target.Target) send.Sender {
	t.Helper()
	d := &send.Dialer{}
	t.Cleanup(d.Close)
	s, err := d.Sender(to)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func within(t *testing.T, d time.Duration) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), d)
	t.Cleanup(cancel)
	return ctx
}
