package ingest

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/klauspost/compress/gzip"
	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logspb "go.opentelemetry.io/proto/otlp/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
)

// sinkFunc is a Sink of one function.
type sinkFunc func(ctx context.Context, b *otlp.Batch, r run.Receipt) (run.Outcome, error)

func (f sinkFunc) Put(ctx context.Context, b *otlp.Batch, r run.Receipt) (run.Outcome, error) {
	return f(ctx, b, r)
}

// memory is a sink that remembers what it was given.
type memory struct {
	mu       sync.Mutex
	items    [run.SignalCount]int
	names    []string
	receipts []run.Receipt
}

func (m *memory) Put(_ context.Context, b *otlp.Batch, r run.Receipt) (run.Outcome, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	rejected := 0
	for _, j := range b.Rejected {
		rejected += j.Count
	}
	kept := b.Items() - rejected
	m.items[b.Signal] += kept
	for _, s := range b.Spans {
		m.names = append(m.names, string(b.Bytes(s.Name)))
	}
	r.Raw = bytes.Clone(r.Raw)
	m.receipts = append(m.receipts, r)
	return run.Outcome{Kept: uint64(kept), Rejected: uint64(rejected)}, nil
}

func (m *memory) count(s run.Signal) int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.items[s]
}

func (m *memory) last(t *testing.T) run.Receipt {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.receipts) == 0 {
		t.Fatal("the sink was given nothing")
	}
	return m.receipts[len(m.receipts)-1]
}

// stranger says that another user of the host is at the other end.
func stranger(net.Conn) (uint32, error) { return uint32(os.Geteuid()) + 1, nil }

// t0 is the receiver's clock in tests.
var t0 = time.Unix(1_760_000_000, 0)

// start runs a receiver on free loopback ports until the test ends, and then
// looks for what it left behind.
func start(t testing.TB, c Config, sink Sink) *Server {
	t.Helper()
	before := goleak.IgnoreCurrent()
	orString(&c.GRPC, "127.0.0.1:0")
	orString(&c.HTTP, "127.0.0.1:0")
	if c.Now == nil {
		c.Now = func() time.Time { return t0 }
	}
	s, err := Start(context.Background(), c, sink)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
	t.Cleanup(func() { stop(t, s) })
	return s
}

func stop(t testing.TB, s *Server) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	if err := s.Stop(ctx); err != nil {
		t.Errorf("Stop: %v", err)
	}
}

// addr is the first address of a protocol.
func addr(t testing.TB, s *Server, protocol string) string {
	t.Helper()
	for _, l := range s.Addrs() {
		if l.Protocol == protocol {
			return l.Addr
		}
	}
	t.Fatalf("no %s listener in %v", protocol, s.Addrs())
	return ""
}

// refused is how often requests were refused under a word.
func refused(s *Server, word string) run.Refusal {
	for _, r := range s.Stats().Refused {
		if r.Code == word {
			return r
		}
	}
	return run.Refusal{}
}

func notice(s *Server, code string) run.Notice {
	for _, n := range s.Stats().Notices {
		if n.Code == code {
			return n
		}
	}
	return run.Notice{}
}

// dial is a real grpc-go client of the gRPC port.
func dial(t testing.TB, s *Server, opts ...grpc.DialOption) *grpc.ClientConn {
	t.Helper()
	return dialAddr(t, addr(t, s, "gRPC"), opts...)
}

func dialAddr(t testing.TB, addr string, opts ...grpc.DialOption) *grpc.ClientConn {
	t.Helper()
	opts = append([]grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}, opts...)
	cc, err := grpc.NewClient("passthrough:///"+addr, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cc.Close() })
	return cc
}

// within bounds a call, so that a broken receiver fails the test and does not hang it.
func within(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	t.Cleanup(cancel)
	return ctx
}

// httpClient has connections of its own, closed with the test.
func httpClient(t testing.TB) *http.Client {
	tr := &http.Transport{}
	t.Cleanup(tr.CloseIdleConnections)
	return &http.Client{Transport: tr, Timeout: 30 * time.Second}
}

// reply is an HTTP answer with its body read.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func send(t testing.TB, c *http.Client, r *http.Request) reply {
	t.Helper()
	resp, err := c.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return reply{resp.StatusCode, resp.Header, b}
}

// post sends a body to a path of the HTTP port; kv are header names and values.
func post(t testing.TB, s *Server, path string, body []byte, kv ...string) reply {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, "http://"+addr(t, s, "HTTP")+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(kv); i += 2 {
		r.Header.Add(kv[i], kv[i+1])
	}
	return send(t, httpClient(t), r)
}

func gz(parts ...[]byte) []byte {
	var b bytes.Buffer
	for _, p := range parts {
		z := gzip.NewWriter(&b)
		z.Write(p)
		z.Close()
	}
	return b.Bytes()
}

func marshal(t testing.TB, m proto.Message) []byte {
	t.Helper()
	b, err := proto.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func attr(k, v string) *commonpb.KeyValue {
	return &commonpb.KeyValue{Key: k, Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: v}}}
}

var resource = &resourcepb.Resource{Attributes: []*commonpb.KeyValue{attr("service.name", "megatron-lm")}}

// span i of a request that is all right.
func span(i int) *tracepb.Span {
	return &tracepb.Span{
		TraceId: bytes.Repeat([]byte{0x5b}, 16), SpanId: []byte{1, 2, 3, 4, 5, 6, 7, byte(i + 1)},
		Name: "train_step", StartTimeUnixNano: 1_760_000_000_000_000_000, EndTimeUnixNano: 1_760_000_001_000_000_000,
	}
}

func traces(spans ...*tracepb.Span) *coltrace.ExportTraceServiceRequest {
	return &coltrace.ExportTraceServiceRequest{ResourceSpans: []*tracepb.ResourceSpans{{
		Resource: resource, ScopeSpans: []*tracepb.ScopeSpans{{Spans: spans}},
	}}}
}

func nSpans(n int) []*tracepb.Span {
	out := make([]*tracepb.Span, n)
	for i := range out {
		out[i] = span(i)
	}
	return out
}

func metrics(values ...float64) *colmetrics.ExportMetricsServiceRequest {
	g := &metricspb.Gauge{}
	for _, v := range values {
		g.DataPoints = append(g.DataPoints, &metricspb.NumberDataPoint{TimeUnixNano: 1, Value: &metricspb.NumberDataPoint_AsDouble{AsDouble: v}})
	}
	m := &metricspb.Metric{Name: "dl.loss", Data: &metricspb.Metric_Gauge{Gauge: g}}
	return &colmetrics.ExportMetricsServiceRequest{ResourceMetrics: []*metricspb.ResourceMetrics{{
		Resource: resource, ScopeMetrics: []*metricspb.ScopeMetrics{{Metrics: []*metricspb.Metric{m}}},
	}}}
}

func logs(bodies ...string) *collogs.ExportLogsServiceRequest {
	s := &logspb.ScopeLogs{}
	for _, b := range bodies {
		s.LogRecords = append(s.LogRecords, &logspb.LogRecord{TimeUnixNano: 1, Body: &commonpb.AnyValue{Value: &commonpb.AnyValue_StringValue{StringValue: b}}})
	}
	return &collogs.ExportLogsServiceRequest{ResourceLogs: []*logspb.ResourceLogs{{Resource: resource, ScopeLogs: []*logspb.ScopeLogs{s}}}}
}

// free is a loopback port that nobody listens on.
func free(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// until waits for what the other side of a connection does in its own time.
// The test binary's own limit ends it when that never happens.
func until(done func() bool) {
	for !done() {
		time.Sleep(time.Millisecond)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}
