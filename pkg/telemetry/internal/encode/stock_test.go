package encode_test

import (
	"context"
	"net"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.opentelemetry.io/otel/exporters/otlp/otlplog/otlploggrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlpmetric/otlpmetricgrpc"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	sdklog "go.opentelemetry.io/otel/sdk/log"
	sdkmetric "go.opentelemetry.io/otel/sdk/metric"
	logspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/encode"
)

// stock is a collector that keeps the last message of the stock exporters.
type stock struct {
	tracepb.UnimplementedTraceServiceServer
	mu   sync.Mutex
	last proto.Message
}

func (s *stock) keep(m proto.Message) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = m
}

func (s *stock) Export(_ context.Context, r *tracepb.ExportTraceServiceRequest) (*tracepb.ExportTraceServiceResponse, error) {
	s.keep(r)
	return &tracepb.ExportTraceServiceResponse{}, nil
}

type stockMetrics struct {
	metricspb.UnimplementedMetricsServiceServer
	*stock
}

func (s stockMetrics) Export(_ context.Context, r *metricspb.ExportMetricsServiceRequest) (*metricspb.ExportMetricsServiceResponse, error) {
	s.keep(r)
	return &metricspb.ExportMetricsServiceResponse{}, nil
}

type stockLogs struct {
	logspb.UnimplementedLogsServiceServer
	*stock
}

func (s stockLogs) Export(_ context.Context, r *logspb.ExportLogsServiceRequest) (*logspb.ExportLogsServiceResponse, error) {
	s.keep(r)
	return &logspb.ExportLogsServiceResponse{}, nil
}

func listen(t *testing.T) (*stock, *grpc.ClientConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s, server := &stock{}, grpc.NewServer()
	tracepb.RegisterTraceServiceServer(server, s)
	metricspb.RegisterMetricsServiceServer(server, stockMetrics{stock: s})
	logspb.RegisterLogsServiceServer(server, stockLogs{stock: s})
	go func() { _ = server.Serve(l) }()
	t.Cleanup(server.Stop)
	conn, err := grpc.NewClient(l.Addr().String(), grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return s, conn
}

func same(t *testing.T, stock, ours proto.Message, opts ...cmp.Option) {
	t.Helper()
	if diff := cmp.Diff(stock, ours, append(opts, protocmp.Transform())...); diff != "" {
		t.Errorf("stock exporter - ours +\n%s", diff)
	}
}

// TestSpansAsStock: the messages are those of OpenTelemetry's own exporter, but for
// the trace state of links, which that one leaves out.
func TestSpansAsStock(t *testing.T) {
	server, conn := listen(t)
	exporter, err := otlptracegrpc.New(bg, otlptracegrpc.WithGRPCConn(conn))
	if err != nil {
		t.Fatal(err)
	}
	spans := someSpans()
	if err := exporter.ExportSpans(bg, spans); err != nil {
		t.Fatal(err)
	}
	ours := encode.New(theResource()).Spans(spans)
	links := ours.ResourceSpans[0].ScopeSpans[1].Spans[0].Links
	if len(links) != 1 || links[0].TraceState != "vendor=1" {
		t.Errorf("links %v", links)
	}
	links[0].TraceState = ""
	same(t, server.last, ours)
	_ = exporter.Shutdown(bg)
}

func TestMetricsAsStock(t *testing.T) {
	server, conn := listen(t)
	exporter, err := otlpmetricgrpc.New(bg, otlpmetricgrpc.WithGRPCConn(conn))
	if err != nil {
		t.Fatal(err)
	}
	exponential := func(k sdkmetric.InstrumentKind) sdkmetric.Aggregation {
		if k == sdkmetric.InstrumentKindHistogram {
			return sdkmetric.AggregationBase2ExponentialHistogram{MaxSize: 20, MaxScale: 3}
		}
		return sdkmetric.DefaultAggregationSelector(k)
	}
	for _, tt := range []struct {
		selector    sdkmetric.AggregationSelector
		temporality sdkmetric.TemporalitySelector
	}{
		{sdkmetric.DefaultAggregationSelector, sdkmetric.CumulativeTemporalitySelector},
		{exponential, sdkmetric.DeltaTemporalitySelector},
	} {
		rm := someMetrics(tt.selector, tt.temporality)
		if err := exporter.Export(bg, rm); err != nil {
			t.Fatal(err)
		}
		ours := encode.New(theResource()).Metrics(rm)
		same(t, server.last, ours, cmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b }))
		if n := len(ours.ResourceMetrics[0].ScopeMetrics[0].Metrics); n != 6 {
			t.Errorf("%d metrics, want 6", n)
		}
	}
	_ = exporter.Shutdown(bg)
}

func TestLogsAsStock(t *testing.T) {
	server, conn := listen(t)
	exporter, err := otlploggrpc.New(bg, otlploggrpc.WithGRPCConn(conn))
	if err != nil {
		t.Fatal(err)
	}
	records := someLogs()
	var values []sdklog.Record
	for _, r := range records {
		values = append(values, *r)
	}
	if err := exporter.Export(bg, values); err != nil {
		t.Fatal(err)
	}
	same(t, server.last, encode.New(theResource()).Logs(records))
	_ = exporter.Shutdown(bg)
}
