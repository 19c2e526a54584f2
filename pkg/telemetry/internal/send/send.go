// Package send carries OTLP messages to their destination over gRPC or HTTP, with
// repetitions and an end: nothing outlives the context of a call, and Close leaves
// no connection and no goroutine.
package send

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"github.com/beamline-hpc/lensview/pkg/telemetry/internal/target"
)

// Sender sends the requests of one signal. Refused is how many items the other
// side took and would not have, as its answer says.
type Sender interface {
	Send(ctx context.Context, request proto.Message) (refused int64, err error)
}

// Dialer makes senders. Those with the same destination share a connection. The
// zero value is ready.
type Dialer struct {
	mu    sync.Mutex
	conns map[string]*grpc.ClientConn
	pools map[string]*http.Transport
}

// Sender returns a sender to a target. It connects at the first message.
func (d *Dialer) Sender(to target.Target) (Sender, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if to.Protocol != target.GRPC {
		return d.http(to), nil
	}
	return d.grpc(to)
}

// Close ends all connections. Senders fail from then on.
func (d *Dialer) Close() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, c := range d.conns {
		_ = c.Close() // the only error is that it was closed before
	}
	for _, p := range d.pools {
		p.CloseIdleConnections()
	}
	d.conns, d.pools = nil, nil
}

// Error is a message that could not be delivered. Its text says where to, why, and
// what to do where that is known; a header's value is never in it.
type Error struct {
	Target target.Target
	Err    error // of the last attempt
}

// Error implements error.
func (e *Error) Error() string {
	text := fmt.Sprintf("send %s to %s (%s): %v", e.Target.Signal, e.Target.Place(), e.Target.Protocol, e.Err)
	if h := hint(e.Target, e.Err); h != "" {
		text += ": " + h
	}
	return text
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// key tells destinations apart that cannot share a connection. A TLS configuration
// is told by its origin: the variables are the same for all signals, or the
// address differs.
func key(to target.Target, address string) string {
	return fmt.Sprintf("%s %t %p", address, to.Insecure, rootsOf(to))
}
