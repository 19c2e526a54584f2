package ingest

import (
	"errors"
	"io"
	"net"
	"os"
	"sync"
	"testing"
	"time"
)

// Clients that go on forever sending a little are ended when the time for the
// beginning of a request is over, however busy they look.
func TestSlowLoris(t *testing.T) {
	const begin = 100 * time.Millisecond
	conf := selfSigned(t)
	for name, c := range map[string]Config{"plain": {begin: begin, Unix: socketPath(t)}, "TLS": {begin: begin, TLS: conf}} {
		t.Run(name, func(t *testing.T) {
			s := start(t, c, new(memory))
			var wg sync.WaitGroup
			for _, l := range s.Addrs() {
				network := map[bool]string{true: "unix", false: "tcp"}[l.Protocol == protoUnix]
				for _, text := range []string{"", "P", "PRI * HTTP/2.0\r\n\r\n", "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nX: ", "\x16\x03\x01\x02\x00\x01"} {
					wg.Go(func() { trickle(t, network, l.Addr, text) })
				}
			}
			wg.Wait()
			until(func() bool { return s.Stats().Conns == 0 })
			if name == "plain" {
				if got := post(t, s, "/v1/traces", nil, "Content-Type", typeProto); got.status != 200 {
					t.Errorf("afterwards: %d", got.status)
				}
			}
		})
	}
}

// trickle sends the beginning, then a byte at a time until the other end hangs
// up.
func trickle(t *testing.T, network, address, text string) {
	c, err := net.Dial(network, address)
	if err != nil {
		t.Error(err)
		return
	}
	defer c.Close()
	c.SetDeadline(time.Now().Add(30 * time.Second))
	go func() {
		for b := []byte(text); ; b = []byte("a") {
			if _, err := c.Write(b); err != nil {
				return
			}
			time.Sleep(5 * time.Millisecond) // the pace of the attacker; nothing waits for it
		}
	}()
	if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("%q: still connected", text)
	}
}
