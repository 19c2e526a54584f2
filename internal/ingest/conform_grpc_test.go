package ingest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// TestGRPCConformance reads like the gRPC part of the contract: what is sent,
// the status, and under which word it is counted, over every way.
func TestGRPCConformance(t *testing.T) {
	for _, w := range ways(t) {
		m := new(memory)
		t.Run(w.name, func(t *testing.T) { testGRPCConformance(t, w, w.start(t, Config{MaxRequest: 1 << 20}, m), m) })
	}
}

func testGRPCConformance(t *testing.T, w way, s *Server, m *memory) {
	cc := w.dial(t, s, grpc.WithDefaultCallOptions(grpc.MaxCallSendMsgSize(1<<30)))
	good := marshal(t, traces(span(0)))
	big := bytes.Repeat([]byte{0x0a, 0}, 1<<19+1)
	for _, c := range []struct {
		name, method string
		body         []byte
		gz           bool
		code         codes.Code
		says         string
		word         string // under which it is counted
	}{
		{name: "success is an empty message", method: exportTraces, body: good},
		{name: "an empty request succeeds", method: exportTraces},
		{name: "gzip", method: exportTraces, body: good, gz: true},
		{name: "undecodable", method: exportTraces, body: []byte{0x0a, 0xff}, code: codes.InvalidArgument, says: "decode traces", word: "undecodable"},
		{name: "undecodable in gzip", method: exportTraces, body: []byte{0x0a, 0xff}, gz: true, code: codes.InvalidArgument, says: "decode traces", word: "undecodable"},
		{name: "a field number of zero", method: exportTraces, body: []byte{0, 1, 2}, code: codes.InvalidArgument, says: "gzip", word: "bad-gzip"},
		{name: "too large", method: exportTraces, body: big, code: codes.ResourceExhausted, says: "1048578 vs. 1048576", word: "too-large"},
		{name: "a bomb", method: exportTraces, body: big, gz: true, code: codes.ResourceExhausted, says: "limit of 1 MiB", word: "too-large"},
		{name: "profiles", method: "/opentelemetry.proto.collector.profiles.v1development.ProfilesService/Export", body: good, code: codes.Unimplemented, says: "traces, metrics and logs are", word: "unimplemented"},
		{name: "unknown method", method: "/opentelemetry.proto.collector.trace.v1.TraceService/Import", body: good, code: codes.Unimplemented, says: "Import", word: "unimplemented"},
		{name: "unknown service", method: "/a/b", body: good, code: codes.Unimplemented, says: "/a/b", word: "unimplemented"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before := refused(s, c.word).Count
			var opts []grpc.CallOption
			if c.gz {
				opts = append(opts, grpc.UseCompressor(gzip.Name))
			}
			var header, trailer metadata.MD
			answer, err := call(t, cc, c.method, c.body, append(opts, grpc.Header(&header), grpc.Trailer(&trailer))...)
			st := status.Convert(err)
			if st.Code() != c.code || !strings.Contains(st.Message(), c.says) {
				t.Fatalf("got %v, want %v saying %q", err, c.code, c.says)
			}
			if len(answer) != 0 {
				t.Errorf("answer %x, want none", answer)
			}
			if len(st.Details()) > 0 || len(trailer.Get(retryTrailer)) > 0 {
				t.Error("asks to retry what can never succeed")
			}
			if c.word != "" && refused(s, c.word).Count != before+1 {
				t.Errorf("not counted as %s: %+v", c.word, s.Stats().Refused)
			}
		})
	}
	if got := m.count(run.Traces); got != 2 {
		t.Errorf("%d spans stored, want 2", got)
	}
}

// TestGRPCBusy: both places where exporters look for the delay, and nothing
// but trailers, without which Java does not retry.
func TestGRPCBusy(t *testing.T) {
	for name, err := range map[string]error{"busy": run.ErrBusy, "stalled": context.DeadlineExceeded} {
		full := func() Sink {
			return sinkFunc(func(context.Context, *otlp.Batch, run.Receipt) (run.Outcome, error) {
				return run.Outcome{}, fmt.Errorf("store: %w", err)
			})
		}
		everyWay(t, Config{}, full, func(t *testing.T, w way, s *Server) {
			var header, trailer metadata.MD
			_, err := coltrace.NewTraceServiceClient(w.dial(t, s)).Export(within(t), traces(span(0)), grpc.Header(&header), grpc.Trailer(&trailer))
			t.Log(name)
			checkRetry(t, err, header, trailer)
			if r := refused(s, "busy"); r.Count != 1 || r.At != t0.UnixNano() {
				t.Errorf("refusal %+v", r)
			}
		})
	}
}

func checkRetry(t *testing.T, err error, header, trailer metadata.MD) {
	t.Helper()
	st := status.Convert(err)
	if st.Code() != codes.Unavailable || len(st.Details()) != 1 {
		t.Fatalf("%v with details %v", err, st.Details())
	}
	if header.Len() != 0 {
		t.Errorf("headers were sent before the status: %v", header)
	}
	inDetail, _ := st.Details()[0].(*errdetails.RetryInfo)
	var inTrailer errdetails.RetryInfo
	if v := trailer.Get(retryTrailer); len(v) != 1 || proto.Unmarshal([]byte(v[0]), &inTrailer) != nil {
		t.Fatalf("trailer %v", trailer)
	}
	for _, i := range []*errdetails.RetryInfo{inDetail, &inTrailer} {
		if d := i.GetRetryDelay().AsDuration(); d < time.Second || d > 2*time.Second {
			t.Errorf("retry after %v", d)
		}
	}
}

func TestGRPCPartialSuccess(t *testing.T) {
	everyWay(t, Config{}, inMemory, testGRPCPartialSuccess)
}

func testGRPCPartialSuccess(t *testing.T, w way, s *Server) {
	short := span(1)
	short.TraceId = short.TraceId[:3]
	resp, err := coltrace.NewTraceServiceClient(w.dial(t, s)).Export(within(t), traces(span(0), short, span(2)))
	if err != nil {
		t.Fatal(err)
	}
	if p := resp.PartialSuccess; p.GetRejectedSpans() != 1 || p.GetErrorMessage() == "" {
		t.Errorf("partial success %v; want 1 rejected", p)
	}
}

// A warning is rejected 0 with a message.
func TestGRPCWarning(t *testing.T) {
	s := start(t, Config{}, sinkFunc(func(context.Context, *otlp.Batch, run.Receipt) (run.Outcome, error) {
		return run.Outcome{Kept: 1, Reason: "clock is off"}, nil
	}))
	resp, err := coltrace.NewTraceServiceClient(dial(t, s)).Export(within(t), traces(span(0)))
	if p := resp.GetPartialSuccess(); err != nil || p.GetRejectedSpans() != 0 || p.GetErrorMessage() != "clock is off" {
		t.Errorf("%v, %v", resp, err)
	}
}
