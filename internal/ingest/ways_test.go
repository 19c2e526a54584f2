package ingest

import (
	"bytes"
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
)

// way is how senders reach a receiver. What the contract says holds for all.
type way struct {
	name string
	set  func(*Config)
	dial func(t testing.TB, s *Server, opts ...grpc.DialOption) *grpc.ClientConn
	web  func(t testing.TB, s *Server) (c *http.Client, base string)
}

// ways are plaintext, TLS and the Unix socket.
func ways(t testing.TB) []way {
	t.Helper()
	conf := selfSigned(t)
	return []way{
		{"plain", func(*Config) {}, dial, func(t testing.TB, s *Server) (*http.Client, string) {
			return httpClient(t), "http://" + addr(t, s, "HTTP")
		}},
		{"TLS", func(c *Config) { c.TLS = conf }, func(t testing.TB, s *Server, opts ...grpc.DialOption) *grpc.ClientConn {
			return dial(t, s, append(opts, grpc.WithTransportCredentials(credentials.NewTLS(trusting(t, conf))))...)
		}, func(t testing.TB, s *Server) (*http.Client, string) {
			c := httpClient(t)
			c.Transport.(*http.Transport).TLSClientConfig = trusting(t, conf)
			return c, "https://" + addr(t, s, "HTTP")
		}},
		{"socket", func(c *Config) { c.Unix = socketPath(t) }, dialSocket, webSocket},
	}
}

// socketPath is a path in a private directory: that of a test is too long for
// some systems.
func socketPath(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "lv")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return filepath.Join(dir, "s")
}

func dialSocket(t testing.TB, s *Server, opts ...grpc.DialOption) *grpc.ClientConn {
	t.Helper()
	opts = append([]grpc.DialOption{grpc.WithTransportCredentials(insecure.NewCredentials())}, opts...)
	cc, err := grpc.NewClient("unix:"+addr(t, s, protoUnix), opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cc.Close() })
	return cc
}

func webSocket(t testing.TB, s *Server) (*http.Client, string) {
	t.Helper()
	path := addr(t, s, protoUnix)
	c := httpClient(t)
	c.Transport.(*http.Transport).DialContext = func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}
	return c, "http://lensview"
}

func (w way) start(t testing.TB, c Config, sink Sink) *Server {
	t.Helper()
	w.set(&c)
	return start(t, c, sink)
}

// post sends a body; kv are header names and values.
func (w way) post(t testing.TB, s *Server, path string, body []byte, kv ...string) reply {
	t.Helper()
	return w.request(t, s, http.MethodPost, path, body, kv...)
}

func (w way) request(t testing.TB, s *Server, method, path string, body []byte, kv ...string) reply {
	t.Helper()
	c, base := w.web(t, s)
	r, err := http.NewRequest(method, base+path, bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(kv); i += 2 {
		r.Header.Add(kv[i], kv[i+1])
	}
	return send(t, c, r)
}

// everyWay runs a test over each.
func everyWay(t *testing.T, c Config, sink func() Sink, test func(t *testing.T, w way, s *Server)) {
	for _, w := range ways(t) {
		t.Run(w.name, func(t *testing.T) { test(t, w, w.start(t, c, sink())) })
	}
}

func inMemory() Sink { return new(memory) }

func tlsOption(t testing.TB, server *tls.Config) grpc.DialOption {
	return grpc.WithTransportCredentials(credentials.NewTLS(trusting(t, server)))
}
