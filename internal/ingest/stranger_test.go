package ingest

import (
	"context"
	"fmt"
	"net"
	"os"
	"sync"
	"testing"

	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
)

// neighbours are connections of another user of the host among those of our own.
type neighbours struct {
	mu    sync.Mutex
	addrs map[string]bool
}

func (n *neighbours) add(c net.Conn) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.addrs[c.LocalAddr().String()] = true
}

// owner is what the kernel would say.
func (n *neighbours) owner(c net.Conn) (uint32, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.addrs[c.RemoteAddr().String()] {
		return stranger(c)
	}
	return uint32(os.Geteuid()), nil
}

// Another user of the host takes none of the places for calls: whatever requests of
// theirs hang in the middle, ours are served.
func TestStrangersTakeNoPlaces(t *testing.T) {
	n := &neighbours{addrs: map[string]bool{}}
	s := start(t, Config{MaxCalls: 1, owner: n.owner}, new(memory))
	cc := dial(t, s, grpc.WithContextDialer(func(ctx context.Context, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, "tcp", address)
		if err == nil {
			n.add(c)
		}
		return c, err
	}))
	for range 20 {
		c := rawConn(t, addr(t, s, "HTTP"))
		n.add(c)
		fmt.Fprintf(c, "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: 1000\r\n\r\n", typeProto)
		ctx, cancel := context.WithCancel(within(t))
		defer cancel()
		if _, err := cc.NewStream(ctx, &streamDesc, exportTraces); err != nil {
			t.Fatal(err)
		}
	}
	until(func() bool { return refused(s, "other-user").Count == 40 })
	if _, err := coltrace.NewTraceServiceClient(dial(t, s)).Export(within(t), traces(span(0))); err != nil {
		t.Errorf("gRPC: %v", err)
	}
	if got := post(t, s, "/v1/traces", marshal(t, traces(span(0))), "Content-Type", typeProto); got.status != 200 {
		t.Errorf("HTTP: %d %q", got.status, got.body)
	}
	if r := refused(s, "busy"); r.Count != 0 {
		t.Errorf("%+v", r)
	}
}
