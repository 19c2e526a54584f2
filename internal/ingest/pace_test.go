package ingest

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestPace(t *testing.T) {
	for got, want := range map[int]time.Duration{
		0: bodyGrace, bodyRate: bodyGrace + time.Second, 10 * bodyRate: bodyGrace + 10*time.Second, 64 << 20: readTimeout,
	} {
		p := pace{grace: bodyGrace, got: got}
		if left := p.left(); left != want {
			t.Errorf("after %d bytes: %v, want %v", got, left, want)
		}
		p.waited = time.Second
		if left := p.left(); left != want-time.Second {
			t.Errorf("after %d bytes and a second of waiting: %v, want %v", got, left, want-time.Second)
		}
	}
}

// A body that stalls gives its place back; one that moves on is read to its end.
func TestStalledBodyGivesItsPlaceBack(t *testing.T) {
	s := start(t, Config{MaxCalls: 1}, new(memory))
	s.http.Handler.(*httpDoor).grace = time.Millisecond
	c := rawConn(t, addr(t, s, "HTTP"))
	_, err := fmt.Fprintf(c, "POST /v1/traces HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: 1000\r\n\r\nab", typeProto)
	if err != nil {
		t.Fatal(err)
	}
	got, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(got.Body)
	if got.StatusCode != http.StatusRequestTimeout || !strings.Contains(string(text), "stalled") || refused(s, "slow-body").Count != 1 {
		t.Errorf("%s %q, %+v", got.Status, text, s.Stats().Refused)
	}
	until(func() bool { return s.door.calls.Load() == 0 })
}

// paced is a response whose connection remembers its deadlines.
type paced struct {
	httptest.ResponseRecorder
	set []time.Time
}

func (p *paced) SetReadDeadline(at time.Time) error { p.set = append(p.set, at); return nil }

// The time for a body is not the time for its answer: a deadline left behind
// would end a request that waits for the store.
func TestDeadlineOfABodyEndsWithIt(t *testing.T) {
	s := start(t, Config{}, new(memory))
	h := s.http.Handler.(*httpDoor)
	w := new(paced)
	b, f := h.read(w, httptest.NewRequest(http.MethodPost, "/v1/traces", strings.NewReader("body")), s.door.space.hold())
	if f != nil || string(*b) != "body" {
		t.Fatalf("%v", f)
	}
	if n := len(w.set); n < 2 || w.set[0].IsZero() || !w.set[n-1].IsZero() {
		t.Errorf("deadlines %v, want some and in the end none", w.set)
	}
}
