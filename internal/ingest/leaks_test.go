//go:build linux

package ingest

import (
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// openFiles is how many files and sockets this process has open.
func openFiles(t *testing.T) int {
	t.Helper()
	all, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		t.Skip("this system does not say what is open:", err)
	}
	return len(all)
}

// noMoreFiles wants no more files open than before, as soon as what is being closed
// is closed.
func noMoreFiles(t *testing.T, what string, before int) {
	t.Helper()
	end := time.Now().Add(10 * time.Second) // of a test that fails
	for openFiles(t) > before && time.Now().Before(end) {
		time.Sleep(time.Millisecond)
	}
	if got := openFiles(t); got > before {
		t.Errorf("%s: %d files open, %d before", what, got, before)
	}
}

// endings are the ways in which a connection to the receiver can end, each left to
// run to its end.
func endings(s *Server, conf *tls.Config) map[string]func(t *testing.T, address string) {
	say := func(text string, shut bool) func(*testing.T, string) {
		return func(t *testing.T, address string) {
			c := rawConn(t, address)
			io.WriteString(c, text)
			if shut {
				c.(*net.TCPConn).CloseWrite()
			}
			io.Copy(io.Discard, c)
			c.Close()
		}
	}
	all := map[string]func(*testing.T, string){
		"says nothing":       say("", true),
		"another protocol":   say("SSH-2.0-x\r\n", true),
		"HTTP/1":             say("POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: 0\r\n\r\n", false),
		"HTTP/1 that is cut": say("POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", true),
		"HTTP/2 that is cut": say("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00", true),
		"a head without end": say("GET / HTTP/1.1\r\nX: "+strings.Repeat("x", 100_000), true),
		"TLS that is none":   say("\x16\x03\x01\x00\x05\x01\x00\x00\x01\x03", true),
		"resets at once":     func(t *testing.T, address string) { reset(t, address, "PRI * HT") },
		"resets in a request": func(t *testing.T, address string) {
			reset(t, address, "POST /v1/traces HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{")
		},
	}
	if conf != nil {
		all["TLS without a request"] = func(t *testing.T, address string) {
			if c, err := tls.Dial("tcp", address, trusting(t, conf)); err == nil {
				c.Close()
			}
		}
		all["TLS that does not trust us"] = func(t *testing.T, address string) {
			if c, err := tls.Dial("tcp", address, &tls.Config{ServerName: "elsewhere"}); err == nil {
				t.Error("it trusts a foreign certificate")
				c.Close()
			}
		}
	}
	return all
}

// reset ends a connection without the goodbye of TCP.
func reset(t *testing.T, address, text string) {
	c := rawConn(t, address)
	io.WriteString(c, text)
	_ = c.(*net.TCPConn).SetLinger(0)
	c.Close()
}

// However a connection ends, its file is closed: a port scanner or a sender that
// retries for a month must not use them up. And its place is given back.
func TestConnectionsLeaveNoFilesOpen(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which would close some of them
	conf := selfSigned(t)
	for name, c := range map[string]Config{"plain": {begin: 200 * time.Millisecond}, "TLS": {TLS: conf, begin: 200 * time.Millisecond}} {
		t.Run(name, func(t *testing.T) {
			s := start(t, c, new(memory))
			quiet := func() bool { return s.Stats().Conns == 0 && s.door.calls.Load() == 0 }
			until(quiet)
			before := openFiles(t)
			for what, end := range endings(s, c.TLS) {
				for _, l := range s.Addrs() {
					for range 3 {
						end(t, l.Addr)
					}
					until(quiet)
				}
				noMoreFiles(t, what, before)
			}
		})
	}
}

// A connection that finds no place is closed at once, and does not wait for the
// garbage collector with its file open.
func TestRefusedConnectionsLeaveNoFilesOpen(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	s := start(t, Config{MaxConns: 1}, new(memory))
	rawConn(t, addr(t, s, "HTTP"))
	until(func() bool { return s.Stats().Conns == 1 })
	before := openFiles(t)
	for range 20 {
		for _, l := range s.Addrs() {
			c := rawConn(t, l.Addr)
			if _, err := c.Read(make([]byte, 1)); errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatalf("%s: the connection stays open", l.Protocol)
			}
			c.Close()
		}
	}
	noMoreFiles(t, "refused connections", before)
	if r := refused(s, "too-many-connections"); r.Count != 40 {
		t.Errorf("refusals %+v", r)
	}
}

// What a sender chooses — its paths, hosts, types, methods, names — is counted
// without growing: a million spellings are one entry of the statistics.
func TestRefusalsDoNotGrow(t *testing.T) {
	s := start(t, Config{}, new(memory))
	for i := range 50 {
		word := fmt.Sprintf("word%d", i)
		post(t, s, "/"+word, nil, "Content-Type", typeProto)
		post(t, s, "/v1/traces", nil, "Content-Type", "text/"+word)
		post(t, s, "/v1/traces", nil, "Content-Type", typeProto, "Content-Encoding", word)
		post(t, s, "/v1/traces", []byte("{"+word), "Content-Type", typeJSON)
		post(t, s, "/v1/traces", nil, "Content-Type", typeProto, "Origin", "http://"+word)
		call(t, dial(t, s), "/a/"+word, nil)
	}
	st := s.Stats()
	total := uint64(0)
	for _, r := range st.Refused {
		total += r.Count
	}
	if len(st.Refused) > 6 || total != 300 || len(st.Notices) > 3 {
		t.Errorf("%d kinds of refusals with %d cases, %d notices: %+v", len(st.Refused), total, len(st.Notices), st.Refused)
	}
	if s.Stats().Requests != 0 {
		t.Errorf("%+v", st)
	}
}
