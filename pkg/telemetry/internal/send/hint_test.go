package send_test

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

// TestHints sets up each mistake and reads what the error says to do.
func TestHints(t *testing.T) {
	fine := &grpcServer{answer: func(int64, metadata.MD) (*tracepb.ExportTraceServiceResponse, error) {
		return &tracepb.ExportTraceServiceResponse{}, nil
	}}
	closed := &grpcServer{answer: func(int64, metadata.MD) (*tracepb.ExportTraceServiceResponse, error) {
		return nil, status.Error(codes.Unauthenticated, "token?")
	}}
	grpcAt := fine.start(t)
	httpAt := httpServer(t, func(http.ResponseWriter, *http.Request) {})
	guarded := httpServer(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "token?", http.StatusUnauthorized) })
	secure := func(to target.Target) target.Target {
		to.Insecure, to.TLS = false, &tls.Config{MinVersion: tls.VersionTLS12}
		to.URL = strings.Replace(to.URL, "http:", "https:", 1)
		return to
	}
	tests := []struct {
		name string
		to   target.Target
		want string
	}{
		{"HTTP to a gRPC port", target.Target{Signal: target.Traces, Protocol: target.HTTPProtobuf, URL: "http://" + grpcAt.Address, Insecure: true}, "look swapped"},
		{"gRPC to an HTTP port", target.Target{Signal: target.Traces, Protocol: target.GRPC, Address: httpAt.Place(), Insecure: true}, "look swapped"},
		{"TLS to plain gRPC", secure(grpcAt), "plain text"},
		{"TLS to plain HTTP", secure(httpAt), "plain text"},
		{"nobody there", target.Target{Signal: target.Traces, Protocol: target.GRPC, Address: closedPort(t), Insecure: true}, "start the collector"},
		{"gRPC asks for a token", closed.start(t), "OTEL_EXPORTER_OTLP_HEADERS"},
		{"HTTP asks for a token", guarded, "OTEL_EXPORTER_OTLP_HEADERS"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.to.Timeout, tt.to.Headers = 10*time.Second, map[string]string{"x-token": "hunter2"}
			_, err := sender(t, tt.to).Send(within(t, 300*time.Millisecond), request())
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q in it", err, tt.want)
			}
			if err != nil && (strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), tt.to.Place())) {
				t.Errorf("error %v repeats a secret or names no place", err)
			}
		})
	}
}

func closedPort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// TestPasswordInTheURL never appears in an error.
func TestPasswordInTheURL(t *testing.T) {
	s := httptest.NewServer(http.NotFoundHandler())
	defer s.Close()
	to := target.Target{Signal: target.Logs, Protocol: target.HTTPProtobuf, Insecure: true, Timeout: time.Second,
		URL: strings.Replace(s.URL, "http://", "http://me:hunter2@", 1)}
	_, err := sender(t, to).Send(within(t, time.Second), request())
	if err == nil || strings.Contains(err.Error(), "hunter2") || !strings.Contains(err.Error(), "404") {
		t.Errorf("error %v", err)
	}
	s.Close()
	if _, err = sender(t, to).Send(within(t, 50*time.Millisecond), request()); err == nil || strings.Contains(err.Error(), "hunter2") {
		t.Errorf("error %v", err)
	}
}
