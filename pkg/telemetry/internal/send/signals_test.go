package send_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	logspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/send"
	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

type metricsServer struct {
	metricspb.UnimplementedMetricsServiceServer
}

func (metricsServer) Export(context.Context, *metricspb.ExportMetricsServiceRequest) (*metricspb.ExportMetricsServiceResponse, error) {
	return &metricspb.ExportMetricsServiceResponse{PartialSuccess: &metricspb.ExportMetricsPartialSuccess{RejectedDataPoints: 4}}, nil
}

type logsServer struct {
	logspb.UnimplementedLogsServiceServer
}

func (logsServer) Export(context.Context, *logspb.ExportLogsServiceRequest) (*logspb.ExportLogsServiceResponse, error) {
	return &logspb.ExportLogsServiceResponse{PartialSuccess: &logspb.ExportLogsPartialSuccess{RejectedLogRecords: 5}}, nil
}

// serve serves metrics and logs over gRPC, and whatever is registered.
func serve(t *testing.T, l net.Listener, opts ...grpc.ServerOption) {
	t.Helper()
	server := grpc.NewServer(opts...)
	metricspb.RegisterMetricsServiceServer(server, metricsServer{})
	logspb.RegisterLogsServiceServer(server, logsServer{})
	tracepb.RegisterTraceServiceServer(server, &grpcServer{answer: func(int64, metadata.MD) (*tracepb.ExportTraceServiceResponse, error) {
		return &tracepb.ExportTraceServiceResponse{}, nil
	}})
	go func() { _ = server.Serve(l) }()
	t.Cleanup(server.Stop)
}

// TestThreeSignals: each has its method, its path and its count of what was refused.
func TestThreeSignals(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serve(t, l)
	requests := map[target.Signal]proto.Message{
		target.Metrics: &metricspb.ExportMetricsServiceRequest{}, target.Logs: &logspb.ExportLogsServiceRequest{}, target.Traces: request(),
	}
	want := map[target.Signal]int64{target.Metrics: 4, target.Logs: 5, target.Traces: 0}
	for signal, r := range requests {
		to := target.Target{Signal: signal, Protocol: target.GRPC, Address: l.Addr().String(), Insecure: true, Timeout: time.Minute}
		if refused, err := sender(t, to).Send(within(t, time.Minute), r); err != nil || refused != want[signal] {
			t.Errorf("gRPC %s: %d, %v", signal, refused, err)
		}
		answer := map[target.Signal]proto.Message{
			target.Metrics: &metricspb.ExportMetricsServiceResponse{PartialSuccess: &metricspb.ExportMetricsPartialSuccess{RejectedDataPoints: 4}},
			target.Logs:    &logspb.ExportLogsServiceResponse{PartialSuccess: &logspb.ExportLogsPartialSuccess{RejectedLogRecords: 5}},
			target.Traces:  &tracepb.ExportTraceServiceResponse{},
		}[signal]
		to = httpServer(t, func(w http.ResponseWriter, _ *http.Request) {
			b, _ := proto.Marshal(answer)
			_, _ = w.Write(b)
		})
		to.Signal = signal
		if refused, err := sender(t, to).Send(within(t, time.Minute), r); err != nil || refused != want[signal] {
			t.Errorf("HTTP %s: %d, %v", signal, refused, err)
		}
	}
}

// TestUnixSocket is the address of a receiver that only its owner can reach.
func TestUnixSocket(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	serve(t, l)
	to := target.Target{Signal: target.Traces, Protocol: target.GRPC, Address: "unix:" + path, Insecure: true, Timeout: time.Minute}
	if _, err := sender(t, to).Send(within(t, time.Minute), request()); err != nil {
		t.Error(err)
	}
}

// TestTLS: certificates of the variables, over both protocols, and none of others.
func TestTLS(t *testing.T) {
	web := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	web.Config.ErrorLog = log.New(io.Discard, "", 0)
	web.StartTLS()
	t.Cleanup(web.Close)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	serve(t, l, grpc.Creds(credentials.NewServerTLSFromCert(&web.TLS.Certificates[0])))
	ca := string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: web.Certificate().Raw}))
	for name, tt := range map[string]struct{ endpoint, protocol, ca string }{
		"gRPC":            {"https://" + l.Addr().String(), "grpc", ca},
		"gRPC, stranger":  {"https://" + l.Addr().String(), "grpc", ""},
		"HTTP":            {web.URL, "http/protobuf", ca},
		"HTTP, stranger":  {web.URL, "http/json", ""},
		"bare, no scheme": {l.Addr().String(), "grpc", ca},
	} {
		t.Run(name, func(t *testing.T) {
			env := map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": tt.endpoint, "OTEL_EXPORTER_OTLP_PROTOCOL": tt.protocol}
			if tt.ca != "" {
				env["OTEL_EXPORTER_OTLP_CERTIFICATE"] = "ca.pem"
			}
			to, _, err := target.Reader{
				Lookup:   func(name string) (string, bool) { v, ok := env[name]; return v, ok },
				ReadFile: func(string) ([]byte, error) { return []byte(tt.ca), nil },
			}.Read(target.Traces)
			if err != nil {
				t.Fatal(err)
			}
			if tt.ca == "" {
				to.TLS.RootCAs = x509.NewCertPool()
			}
			_, err = sender(t, to).Send(within(t, 500*time.Millisecond), request())
			if (err == nil) != (tt.ca != "") {
				t.Errorf("error %v", err)
			}
			if err != nil && !strings.Contains(err.Error(), "certificate") {
				t.Errorf("error %v does not say certificate", err)
			}
		})
	}
}

// TestRetryAfterADate: the header may be a date.
func TestRetryAfterADate(t *testing.T) {
	for _, text := range []string{time.Now().Add(time.Hour).UTC().Format(http.TimeFormat), "3600"} {
		to := httpServer(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", text)
			w.WriteHeader(http.StatusTooManyRequests)
		})
		start := time.Now()
		if _, err := sender(t, to).Send(within(t, 30*time.Second), request()); err == nil || time.Since(start) > 20*time.Second {
			t.Errorf("%s: %v after %v", text, err, time.Since(start))
		}
	}
	calls := 0
	to := httpServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", []string{"nonsense", "-5", "Mon, 02 Jan 2006 15:04:05 GMT"}[calls%3])
		if calls++; calls < 3 {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})
	if _, err := sender(t, to).Send(within(t, time.Minute), request()); err != nil || calls != 3 {
		t.Errorf("%d calls, %v", calls, err)
	}
}

// TestErrorUnwraps to its cause.
func TestErrorUnwraps(t *testing.T) {
	cause := errors.New("x")
	if err := error(&send.Error{Err: cause}); !errors.Is(err, cause) {
		t.Error("the cause is lost")
	}
	bad := target.Target{Signal: target.Traces, Protocol: target.GRPC, Address: "dns:///a b%zz:1", TLS: &tls.Config{MinVersion: tls.VersionTLS12}}
	if _, err := (&send.Dialer{}).Sender(bad); err != nil && !strings.Contains(err.Error(), "traces") {
		t.Errorf("error %v", err)
	}
}
