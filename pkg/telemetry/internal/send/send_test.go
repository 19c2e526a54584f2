package send_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/durationpb"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/send"
	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

func TestGRPC(t *testing.T) {
	var got metadata.MD
	server := &grpcServer{answer: func(_ int64, md metadata.MD) (*tracepb.ExportTraceServiceResponse, error) {
		got = md
		return &tracepb.ExportTraceServiceResponse{PartialSuccess: &tracepb.ExportTracePartialSuccess{RejectedSpans: 3}}, nil
	}}
	to := server.start(t)
	to.Headers, to.Gzip = map[string]string{"x-token": "secret"}, true
	refused, err := sender(t, to).Send(within(t, time.Minute), request())
	if err != nil || refused != 3 {
		t.Fatal(refused, err)
	}
	if v := got.Get("x-token"); len(v) != 1 || v[0] != "secret" {
		t.Errorf("metadata %v", got)
	}
}

// TestRepeats: what may be repeated is, and what may not fails at once.
func TestRepeats(t *testing.T) {
	retry, _ := status.New(codes.ResourceExhausted, "later").WithDetails(&errdetails.RetryInfo{RetryDelay: durationpb.New(time.Millisecond)})
	tests := []struct {
		name  string
		err   error
		calls int64
	}{
		{"unavailable", status.Error(codes.Unavailable, "restarting"), 2},
		{"exhausted with a time", retry.Err(), 2},
		{"exhausted for good", status.Error(codes.ResourceExhausted, "too big"), 1},
		{"refused", status.Error(codes.InvalidArgument, "no"), 1},
		{"not allowed", status.Error(codes.Unauthenticated, "who"), 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			server := &grpcServer{answer: func(n int64, _ metadata.MD) (*tracepb.ExportTraceServiceResponse, error) {
				if n == 1 {
					return nil, tt.err
				}
				return &tracepb.ExportTraceServiceResponse{}, nil
			}}
			_, err := sender(t, server.start(t)).Send(within(t, time.Minute), request())
			if (err == nil) != (tt.calls > 1) || server.calls.Load() != tt.calls {
				t.Errorf("%d calls, error %v", server.calls.Load(), err)
			}
		})
	}
}

// TestNoWaitBeyondTheDeadline: a server that asks for a minute is not waited for
// when there is none.
func TestNoWaitBeyondTheDeadline(t *testing.T) {
	to := httpServer(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "60")
		http.Error(w, "full", http.StatusServiceUnavailable)
	})
	start := time.Now()
	_, err := sender(t, to).Send(within(t, 20*time.Second), request())
	if took := time.Since(start); took > 10*time.Second {
		t.Errorf("took %v", took)
	}
	var failed *send.Error
	if !errors.As(err, &failed) || !strings.Contains(err.Error(), "503") || !strings.Contains(err.Error(), "full") {
		t.Errorf("error %v", err)
	}
}

func TestHTTP(t *testing.T) {
	tests := []struct {
		name     string
		protocol target.Protocol
		gzip     bool
	}{
		{"protobuf", target.HTTPProtobuf, false}, {"protobuf, gzip", target.HTTPProtobuf, true},
		{"JSON", target.HTTPJSON, false}, {"JSON, gzip", target.HTTPJSON, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []byte
			var header http.Header
			to := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
				got, header = body(t, r), r.Header
				w.Header().Set("Content-Type", "application/x-protobuf")
				answer, _ := proto.Marshal(&tracepb.ExportTraceServiceResponse{PartialSuccess: &tracepb.ExportTracePartialSuccess{RejectedSpans: 2}})
				_, _ = w.Write(answer)
			})
			to.Protocol, to.Gzip, to.Headers = tt.protocol, tt.gzip, map[string]string{"x-token": "t"}
			refused, err := sender(t, to).Send(within(t, time.Minute), request())
			if err != nil || refused != 2 {
				t.Fatal(refused, err)
			}
			var back tracepb.ExportTraceServiceRequest
			if tt.protocol == target.HTTPJSON {
				if !json.Valid(got) || !bytes.Contains(got, []byte(`"resourceSpans"`)) {
					t.Errorf("body %s", got)
				}
			} else if err := proto.Unmarshal(got, &back); err != nil || !proto.Equal(&back, request()) {
				t.Errorf("body %v, %v", &back, err)
			}
			if header.Get("X-Token") != "t" || !strings.Contains(header.Get("Content-Type"), map[bool]string{true: "json", false: "protobuf"}[tt.protocol == target.HTTPJSON]) {
				t.Errorf("header %v", header)
			}
		})
	}
}

func body(t *testing.T, r *http.Request) []byte {
	t.Helper()
	var in io.Reader = r.Body
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(r.Body)
		if err != nil {
			t.Error(err)
			return nil
		}
		in = z
	}
	b, err := io.ReadAll(in)
	if err != nil {
		t.Error(err)
	}
	return b
}

func TestPartialSuccessInJSON(t *testing.T) {
	for answer, want := range map[string]int64{
		`{"partialSuccess":{"rejectedSpans":"5"}}`: 5, `{"partialSuccess":{"rejectedSpans":5}}`: 5,
		`{"partialSuccess":{"rejectedDataPoints":"1"}}`: 1, `{"partialSuccess":{"rejectedLogRecords":"1"}}`: 1,
		`{}`: 0, `nonsense`: 0, `{"partialSuccess":{"rejectedSpans":"x"}}`: 0,
	} {
		to := httpServer(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, answer)
		})
		if refused, err := sender(t, to).Send(within(t, time.Minute), request()); err != nil || refused != want {
			t.Errorf("%s: %d, %v, want %d", answer, refused, err, want)
		}
	}
}

// TestRedirectIsNotFollowed: headers may hold a secret.
func TestRedirectIsNotFollowed(t *testing.T) {
	away := httpServer(t, func(http.ResponseWriter, *http.Request) { t.Error("followed") })
	to := httpServer(t, func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, away.URL, http.StatusTemporaryRedirect)
	})
	if _, err := sender(t, to).Send(within(t, time.Minute), request()); err == nil || !strings.Contains(err.Error(), "307") {
		t.Errorf("error %v", err)
	}
}

// TestSlowServer: one attempt has its own time, and the whole ends with the context.
func TestSlowServer(t *testing.T) {
	release := make(chan struct{})
	to := httpServer(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-release:
		case <-r.Context().Done():
		}
	})
	defer close(release)
	to.Timeout = 10 * time.Millisecond
	_, err := sender(t, to).Send(within(t, 100*time.Millisecond), request())
	if err == nil || !strings.Contains(err.Error(), "OTEL_EXPORTER_OTLP_TIMEOUT") {
		t.Errorf("error %v", err)
	}
}

// TestSharedConnections: signals of one destination share a connection.
func TestSharedConnections(t *testing.T) {
	server := &grpcServer{answer: func(int64, metadata.MD) (*tracepb.ExportTraceServiceResponse, error) {
		return &tracepb.ExportTraceServiceResponse{}, nil
	}}
	to := server.start(t)
	d := &send.Dialer{}
	one, err1 := d.Sender(to)
	two, err2 := d.Sender(to)
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	for _, s := range []send.Sender{one, two} {
		if _, err := s.Send(within(t, time.Minute), request()); err != nil {
			t.Fatal(err)
		}
	}
	d.Close()
	if _, err := two.Send(within(t, 50*time.Millisecond), request()); err == nil {
		t.Error("sent after Close")
	}
}

// deaf listens, and says nothing.
func deaf(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l.Addr().String()
}

// TestDeadEnds: nothing holds a call beyond its context.
func TestDeadEnds(t *testing.T) {
	for name, to := range map[string]target.Target{
		"gRPC": {Signal: target.Traces, Protocol: target.GRPC, Address: deaf(t), Insecure: true, Timeout: time.Minute},
		"HTTP": {Signal: target.Traces, Protocol: target.HTTPProtobuf, URL: "http://" + deaf(t), Insecure: true, Timeout: time.Minute},
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			ctx, cancel := context.WithCancelCause(t.Context())
			late := time.AfterFunc(30*time.Millisecond, func() { cancel(errors.New("enough of it")) })
			defer late.Stop()
			if _, err := sender(t, to).Send(ctx, request()); err == nil || !strings.Contains(err.Error(), "enough of it") {
				t.Errorf("error %v", err)
			}
			if took := time.Since(start); took > 20*time.Second {
				t.Errorf("took %v", took)
			}
		})
	}
}
