package ingest

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"

	"github.com/beamline-hpc/lensview/internal/run"
	"google.golang.org/grpc"
)

// Server is a running receiver.
type Server struct {
	stats     *stats
	door      *door
	conns     *connSet
	grpc      *grpc.Server
	http      *http.Server
	listeners []run.Listener
	serving   sync.WaitGroup
	running   sync.RWMutex // read-locked by each HTTP handler
	logged    uint64       // grpc's lines before our start
}

// Start listens on the addresses of c and hands what comes to sink until Stop.
// ctx bounds the start alone. When one address cannot be had nothing stays
// open, and the error says in one line which, why and what to do.
func Start(ctx context.Context, c Config, sink Sink) (*Server, error) {
	c = c.withDefaults()
	if c.GRPC == Off && c.HTTP == Off {
		return nil, fmt.Errorf("nothing to listen on: give %s or %s an address", protoGRPC.flag, protoHTTP.flag)
	}
	st := newStats(c.Now)
	d, err := newDoor(c, sink, st)
	if err != nil {
		return nil, err
	}
	forGRPC, err := listen(ctx, protoGRPC, c.GRPC)
	if err != nil {
		return nil, err
	}
	forHTTP, err := listen(ctx, protoHTTP, c.HTTP)
	if err != nil {
		closeAll(forGRPC)
		return nil, err
	}
	most, advice := connLimit(c.MaxConns, fileLimit())
	s := &Server{stats: st, door: d, conns: newConnSet(most, advice, st)}
	s.logged, _ = grpcLines.read()
	s.serve(c, forGRPC, forHTTP)
	s.warn(c, append(forGRPC, forHTTP...))
	return s, nil
}

func (s *Server) serve(c Config, forGRPC, forHTTP []net.Listener) {
	p := ports{grpc: firstAddr(forGRPC), http: firstAddr(forHTTP)}
	s.grpc = newGRPC(s.door, newAdmission(c.Token), newDoorCreds(c.TLS, s.stats, p))
	s.http = newHTTP(s.door, c, p, &s.running, s.Log("http"))
	for _, l := range forGRPC {
		s.listeners = append(s.listeners, run.Listener{Protocol: protoGRPC.name, Addr: l.Addr().String()})
		s.serving.Go(func() { s.ended(s.grpc.Serve(&listener{Listener: l, set: s.conns})) })
	}
	for _, l := range forHTTP {
		s.listeners = append(s.listeners, run.Listener{Protocol: protoHTTP.name, Addr: l.Addr().String()})
		s.serving.Go(func() { s.ended(s.http.Serve(s.httpListener(c.TLS, p, l))) })
	}
}

// httpListener adds TLS, or the notice of a client that expects it.
func (s *Server) httpListener(c *tls.Config, p ports, l net.Listener) net.Listener {
	own := &listener{Listener: l, set: s.conns}
	if c == nil {
		own.first = func(b byte) {
			if b == tlsHello {
				s.stats.refuse("tls-on-plain-port", tlsOnPlain(protoHTTP, p.http))
			}
		}
		return own
	}
	c = c.Clone()
	c.NextProtos = []string{"http/1.1"}
	return tls.NewListener(own, c)
}

func firstAddr(ls []net.Listener) string {
	if len(ls) == 0 {
		return "none"
	}
	return ls[0].Addr().String()
}

// ended says so when a listener ends before it was asked to.
func (s *Server) ended(err error) {
	if err != nil && !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, grpc.ErrServerStopped) {
		s.stats.note("listener-ended", run.Critical, fmt.Sprintf("a receiver stopped: %v; restart to receive again", err))
	}
}

// Addrs are the open ports with the addresses that were really taken.
func (s *Server) Addrs() []run.Listener { return append([]run.Listener(nil), s.listeners...) }

// Stats is what the receiver says of itself now.
func (s *Server) Stats() run.Receiver {
	r := s.stats.read()
	r.Listeners = s.Addrs()
	if n, last := grpcLines.read(); n > s.logged {
		r.Notices = append(r.Notices, run.Notice{Code: "grpc-log", Level: run.Info, Text: last, Count: n - s.logged})
	}
	return r
}

// Stop takes no more requests, finishes those in flight, then closes. When ctx
// ends first, what is still in flight is cut off and ctx's error returned.
// Nothing of the server runs any more when it returns.
func (s *Server) Stop(ctx context.Context) error {
	s.conns.end((*conn).silent)
	done := make(chan error, 1)
	go func() { done <- s.drain(ctx) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	s.conns.end((*conn).always)
	s.grpc.Stop()
	err := s.http.Close()
	err = errors.Join(err, <-done)
	return errors.Join(fmt.Errorf("stop receivers: requests in flight were cut off: %w", ctx.Err()), err)
}

func (s *Server) drain(ctx context.Context) error {
	stopped := make(chan struct{})
	go func() { s.grpc.GracefulStop(); close(stopped) }()
	err := s.http.Shutdown(ctx)
	<-stopped
	s.serving.Wait()
	s.running.Lock()   // net/http does not wait for handlers it cut off
	s.running.Unlock() //nolint:staticcheck // taking it is the wait
	return err
}
