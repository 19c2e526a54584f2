package ingest

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/google/go-cmp/cmp"
	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding/gzip"
	"google.golang.org/grpc/status"
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
