package ingest

import (
	"errors"
	"fmt"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// connSet bounds the open connections of both protocols and can end them:
// those that have said nothing yet, for which a graceful stop would wait in
// vain, or all. When all places are taken, connections over which nothing came
// that was let in make room for new ones.
type connSet struct {
	stats  *stats
	max    int64
	advice string // what to do to have more

	mu      sync.Mutex
	open    map[*conn]struct{}
	closing bool
}

func newConnSet(most int, advice string, s *stats) *connSet {
	return &connSet{stats: s, max: int64(most), advice: advice, open: map[*conn]struct{}{}}
}

// admit is where a connection, before its first byte, is let in or not.
func (s *connSet) admit(c *conn) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closing {
		return net.ErrClosed
	}
	if int64(len(s.open)) >= s.max && !s.makeRoom(c.since) {
		return fmt.Errorf("%d connections are open already; %s", s.max, s.advice)
	}
	s.open[c] = struct{}{}
	s.count(c, 1)
	return nil
}

// What an open connection takes of resident memory, most of it the stacks of three
// goroutines; measured with a thousand and more, over gRPC.
const (
	plainHeld = 26 << 10
	tlsHeld   = 37 << 10
)

// count takes a connection into the figures, or out of them.
func (s *connSet) count(c *conn, n int64) {
	held := n * plainHeld
	if c.guard.tls {
		held = n * tlsHeld
	}
	s.stats.conns.Add(n)
	s.stats.held.Add(held)
}

// patience is how long a connection keeps its place, when others want it,
// without a request that was let in.
const patience = 2 * time.Second

// makeRoom closes the connection that has been useless for longest.
func (s *connSet) makeRoom(now time.Time) bool {
	var oldest *conn
	for c := range s.open {
		if !c.proved.Load() && now.Sub(c.since) > patience && (oldest == nil || c.since.Before(oldest.since)) {
			oldest = c
		}
	}
	if oldest == nil {
		return false
	}
	delete(s.open, oldest) // its Close does so again, which is harmless
	s.count(oldest, -1)
	s.stats.refuse("idle-connection", fmt.Sprintf("all %d connections were taken: one from %s that had sent nothing to keep made room; %s", s.max, oldest.addr.host, s.advice))
	go oldest.Conn.Close() // which may wait for the other end
	return true
}

func (s *connSet) forget(c *conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ok := s.open[c]; ok {
		delete(s.open, c)
		s.count(c, -1)
	}
}

// silent reports whether no request is to be expected: none was begun, or the
// client is on the wrong port.
func (c *conn) silent() bool { return !c.spoke.Load() || c.lost.Load() }

func (c *conn) always() bool { return true }

// end closes the connections that which picks and lets no more in.
func (s *connSet) end(which func(*conn) bool) {
	s.mu.Lock()
	s.closing = true
	var cs []*conn
	for c := range s.open {
		if which(c) {
			cs = append(cs, c)
		}
	}
	s.mu.Unlock()
	for _, c := range cs {
		c.Close()
	}
}

// listener wraps the connections of a listener.
type listener struct {
	net.Listener
	set   *connSet
	guard func(from net.Addr) guard
	first func(b byte) // called with the first byte of a connection, may be nil
}

// Accept returns the next connection that is admitted.
func (l *listener) Accept() (net.Conn, error) {
	for {
		raw, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.admitted(raw); c != nil {
			return c, nil
		}
		raw.Close()
	}
}

// admitted is a connection that is let in, or nil.
func (l *listener) admitted(raw net.Conn) (c *conn) {
	defer l.set.stats.shield(func() { c = nil })
	c = &conn{Conn: raw, set: l.set, guard: l.guard(raw.RemoteAddr()), first: l.first, since: time.Now()}
	c.addr = sender{raw.RemoteAddr(), hostOf(raw.RemoteAddr()), c}
	err := l.set.admit(c)
	switch {
	case err == nil:
		return c
	case !errors.Is(err, net.ErrClosed):
		l.set.stats.refuse("too-many-connections", err.Error())
	}
	return nil
}

// conn is one connection of either protocol.
type conn struct {
	net.Conn
	set    *connSet
	guard  guard
	trust  trust
	addr   sender
	since  time.Time
	first  func(b byte)
	spoke  atomic.Bool
	hello  atomic.Bool // a TLS handshake has begun and not ended
	proved atomic.Bool // a request was let in
	lost   atomic.Bool // on the wrong port: nothing more is expected of it
	asking atomic.Bool // an HTTP request has begun that nobody has read yet
	once   sync.Once
}

// prove says that a request of the connection was let in.
func (c *conn) prove() {
	if !c.proved.Load() { // written once, so that requests share the line
		c.proved.Store(true)
	}
}

// Read looks at the first byte of the connection.
func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if n > 0 && !c.spoke.Load() {
		c.spoke.Store(true)
		if c.first != nil {
			c.first(p[0])
			c.lost.Store(p[0] == tlsHello)
		}
	}
	return n, err
}

// Close may be called more than once, as net/http and grpc do.
func (c *conn) Close() error {
	c.once.Do(func() { c.set.forget(c) })
	return c.Conn.Close()
}

// CloseWrite lets net/http end an answer to a body it does not read without a
// reset that would swallow the answer.
func (c *conn) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}

// RemoteAddr is the peer with its host ready, so that no request has to parse it.
func (c *conn) RemoteAddr() net.Addr { return c.addr }

// sender is a peer's address and its host alone, as receipts name it.
type sender struct {
	net.Addr
	host string
	conn *conn
}

// connOf is the connection of a peer. One that is not known is trusted in
// nothing.
func connOf(a net.Addr) *conn {
	if s, ok := a.(sender); ok {
		return s.conn
	}
	return new(conn)
}

func hostOf(a net.Addr) string {
	host, _, err := net.SplitHostPort(a.String())
	if err != nil || host == "" {
		return "local"
	}
	return host
}

func senderOf(a net.Addr) string {
	if s, ok := a.(sender); ok {
		return s.host
	}
	if a == nil {
		return "local"
	}
	return hostOf(a)
}
