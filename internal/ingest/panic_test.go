package ingest

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// TestPanicInHandler: the request is answered, the place is named, the next
// requests are served.
func TestPanicInHandler(t *testing.T) {
	m := new(memory)
	armed := true
	s := start(t, Config{}, sinkFunc(func(ctx context.Context, b *otlp.Batch, r run.Receipt) (run.Outcome, error) {
		if armed {
			var none map[string]int
			none["x"] = 1 //nolint:staticcheck // the panic is the test
		}
		return m.Put(ctx, b, r)
	}))
	client := coltrace.NewTraceServiceClient(dial(t, s))
	_, err := client.Export(within(t), traces(span(0)))
	if status.Code(err) != codes.Internal || strings.Contains(err.Error(), "nil map") {
		t.Errorf("gRPC: %v", err)
	}
	for _, form := range []string{typeProto, typeJSON} {
		got := post(t, s, "/v1/traces", []byte("{}")[:2*btoi(form == typeJSON)], "Content-Type", form)
		if got.status != 500 || codes.Code(got.rpcStatus(t).Code) != codes.Internal {
			t.Errorf("HTTP %s: %d %q", form, got.status, got.body)
		}
	}
	r := refused(s, "panic")
	if r.Count != 3 || !strings.Contains(r.Text, "nil map") || !strings.Contains(r.Text, "panic_test.go:") {
		t.Errorf("refusal %+v", r)
	}
	armed = false
	if _, err := client.Export(within(t), traces(span(0))); err != nil || m.count(run.Traces) != 1 {
		t.Errorf("the next request: %v, %d stored", err, m.count(run.Traces))
	}
	if n := s.door.calls.Load(); n != 0 {
		t.Errorf("%d places are still taken", n)
	}
}

// TestPanicInGoroutinesOfLibraries: what we do in them may not end the process.
func TestPanicInGoroutinesOfLibraries(t *testing.T) {
	s := start(t, Config{}, new(memory))
	broken := &listener{Listener: lone{addressless{given: new(bool)}}, set: s.conns}
	if _, err := broken.Accept(); !errors.Is(err, net.ErrClosed) || refused(s, "panic").Count != 1 {
		t.Errorf("Accept: %v, %+v", err, s.Stats().Refused)
	}
	d := &doorCreds{stats: s.stats} // has no credentials
	c, _ := net.Pipe()
	if _, _, err := d.ServerHandshake(c); !errors.Is(err, io.EOF) || refused(s, "panic").Count != 2 {
		t.Errorf("ServerHandshake: %v, %+v", err, s.Stats().Refused)
	}
	if _, err := c.Write([]byte("x")); err == nil {
		t.Error("the connection is still open")
	}
	g := &grpcDoor{door: s.door}
	if _, err := g.tap(context.Background(), nil); status.Code(err) != codes.Internal || refused(s, "panic").Count != 3 {
		t.Errorf("tap: %v, %+v", err, s.Stats().Refused)
	}
}

// lone is a listener of one connection.
type lone struct{ net.Conn }

func (l lone) Accept() (net.Conn, error) {
	if alone, ok := l.Conn.(addressless); ok && !*alone.given {
		*alone.given = true
		return alone, nil
	}
	return nil, net.ErrClosed
}
func (lone) Addr() net.Addr { return nil }
func (lone) Close() error   { return nil }

// addressless is a connection that panics when it is asked who is there.
type addressless struct {
	net.Conn
	given *bool
}

func (addressless) RemoteAddr() net.Addr { panic("nobody") }
func (addressless) Close() error         { return nil }
