package ingest

import (
	"bytes"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"time"

	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// doorCreds are the gRPC server's transport credentials. grpc calls
// ServerHandshake once for each connection, in its goroutine and under a
// deadline: the place to speak TLS with those listeners that do, and to see after
// it that a client speaks another protocol, at no cost to the requests that
// follow.
type doorCreds struct {
	credentials.TransportCredentials // of plaintext
	tls                              credentials.TransportCredentials
	stats                            *stats
	ports                            ports
}

// ports are what the answers to a client on the wrong port name.
type ports struct{ grpc, http string }

func newDoorCreds(c *tls.Config, s *stats, p ports) *doorCreds {
	d := &doorCreds{TransportCredentials: insecure.NewCredentials(), stats: s, ports: p}
	if c != nil {
		c = heardBy(c)
		c.NextProtos = []string{"h2", "http/1.1"} // the second to be able to tell it that this is not its port
		d.tls = credentials.NewTLS(c)
	}
	return d
}

func (d *doorCreds) handshake(raw net.Conn) (net.Conn, credentials.AuthInfo, error) {
	if connOf(raw.RemoteAddr()).guard.tls {
		return d.tls.ServerHandshake(raw)
	}
	return d.TransportCredentials.ServerHandshake(raw)
}

// ServerHandshake lets gRPC pass and answers the others.
func (d *doorCreds) ServerHandshake(raw net.Conn) (c net.Conn, info credentials.AuthInfo, err error) {
	defer d.stats.shield(func() { raw.Close(); err = io.EOF })
	own := connOf(raw.RemoteAddr())
	c, info, err = d.handshake(raw)
	if err != nil {
		d.stats.brokenTLS(protoGRPC, portOf(d.ports.grpc), own, err)
		return nil, nil, io.EOF // grpc logs every other error
	}
	own.hello.Store(false)
	head := make([]byte, len(http2Preface))
	n, err := io.ReadAtLeast(c, head, 4)
	if err != nil {
		d.stats.brokenTLS(protoGRPC, portOf(d.ports.grpc), own, err)
		c.Close()
		return nil, nil, io.EOF
	}
	switch head = head[:n]; {
	case isHTTP1(head):
		d.stats.refuse("http-on-grpc-port", fmt.Sprintf("HTTP client on the gRPC port %s (use %s)", portOf(d.ports.grpc), d.ports.overHTTP()))
		answerHTTP1(&headConn{c, head}, d.ports)
		return nil, nil, io.EOF
	case head[0] == tlsHello:
		d.stats.refuse("tls-on-plain-port", tlsOnPlain(protoGRPC, d.ports.grpc))
		c.Close()
		return nil, nil, io.EOF
	}
	if !prefaced(c, &head) {
		d.stats.refuse("not-grpc", fmt.Sprintf("a client at %s on the gRPC port %s speaks neither gRPC nor HTTP", own.addr.host, portOf(d.ports.grpc)))
		c.Close()
		return nil, nil, io.EOF
	}
	return newReadyConn(c, head), info, nil
}

// http2Preface is what an HTTP/2 client sends first.
const http2Preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

// prefaced reads the preface to its end and reports whether it is one.
func prefaced(c net.Conn, head *[]byte) bool {
	n := len(*head)
	if string(*head) != http2Preface[:n] {
		return false
	}
	*head = (*head)[:len(http2Preface)]
	_, err := io.ReadFull(c, (*head)[n:])
	return err == nil && string(*head) == http2Preface
}

// tlsHello is the first byte of a TLS handshake.
const tlsHello = 0x16

func isHTTP1(head []byte) bool {
	for _, m := range []string{"GET ", "HEAD", "POST", "PUT ", "PATC", "DELE", "OPTI", "CONN", "TRAC"} {
		if bytes.HasPrefix(head, []byte(m)) {
			return true
		}
	}
	return false
}

func tlsOnPlain(p protocol, addr string) string {
	return fmt.Sprintf("TLS client on the plaintext %s port %s (use http:// in its endpoint, or insecure)", p.name, portOf(addr))
}

// overHTTP is where HTTP clients are to send to: the port, unless the hosts that reach
// gRPC do not reach it.
func (p ports) overHTTP() string {
	if p.http != "" && Outside(p.grpc) && !Outside(p.http) {
		return portOf(p.http) + " on this host; for others send gRPC, or start with --http-listen 0.0.0.0:" + portOf(p.http)
	}
	return portOf(p.http)
}

func portOf(addr string) string {
	if _, port, err := net.SplitHostPort(addr); err == nil {
		return port
	}
	return "none: not served"
}

// Bounds of linger.
const (
	lingerTime  = 500 * time.Millisecond
	lingerBytes = 1 << 20
)

// linger says that no more comes and reads what the client still sends: a
// close with unread bytes would reset the connection and lose the answer.
func linger(c net.Conn, rest io.Reader) {
	if w, ok := c.(interface{ CloseWrite() error }); ok {
		_ = w.CloseWrite() // the close that follows says the same
	}
	if err := c.SetReadDeadline(time.Now().Add(lingerTime)); err != nil {
		return
	}
	_, _ = io.CopyN(io.Discard, rest, lingerBytes) // any end will do
}

// headConn gives back the bytes that were looked at.
type headConn struct {
	net.Conn
	head []byte
}

func (c *headConn) Read(p []byte) (int, error) {
	if len(c.head) == 0 {
		return c.Conn.Read(p)
	}
	n := copy(p, c.head)
	c.head = c.head[n:]
	return n, nil
}

// CloseWrite passes on what net/http and linger need to end an answer.
func (c *headConn) CloseWrite() error {
	if w, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return w.CloseWrite()
	}
	return nil
}
