package ingest

import (
	"bytes"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"
)

// doorFor is a receiver that fuzzed connections go to, one for the whole run.
func doorFor(f *testing.F) *Server {
	f.Helper()
	conf := selfSigned(f)
	return start(f, Config{MaxRequest: 1 << 16, Unix: socketPath(f), TLS: conf, PlainLoopback: true, begin: 50 * time.Millisecond}, new(memory))
}

// FuzzConnection: whatever bytes come over a connection to any door, it ends
// when the sender has ended, nothing panics, and nothing is stored that was not
// acknowledged.
func FuzzConnection(f *testing.F) {
	good := marshal(f, traces(span(0)))
	f.Add(uint8(0), []byte(http2Preface+"\x00\x00\x00\x04\x00\x00\x00\x00\x00"))
	f.Add(uint8(0), []byte("POST /v1/traces HTTP/1.1\r\nContent-Type: application/x-protobuf\r\nContent-Length: 2\r\n\r\n{}"))
	f.Add(uint8(1), append([]byte("POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-protobuf\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n"), good...))
	f.Add(uint8(1), []byte(http2Preface))
	f.Add(uint8(2), []byte("GET / HTTP/1.0\r\n\r\n"))
	f.Add(uint8(2), []byte(http2Preface+strings.Repeat("\x00\x00\x08\x06\x00\x00\x00\x00\x0012345678", 10)))
	f.Add(uint8(0), []byte("\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03"))
	s := doorFor(f)
	f.Fuzz(func(t *testing.T, which uint8, sent []byte) {
		l := s.Addrs()[int(which)%len(s.Addrs())]
		c, err := net.Dial(map[bool]string{true: "unix", false: "tcp"}[l.Protocol == protoUnix], l.Addr)
		if err != nil {
			t.Skip(err)
		}
		defer c.Close()
		c.SetDeadline(time.Now().Add(20 * time.Second))
		c.Write(sent)
		c.(interface{ CloseWrite() error }).CloseWrite()
		io.Copy(io.Discard, c)
		if r := refused(s, "panic"); r.Count > 0 {
			t.Fatal(r.Text)
		}
	})
}

// FuzzWrongHTTP: whatever follows an HTTP method on the gRPC port, the answer
// names the other port.
func FuzzWrongHTTP(f *testing.F) {
	f.Add([]byte("POST /v1/traces HTTP/1.1\r\nContent-Type: application/json\r\n\r\n"))
	f.Add([]byte("POST /v1/traces HTTP/1.1\r\nContent-Type: application/x-protobuf; a=b\r\nTransfer-Encoding: chunked\r\n\r\n"))
	f.Add([]byte("GET "))
	f.Fuzz(func(t *testing.T, sent []byte) {
		server, client := net.Pipe()
		defer client.Close()
		client.SetDeadline(time.Now().Add(20 * time.Second))
		var wg sync.WaitGroup
		wg.Go(func() { answerHTTP1(&headConn{server, bytes.Clone(sent)}, ports{"127.0.0.1:4317", "127.0.0.1:4318"}) })
		head := make([]byte, 64)
		go client.Write([]byte("\r\n\r\n"))
		n, err := io.ReadAtLeast(client, head, 40)
		if err != nil || !bytes.Contains(head[:n], []byte("400 Bad Request")) {
			t.Errorf("%q, %v", head[:n], err)
		}
		client.Close()
		wg.Wait()
	})
}

// FuzzEndpoint: an address that is taken can be listened on, and one that is
// refused is refused without driving a terminal.
func FuzzEndpoint(f *testing.F) {
	for _, a := range []string{"localhost", "[::1]:0", ":4317", "a b", "\x1b[2J", "0.0.0.0"} {
		f.Add(a)
	}
	f.Fuzz(func(t *testing.T, a string) {
		e, err := parseEndpoint(protoGRPC, a)
		switch {
		case err != nil && strings.ContainsAny(err.Error(), "\x1b\n\r"):
			t.Errorf("%q", err)
		case err == nil && !validHost(e.host):
			t.Errorf("%q gives host %q", a, e.host)
		}
		if !Outside(a) && a != "" && a != Off && err == nil && e.host != "localhost" && !net.ParseIP(e.host).IsLoopback() {
			t.Errorf("%q is taken for loopback", a)
		}
	})
}
