package ingest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	coltrace "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
)

// selfSigned is a server's TLS configuration for 127.0.0.1.
func selfSigned(t testing.TB) *tls.Config {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "lensview test"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, c, c, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS13, Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}}
}

// trusting is a client's configuration for the server's.
func trusting(t testing.TB, server *tls.Config) *tls.Config {
	t.Helper()
	c, err := x509.ParseCertificate(server.Certificates[0].Certificate[0])
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(c)
	return &tls.Config{RootCAs: pool, ServerName: "127.0.0.1"}
}

func TestTLS(t *testing.T) {
	m := new(memory)
	conf := selfSigned(t)
	s := start(t, Config{TLS: conf}, m)
	cc := dial(t, s, grpc.WithTransportCredentials(credentials.NewTLS(trusting(t, conf))))
	if _, err := coltrace.NewTraceServiceClient(cc).Export(within(t), traces(span(0))); err != nil {
		t.Errorf("gRPC: %v", err)
	}
	tr := &http.Transport{TLSClientConfig: trusting(t, conf)}
	defer tr.CloseIdleConnections()
	r, _ := http.NewRequest(http.MethodPost, "https://"+addr(t, s, "HTTP")+"/v1/traces", bytes.NewReader(marshal(t, traces(span(1)))))
	r.Header.Set("Content-Type", typeProto)
	if got := send(t, &http.Client{Transport: tr}, r); got.status != 200 {
		t.Errorf("HTTP: %d %q", got.status, got.body)
	}
	if got := m.count(run.Traces); got != 2 {
		t.Errorf("%d spans stored, want 2", got)
	}
	if got := m.last(t).Sender; got != "127.0.0.1" {
		t.Errorf("sender %q", got)
	}
	// The wrong protocol is recognised behind TLS too.
	client := trusting(t, conf)
	client.NextProtos = []string{"http/1.1"}
	c, err := tls.Dial("tcp", addr(t, s, "gRPC"), client)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	checkHTTP1OnGRPC(t, s, c)
}
