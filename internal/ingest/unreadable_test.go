package ingest

import (
	"fmt"
	"io"
	"net"
	"strings"
	"testing"
)

// What net/http answers by itself, or is told only half of, is counted once; what
// says nothing, or more than is read, is not.
func TestUnreadableRequests(t *testing.T) {
	const good = "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\n"
	for name, c := range map[string]struct {
		sends string
		want  uint64
	}{
		"nothing":             {"", 0},
		"no HTTP":             {"EHLO a\r\n", 1},
		"a long token":        {good + "X-Lensview-Token: " + strings.Repeat("a", 80<<10) + "\r\n\r\n", 1},
		"half a head":         {good, 1},
		"a transfer encoding": {"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\n", 1},
		"an expectation":      {good + "Expect: miracles\r\n\r\n", 1},
		"a request":           {good + "\r\n", 0},
		"two requests":        {good + "\r\n" + good + "\r\n", 0},
		"TLS":                 {"\x16\x03\x01\x00\x05\x01", 0},
	} {
		s := start(t, Config{}, new(memory))
		probe(t, addr(t, s, "HTTP"), c.sends)
		until(func() bool { return s.Stats().Conns == 0 && refused(s, "unreadable-request").Count >= c.want })
		got := refused(s, "unreadable-request")
		if got.Count != c.want {
			t.Errorf("%s: counted %d times, want %d", name, got.Count, c.want)
		}
		if c.want > 0 && !strings.Contains(got.Text, "127.0.0.1 sent no request to the HTTP port") {
			t.Errorf("%s: %q", name, got.Text)
		}
	}
}

func TestNotGRPC(t *testing.T) {
	for sends, want := range map[string]uint64{
		"": 0, "SSH-2.0-x\r\n": 1, "\x00\x00\x00\x00\x00": 1, http2Preface[:10]: 1, http2Preface[:20] + "XXXX": 1, http2Preface: 0, "GET / HTTP/1.0\r\n\r\n": 0,
	} {
		s := start(t, Config{}, new(memory))
		probe(t, addr(t, s, "gRPC"), sends)
		until(func() bool { return s.Stats().Conns == 0 && refused(s, "not-grpc").Count >= want })
		if got := refused(s, "not-grpc").Count; got != want {
			t.Errorf("%q: counted %d times, want %d", sends, got, want)
		}
	}
}

// probe sends a text and ends, after it has read what is answered.
func probe(t *testing.T, address, text string) {
	t.Helper()
	c := rawConn(t, address)
	defer c.Close()
	fmt.Fprint(c, text)
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		return // the receiver has closed it
	}
	_, _ = io.Copy(io.Discard, c)
}
