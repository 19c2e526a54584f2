package ingest

import (
	"io"
	"net"
	"sync"
	"time"
)

// sniffer divides the connections of one listener between the two protocols by
// their first bytes: a gRPC client says "PRI ", which is no method of HTTP/1.
type sniffer struct {
	net.Listener
	grpc, http *half
	sniffing   sync.WaitGroup
	closing    sync.Once
	begin      time.Duration
}

func newSniffer(l net.Listener, begin time.Duration) *sniffer {
	s := &sniffer{Listener: l, begin: begin}
	s.grpc, s.http = newHalf(s), newHalf(s)
	return s
}

// run accepts until both halves are closed.
func (s *sniffer) run() error {
	defer s.sniffing.Wait()
	for {
		c, err := s.Listener.Accept()
		if err != nil {
			s.grpc.Close()
			s.http.Close()
			return err
		}
		s.sniffing.Go(func() { s.sniff(c) })
	}
}

// sniff hands a connection to its half. One that says nothing within the time
// for headers is closed.
func (s *sniffer) sniff(c net.Conn) {
	head := make([]byte, 4)
	if c.SetReadDeadline(time.Now().Add(s.begin)) != nil {
		c.Close()
		return
	}
	if _, err := io.ReadFull(c, head); err != nil || c.SetReadDeadline(time.Time{}) != nil {
		c.Close()
		return
	}
	to := s.http
	if string(head) == http2Preface[:4] {
		to = s.grpc
	}
	to.give(&headConn{c, head})
}

// half is a listener fed by a sniffer.
type half struct {
	from  *sniffer
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

func newHalf(from *sniffer) *half {
	return &half{from: from, conns: make(chan net.Conn), done: make(chan struct{})}
}

func (h *half) give(c net.Conn) {
	select {
	case h.conns <- c:
	case <-h.done:
		c.Close()
	}
}

// Accept returns the next connection of the protocol.
func (h *half) Accept() (net.Conn, error) {
	select {
	case c := <-h.conns:
		return c, nil
	case <-h.done:
		return nil, net.ErrClosed
	}
}

// Close ends this half; the socket is closed with the second.
func (h *half) Close() error {
	h.once.Do(func() { close(h.done) })
	for _, other := range []*half{h.from.grpc, h.from.http} {
		select {
		case <-other.done:
		default:
			return nil
		}
	}
	var err error
	h.from.closing.Do(func() { err = h.from.Listener.Close() })
	return err
}

// Addr is the socket's.
func (h *half) Addr() net.Addr { return h.from.Listener.Addr() }
