package ingest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

func TestSpace(t *testing.T) {
	s := newSpace(100)
	a, b := s.hold(), s.hold()
	if err := a.take(150); err != nil {
		t.Errorf("alone: %v", err)
	}
	if err := a.take(50); err != nil {
		t.Errorf("still alone: %v", err)
	}
	if err := b.take(1); !errors.Is(err, errFull) || !s.full() {
		t.Errorf("beside one that holds all: %v", err)
	}
	a.give(120)
	if err := b.take(20); err != nil {
		t.Errorf("when there is room: %v", err)
	}
	if err := a.take(1); !errors.Is(err, errFull) {
		t.Errorf("beyond the end: %v", err)
	}
	a.end()
	b.end()
	if n := s.used.Load(); n != 0 {
		t.Errorf("%d bytes left over", n)
	}
}

func TestTurns(t *testing.T) {
	g := newTurns(10)
	first, ok := g.try(6)
	if !ok {
		t.Fatal("no turn in an empty place")
	}
	large, ok := g.try(50)
	if ok {
		t.Fatal("two at once that weigh more than all")
	}
	small, ok := g.try(1)
	if ok {
		t.Fatal("a small one passed those that wait")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := g.wait(ctx, large); !errors.Is(err, context.Canceled) {
		t.Errorf("one that gave up: %v", err)
	}
	if err := g.wait(t.Context(), small); err != nil { // what kept it waiting is gone
		t.Error(err)
	}
	g.end(first)
	g.end(small)
	if g.free != 10 || len(g.waiting) != 0 {
		t.Errorf("%d free, %d wait", g.free, len(g.waiting))
	}
}

// A turn that comes while its owner gives up is not lost.
func TestTurnsAreNotLost(t *testing.T) {
	g := newTurns(3)
	var wg sync.WaitGroup
	for i := range 300 {
		wg.Go(func() {
			turn, ok := g.try(int64(1 + i%5))
			if !ok {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(i%7)*20*time.Microsecond)
				defer cancel()
				if g.wait(ctx, turn) != nil {
					return
				}
			}
			g.end(turn)
		})
	}
	wg.Wait()
	if g.free != 3 || len(g.waiting) != 0 {
		t.Errorf("%d free, %d wait", g.free, len(g.waiting))
	}
}

// Bombs at once take the space of requests in flight and no more, and none takes a
// larger buffer than the limit.
func TestBombsAtOnce(t *testing.T) {
	const limit = 1 << 20
	s := start(t, Config{MaxRequest: limit, MaxBytes: 2 * limit}, new(memory))
	bomb := gz(make([]byte, 64<<20))
	var most atomic.Int64
	stop := make(chan struct{})
	watched := make(chan struct{})
	go func() {
		defer close(watched)
		for {
			select {
			case <-stop:
				return
			default:
				most.Store(max(most.Load(), s.door.space.used.Load()))
			}
		}
	}()
	var wg sync.WaitGroup
	for range 24 {
		wg.Go(func() {
			got := post(t, s, "/v1/traces", bomb, "Content-Type", typeProto, "Content-Encoding", "gzip")
			if got.status != 413 && got.status != 503 {
				t.Errorf("%d %q", got.status, got.body)
			}
		})
	}
	wg.Wait()
	close(stop)
	<-watched
	if n := most.Load(); n > 3*limit { // two, and what one of them is about to be refused
		t.Errorf("%d bytes in flight", n)
	}
	if n := s.door.space.used.Load(); n != 0 {
		t.Errorf("%d bytes left over", n)
	}
	healthy(t, s)
}

// A full space is told in the way that makes senders try again, over both protocols.
func TestFullSpaceIsBusy(t *testing.T) {
	s := start(t, Config{MaxBytes: 1 << 10}, new(memory))
	other := s.door.space.hold()
	if err := other.take(1 << 10); err != nil {
		t.Fatal(err)
	}
	body := marshal(t, traces(span(0)))
	for _, part := range []string{"before", "while"} {
		if part == "while" { // there is room for a call to begin, and none for its body
			other.give(1)
		}
		if got := post(t, s, "/v1/traces", body, "Content-Type", typeProto); got.status != 503 || got.header.Get("Retry-After") == "" || !strings.Contains(string(got.body), "in flight take 1024 bytes") {
			t.Errorf("HTTP, %s: %d %q", part, got.status, got.body)
		}
		if _, err := call(t, dial(t, s), exportTraces, body); err == nil || !strings.Contains(err.Error(), "Unavailable") {
			t.Errorf("gRPC, %s: %v", part, err)
		}
	}
	if n := refused(s, "busy").Count; n != 4 {
		t.Errorf("%d refusals on the screen, want 4", n)
	}
	other.end()
	healthy(t, s)
}

// Who waits for others to be decoded is told to retry after the wait.
func TestNoTurnIsBusy(t *testing.T) {
	s := start(t, Config{Wait: time.Millisecond}, new(memory))
	turn, _ := s.door.space.rows.try(1 << 60)
	body := marshal(t, traces(span(0)))
	if got := post(t, s, "/v1/traces", body, "Content-Type", typeProto); got.status != 503 {
		t.Errorf("%d %q", got.status, got.body)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	if _, f := s.door.take(gone, request{signal: run.Traces, body: body}); f == nil || f.word != "sender-gone" {
		t.Errorf("a sender that has gone: %+v", f)
	}
	s.door.space.rows.end(turn)
	healthy(t, s)
}

// slowly gives its content in single bytes, each after the receiver has been busy.
type slowly struct {
	io.Reader
	busy func()
}

func (s slowly) Read(p []byte) (int, error) {
	s.busy()
	return s.Reader.Read(p[:1])
}

// The time in which a receiver unpacks is not the sender's.
func TestUnpackingIsNoWaiting(t *testing.T) {
	var last time.Duration
	src := &source{r: strings.NewReader("abc"), left: 10, pace: pace{grace: time.Minute}, deadline: func(at time.Time) error {
		last = time.Until(at)
		return nil
	}}
	own := time.Duration(0)
	b, err := new(pool).readAll(slowly{src, func() {
		time.Sleep(20 * time.Millisecond)
		own += 20 * time.Millisecond
	}}, 1, 10, newSpace(1).hold())
	if err != nil || string(*b) != "abc" {
		t.Fatalf("%v", err)
	}
	if waited := time.Minute - last; waited > own {
		t.Errorf("%v of the sender's time are gone after %v of ours", waited, own)
	}
}

// A batch that one request has blown up is not kept for the next.
func TestBlownUpBatchesAreDropped(t *testing.T) {
	d, err := newDoor(Config{}.withDefaults(), new(memory), newStats(time.Now))
	if err != nil {
		t.Fatal(err)
	}
	if _, f := d.take(t.Context(), request{signal: run.Logs, body: bytes.Repeat([]byte{0x0a, 0}, 1<<18)}); f != nil {
		t.Fatalf("%+v", f)
	}
	for range 4 {
		if b, ok := d.batches.Get().(*otlp.Batch); ok && b.Footprint() > maxRows {
			t.Errorf("a batch of %d bytes waits for the next request", b.Footprint())
		}
	}
}

func TestTooLargeNamesWhatExceeds(t *testing.T) {
	for size, want := range map[int64]string{
		64<<20 + 1: "67108865 bytes > limit of 64 MiB", 100 << 20: "100 MiB > limit of 64 MiB", 0: "more than the limit of 64 MiB",
	} {
		if f := tooLarge(size, 64<<20, "x"); !strings.Contains(f.text, want) {
			t.Errorf("%d: %q, want %q", size, f.text, want)
		}
	}
}
