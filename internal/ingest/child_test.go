//go:build unix

package ingest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/ingest/cert"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
)

// The test binary is also the other processes that tests need: servers whose
// CPU time or limits are their own, and senders of another user or host.
var (
	child      = flag.String("ingest.child", "", "be another process: a server of a benchmark (see benchKinds), sender, small, limit or login")
	childTo    = flag.String("ingest.to", "", "addresses of a sender: gRPC,HTTP,socket")
	childToken = flag.String("ingest.token", "", "token of a sender")
	childCA    = flag.String("ingest.ca", "", "directory of the certificate that a sender trusts, for TLS")
)

func TestMain(m *testing.M) {
	flag.Parse()
	var err error
	switch *child {
	case "":
		os.Exit(m.Run())
	case "sender":
		err = senderChild(*childTo, *childToken)
	case "small":
		err = smallChild()
	case "limit":
		fmt.Println(fileLimit())
	case "login":
		err = loginChild(*childTo)
	default:
		err = serveChild(*child)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// senderChild sends one request each way and prints what came of it: the gRPC
// code, the HTTP status, and the same for the socket.
func senderChild(to, token string) error {
	a := strings.Split(to, ",")
	fmt.Println(sendOverGRPC("passthrough:///"+a[0], token), sendOverHTTP(nil, "http://"+a[1], token),
		sendOverGRPC("unix:"+a[2], token), sendOverHTTP(socketTransport(a[2]), "http://localhost", token))
	return nil
}

func sendOverGRPC(to, token string) string {
	creds := insecure.NewCredentials()
	if c := childTLS(); c != nil {
		creds = credentials.NewTLS(c)
	}
	cc, err := grpc.NewClient(to, grpc.WithTransportCredentials(creds))
	if err != nil {
		return err.Error()
	}
	defer cc.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if token != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, tokenHeader, token)
	}
	var m message
	err = cc.Invoke(ctx, exportTraces, []byte{}, &m, grpc.ForceCodecV2(newWire()))
	return status.Code(err).String()
}

func socketTransport(path string) *http.Transport {
	return &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "unix", path)
	}}
}

func sendOverHTTP(tr *http.Transport, base, token string) string {
	if tr == nil {
		tr = &http.Transport{}
		if c := childTLS(); c != nil {
			tr.TLSClientConfig = c
			base = strings.Replace(base, "http://", "https://", 1)
		}
	}
	r, err := http.NewRequest(http.MethodPost, base+"/v1/traces", nil)
	if err != nil {
		return err.Error()
	}
	r.Header.Set("Content-Type", typeProto)
	if token != "" {
		r.Header.Set("authorization", "Bearer "+token)
	}
	resp, err := (&http.Client{Transport: tr, Timeout: 20 * time.Second}).Do(r)
	if err != nil {
		return "unreachable"
	}
	defer resp.Body.Close()
	return fmt.Sprint(resp.StatusCode)
}

// childTLS is what a sender trusts, nil for plaintext.
func childTLS() *tls.Config {
	if *childCA == "" {
		return nil
	}
	b, err := os.ReadFile(filepath.Join(*childCA, cert.File))
	pool := x509.NewCertPool()
	if err != nil || !pool.AppendCertsFromPEM(b) {
		return nil
	}
	return &tls.Config{RootCAs: pool}
}

// childSecret is the token of a receiver on a login node.
const childSecret = "0123456789abcdef"

// loginChild is a receiver on every address, with a certificate of its own
// making in a directory, and one on loopback. It prints the addresses and runs
// until the end of its input.
func loginChild(dir string) error {
	a, err := cert.Open(dir, time.Now())
	if err != nil {
		return err
	}
	conf, err := a.Config([]string{"10.99.0.1", "127.0.0.1"}, time.Now)
	if err != nil {
		return err
	}
	open, err := Start(context.Background(), Config{GRPC: "0.0.0.0:0", HTTP: "0.0.0.0:0", Token: childSecret, TLS: conf}, new(memory))
	if err != nil {
		return err
	}
	local, err := Start(context.Background(), Config{GRPC: "127.0.0.1:0", HTTP: Off}, new(memory))
	if err != nil {
		return err
	}
	fmt.Println(open.Addrs()[0].Addr, open.Addrs()[1].Addr, local.Addrs()[0].Addr)
	os.Stdin.Read(make([]byte, 1))
	return nil
}

// smallFiles is the limit of open files of a small server.
const smallFiles = 256

// smallChild is a receiver that may have few files open. It prints its addresses
// and, at the end of its input, what it says of itself.
func smallChild() error {
	if err := syscall.Setrlimit(syscall.RLIMIT_NOFILE, &syscall.Rlimit{Cur: smallFiles, Max: smallFiles}); err != nil {
		return err
	}
	m := new(memory)
	s, err := Start(context.Background(), Config{GRPC: "127.0.0.1:0", HTTP: "127.0.0.1:0"}, m)
	if err != nil {
		return err
	}
	fmt.Println(s.Addrs()[0].Addr, s.Addrs()[1].Addr)
	os.Stdin.Read(make([]byte, 1))
	st := s.Stats()
	fmt.Println(st.Requests, st.Conns)
	for _, r := range st.Refused {
		fmt.Printf("%s %d %s\n", r.Code, r.Count, r.Text)
	}
	return nil
}

// ownBinary is the test binary where every user may run it.
func ownBinary(t *testing.T) string {
	t.Helper()
	src, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	dir, err := os.MkdirTemp("", "lvbin")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	path := filepath.Join(dir, "sender")
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, src, 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}
