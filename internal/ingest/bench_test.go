//go:build unix

package ingest

import (
	"bufio"
	"context"
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

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	"google.golang.org/grpc"
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

func serveKind(kind string, spans *atomic.Int64) (string, error) {
	if kind == "default-codec" {
		return serveDefault(spans)
	}
	d := map[string]Decoder{"generated": Generated}[kind]
	s, err := Start(context.Background(), Config{GRPC: "127.0.0.1:0", HTTP: Off, Decoder: d}, sinkFunc(
		func(_ context.Context, b *otlp.Batch, _ run.Receipt) (run.Outcome, error) {
			spans.Add(int64(len(b.Spans)))
			return run.Outcome{Kept: uint64(len(b.Spans))}, nil
		}))
	if err != nil {
		return "", err
	}
	return s.Addrs()[0].Addr, nil
}

// serveDefault is the same server with grpc's default codec: the generated
// code reads the message and the spans are counted.
func serveDefault(spans *atomic.Int64) (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	g := &grpcDoor{door: &door{limit: DefaultMaxRequest}}
	s := grpc.NewServer(g.limits()...)
	coltrace.RegisterTraceServiceServer(s, &counting{spans: spans})
	go s.Serve(l)
	return l.Addr().String(), nil
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

func spawn(b *testing.B, kind string) *process {
	b.Helper()
	cmd := exec.Command(os.Args[0], "-ingest.child="+kind)
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

// BenchmarkReceiver sends the same bytes, made beforehand, to our receiver and
// to the same server with grpc's default codec, each in its own process. An
// operation is one batch of 512 spans. Reported: CPU of the server and of the
// client a span, and how much less ours needs.
func BenchmarkReceiver(b *testing.B) {
	body := benchBatch(b)
	server := map[string]float64{}
	for _, kind := range []string{"default-codec", "generated", "ours"} {
		b.Run(kind, func(b *testing.B) { server[kind] = benchServer(b, kind, body) })
	}
	b.Run("less-server-cpu", func(b *testing.B) {
		if server["ours"] == 0 || server["default-codec"] == 0 {
			b.Skip("needs both servers in the same run")
		}
		for b.Loop() { // nothing to repeat: the ratio is the result
		}
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(server["default-codec"]/server["ours"], "times")
	})
}

func benchServer(b *testing.B, kind string, body []byte) float64 {
	p := spawn(b, kind)
	var ccs []*grpc.ClientConn
	for range benchConns {
		cc := dialAddr(b, p.address)
		for range 20 { // connections, pools and dictionaries warm
			if _, err := call(b, cc, exportTraces, body); err != nil {
				b.Fatal(err)
			}
		}
		ccs = append(ccs, cc)
	}
	serverBefore, spansBefore := p.used(b)
	clientBefore := cpu()
	b.ResetTimer()
	sendAll(b, ccs, body)
	b.StopTimer()
	client := cpu() - clientBefore
	serverAfter, spansAfter := p.used(b)
	n := float64(b.N * benchSpans)
	if got := spansAfter - spansBefore; got != int64(n) {
		b.Fatalf("%d spans arrived, want %.0f", got, n)
	}
	perSpan := float64(serverAfter-serverBefore) / n
	b.ReportMetric(perSpan, "server-ns/span")
	b.ReportMetric(float64(client.Nanoseconds())/n, "client-ns/span")
	b.ReportMetric(n/b.Elapsed().Seconds(), "spans/s")
	return perSpan
}

// sendAll sends b.N batches over all connections.
func sendAll(b *testing.B, ccs []*grpc.ClientConn, body []byte) {
	var next atomic.Int64
	var wg sync.WaitGroup
	codec := newWire()
	for _, cc := range ccs {
		for range benchInFlight {
			wg.Go(func() {
				for next.Add(1) <= int64(b.N) {
					var m message
					if err := cc.Invoke(context.Background(), exportTraces, body, &m, grpc.ForceCodecV2(codec)); err != nil {
						b.Error(err)
						return
					}
				}
			})
		}
	}
	wg.Wait()
}
