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
	"github.com/google/go-cmp/cmp"
	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

const exportTraces = "/opentelemetry.proto.collector.trace.v1.TraceService/Export"

// wire sends bytes as they are, so that a client can send what no SDK would.
type wire struct{ rawCodec }

func newWire() wire { return wire{rawCodec{new(pool)}} }

// call sends raw bytes to a method and returns the answer's bytes.
func call(t testing.TB, cc *grpc.ClientConn, method string, body []byte, opts ...grpc.CallOption) ([]byte, error) {
	t.Helper()
	var m message
	err := cc.Invoke(within(t), method, body, &m, append(opts, grpc.ForceCodecV2(newWire()))...)
	if err != nil {
		return nil, err
	}
	return bytes.Clone(*m.buf), nil
}

func TestGRPCAllSignals(t *testing.T) {
	for _, z := range []string{"", gzip.Name} {
		for _, d := range []Decoder{Fast, Generated} {
			t.Run(fmt.Sprintf("%s %s", d, z), func(t *testing.T) {
				m := new(memory)
				s := start(t, Config{Decoder: d}, m)
				cc := dial(t, s)
				opts := []grpc.CallOption{grpc.UseCompressor(z)}
				tr, err := coltrace.NewTraceServiceClient(cc).Export(within(t), traces(nSpans(600)...), opts...)
				if err != nil || tr.PartialSuccess != nil {
					t.Errorf("traces: %v, %v", tr, err)
				}
				me, err := colmetrics.NewMetricsServiceClient(cc).Export(within(t), metrics(1, 2), opts...)
				if err != nil || me.PartialSuccess != nil {
					t.Errorf("metrics: %v, %v", me, err)
				}
				lo, err := collogs.NewLogsServiceClient(cc).Export(within(t), logs("a", "b", "c"), opts...)
				if err != nil || lo.PartialSuccess != nil {
					t.Errorf("logs: %v, %v", lo, err)
				}
				if m.items != [run.SignalCount]int{600, 2, 3} {
					t.Errorf("stored %v", m.items)
				}
				want := run.Receipt{At: t0.UnixNano(), Sender: "127.0.0.1", Raw: marshal(t, logs("a", "b", "c"))}
				if diff := cmp.Diff(want, m.last(t)); diff != "" {
					t.Errorf("receipt (-want +got):\n%s", diff)
				}
				if st := s.Stats(); st.Requests != 3 || st.Conns != 1 {
					t.Errorf("statistics %+v", st)
				}
			})
		}
	}
}

// TestGRPCStatuses reads like the gRPC part of the contract.
func TestGRPCStatuses(t *testing.T) {
	m := new(memory)
	s := start(t, Config{MaxRequest: 1 << 20}, m)
	cc := dial(t, s, grpc.WithDefaultCallOptions(grpc.MaxCallSendMsgSize(1<<30)))
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

func TestGRPCTooLargeNoticeNamesSizeAndLimit(t *testing.T) {
	s := start(t, Config{}, new(memory))
	cc := dial(t, s, grpc.WithDefaultCallOptions(grpc.MaxCallSendMsgSize(1<<30)))
	if _, err := call(t, cc, exportTraces, make([]byte, 80<<20)); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("80 MiB: %v", err)
	}
	r := refused(s, "too-large")
	if r.Count != 1 || !strings.Contains(r.Text, "80 MiB > limit") || !strings.Contains(r.Text, "limit of 64 MiB") {
		t.Errorf("refusal %+v", r)
	}
}

// Requests above grpc-go's own default of 4 MiB are what large batches give.
func TestGRPCLargeBatches(t *testing.T) {
	for _, size := range []int{10 << 10, 40 << 10} {
		m := new(memory)
		s := start(t, Config{}, m)
		spans := nSpans(512)
		for _, p := range spans {
			p.Attributes = []*commonpb.KeyValue{attr("text", strings.Repeat("x", size))}
		}
		c := coltrace.NewTraceServiceClient(dial(t, s))
		for _, z := range []string{"", gzip.Name} {
			if _, err := c.Export(within(t), traces(spans...), grpc.UseCompressor(z)); err != nil {
				t.Errorf("512 spans of %d bytes, %q: %v", size, z, err)
			}
		}
		if got := m.count(run.Traces); got != 2*512 {
			t.Errorf("%d spans stored", got)
		}
	}
}

func TestGRPCPartialSuccess(t *testing.T) {
	m := new(memory)
	s := start(t, Config{}, m)
	short := span(1)
	short.TraceId = short.TraceId[:3]
	resp, err := coltrace.NewTraceServiceClient(dial(t, s)).Export(within(t), traces(span(0), short, span(2)))
	if err != nil {
		t.Fatal(err)
	}
	if p := resp.PartialSuccess; p.GetRejectedSpans() != 1 || p.GetErrorMessage() == "" || m.count(run.Traces) != 2 {
		t.Errorf("partial success %v, %d stored; want 1 rejected and 2 stored", p, m.count(run.Traces))
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

// TestGRPCBusy: both places where exporters look for the delay, and nothing
// but trailers, without which Java does not retry.
func TestGRPCBusy(t *testing.T) {
	for name, err := range map[string]error{"busy": run.ErrBusy, "stalled": context.DeadlineExceeded} {
		t.Run(name, func(t *testing.T) {
			s := start(t, Config{}, sinkFunc(func(context.Context, *otlp.Batch, run.Receipt) (run.Outcome, error) {
				return run.Outcome{}, fmt.Errorf("store: %w", err)
			}))
			var header, trailer metadata.MD
			_, err := coltrace.NewTraceServiceClient(dial(t, s)).Export(within(t), traces(span(0)), grpc.Header(&header), grpc.Trailer(&trailer))
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

func TestGRPCSinkThatFails(t *testing.T) {
	s := start(t, Config{}, sinkFunc(func(context.Context, *otlp.Batch, run.Receipt) (run.Outcome, error) {
		return run.Outcome{}, fmt.Errorf("disk on fire")
	}))
	_, err := coltrace.NewTraceServiceClient(dial(t, s)).Export(within(t), traces(span(0)))
	if status.Code(err) != codes.Internal || strings.Contains(err.Error(), "fire") {
		t.Errorf("the sender is told %v", err)
	}
	if r := refused(s, "sink-failed"); !strings.Contains(r.Text, "disk on fire") {
		t.Errorf("the screen is told %+v", r)
	}
}

func TestToken(t *testing.T) {
	m := new(memory)
	s := start(t, Config{Token: "4f2a", owner: stranger}, m)
	client := coltrace.NewTraceServiceClient(dial(t, s))
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
		if got := post(t, s, "/v1/traces", nil, h...); (got.status == 200) != c.ok {
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

func TestSizeIn(t *testing.T) {
	for text, want := range map[string]int64{
		"grpc: received message larger than max (83886080 vs. 67108864)": 83886080,
		"grpc: something else":   0,
		"worded otherwise (new)": 0,
	} {
		if got := sizeIn(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
