package ingest

import (
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/ingest/peer"
	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// asked sends one request over each protocol and says whether it was let in.
func asked(t *testing.T, w way, s *Server, kv ...string) (overGRPC, overHTTP bool) {
	t.Helper()
	_, err := call(t, w.dial(t, s), exportTraces, nil)
	if err != nil && status.Code(err) != codes.Unauthenticated {
		t.Errorf("gRPC: %v", err)
	}
	got := w.post(t, s, "/v1/traces", nil, append(kv, "Content-Type", typeProto)...)
	if got.status != 200 && got.status != 401 {
		t.Errorf("HTTP: %d %q", got.status, got.body)
	}
	return err == nil, got.status == 200
}

// Over loopback and the socket the user of the process sends without a token, on
// a listener of every address too; nobody else does.
func TestWhoNeedsAToken(t *testing.T) {
	unknown := func(net.Conn) (uint32, error) { return 0, peer.ErrUnknown }
	for _, c := range []struct {
		name string
		c    Config
		in   bool
	}{
		{"the same user", Config{}, true},
		{"the same user, with a token", Config{Token: "x"}, true},
		{"another user", Config{owner: stranger}, false},
		{"another user, with a token", Config{Token: "x", owner: stranger}, false},
		{"nobody knows", Config{owner: unknown}, !peer.Supported},
		{"another user, let in", Config{owner: stranger, AllowOtherUsers: true}, true},
		{"other hosts let in are not other users", Config{owner: stranger, NoAuth: true}, false},
	} {
		for _, w := range ways(t) {
			if w.name == "socket" && c.c.AllowOtherUsers {
				continue // that is about loopback
			}
			t.Run(c.name+", "+w.name, func(t *testing.T) {
				g, h := asked(t, w, w.start(t, c.c, new(memory)))
				if g != c.in || h != c.in {
					t.Errorf("gRPC %v, HTTP %v, want %v", g, h, c.in)
				}
			})
		}
	}
}

func TestLoopbackOfEveryAddress(t *testing.T) {
	conf := selfSigned(t)
	for _, c := range []struct {
		name string
		c    Config
		in   bool
	}{
		{"the same user", Config{Token: "x"}, true},
		{"another user", Config{Token: "x", owner: stranger}, false},
		{"no authentication", Config{NoAuth: true, owner: stranger}, true},
	} {
		c.c.GRPC, c.c.HTTP, c.c.TLS, c.c.PlainLoopback = "0.0.0.0:0", "127.0.0.1:0", conf, true
		s := start(t, c.c, new(memory))
		_, port, _ := net.SplitHostPort(addr(t, s, "gRPC"))
		cc := dialAddr(t, "127.0.0.1:"+port, tlsOption(t, conf))
		if _, err := call(t, cc, exportTraces, nil); (err == nil) != c.in {
			t.Errorf("%s: %v", c.name, err)
		}
		// Loopback beside it is plaintext.
		if got := post(t, s, "/v1/traces", nil, "Content-Type", typeProto); (got.status == 200) != (c.in && c.c.owner == nil) {
			t.Errorf("%s: HTTP %d", c.name, got.status)
		}
		tls := map[string]bool{}
		for _, l := range s.Addrs() {
			tls[l.Protocol] = l.TLS
		}
		if d := cmp.Diff(map[string]bool{"gRPC": true, "HTTP": false}, tls); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// The kernel is asked once for a connection, and not for one that only knocks.
func TestOwnerIsAskedOnce(t *testing.T) {
	n := 0
	s := start(t, Config{owner: func(net.Conn) (uint32, error) { n++; return uint32(os.Geteuid()), nil }}, new(memory))
	rawConn(t, addr(t, s, "gRPC")).Close()
	rawConn(t, addr(t, s, "HTTP")).Close()
	cc := dial(t, s)
	for range 5 {
		if _, err := call(t, cc, exportTraces, nil); err != nil {
			t.Fatal(err)
		}
	}
	if n != 1 {
		t.Errorf("asked %d times", n)
	}
}

// A refusal names the user on the screen; no secret is in any text.
func TestWhatARefusalSays(t *testing.T) {
	s := start(t, Config{Token: "hunter2", owner: stranger}, new(memory))
	got := post(t, s, "/v1/traces", nil, "Content-Type", typeProto)
	if text := got.rpcStatus(t).Message; !strings.Contains(text, fmt.Sprintf("user %d of this host", os.Geteuid()+1)) {
		t.Errorf("%q", text)
	}
	got = post(t, s, "/v1/traces", nil, "Content-Type", typeProto, tokenHeader, "hunter3")
	if text := got.rpcStatus(t).Message; !strings.Contains(text, "wrong token") {
		t.Errorf("%q", text)
	}
	if text := fmt.Sprintf("%+v %#v", s.Stats(), Config{Token: "hunter2"}); strings.Contains(text, "hunter") {
		t.Errorf("a secret shows in %s", text)
	}
}

func TestSecretIsNeverPrinted(t *testing.T) {
	for _, s := range []Secret{"", "hunter2"} {
		for _, f := range []string{"%v", "%s", "%+v", "%#v", "%q"} {
			if text := fmt.Sprintf(f, s); strings.Contains(text, "hunter") {
				t.Errorf("%s: %s", f, text)
			}
		}
		if err := fmt.Errorf("x: %w", errors.New(fmt.Sprint(Config{Token: s}))); strings.Contains(err.Error(), "hunter") {
			t.Error(err)
		}
	}
}
