package ingest

import (
	"context"
	"net"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestParseEndpoint(t *testing.T) {
	for _, c := range []struct {
		in   string
		want endpoint
		err  string
	}{
		{in: "127.0.0.1:4317", want: endpoint{"127.0.0.1", 4317}},
		{in: "127.0.0.1", want: endpoint{"127.0.0.1", 4317}},
		{in: "0.0.0.0", want: endpoint{"0.0.0.0", 4317}},
		{in: "::1", want: endpoint{"::1", 4317}},
		{in: "[::1]", want: endpoint{"::1", 4317}},
		{in: "[::1]:0", want: endpoint{"::1", 0}},
		{in: "[fe80::1%eth0]:99", want: endpoint{"fe80::1%eth0", 99}},
		{in: "::", want: endpoint{"::", 4317}},
		{in: ":4000", want: endpoint{"", 4000}},
		{in: "localhost", want: endpoint{"localhost", 4317}},
		{in: " localhost:0 ", want: endpoint{"localhost", 0}},
		{in: "login-01.cluster_a:70", want: endpoint{"login-01.cluster_a", 70}},
		{in: "bad host", err: `listen on "bad host" (gRPC): not a host name or IP address; give --listen HOST:PORT, for example --listen 127.0.0.1:4317`},
		{in: "a:b", err: "port must be a number"},
		{in: "a:65536", err: "port must be a number"},
		{in: "a:-1", err: "port must be a number"},
		{in: "http://a:1", err: "not a host name"},
		{in: "1:2:3:4", err: "not a host name"},
		{in: "a\x1b[2J", err: "not a host name"},
	} {
		got, err := parseEndpoint(protoGRPC, c.in)
		switch {
		case c.err == "" && err != nil:
			t.Errorf("%q: %v", c.in, err)
		case c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)):
			t.Errorf("%q: error %v, want %s", c.in, err, c.err)
		case strings.ContainsAny(errText(err), "\x1b\n"):
			t.Errorf("%q: error %q drives the terminal", c.in, err)
		}
		if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(endpoint{})); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.in, diff)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func TestStartListensWhereTold(t *testing.T) {
	for in, want := range map[string][]string{
		"127.0.0.1:0": {"127.0.0.1"},
		"localhost:0": {"127.0.0.1", "::1"},
		"[::1]:0":     {"::1"},
		"0.0.0.0:0":   {"0.0.0.0"},
		":0":          {"::"},
	} {
		t.Run(in, func(t *testing.T) {
			if strings.Contains(strings.Join(want, " "), "::") {
				needIPv6(t)
			}
			s := start(t, Config{GRPC: in, HTTP: Off, NoAuth: true, Plaintext: true}, new(memory))
			var got []string
			ports := map[string]bool{}
			for _, l := range s.Addrs() {
				host, port, err := net.SplitHostPort(l.Addr)
				if err != nil || port == "0" {
					t.Errorf("address %q: %v", l.Addr, err)
				}
				got, ports[port] = append(got, host), true
			}
			if diff := cmp.Diff(want, got); diff != "" || len(ports) != 1 {
				t.Errorf("hosts (-want +got):\n%s\nports %v", diff, ports)
			}
			if diff := cmp.Diff(s.Addrs(), s.Stats().Listeners); diff != "" {
				t.Errorf("Stats names other listeners:\n%s", diff)
			}
		})
	}
}

func needIPv6(t *testing.T) {
	t.Helper()
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("no IPv6 loopback here")
	}
	l.Close()
}

func TestDefaultAddressesAreLoopback(t *testing.T) {
	c := Config{}.withDefaults()
	for _, a := range []string{c.GRPC, c.HTTP} {
		if !strings.HasPrefix(a, "localhost:") {
			t.Errorf("default %q is not loopback", a)
		}
	}
}

// TestStartUndoesItself: one line with address, cause and flag; nothing stays
// open; goroutines are gone.
func TestStartUndoesItself(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	busy, other := taken.Addr().String(), free(t)
	_, port, _ := net.SplitHostPort(busy)
	for _, c := range []struct{ name, grpc, http, want string }{
		{"HTTP taken", other, busy, "listen on " + busy + " (HTTP): address already in use; choose another with --http-listen or free the port"},
		{"gRPC taken", busy, other, "listen on " + busy + " (gRPC): address already in use; choose another with --listen or free the port"},
		{"both taken", busy, busy, "listen on " + busy + " (gRPC): address already in use; choose another with --listen or free the port"},
		{"localhost taken", other, "localhost:" + port, "listen on " + busy + " (HTTP): address already in use; choose another with --http-listen or free the port"},
		{"bad address", other, "bad host", `listen on "bad host" (HTTP): not a host name or IP address; give --http-listen HOST:PORT, for example --http-listen 127.0.0.1:4318`},
		{"not ours", other, "192.0.2.1:0", "listen on 192.0.2.1:0 (HTTP): cannot assign requested address; choose another with --http-listen"},
		{"nothing", Off, Off, "nothing to listen on: give --listen or --http-listen an address"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Start(context.Background(), Config{GRPC: c.grpc, HTTP: c.http}, new(memory))
			if s != nil || errText(err) != c.want {
				t.Fatalf("got %v, %v\nwant %s", s, err, c.want)
			}
			l, err := net.Listen("tcp", other)
			if err != nil {
				t.Fatalf("%s is still open: %v", other, err)
			}
			l.Close()
		})
	}
}

// A port that is free on 127.0.0.1 may belong to somebody else on ::1, and
// clients that say localhost would go there.
func TestLocalhostNeedsBothAddresses(t *testing.T) {
	needIPv6(t)
	taken, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	port := strconv.Itoa(taken.Addr().(*net.TCPAddr).Port)
	_, err = Start(context.Background(), Config{GRPC: "localhost:" + port, HTTP: Off}, new(memory))
	if err == nil || !strings.Contains(err.Error(), "[::1]:"+port) {
		t.Errorf("error %v", err)
	}
}

func TestUnknownDecoder(t *testing.T) {
	_, err := Start(context.Background(), Config{GRPC: "127.0.0.1:0", HTTP: Off, Decoder: "quick"}, new(memory))
	if err == nil || !strings.Contains(err.Error(), "fast, generated") {
		t.Errorf("error %v", err)
	}
}

func TestNoticesSayWhoCanReachUs(t *testing.T) {
	for _, c := range []struct {
		name string
		c    Config
		want []string
	}{
		{"loopback", Config{}, nil},
		{"loopback for all", Config{AllowOtherUsers: true}, []string{"other-users"}},
		{"loopback with token", Config{Token: "x"}, nil},
		{"everywhere without token", Config{HTTP: "0.0.0.0:0", NoAuth: true, Plaintext: true}, []string{"no-auth", "plaintext"}},
		{"everywhere with token", Config{HTTP: "0.0.0.0:0", Token: "x", Plaintext: true}, []string{"plaintext"}},
		{"everywhere without token, with TLS", Config{HTTP: "0.0.0.0:0", NoAuth: true, TLS: selfSigned(t)}, []string{"no-auth"}},
		{"everywhere with token and TLS", Config{HTTP: "0.0.0.0:0", Token: "x", TLS: selfSigned(t)}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, n := range start(t, c.c, new(memory)).Stats().Notices {
				got = append(got, n.Code)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// What other hosts reach is never open by oversight.
func TestOutsideNeedsTokenAndTLS(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	for _, c := range []struct {
		name string
		c    Config
		want string
	}{
		{"no token", Config{GRPC: "0.0.0.0:0", HTTP: Off, TLS: selfSigned(t)}, "--no-auth"},
		{"no token, over HTTP", Config{GRPC: "127.0.0.1:0", HTTP: "0.0.0.0:0", TLS: selfSigned(t)}, "(HTTP)"},
		{"no TLS", Config{GRPC: "0.0.0.0:0", HTTP: Off, Token: "x"}, "--plaintext"},
		{"no TLS and no token needed", Config{GRPC: "0.0.0.0:0", HTTP: Off, NoAuth: true}, "--plaintext"},
		{"other users do not mean other hosts", Config{GRPC: "0.0.0.0:0", HTTP: Off, AllowOtherUsers: true, TLS: selfSigned(t)}, "--no-auth"},
	} {
		if s, err := Start(context.Background(), c.c, new(memory)); s != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, %v", c.name, s, err)
		}
	}
}
