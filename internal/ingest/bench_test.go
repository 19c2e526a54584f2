//go:build unix

package ingest

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/ingest/cert"
	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"go.opentelemetry.io/collector/pdata/ptrace/ptraceotlp"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/experimental"
)

// serveChild prints its address, and for each line it reads the CPU time it
// has used, in nanoseconds, and the spans it has stored.
func serveChild(kind string) error {
	var spans atomic.Int64
	address, err := serveKind(kind, &spans)
	if err != nil {
		return err
	}
	fmt.Println(address)
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		fmt.Println(cpu().Nanoseconds(), spans.Load())
	}
	return in.Err()
}

// serveKind starts one of the servers that are compared.
func serveKind(kind string, spans *atomic.Int64) (string, error) {
	count := sinkFunc(func(_ context.Context, b *otlp.Batch, _ run.Receipt) (run.Outcome, error) {
		spans.Add(int64(len(b.Spans)))
		return run.Outcome{Kept: uint64(len(b.Spans))}, nil
	})
	c := Config{GRPC: "127.0.0.1:0", HTTP: Off}
	var sink Sink = count
	switch kind {
	case "default-codec", "pdata", "discard":
		return serveOther(kind, spans)
	case "generated":
		c.Decoder = Generated
	case "with-store", "tls-token":
		sink = keeping(spans)
	}
	if kind == "tls-token" { // of another user, so that every request is checked
		c.Token, c.owner = childSecret, stranger
		var err error
		if c.TLS, err = childCert(*childTo); err != nil {
			return "", err
		}
	}
	s, err := Start(context.Background(), c, sink)
	if err != nil {
		return "", err
	}
	return s.Addrs()[0].Addr, nil
}

// keeping keeps what comes, with roll-ups and accounts, as the program does.
func keeping(spans *atomic.Int64) Sink {
	st := store.New(store.Config{Budget: 512 << 20, Clock: func() int64 { return time.Now().UnixNano() }})
	return sinkFunc(func(ctx context.Context, b *otlp.Batch, r run.Receipt) (run.Outcome, error) {
		out, err := st.Put(ctx, b, r)
		spans.Add(int64(out.Kept))
		return out, err
	})
}

func childCert(dir string) (*tls.Config, error) {
	a, err := cert.Open(dir, time.Now())
	if err != nil {
		return nil, err
	}
	return a.Config([]string{"127.0.0.1"}, time.Now)
}

// serveOther is the same server as others would write it: with grpc's default
// codec and the generated code, with the Collector's pdata, or without looking
// at what comes, which is the limit of the transport.
func serveOther(kind string, spans *atomic.Int64) (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	buffers := new(pool)
	g := &grpcDoor{door: &door{limit: DefaultMaxRequest, begin: headerTimeout}}
	options := g.limits()
	if kind == "discard" {
		options = append(options, grpc.ForceServerCodecV2(rawCodec{buffers}), experimental.BufferPool(buffers))
	}
	s := grpc.NewServer(options...)
	switch kind {
	case "default-codec":
		coltrace.RegisterTraceServiceServer(s, &counting{spans: spans})
	case "pdata":
		ptraceotlp.RegisterGRPCServer(s, &countingPdata{spans: spans})
	case "discard":
		s.RegisterService(&grpc.ServiceDesc{ServiceName: services[run.Traces], HandlerType: (*any)(nil), Streams: []grpc.StreamDesc{{
			StreamName: "Export", Handler: func(_ any, ss grpc.ServerStream) error { return discard(ss, buffers, spans) }}}}, spans)
	}
	go s.Serve(l)
	return l.Addr().String(), nil
}

// discard takes a message for a whole batch.
func discard(ss grpc.ServerStream, buffers *pool, spans *atomic.Int64) error {
	var m message
	if err := ss.RecvMsg(&m); err != nil {
		return err
	}
	buffers.Put(m.buf)
	spans.Add(benchSpans)
	return ss.SendMsg([]byte(nil))
}

type counting struct {
	coltrace.UnimplementedTraceServiceServer
	spans *atomic.Int64
}

func (c *counting) Export(_ context.Context, r *coltrace.ExportTraceServiceRequest) (*coltrace.ExportTraceServiceResponse, error) {
	for _, rs := range r.ResourceSpans {
		for _, ss := range rs.ScopeSpans {
			c.spans.Add(int64(len(ss.Spans)))
		}
	}
	return &coltrace.ExportTraceServiceResponse{}, nil
}

type countingPdata struct {
	ptraceotlp.UnimplementedGRPCServer
	spans *atomic.Int64
}

func (c *countingPdata) Export(_ context.Context, r ptraceotlp.ExportRequest) (ptraceotlp.ExportResponse, error) {
	c.spans.Add(int64(r.Traces().SpanCount()))
	return ptraceotlp.NewExportResponse(), nil
}

// cpu is the user and system time of this process.
func cpu() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// process is a child with its pipes.
type process struct {
	address string
	in      io.WriteCloser
	out     *bufio.Reader
}

func spawn(b *testing.B, kind, dir string) *process {
	b.Helper()
	cmd := exec.Command(os.Args[0], "-ingest.child="+kind, "-ingest.to="+dir)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { in.Close(); cmd.Wait() })
	p := &process{in: in, out: bufio.NewReader(out)}
	if _, err := fmt.Fscanln(p.out, &p.address); err != nil {
		b.Fatal(err)
	}
	return p
}

func (p *process) used(b *testing.B) (ns, spans int64) {
	b.Helper()
	fmt.Fprintln(p.in)
	if _, err := fmt.Fscanln(p.out, &ns, &spans); err != nil {
		b.Fatal(err)
	}
	return ns, spans
}

// Shape of the load: what a training rank sends.
const (
	benchSpans     = 512 // a batch
	benchSpanAttrs = 8
	benchResAttrs  = 15
	benchConns     = 4
	benchInFlight  = 2 // on each connection
)

func benchBatch(b *testing.B) []byte {
	r := &resourcepb.Resource{}
	for i := range benchResAttrs {
		r.Attributes = append(r.Attributes, attr(fmt.Sprintf("nemo.resource.key_%d", i), fmt.Sprintf("value-%d", i)))
	}
	req := traces(nSpans(benchSpans)...)
	req.ResourceSpans[0].Resource = r
	for i, s := range req.ResourceSpans[0].ScopeSpans[0].Spans {
		s.SpanId = []byte{1, 2, 3, 4, 5, 6, byte(i >> 8), byte(i + 1)}
		s.ParentSpanId = []byte{1, 2, 3, 4, 5, 6, 7, 8}
		for j := range benchSpanAttrs {
			if j%2 == 0 {
				s.Attributes = append(s.Attributes, attr(fmt.Sprintf("dl.key_%d", j), fmt.Sprintf("v%d", (i+j)%7)))
			} else {
				s.Attributes = append(s.Attributes, &commonpb.KeyValue{Key: fmt.Sprintf("dl.key_%d", j), Value: &commonpb.AnyValue{Value: &commonpb.AnyValue_IntValue{IntValue: int64(i * j)}}})
			}
		}
	}
	return marshal(b, req)
}

// benchKinds are the servers that are compared, ours last.
var benchKinds = [...]string{"default-codec", "pdata", "generated", "discard", "decode-only", "with-store", "tls-token"}

// benched is one server under measurement.
type benched struct {
	kind    string
	process *process
	conns   []*grpc.ClientConn
	options []grpc.CallOption
	elapsed time.Duration // of its turns
	batches int
	cpu     float64 // server's ns a span
}

// BenchmarkReceiver sends the same batches of 512 spans, made beforehand, to
// servers each in a process of its own, by turns, so that what else runs on the
// machine meets all alike. One operation is a turn of 64 batches for each. Then
// come the results side by side: CPU of the server a span, spans a second, and
// how many times what the receiver with its store needs.
func BenchmarkReceiver(b *testing.B) {
	body := newBatches(b)
	var all []*benched
	b.Run("turns", func(b *testing.B) {
		all = nil
		for _, kind := range benchKinds {
			all = append(all, benchServer(b, kind, body))
		}
		measure(b, all, body)
	})
	if len(all) == 0 {
		return
	}
	by := map[string]*benched{}
	for _, s := range all {
		by[s.kind] = s
	}
	for _, s := range all {
		b.Run(s.kind, func(b *testing.B) {
			for b.Loop() { // nothing to repeat: it is measured
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(s.cpu/1e3, "CPU-s/Mspan")
			b.ReportMetric(s.rate()/1e3, "kspans/s")
			b.ReportMetric(s.cpu/by["with-store"].cpu, "x-with-store")
			b.ReportMetric(100*s.rate()/by["with-store"].rate(), "%-of-rate")
		})
	}
}

func (s *benched) rate() float64 { return float64(s.batches*benchSpans) / s.elapsed.Seconds() }

// benchServer starts a server and warms it.
func benchServer(b *testing.B, kind string, body *batches) *benched {
	dir := b.TempDir()
	s := &benched{kind: kind, process: spawn(b, kind, dir)}
	creds := insecure.NewCredentials()
	if kind == "tls-token" {
		*childCA = dir
		creds = credentials.NewTLS(childTLS())
		s.options = append(s.options, grpc.PerRPCCredentials(bearer(childSecret)))
	}
	s.options = append(s.options, grpc.ForceCodecV2(newWire()))
	for range benchConns {
		s.conns = append(s.conns, dialAddr(b, s.process.address, grpc.WithTransportCredentials(creds)))
	}
	s.turn(b, 80, body) // connections, pools and dictionaries warm
	s.elapsed, s.batches = 0, 0
	return s
}

// bearer is a token as exporters send it.
type bearer string

func (t bearer) GetRequestMetadata(context.Context, ...string) (map[string]string, error) {
	return map[string]string{tokenHeader: string(t)}, nil
}

func (bearer) RequireTransportSecurity() bool { return true }

// turnBatches is what a server is sent in one turn: many, for a receiver has its
// processor's caches to itself, and in a short turn they are still the last one's.
const turnBatches = 64

func measure(b *testing.B, all []*benched, body *batches) {
	before := make([][2]int64, len(all))
	for i, s := range all {
		before[i][0], before[i][1] = s.process.used(b)
	}
	b.ResetTimer()
	for range b.N {
		for _, s := range all {
			s.turn(b, turnBatches, body)
		}
	}
	b.StopTimer()
	for i, s := range all {
		ns, spans := s.process.used(b)
		n := int64(s.batches * benchSpans)
		if got := spans - before[i][1]; got != n {
			b.Fatalf("%s: %d spans arrived, want %d", s.kind, got, n)
		}
		s.cpu = float64(ns-before[i][0]) / float64(n)
	}
}

// turn sends n batches over all connections.
func (s *benched) turn(b *testing.B, n int, body *batches) {
	var next atomic.Int64
	var wg sync.WaitGroup
	start := time.Now()
	for _, cc := range s.conns {
		for range benchInFlight {
			wg.Go(func() {
				for next.Add(1) <= int64(n) {
					var m message
					if err := cc.Invoke(context.Background(), exportTraces, body.next(), &m, s.options...); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
	}
	wg.Wait()
	s.elapsed += time.Since(start)
	s.batches += n
}

// batches makes batches that differ in their trace id, so that none is a
// repetition of another.
type batches struct {
	body  []byte
	ids   []int // where the trace ids are
	count atomic.Uint64
}

func newBatches(b *testing.B) *batches {
	s := &batches{body: benchBatch(b)}
	id := span(0).TraceId
	for at := 0; ; {
		i := bytes.Index(s.body[at:], id)
		if i < 0 {
			return s
		}
		s.ids = append(s.ids, at+i)
		at += i + len(id)
	}
}

func (s *batches) next() []byte {
	body, n := bytes.Clone(s.body), s.count.Add(1)
	for _, at := range s.ids {
		binary.BigEndian.PutUint64(body[at:], n)
	}
	return body
}
