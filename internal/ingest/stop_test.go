package ingest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"os"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"go.uber.org/goleak"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// gate is a sink that holds every request until it is opened or the request's
// bound ends.
type gate struct {
	entered chan struct{}
	open    chan struct{}
}

func newGate() *gate { return &gate{make(chan struct{}, 10_000), make(chan struct{})} }

func (g *gate) Put(ctx context.Context, b *otlp.Batch, _ run.Receipt) (run.Outcome, error) {
	g.entered <- struct{}{}
	select {
	case <-g.open:
		return run.Outcome{Kept: uint64(b.Items())}, nil
	case <-ctx.Done():
		return run.Outcome{}, ctx.Err()
	}
}

// inFlight sends one request over each protocol and waits until both are in
// the sink.
func inFlight(t *testing.T, s *Server, g *gate) (overGRPC, overHTTP chan error) {
	t.Helper()
	overGRPC, overHTTP = make(chan error, 1), make(chan error, 1)
	client, h := coltrace.NewTraceServiceClient(dial(t, s)), httpClient(t)
	r, _ := http.NewRequest(http.MethodPost, "http://"+addr(t, s, "HTTP")+"/v1/traces", nil)
	r.Header.Set("Content-Type", typeProto)
	go func() {
		_, err := client.Export(within(t), traces(span(0)))
		overGRPC <- err
	}()
	go func() {
		resp, err := h.Do(r)
		if err == nil {
			resp.Body.Close()
			if resp.StatusCode != http.StatusOK {
				err = errors.New(resp.Status)
			}
		}
		overHTTP <- err
	}()
	<-g.entered
	<-g.entered
	return overGRPC, overHTTP
}

func TestStopFinishesWhatIsInFlight(t *testing.T) {
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() { goleak.VerifyNone(t, before) })
	g := newGate()
	s, err := Start(context.Background(), Config{GRPC: "127.0.0.1:0", HTTP: "127.0.0.1:0", Wait: time.Hour}, g)
	if err != nil {
		t.Fatal(err)
	}
	overGRPC, overHTTP := inFlight(t, s, g)
	silent := []net.Conn{rawConn(t, addr(t, s, "gRPC")), rawConn(t, addr(t, s, "HTTP"))}
	done := make(chan error, 1)
	go func() { done <- s.Stop(within(t)) }()
	for _, c := range silent { // closed at once although they never speak
		if _, err := c.Read(make([]byte, 1)); err == nil {
			t.Error("the receiver spoke to a silent connection")
		}
	}
	select {
	case err := <-done:
		t.Fatalf("Stop did not wait: %v", err)
	default:
	}
	close(g.open)
	for name, c := range map[string]chan error{"gRPC": overGRPC, "HTTP": overHTTP, "Stop": done} {
		if err := <-c; err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if st := s.Stats(); st.Requests != 2 || st.Conns != 0 {
		t.Errorf("statistics %+v", st)
	}
	for _, l := range s.Addrs() {
		if c, err := net.Dial("tcp", l.Addr); err == nil {
			c.Close()
			t.Errorf("%s is still open", l.Addr)
		}
	}
}

func TestStopCutsOffWhenTimeIsUp(t *testing.T) {
	g := newGate()
	s := start(t, Config{Wait: time.Hour}, g)
	overGRPC, overHTTP := inFlight(t, s, g)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Stop(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Stop: %v", err)
	}
	if <-overGRPC == nil || <-overHTTP == nil {
		t.Error("a request that was cut off was acknowledged")
	}
	if n := s.Stats().Conns; n != 0 {
		t.Errorf("%d connections are open", n)
	}
}

func TestConnectionCap(t *testing.T) {
	s := start(t, Config{MaxConns: 2}, new(memory))
	a, b := rawConn(t, addr(t, s, "HTTP")), rawConn(t, addr(t, s, "gRPC"))
	until(func() bool { return s.Stats().Conns == 2 })
	over := rawConn(t, addr(t, s, "HTTP"))
	if _, err := over.Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("a third connection was not closed: %v", err)
	}
	if r := refused(s, "too-many-connections"); r.Count != 1 {
		t.Errorf("refusal %+v", r)
	}
	a.Close()
	b.Close()
	until(func() bool { return s.Stats().Conns == 0 })
	if got := post(t, s, "/v1/traces", nil, "Content-Type", typeProto); got.status != 200 {
		t.Errorf("after two were closed: %d", got.status)
	}
}

// A call whose message never comes does not hold its place for ever.
func TestCallsAreBoundedInTime(t *testing.T) {
	ctx := bounded(context.Background())
	if at, ok := ctx.Deadline(); !ok || time.Until(at) > callTimeout {
		t.Errorf("deadline %v, %v", at, ok)
	}
	s := start(t, Config{MaxCalls: 1}, new(memory))
	cc := dial(t, s)
	ctx, cancel := context.WithCancel(within(t))
	if _, err := cc.NewStream(ctx, &streamDesc, exportTraces); err != nil {
		t.Fatal(err)
	}
	client := coltrace.NewTraceServiceClient(cc)
	until(func() bool { return s.door.calls.Load() == 1 })
	if _, err := client.Export(within(t), traces(span(0))); status.Code(err) != codes.Unavailable {
		t.Errorf("beside a silent call: %v", err)
	}
	cancel()
	until(func() bool { return s.door.calls.Load() == 0 })
	if _, err := client.Export(within(t), traces(span(0))); err != nil {
		t.Errorf("after it: %v", err)
	}
}
