package telemetry_test

import (
	"context"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	logspb "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	metricspb "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	tracepb "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	commonpb "go.opentelemetry.io/proto/otlp/common/v1"
	logs "go.opentelemetry.io/proto/otlp/logs/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	resourcepb "go.opentelemetry.io/proto/otlp/resource/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"go.uber.org/goleak"
	"google.golang.org/grpc"

	"github.com/beamline-hpc/lensview/pkg/telemetry"
)

func TestMain(m *testing.M) {
	if childMain() {
		return
	}
	goleak.VerifyTestMain(m)
}

// backend is a collector that keeps what it gets.
type backend struct {
	tracepb.UnimplementedTraceServiceServer
	endpoint string
	refuse   int64 // spans of each request that are refused

	mu        sync.Mutex
	spans     []*trace.Span
	metrics   []*metrics.Metric
	logs      []*logs.LogRecord
	resources []*resourcepb.Resource
}

type metricsBackend struct {
	metricspb.UnimplementedMetricsServiceServer
	*backend
}

type logsBackend struct {
	logspb.UnimplementedLogsServiceServer
	*backend
}

func newBackend(t testing.TB) *backend {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b, server := &backend{endpoint: "http://" + l.Addr().String()}, grpc.NewServer()
	tracepb.RegisterTraceServiceServer(server, b)
	metricspb.RegisterMetricsServiceServer(server, metricsBackend{backend: b})
	logspb.RegisterLogsServiceServer(server, logsBackend{backend: b})
	go func() { _ = server.Serve(l) }()
	t.Cleanup(server.Stop)
	return b
}

func (b *backend) Export(_ context.Context, r *tracepb.ExportTraceServiceRequest) (*tracepb.ExportTraceServiceResponse, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, rs := range r.ResourceSpans {
		b.resources = append(b.resources, rs.Resource)
		for _, ss := range rs.ScopeSpans {
			b.spans = append(b.spans, ss.Spans...)
		}
	}
	return &tracepb.ExportTraceServiceResponse{PartialSuccess: &tracepb.ExportTracePartialSuccess{RejectedSpans: b.refuse}}, nil
}

func (m metricsBackend) Export(_ context.Context, r *metricspb.ExportMetricsServiceRequest) (*metricspb.ExportMetricsServiceResponse, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, rm := range r.ResourceMetrics {
		m.resources = append(m.resources, rm.Resource)
		for _, sm := range rm.ScopeMetrics {
			m.backend.metrics = append(m.backend.metrics, sm.Metrics...)
		}
	}
	return &metricspb.ExportMetricsServiceResponse{}, nil
}

func (l logsBackend) Export(_ context.Context, r *logspb.ExportLogsServiceRequest) (*logspb.ExportLogsServiceResponse, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, rl := range r.ResourceLogs {
		l.resources = append(l.resources, rl.Resource)
		for _, sl := range rl.ScopeLogs {
			l.backend.logs = append(l.backend.logs, sl.LogRecords...)
		}
	}
	return &logspb.ExportLogsServiceResponse{}, nil
}

// attributes is attributes as Go values.
func attributes(kvs []*commonpb.KeyValue) map[string]any {
	all := map[string]any{}
	for _, kv := range kvs {
		switch v := kv.Value.GetValue().(type) {
		case *commonpb.AnyValue_StringValue:
			all[kv.Key] = v.StringValue
		case *commonpb.AnyValue_IntValue:
			all[kv.Key] = v.IntValue
		case *commonpb.AnyValue_DoubleValue:
			all[kv.Key] = v.DoubleValue
		case *commonpb.AnyValue_BoolValue:
			all[kv.Key] = v.BoolValue
		default:
			all[kv.Key] = kv.Value.String()
		}
	}
	return all
}

// resource is the one resource of everything that came.
func (b *backend) resource(t *testing.T) map[string]any {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.resources) == 0 {
		t.Fatal("nothing came")
	}
	for _, r := range b.resources {
		if fmt.Sprint(attributes(r.Attributes)) != fmt.Sprint(attributes(b.resources[0].Attributes)) {
			t.Errorf("two resources: %v and %v", r, b.resources[0])
		}
	}
	return attributes(b.resources[0].Attributes)
}

func (b *backend) span(t *testing.T, name string) *trace.Span {
	t.Helper()
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range b.spans {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no span %s among %d", name, len(b.spans))
	return nil
}

func (b *backend) names() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var names []string
	for _, s := range b.spans {
		names = append(names, s.Name)
	}
	return names
}

// enabled is the default configuration, enabled, with a run id.
func enabled() telemetry.Config {
	c := telemetry.DefaultConfig()
	c.Enabled, c.RunID = true, "r"
	return c
}

// env is a lookup of these variables and nothing else.
func env(pairs ...string) telemetry.Lookup {
	vars := map[string]string{"CUDA_VISIBLE_DEVICES": "-1"} // do not look for nvidia-smi
	for _, p := range pairs {
		k, v, _ := strings.Cut(p, "=")
		vars[k] = v
	}
	return func(name string) (string, bool) { v, ok := vars[name]; return v, ok }
}

// told collects warnings.
type told struct {
	mu   sync.Mutex
	list []telemetry.Warning
}

func (w *told) option() telemetry.Option {
	return telemetry.WithWarnings(func(one telemetry.Warning) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.list = append(w.list, one)
	})
}

func (w *told) texts() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	var texts []string
	for _, one := range w.list {
		texts = append(texts, one.Text)
	}
	return texts
}

// with counts warnings that have all parts in them.
func (w *told) with(parts ...string) int {
	n := 0
	for _, text := range w.texts() {
		if !slices.ContainsFunc(parts, func(p string) bool { return !strings.Contains(text, p) }) {
			n++
		}
	}
	return n
}

// newHandle is a set-up without globals that sends to the backend and ends with the
// test. Options may replace everything.
func newHandle(t *testing.T, b *backend, cfg telemetry.Config, opts ...telemetry.Option) *telemetry.Handle {
	t.Helper()
	var w told
	all := []telemetry.Option{telemetry.WithEnv(env()), w.option()}
	if b != nil {
		all = append(all, telemetry.WithEndpoint(b.endpoint))
	}
	h, err := telemetry.New(t.Context(), cfg, append(all, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(t, h) })
	return h
}

// end shuts down with time enough on a slow machine.
func end(t *testing.T, h *telemetry.Handle) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := h.Shutdown(ctx); err != nil {
		t.Error(err)
	}
}
