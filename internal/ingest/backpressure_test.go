package ingest

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	collogs "go.opentelemetry.io/proto/otlp/collector/logs/v1"
	colmetrics "go.opentelemetry.io/proto/otlp/collector/metrics/v1"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

var streamDesc = grpc.StreamDesc{ClientStreams: true}

// TestStalledStore: storage stalls, 1,000 requests come over both protocols.
// Each is told to retry within the bound; none that was dropped is acknowledged.
func TestStalledStore(t *testing.T) {
	g := newGate()
	s := start(t, Config{Wait: 20 * time.Millisecond, MaxCalls: 12}, g)
	const n = 1000
	var ok, busy atomic.Int64
	var wg sync.WaitGroup
	body := marshal(t, traces(span(0)))
	for range 10 {
		client := coltrace.NewTraceServiceClient(dial(t, s))
		wg.Go(func() {
			for range n / 20 {
				var header, trailer metadata.MD
				_, err := client.Export(within(t), traces(span(0)), grpc.Header(&header), grpc.Trailer(&trailer))
				if err == nil {
					ok.Add(1)
					continue
				}
				checkRetry(t, err, header, trailer)
				busy.Add(1)
			}
		})
		wg.Go(func() {
			for range n / 20 {
				got := post(t, s, "/v1/traces", body, "Content-Type", typeProto)
				switch {
				case got.status == 200:
					ok.Add(1)
				case got.status == 503 && got.header.Get("Retry-After") != "":
					busy.Add(1)
				default:
					t.Errorf("%d %q", got.status, got.body)
				}
			}
		})
	}
	wg.Wait()
	if ok.Load() != 0 || busy.Load() != n {
		t.Errorf("%d acknowledged, %d told to retry; want 0 and %d", ok.Load(), busy.Load(), n)
	}
	if r := refused(s, "busy"); r.Count != n || s.Stats().Requests != 0 {
		t.Errorf("the screen says %+v, %d requests", r, s.Stats().Requests)
	}
	close(g.open)
	if _, err := coltrace.NewTraceServiceClient(dial(t, s)).Export(within(t), traces(span(0))); err != nil {
		t.Errorf("when the store takes data again: %v", err)
	}
}

// TestCallsInFlight: requests beyond the bound are refused before they are
// read, whatever their protocol, with the answer of a full pipeline.
func TestCallsInFlight(t *testing.T) {
	g := newGate()
	s := start(t, Config{Wait: time.Hour, MaxCalls: 2}, g)
	overGRPC, overHTTP := inFlight(t, s, g)
	var header, trailer metadata.MD
	_, err := coltrace.NewTraceServiceClient(dial(t, s)).Export(within(t), traces(span(0)), grpc.Header(&header), grpc.Trailer(&trailer))
	checkRetry(t, err, header, trailer)
	if got := post(t, s, "/v1/traces", nil, "Content-Type", typeProto); got.status != 503 || got.header.Get("Retry-After") == "" {
		t.Errorf("HTTP: %d %v", got.status, got.header)
	}
	close(g.open)
	if err := <-overGRPC; err != nil {
		t.Error(err)
	}
	if err := <-overHTTP; err != nil {
		t.Error(err)
	}
	if n := s.door.calls.Load(); n != 0 {
		t.Errorf("%d places are still taken", n)
	}
}

// A sender that gives up is not a full pipeline.
func TestSenderGivesUp(t *testing.T) {
	g := newGate()
	s := start(t, Config{Wait: time.Hour}, g)
	ctx, cancel := context.WithCancel(within(t))
	done := make(chan error, 1)
	client := coltrace.NewTraceServiceClient(dial(t, s))
	go func() {
		_, err := client.Export(ctx, traces(span(0)))
		done <- err
	}()
	<-g.entered
	cancel()
	if err := <-done; status.Code(err) != codes.Canceled {
		t.Errorf("%v", err)
	}
	until(func() bool { return refused(s, "sender-gone").Count > 0 })
	if r := refused(s, "busy"); r.Count != 0 {
		t.Errorf("refusal %+v", r)
	}
}

// TestManySenders: 8 senders × 3 signals over both protocols; what was sent is
// what was stored.
func TestManySenders(t *testing.T) {
	m := new(memory)
	s := start(t, Config{}, m)
	const senders, rounds = 8, 50
	var wg sync.WaitGroup
	stop := make(chan struct{})
	looking := make(chan struct{})
	go func() { // a screen reads the statistics all the while
		defer close(looking)
		for {
			select {
			case <-stop:
				return
			default:
				s.Stats()
			}
		}
	}()
	me, lo := marshal(t, metrics(1, 2)), marshal(t, logs("a", "b", "c"))
	for i := range senders {
		cc := dial(t, s)
		wg.Go(func() {
			for range rounds {
				if _, err := coltrace.NewTraceServiceClient(cc).Export(within(t), traces(nSpans(20)...)); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			for range rounds {
				if i%2 == 0 {
					if got := post(t, s, "/v1/metrics", gz(me), "Content-Type", typeProto, "Content-Encoding", "gzip"); got.status != 200 {
						t.Error(got.status)
					}
				} else if _, err := colmetrics.NewMetricsServiceClient(cc).Export(within(t), metrics(1, 2), grpc.UseCompressor("gzip")); err != nil {
					t.Error(err)
				}
			}
		})
		wg.Go(func() {
			for range rounds {
				if i%2 == 1 {
					if got := post(t, s, "/v1/logs", lo, "Content-Type", typeProto); got.status != 200 {
						t.Error(got.status)
					}
				} else if _, err := collogs.NewLogsServiceClient(cc).Export(within(t), logs("a", "b", "c")); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	close(stop)
	<-looking
	want := [run.SignalCount]int{senders * rounds * 20, senders * rounds * 2, senders * rounds * 3}
	if m.items != want {
		t.Errorf("stored %v, want %v", m.items, want)
	}
	if st := s.Stats(); st.Requests != senders*rounds*3 || len(st.Refused) != 0 {
		t.Errorf("statistics %+v", st)
	}
}
