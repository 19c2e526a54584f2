//go:build unix

package ingest

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/klauspost/compress/gzip"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// healthy is that a good sender is served on every port.
func healthy(t *testing.T, s *Server) {
	t.Helper()
	if _, err := call(t, dial(t, s), exportTraces, marshal(t, traces(span(0)))); err != nil {
		t.Errorf("gRPC afterwards: %v", err)
	}
	if got := post(t, s, "/v1/traces", marshal(t, traces(span(0))), "Content-Type", typeProto); got.status != 200 {
		t.Errorf("HTTP afterwards: %d %q", got.status, got.body)
	}
	if r := refused(s, "panic"); r.Count != 0 {
		t.Errorf("%+v", r)
	}
}

// What port scanners send: nothing, a little, or the first bytes of other
// protocols.
func TestPortScanner(t *testing.T) {
	s := start(t, Config{Unix: socketPath(t)}, new(memory))
	probes := []string{
		"", "\x00", "\r\n\r\n", "GET / HTTP/1.0\r\n\r\n", "OPTIONS * RTSP/1.0\r\n\r\n", "HELP\r\n", "\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03",
		"SSH-2.0-x\r\n", "\x00\x1e\x00\x06\x01\x00\x00\x01\x00\x00\x00\x00", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\xff\xff\xff\xff\xff\xff\xff\xff\xff",
		"POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999999999999\r\n\r\n", "EHLO a\r\n", strings.Repeat("A", 70_000),
	}
	var wg sync.WaitGroup
	for _, l := range s.Addrs() {
		network := map[bool]string{true: "unix", false: "tcp"}[l.Protocol == protoUnix]
		for _, p := range probes {
			wg.Go(func() {
				c, err := net.Dial(network, l.Addr)
				if err != nil {
					t.Error(err)
					return
				}
				defer c.Close()
				c.SetDeadline(time.Now().Add(30 * time.Second))
				io.WriteString(c, p)
				if w, ok := c.(interface{ CloseWrite() error }); ok {
					w.CloseWrite()
				}
				io.Copy(io.Discard, c)
			})
		}
	}
	wg.Wait()
	healthy(t, s)
	var kinds []string
	for _, r := range s.Stats().Refused {
		kinds = append(kinds, r.Code)
	}
	for _, want := range []string{"http-on-grpc-port", "tls-on-plain-port", "grpc-on-http-port", "not-grpc", "unreadable-request"} {
		if !strings.Contains(strings.Join(kinds, " "), want) {
			t.Errorf("the screen does not know of %s: %v", want, kinds)
		}
	}
	until(func() bool { return s.Stats().Conns <= 2 }) // those of the good senders
}

// Bombs of every shape are refused within the limit, over both protocols.
func TestBombs(t *testing.T) {
	m := new(memory)
	s := start(t, Config{MaxRequest: 4 << 20}, m)
	var zeros bytes.Buffer
	z := gzip.NewWriter(&zeros)
	chunk := make([]byte, 1<<20)
	for range 64 {
		z.Write(chunk)
	}
	z.Close()
	members := bytes.Repeat(gz(make([]byte, 100_000)), 60) // each small, together too much
	for name, bomb := range map[string][]byte{"one stream": zeros.Bytes(), "many members": members, "a bomb in a bomb": gz(zeros.Bytes(), zeros.Bytes(), zeros.Bytes(), bytes.Repeat(zeros.Bytes(), 100))} {
		for _, form := range []string{typeProto, typeJSON} {
			got := post(t, s, "/v1/traces", bomb, "Content-Type", form, "Content-Encoding", "gzip")
			if got.status != 413 && got.status != 400 {
				t.Errorf("%s, %s: %d %q", name, form, got.status, got.body)
			}
		}
		packed := append([]byte{packed}, bomb...)
		if _, f := s.door.body(message{buf: &packed, gz: true}, s.door.space.hold()); f != nil && f.grpc != codes.ResourceExhausted {
			t.Errorf("%s: %+v", name, f)
		}
	}
	if _, err := call(t, dial(t, s), exportTraces, make([]byte, 5<<20)); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("gRPC: %v", err)
	}
	if r := refused(s, "too-large"); r.Count < 5 || !strings.Contains(r.Text, "4 MiB") {
		t.Errorf("the screen says %+v", s.Stats().Refused)
	}
	healthy(t, s)
	if n := m.count(run.Traces); n != 2 {
		t.Errorf("%d spans stored, want 2", n)
	}
}

// When all places are taken by connections that say nothing, or nothing that is
// let in, they make room. The receiver is a process of its own with 256 files.
func TestIdleConnections(t *testing.T) {
	cmd := exec.Command(os.Args[0], "-ingest.child=small")
	cmd.Stderr = os.Stderr
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	answers := bufio.NewReader(out)
	var overGRPC, overHTTP string
	if _, err := fmt.Fscanln(answers, &overGRPC, &overHTTP); err != nil {
		t.Fatal(err)
	}
	for i := range 400 {
		c, err := net.Dial("tcp", map[bool]string{true: overGRPC, false: overHTTP}[i%2 == 0])
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if i%8 == 0 { // some begin and never go on
			io.WriteString(c, "PRI * HTTP/2.0\r\n")
		}
	}
	// A sender that tries again, as all do, is served.
	until(func() bool { return sendOverGRPC("passthrough:///"+overGRPC, "") == "OK" })
	until(func() bool { return sendOverHTTP(nil, "http://"+overHTTP, "") == "200" })
	in.Close()
	said, err := io.ReadAll(answers)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(said), "too-many-connections") || !strings.Contains(string(said), "256: raise it with ulimit -n") {
		t.Errorf("the screen says %s", said)
	}
	if strings.Contains(string(said), "panic") {
		t.Errorf("%s", said)
	}
}

// Room is made by the connection that has been useless for longest; one that is
// used stays.
func TestMakeRoom(t *testing.T) {
	st := newStats(time.Now)
	set := newConnSet(3, "buy more", st)
	now := time.Now()
	open := func(age time.Duration, useful bool) *conn {
		a, b := net.Pipe()
		t.Cleanup(func() { a.Close(); b.Close() })
		c := &conn{Conn: a, set: set, since: now.Add(-age), addr: sender{host: age.String()}}
		c.proved.Store(useful)
		if err := set.admit(c); err != nil {
			t.Fatal(err)
		}
		return c
	}
	useful, old, young := open(time.Hour, true), open(time.Minute, false), open(time.Second, false)
	newcomer := &conn{set: set, since: now}
	if err := set.admit(newcomer); err != nil {
		t.Fatal(err)
	}
	if _, there := set.open[old]; there || len(set.open) != 3 || st.conns.Load() != 3 || st.held.Load() != 3*plainHeld {
		t.Errorf("%d open, %d counted, %d bytes", len(set.open), st.conns.Load(), st.held.Load())
	}
	old.Close() // the server hears of it: no place is counted twice
	if st.conns.Load() != 3 {
		t.Errorf("%d counted", st.conns.Load())
	}
	if err := set.admit(&conn{set: set, since: now}); err == nil || !strings.Contains(err.Error(), "buy more") {
		t.Errorf("none is idle for long: %v", err)
	}
	for _, c := range []*conn{useful, young, newcomer} {
		if _, there := set.open[c]; !there {
			t.Error("the wrong one was closed")
		}
	}
	if r := st.read().Refused; len(r) != 1 || r[0].Code != "idle-connection" || !strings.Contains(r[0].Text, "1m0s") {
		t.Errorf("%+v", r)
	}
}

// A soft limit of open files that is lower than the hard one is no limit: the
// process has raised it when the receiver asks.
func TestSoftLimitIsRaised(t *testing.T) {
	out, err := exec.Command("sh", "-c", `ulimit -S -n 300 && ulimit -H -n 512 && exec "$0" -ingest.child=limit`, os.Args[0]).Output()
	if n, _ := strconv.Atoi(strings.TrimSpace(string(out))); err != nil || n < 500 || n > 512 {
		t.Errorf("limit %s, %v", out, err)
	}
}
