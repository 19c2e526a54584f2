package ingest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

func rawConn(t *testing.T, address string) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	if err := c.SetDeadline(time.Now().Add(30 * time.Second)); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestHTTPClientOnGRPCPort(t *testing.T) {
	s := start(t, Config{}, new(memory))
	checkHTTP1OnGRPC(t, s, rawConn(t, addr(t, s, "gRPC")))
	// A real client with a body larger than any socket buffer gets the answer
	// too, and no reset.
	r, _ := http.NewRequest(http.MethodPost, "http://"+addr(t, s, "gRPC")+"/v1/traces", strings.NewReader(strings.Repeat("x", 300_000)))
	if got := send(t, httpClient(t), r); got.status != 400 || !strings.Contains(string(got.body), portOf(addr(t, s, "HTTP"))) {
		t.Errorf("%d %q", got.status, got.body)
	}
	if got := refused(s, "http-on-grpc-port").Count; got != 2 {
		t.Errorf("counted %d times, want 2", got)
	}
}

// checkHTTP1OnGRPC posts over a connection to the gRPC port.
func checkHTTP1OnGRPC(t *testing.T, s *Server, c net.Conn) {
	t.Helper()
	fmt.Fprintf(c, "POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}")
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	grpcPort, httpPort := portOf(addr(t, s, "gRPC")), portOf(addr(t, s, "HTTP"))
	if resp.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), grpcPort) || !strings.Contains(string(body), httpPort) {
		t.Errorf("%d %q does not name ports %s and %s", resp.StatusCode, body, grpcPort, httpPort)
	}
	want := fmt.Sprintf("HTTP client on the gRPC port %s (use %s)", grpcPort, httpPort)
	if r := refused(s, "http-on-grpc-port"); r.Count == 0 || r.Text != want {
		t.Errorf("refusal %+v, want %q", r, want)
	}
}

func TestGRPCClientOnHTTPPort(t *testing.T) {
	s := start(t, Config{}, new(memory))
	cc := dialAddr(t, addr(t, s, "HTTP"))
	_, err := coltrace.NewTraceServiceClient(cc).Export(within(t), traces(span(0)))
	st := status.Convert(err)
	if st.Code() != codes.Unimplemented || !strings.Contains(st.Message(), "gRPC is on port "+portOf(addr(t, s, "gRPC"))) {
		t.Errorf("the client is told %v", err)
	}
	want := fmt.Sprintf("gRPC client on the HTTP port %s (use %s)", portOf(addr(t, s, "HTTP")), portOf(addr(t, s, "gRPC")))
	if r := refused(s, "grpc-on-http-port"); r.Count == 0 || r.Text != want {
		t.Errorf("refusal %+v, want %q", r, want)
	}
}

func TestTLSClientOnPlainPort(t *testing.T) {
	s := start(t, Config{}, new(memory))
	for _, p := range []string{"gRPC", "HTTP"} {
		c := rawConn(t, addr(t, s, p))
		c.Write([]byte{tlsHello, 3, 1, 0, 5, 1, 0, 0, 1, 3, '\n', '\n'})
		io.Copy(io.Discard, c) // until the receiver closes
	}
	if r := refused(s, "tls-on-plain-port"); r.Count != 2 || !strings.Contains(r.Text, "http://") {
		t.Errorf("refusal %+v", r)
	}
}

// Other bytes on the gRPC port are closed without an answer and noted.
func TestRubbishOnGRPCPort(t *testing.T) {
	s := start(t, Config{}, new(memory))
	c := rawConn(t, addr(t, s, "gRPC"))
	c.Write([]byte("SSH-2.0-OpenSSH_9.9 and some more bytes\r\n"))
	io.Copy(io.Discard, c)
	if _, err := coltrace.NewTraceServiceClient(dial(t, s)).Export(within(t), traces(span(0))); err != nil {
		t.Errorf("the next client: %v", err)
	}
}

// Broken HTTP/2 on the HTTP port ends the connection and nothing else.
func TestBrokenPrefaceOnHTTPPort(t *testing.T) {
	s := start(t, Config{}, new(memory))
	for _, rest := range []string{"", "XX", "SM\r\n\r\n", "SM\r\n\r\n\x00\x00\xff\xff\xff\xff\xff", "SM\r\n\r\n" + strings.Repeat("\x00\x00\x08\x06\x00\x00\x00\x00\x0012345678", 100)} {
		c := rawConn(t, addr(t, s, "HTTP"))
		fmt.Fprint(c, "PRI * HTTP/2.0\r\n\r\n"+rest)
		c.(*net.TCPConn).CloseWrite()
		io.Copy(io.Discard, c)
	}
	if got := post(t, s, "/v1/traces", nil, "Content-Type", typeProto); got.status != 200 {
		t.Errorf("the next client: %d", got.status)
	}
	if r := refused(s, "grpc-on-http-port"); r.Count != 5 {
		t.Errorf("refusals %+v", s.Stats().Refused)
	}
	if r := refused(s, "panic"); r.Count != 0 {
		t.Errorf("refusal %+v", r)
	}
}

func TestPortOf(t *testing.T) {
	for in, want := range map[string]string{"127.0.0.1:4317": "4317", "[::1]:1": "1", "none": "none: not served"} {
		if got := portOf(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Who comes from elsewhere is not sent to a port that only this host reaches.
func TestWhereHTTPIs(t *testing.T) {
	for p, want := range map[ports]string{
		{"0.0.0.0:4317", "0.0.0.0:4318"}: "4318", {"127.0.0.1:4317", "127.0.0.1:4318"}: "4318", {"127.0.0.1:4317", "10.1.2.3:4318"}: "4318",
		{"0.0.0.0:4317", "127.0.0.1:4318"}: "4318 on this host; for others send gRPC, or start with --http-listen 0.0.0.0:4318",
		{"0.0.0.0:4317", ""}:               "none: not served",
	} {
		if got := p.overHTTP(); got != want {
			t.Errorf("%v: %q, want %q", p, got, want)
		}
	}
}
