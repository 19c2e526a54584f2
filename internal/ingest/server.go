package ingest

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync"
	"sync/atomic"

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
	stopping  atomic.Bool
}

// Start listens on the addresses of c and hands what comes to sink until Stop.
// ctx bounds the start alone. When one address cannot be had nothing stays
// open, and the error says in one line which, why and what to do.
func Start(ctx context.Context, c Config, sink Sink) (*Server, error) {
	c = c.withDefaults()
	if c.GRPC == Off && c.HTTP == Off && c.Unix == "" {
		return nil, fmt.Errorf("nothing to listen on: give %s or %s an address", protoGRPC.flag, protoHTTP.flag)
	}
	st := newStats(c.Now)
	d, err := newDoor(c, sink, st)
	if err != nil {
		return nil, err
	}
	ls, err := c.listenAll(ctx)
	if err != nil {
		return nil, err
	}
	most, advice := connLimit(c.MaxConns, fileLimit())
	s := &Server{stats: st, door: d, conns: newConnSet(most, advice, st)}
	s.logged, _ = grpcLines.read()
	s.serve(c, ls)
	s.warn(c, append(ls.grpc, ls.http...))
	return s, nil
}

// listeners are the open sockets.
type listeners struct {
	grpc, http []net.Listener
	unix       net.Listener
}

// listenAll opens every socket, or none.
func (c Config) listenAll(ctx context.Context) (ls listeners, err error) {
	defer func() {
		if err != nil {
			ls.close()
		}
	}()
	if ls.grpc, err = listen(ctx, protoGRPC, c.GRPC); err != nil {
		return ls, err
	}
	if ls.http, err = listen(ctx, protoHTTP, c.HTTP); err != nil {
		return ls, err
	}
	if ls.unix, err = listenUnix(ctx, c.Unix); err != nil {
		return ls, err
	}
	return ls, errors.Join(c.allowed(protoGRPC, ls.grpc), c.allowed(protoHTTP, ls.http))
}

func (ls listeners) close() {
	closeAll(ls.grpc)
	closeAll(ls.http)
	if ls.unix != nil {
		ls.unix.Close()
	}
}

func (s *Server) serve(c Config, ls listeners) {
	p := ports{grpc: firstAddr(ls.grpc), http: firstAddr(ls.http)}
	s.grpc = newGRPC(s.door, newAdmission(c.Token), newDoorCreds(c.TLS, s.stats, p))
	s.http = newHTTP(s.door, c, p, &s.running, s.Log("http"))
	for _, l := range ls.grpc {
		s.listeners = append(s.listeners, c.listed(protoGRPC.name, l))
		s.serving.Go(func() { s.ended(s.grpc.Serve(s.own(c, l))) })
	}
	for _, l := range ls.http {
		s.listeners = append(s.listeners, c.listed(protoHTTP.name, l))
		s.serving.Go(func() { s.ended(s.http.Serve(s.httpListener(c, p, l))) })
	}
	if ls.unix != nil {
		s.serveUnix(c, ls.unix)
	}
}

// serveUnix serves both protocols on one socket.
func (s *Server) serveUnix(c Config, l net.Listener) {
	s.listeners = append(s.listeners, run.Listener{Protocol: protoUnix, Addr: l.Addr().String()})
	both := newSniffer(s.own(c, l), c.begin)
	s.serving.Go(func() { s.ended(s.grpc.Serve(both.grpc)) })
	s.serving.Go(func() { s.ended(s.http.Serve(both.http)) })
	s.serving.Go(func() { s.ended(both.run()) })
}

// own wraps a listener's connections.
func (s *Server) own(c Config, l net.Listener) *listener {
	return &listener{Listener: l, set: s.conns, guard: func(from net.Addr) guard { return c.guardOf(l.Addr(), from) }}
}

// listed is a listener as people are told of it.
func (c Config) listed(protocol string, l net.Listener) run.Listener {
	r := run.Listener{Protocol: protocol, Addr: l.Addr().String(), TLS: c.tlsOn(l.Addr())}
	if outside(l.Addr()) && len(c.Hosts) > 0 {
		r.Host = c.Hosts[0]
	}
	return r
}

// httpListener adds TLS, or the notice of a client that expects it.
func (s *Server) httpListener(c Config, p ports, l net.Listener) net.Listener {
	own := s.own(c, l)
	if !c.tlsOn(l.Addr()) {
		own.first = func(b byte) {
			if b == tlsHello {
				s.stats.refuse("tls-on-plain-port", tlsOnPlain(protoHTTP, p.http))
			}
		}
		return own
	}
	t := heardBy(c.TLS)
	t.NextProtos = []string{"http/1.1", "h2"} // the second to be able to tell gRPC that this is not its port
	return tls.NewListener(own, t)
}

func firstAddr(ls []net.Listener) string {
	if len(ls) == 0 {
		return "none"
	}
	return ls[0].Addr().String()
}

// ended says so when a listener ends before it was asked to.
func (s *Server) ended(err error) {
	if err != nil && !errors.Is(err, http.ErrServerClosed) && !errors.Is(err, grpc.ErrServerStopped) && !s.stopping.Load() {
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
	s.stopping.Store(true)
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
