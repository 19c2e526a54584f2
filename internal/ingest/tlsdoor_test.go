package ingest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"
)

// counts waits for a refusal: a connection's end is heard of after its client is.
func counts(t *testing.T, s *Server, word string, n uint64) string {
	t.Helper()
	ctx := within(t)
	for refused(s, word).Count < n {
		select {
		case <-ctx.Done():
			t.Fatalf("no %s: %+v", word, s.Stats())
		case <-time.After(time.Millisecond):
		}
	}
	if r := refused(s, word); r.Count != n {
		t.Errorf("%s: counted %d times, want %d", word, r.Count, n)
	}
	return refused(s, word).Text
}

// A client that speaks plaintext to a TLS port is told so over HTTP, and counted.
func TestPlaintextOnTLS(t *testing.T) {
	s := start(t, Config{TLS: selfSigned(t)}, new(memory))
	c := rawConn(t, addr(t, s, "gRPC"))
	fmt.Fprint(c, http2Preface)
	if b, err := io.ReadAll(c); err == nil && len(b) > 40 {
		t.Errorf("answered %q", b)
	}
	if text := counts(t, s, "plain-on-tls-port", 1); !strings.Contains(text, "gRPC port "+portOf(addr(t, s, "gRPC"))) || !strings.Contains(text, "https://") {
		t.Error(text)
	}
	if got := post(t, s, "/v1/traces", nil); got.status != 400 {
		t.Errorf("plain HTTP: %d %q", got.status, got.body)
	}
	if text := counts(t, s, "plain-on-tls-port", 2); !strings.Contains(text, "HTTP port "+portOf(addr(t, s, "HTTP"))) {
		t.Error(text)
	}
	quietLibraries(t, s)
}

// Whoever does not trust the certificate sends nothing and says so only in its own
// log: here it is counted.
func TestUntrustedCertificateIsCounted(t *testing.T) {
	s := start(t, Config{TLS: selfSigned(t)}, new(memory))
	for i, c := range []struct {
		door    string
		version uint16
	}{{"gRPC", tls.VersionTLS13}, {"HTTP", tls.VersionTLS13}} {
		conf := &tls.Config{RootCAs: x509.NewCertPool(), ServerName: "127.0.0.1", NextProtos: []string{"h2", "http/1.1"}, MaxVersion: c.version}
		conn, err := tls.Dial("tcp", addr(t, s, c.door), conf)
		if err == nil {
			conn.Close()
			t.Fatalf("%s: trusted", c.door)
		}
		text := counts(t, s, "untrusted-certificate", uint64(i+1))
		if !strings.Contains(text, "127.0.0.1") || !strings.Contains(text, c.door+" port "+portOf(addr(t, s, c.door))) {
			t.Error(text)
		}
	}
	quietLibraries(t, s)
}

// quietLibraries wants all that happened to be counted by its own words.
func quietLibraries(t *testing.T, s *Server) {
	t.Helper()
	for _, n := range s.Stats().Notices {
		if n.Code == "grpc-log" || n.Code == "http-log" {
			t.Errorf("%s: %s", n.Code, n.Text)
		}
	}
}

// Those that come and go, as port scanners do, are nothing to look at.
func TestGoneIsNotCounted(t *testing.T) {
	s := start(t, Config{TLS: selfSigned(t)}, new(memory))
	for _, door := range []string{"gRPC", "HTTP"} {
		rawConn(t, addr(t, s, door)).Close()
	}
	if err := s.Stop(within(t)); err != nil {
		t.Fatal(err)
	}
	if r := s.Stats().Refused; len(r) > 0 {
		t.Errorf("%+v", r)
	}
	quietLibraries(t, s)
}

// gRPC outside Go says nothing to a certificate that it does not trust: it leaves.
// Who leaves after the handshake, as doctor does, is content with it.
func TestLeavingInTheHandshakeIsCounted(t *testing.T) {
	conf := selfSigned(t)
	s := start(t, Config{TLS: conf}, new(memory))
	for i, door := range []string{"gRPC", "HTTP"} {
		client := trusting(t, conf)
		client.NextProtos = []string{"h2", "http/1.1"}
		c, err := tls.Dial("tcp", addr(t, s, door), client)
		if err != nil {
			t.Fatal(err)
		}
		c.Close()
		raw := rawConn(t, addr(t, s, door))
		client.VerifyConnection = func(tls.ConnectionState) error { raw.Close(); return io.EOF }
		if tls.Client(raw, client).Handshake() == nil {
			t.Fatalf("%s: stayed", door)
		}
		if text := counts(t, s, "untrusted-certificate", uint64(i+1)); !strings.Contains(text, "left in the TLS handshake") || !strings.Contains(text, door+" port") {
			t.Error(text)
		}
	}
	quietLibraries(t, s)
}

func TestWhyTLSEnded(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		word string
	}{
		{"none", nil, ""},
		{"gone", io.EOF, ""},
		{"gone in between", io.ErrUnexpectedEOF, ""},
		{"closed here", fmt.Errorf("x: %w", net.ErrClosed), ""},
		{"reset", &net.OpError{Op: "read", Err: syscall.ECONNRESET}, ""},
		{"late", os.ErrDeadlineExceeded, ""},
		{"authority", &net.OpError{Op: "remote error", Err: errors.New("tls: unknown certificate authority")}, "untrusted-certificate"},
		{"OpenSSL", &net.OpError{Op: "local error", Err: errors.New("tls: bad record MAC")}, "untrusted-certificate"},
		{"version", errors.New("tls: client offered only unsupported versions: [302 301]"), "tls-handshake"},
		{"HTTP", tls.RecordHeaderError{RecordHeader: [5]byte([]byte("POST "))}, "plain-on-tls-port"},
		{"gRPC", tls.RecordHeaderError{RecordHeader: [5]byte([]byte("PRI *"))}, "plain-on-tls-port"},
		{"nonsense", tls.RecordHeaderError{Msg: "first record does not look like a TLS handshake", RecordHeader: [5]byte([]byte("SSH-2"))}, "tls-handshake"},
	} {
		st := newStats(time.Now)
		st.brokenTLS(protoGRPC, "4317", &conn{addr: sender{host: "10.0.0.5"}}, c.err)
		switch got := st.read().Refused; {
		case c.word == "" && len(got) > 0, c.word != "" && (len(got) != 1 || got[0].Code != c.word):
			t.Errorf("%s: %+v, want %q", c.name, got, c.word)
		case c.word != "" && !strings.Contains(got[0].Text, "4317"):
			t.Errorf("%s: %s", c.name, got[0].Text)
		}
	}
}

// What connState counts is not told twice; what else net/http says stays.
func TestHandshakeLog(t *testing.T) {
	var kept strings.Builder
	l := handshakeLog{&kept}
	for _, line := range []string{"http: TLS handshake error from 10.0.0.5:1: EOF\n", "http: panic serving\n"} {
		if n, err := io.WriteString(l, line); n != len(line) || err != nil {
			t.Errorf("%d, %v", n, err)
		}
	}
	if kept.String() != "http: panic serving\n" {
		t.Errorf("kept %q", kept.String())
	}
}

// A gRPC client on the HTTP port is told so over TLS too.
func TestGRPCClientOnHTTPPortOverTLS(t *testing.T) {
	conf := selfSigned(t)
	s := start(t, Config{TLS: conf}, new(memory))
	cc := dialAddr(t, addr(t, s, "HTTP"), grpc.WithTransportCredentials(credentials.NewTLS(trusting(t, conf))))
	_, err := coltrace.NewTraceServiceClient(cc).Export(within(t), traces(span(0)))
	st := status.Convert(err)
	if st.Code() != codes.Unimplemented || !strings.Contains(st.Message(), "gRPC is on port "+portOf(addr(t, s, "gRPC"))) {
		t.Errorf("the client is told %v", err)
	}
	counts(t, s, "grpc-on-http-port", 1)
	// Clients that know both stay with HTTP/1.1, whatever they like best.
	tr := &http.Transport{TLSClientConfig: trusting(t, conf), ForceAttemptHTTP2: true}
	defer tr.CloseIdleConnections()
	r, _ := http.NewRequestWithContext(context.Background(), http.MethodGet, "https://"+addr(t, s, "HTTP")+"/", nil)
	if got := send(t, &http.Client{Transport: tr}, r); got.status != 200 {
		t.Errorf("%d %q", got.status, got.body)
	}
}
