package simulate

import (
	"testing"
	"time"

	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	common "go.opentelemetry.io/proto/otlp/common/v1"
	logs "go.opentelemetry.io/proto/otlp/logs/v1"
	metrics "go.opentelemetry.io/proto/otlp/metrics/v1"
	resource "go.opentelemetry.io/proto/otlp/resource/v1"
	trace "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/pkg/semconv"
)

// small is a run of 16 ranks whose workers have two ranks each.
func small(faults ...Fault) Config {
	return Config{Seed: 7, TP: 2, PP: 2, DP: 4, Microbatches: 4, Iterations: 6, Faults: faults}
}

// one of each item with the process that sent it.
type (
	sentSpan struct {
		*trace.Span
		rank int
		at   time.Duration
	}
	sentPoint struct {
		metric *metrics.Metric
		number *metrics.NumberDataPoint // nil for a histogram
		hist   *metrics.HistogramDataPoint
		rank   int
		at     time.Duration
	}
	sentLog struct {
		*logs.LogRecord
		rank int
	}
)

// sent is a whole stream, decoded by the generated code.
type sent struct {
	requests  int
	spans     []sentSpan
	points    []sentPoint
	logs      []sentLog
	resources map[int]*resource.Resource // by rank, the last one
}

func stream(t testing.TB, c Config) *Stream {
	t.Helper()
	s, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// collect reads a stream to its end and holds each request to what it says of
// itself.
func collect(t testing.TB, s *Stream) *sent {
	t.Helper()
	got := &sent{resources: map[int]*resource.Resource{}}
	var last time.Duration
	for {
		r, ok := s.Next()
		if !ok {
			return got
		}
		if r.At < last {
			t.Fatalf("request %d is of %s, after one of %s", got.requests, r.At, last)
		}
		last = r.At
		got.requests++
		if n := got.add(t, &r); n != r.Items {
			t.Fatalf("%s request of rank %d holds %d items, says %d", r.Signal, r.Rank, n, r.Items)
		}
	}
}

func (g *sent) add(t testing.TB, r *Request) int {
	t.Helper()
	switch r.Signal {
	case run.Traces:
		return g.traces(t, r)
	case run.Metrics:
		return g.metrics(t, r)
	}
	return g.records(t, r)
}

func unmarshal(t testing.TB, r *Request, m proto.Message) {
	t.Helper()
	if err := proto.Unmarshal(r.Body, m); err != nil {
		t.Fatalf("%s request of rank %d: %v", r.Signal, r.Rank, err)
	}
}

func (g *sent) resource(t testing.TB, r *Request, res *resource.Resource) {
	t.Helper()
	g.resources[r.Rank] = res
	for _, key := range []string{semconv.NVDLRank, semconv.DLRank} {
		if v, ok := attr(res.GetAttributes(), key); ok && v.GetIntValue() != int64(r.Rank) {
			t.Fatalf("request of rank %d says %s is %d", r.Rank, key, v.GetIntValue())
		}
	}
}

func (g *sent) traces(t testing.TB, r *Request) (n int) {
	t.Helper()
	var m coltrace.ExportTraceServiceRequest
	unmarshal(t, r, &m)
	for _, rs := range m.ResourceSpans {
		g.resource(t, r, rs.Resource)
		for _, ss := range rs.ScopeSpans {
			for _, s := range ss.Spans {
				g.spans = append(g.spans, sentSpan{s, r.Rank, r.At})
				n++
			}
		}
	}
	if n > maxBatch {
		t.Fatalf("request of %d spans", n)
	}
	return n
}

func (g *sent) metrics(t testing.TB, r *Request) (n int) {
	t.Helper()
	var m colmetrics.ExportMetricsServiceRequest
	unmarshal(t, r, &m)
	for _, rm := range m.ResourceMetrics {
		g.resource(t, r, rm.Resource)
		for _, sm := range rm.ScopeMetrics {
			for _, mt := range sm.Metrics {
				n += g.point(mt, r)
			}
		}
	}
	return n
}

func (g *sent) point(m *metrics.Metric, r *Request) int {
	numbers := append(m.GetGauge().GetDataPoints(), m.GetSum().GetDataPoints()...)
	for _, p := range numbers {
		g.points = append(g.points, sentPoint{metric: m, number: p, rank: r.Rank, at: r.At})
	}
	for _, p := range m.GetHistogram().GetDataPoints() {
		g.points = append(g.points, sentPoint{metric: m, hist: p, rank: r.Rank, at: r.At})
	}
	return len(numbers) + len(m.GetHistogram().GetDataPoints())
}

func (g *sent) records(t testing.TB, r *Request) (n int) {
	t.Helper()
	var m collogs.ExportLogsServiceRequest
	unmarshal(t, r, &m)
	for _, rl := range m.ResourceLogs {
		g.resource(t, r, rl.Resource)
		for _, sl := range rl.ScopeLogs {
			for _, l := range sl.LogRecords {
				g.logs = append(g.logs, sentLog{l, r.Rank})
				n++
			}
		}
	}
	return n
}

func attr(list []*common.KeyValue, key string) (*common.AnyValue, bool) {
	for _, kv := range list {
		if kv.Key == key {
			return kv.Value, true
		}
	}
	return nil, false
}

// number is an integer attribute, or −1.
func number(list []*common.KeyValue, key string) int {
	if v, ok := attr(list, key); ok {
		return int(v.GetIntValue())
	}
	return -1
}

func truncated(s sentSpan) bool {
	v, ok := attr(s.Attributes, semconv.NemoSpanTruncated)
	return ok && v.GetBoolValue()
}

func duration(s sentSpan) time.Duration {
	return time.Duration(s.EndTimeUnixNano - s.StartTimeUnixNano)
}

// named are the finished spans of a name.
func (g *sent) named(name string) []sentSpan {
	var list []sentSpan
	for _, s := range g.spans {
		if s.Name == name && !truncated(s) {
			list = append(list, s)
		}
	}
	return list
}

// perRank counts spans by rank.
func perRank(list []sentSpan) map[int]int {
	n := map[int]int{}
	for _, s := range list {
		n[s.rank]++
	}
	return n
}
