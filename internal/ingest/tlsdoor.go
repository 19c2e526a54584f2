package ingest

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
)

// heardBy marks the connections on which a client has begun to speak TLS.
func heardBy(c *tls.Config) *tls.Config {
	c = c.Clone()
	c.GetConfigForClient = func(hello *tls.ClientHelloInfo) (*tls.Config, error) {
		connOf(hello.Conn.RemoteAddr()).hello.Store(true)
		return nil, nil
	}
	return c
}

// brokenTLS counts a TLS connection that ended before its first request, with what
// to do. A client that goes away without a word is not counted: port scanners do,
// and doctor does after its handshake. One that goes in the middle of a handshake,
// once it has seen the certificate, is most likely gRPC outside Go, which sends no
// alert.
func (s *stats) brokenTLS(p protocol, port string, c *conn, err error) {
	from, door := c.addr.host, fmt.Sprintf("the %s port %s", p.name, port)
	const anew = "(print its environment anew with `lensview env`)"
	switch {
	case err != nil && distrusts(err):
		s.refuse("untrusted-certificate", fmt.Sprintf("a client at %s does not trust the certificate of %s %s", from, door, anew))
	case err != nil && isGone(err) && c.hello.Load():
		s.refuse("untrusted-certificate", fmt.Sprintf("a client at %s left in the TLS handshake and seems not to trust the certificate of %s %s", from, door, anew))
	case err == nil || isGone(err):
	case spokeHTTP(err):
		s.refuse("plain-on-tls-port", fmt.Sprintf("plaintext client on %s, which speaks TLS (use https:// in its endpoint)", door))
	default:
		s.refuse("tls-handshake", fmt.Sprintf("no TLS between a client at %s and %s: %v", from, door, err))
	}
}

// isGone reports an end without a reason.
func isGone(err error) bool {
	var op *net.OpError
	var timeout net.Error
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, net.ErrClosed) ||
		errors.As(err, &op) && op.Op == "read" || errors.As(err, &timeout) && timeout.Timeout()
}

// spokeHTTP recognises a plaintext request, of either protocol, in place of a
// handshake.
func spokeHTTP(err error) bool {
	var plain tls.RecordHeaderError
	return errors.As(err, &plain) && (isHTTP1(plain.RecordHeader[:]) || strings.HasPrefix(http2Preface, string(plain.RecordHeader[:])))
}

// distrusts recognises the alerts of a client that does not take a certificate.
// They are known by their text alone. OpenSSL sends its alert in the clear, where
// TLS 1.3 wants it encrypted: here that is a record with a bad MAC.
func distrusts(err error) bool {
	alert, ok := strings.CutPrefix(err.Error(), "remote error: tls: ")
	return err.Error() == "local error: tls: bad record MAC" || ok && slices.Contains([]string{
		"bad certificate", "unsupported certificate", "revoked certificate", "expired certificate", "unknown certificate", "unknown certificate authority",
	}, alert)
}

// connState hears of the beginning of every HTTP request and of the end of every
// connection. That of TLS still has the error which ended it.
func (h *httpDoor) connState(nc net.Conn, state http.ConnState) {
	own := connOf(nc.RemoteAddr())
	switch state {
	case http.StateActive:
		own.asking.Store(true)
		return
	case http.StateClosed:
	default:
		return
	}
	if own.asking.Load() && !own.lost.Load() {
		h.refuse(unreadable(own.addr.host, portOf(h.ports.http)))
		return
	}
	c, ok := nc.(*tls.Conn)
	if !ok || own.proved.Load() {
		return
	}
	if c.ConnectionState().HandshakeComplete {
		own.hello.Store(false)
	}
	_, err := c.Read(make([]byte, 1))
	h.stats.brokenTLS(protoHTTP, portOf(h.ports.http), own, err)
}

// unreadable is a request that net/http has answered by itself, or did not see the
// end of.
func unreadable(from, port string) *fault {
	return &fault{word: "unreadable-request", text: fmt.Sprintf(
		"a client at %s sent no request to the HTTP port %s that can be read: not HTTP, headers of more than %d KiB, or not ended within %v", from, port, maxHeaderBytes>>10, headerTimeout)}
}

// handshakeLog drops what connState counts.
type handshakeLog struct{ io.Writer }

func (l handshakeLog) Write(p []byte) (int, error) {
	if strings.HasPrefix(string(p), "http: TLS handshake error") {
		return len(p), nil
	}
	return l.Writer.Write(p)
}

// grpcOverTLS is for a gRPC client that has come to the HTTP port over TLS, where
// net/http has not looked at the preface.
func (h *httpDoor) grpcOverTLS(_ *http.Server, c *tls.Conn, _ http.Handler) {
	begun := len(http2Preface) - len("SM\r\n\r\n")
	if c.SetReadDeadline(time.Now().Add(goodbyeTime)) != nil {
		return
	}
	if _, err := io.CopyN(io.Discard, c, int64(begun)); err != nil {
		return // connState hears of it
	}
	h.tellGRPC(c, c)
}
