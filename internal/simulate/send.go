package simulate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Source gives requests in the order in which they are to leave. A *Stream is
// one.
type Source interface{ Next() (Request, bool) }

// Count is what became of the items of one signal. When Send returns,
// Sent = Accepted + Rejected + Failed.
type Count struct {
	Sent     uint64 // each item once, however often it was tried
	Accepted uint64
	Rejected uint64 // named by the receiver in partial_success
	Failed   uint64 // of requests that were not taken in the end
}

// Result is the account of a Send.
type Result struct {
	Signals  [run.SignalCount]Count
	Requests uint64
	Retries  uint64
	Bytes    uint64 // of request bodies, each once, before compression
	Elapsed  time.Duration
	Late     time.Duration // most that a request left behind its time
	Reasons  []string      // the first few different reasons of refusals and rejections

	Processes int      // that had a telemetry.Handle of their own, which counts no requests and bytes
	Warnings  []string // of theirs, the first few different ones
}

// Send carries a source to a target at a rate until the source or the context
// ends. Requests of one rank arrive in their order; at most Conns × InFlight
// are under way. A receiver that asks for patience gets it: the request is sent
// again after the delay it names, until Target.Patience is over. A target that
// has taken nothing within ten seconds and asks for nothing is an error.
//
// The Result is exact also when an error is returned: that the target cannot
// be used, or the context's.
func Send(ctx context.Context, src Source, to Target, rate Rate, clock Clock) (Result, error) {
	to.fill()
	if err := rate.check(); err != nil {
		return Result{}, err
	}
	tr, err := dial(&to, clock)
	if err != nil {
		return Result{}, err
	}
	defer tr.close()
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	s := &sender{to: to, tr: tr, clock: clock, cancel: cancel, panics: catcher{cancel: cancel}}
	start := clock.Now()
	p := pacer{rate: rate, clock: clock, start: start}
	err = s.run(ctx, src, &p)
	s.result.Elapsed, s.result.Late = clock.Now().Sub(start), p.late
	return s.result, err
}

func dial(to *Target, clock Clock) (transport, error) {
	a, err := to.resolve()
	if err != nil {
		return nil, err
	}
	if a.protocol == HTTP {
		return dialHTTP(to, a, clock), nil
	}
	return dialGRPC(to, a)
}

// sender is one Send under way.
type sender struct {
	to     Target
	tr     transport
	clock  Clock
	cancel context.CancelCauseFunc

	mu     sync.Mutex
	result Result
	heard  bool // a request was taken

	panics catcher
}

// run hands each request to the worker of its rank.
func (s *sender) run(ctx context.Context, src Source, p *pacer) error {
	work := make([]chan Request, s.to.Conns*s.to.InFlight)
	var wg sync.WaitGroup
	for i := range work {
		work[i] = make(chan Request, 1)
		wg.Go(func() {
			for r := range work[i] {
				s.panics.do(func() { s.deliver(ctx, i%s.to.Conns, &r) })
			}
		})
	}
	err := s.feed(ctx, src, p, work)
	for _, w := range work {
		close(w)
	}
	wg.Wait()
	s.panics.rethrow()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

func (s *sender) feed(ctx context.Context, src Source, p *pacer, work []chan Request) error {
	for {
		r, ok := src.Next()
		if !ok {
			return nil
		}
		if err := p.wait(ctx, &r); err != nil {
			return err
		}
		select {
		case work[(r.Rank+1)%len(work)] <- r:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// First wait before a request is sent again when the receiver names none, and
// the longest; each try doubles it.
const (
	firstBackoff = 250 * time.Millisecond
	mostBackoff  = 5 * time.Second
)

// deliver sends one request until it is taken, refused for good, or patience
// ends.
func (s *sender) deliver(ctx context.Context, conn int, r *Request) {
	s.begin(r)
	start, backoff := s.clock.Now(), firstBackoff
	for {
		a, err := s.attempt(ctx, conn, r)
		if err == nil {
			s.taken(r, a)
			return
		}
		why := asRefusal(err)
		wait := why.after
		if wait == 0 {
			wait, backoff = backoff, min(2*backoff, mostBackoff)
		}
		silent := s.silent(why)
		late := s.clock.Now().Add(wait).Sub(start) > s.patience(silent)
		if !why.retry || late || ctx.Err() != nil || s.clock.Sleep(ctx, wait) != nil {
			if silent && late {
				why = &refusal{text: "nobody takes anything there: " + why.text, fatal: true}
			}
			s.failed(r, why)
			return
		}
		s.again(why)
	}
}

// firstPatience is how long a target may take to appear. One that has never taken
// anything by then is not there, and sending on would hide it.
const firstPatience = 10 * time.Second

// silent reports whether nothing says that the target is there at all.
func (s *sender) silent(why *refusal) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return why.retry && why.after == 0 && !s.heard
}

func (s *sender) patience(silent bool) time.Duration {
	if silent {
		return min(firstPatience, s.to.Patience)
	}
	return s.to.Patience
}

func (s *sender) attempt(ctx context.Context, conn int, r *Request) (answer, error) {
	ctx, cancel := context.WithTimeout(ctx, s.to.Timeout)
	defer cancel()
	return s.tr.export(ctx, conn, r)
}

func (s *sender) begin(r *Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.result.Requests++
	s.result.Bytes += uint64(len(r.Body))
	s.result.Signals[r.Signal].Sent += uint64(r.Items)
}

func (s *sender) taken(r *Request, a answer) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = true
	c := &s.result.Signals[r.Signal]
	rejected := min(a.rejected, uint64(r.Items))
	c.Rejected += rejected
	c.Accepted += uint64(r.Items) - rejected
	if a.message != "" {
		s.result.reason(fmt.Sprintf("%d %s rejected: %s", a.rejected, r.Signal.Item(), a.message))
	}
}

func (s *sender) failed(r *Request, why *refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.result.Signals[r.Signal].Failed += uint64(r.Items)
	s.result.reason(why.text)
	if why.fatal {
		s.cancel(fmt.Errorf("simulate: sending %s to %s: %w", r.Signal, s.to.Endpoint, why))
	}
}

func (s *sender) again(why *refusal) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.result.Retries++
	s.result.reason(why.text)
}

// maxReasons bounds Result.Reasons.
const maxReasons = 8

// maxReason bounds one, in bytes: a server that speaks another protocol is quoted
// in full by the libraries.
const maxReason = 300

// reason remembers a reason that was not heard before.
func (r *Result) reason(text string) { r.Reasons = addReason(r.Reasons, text) }

func addReason(reasons []string, text string) []string {
	if len(text) > maxReason {
		text = strings.ToValidUTF8(text[:maxReason], "") + "…"
	}
	if len(reasons) == maxReasons || slices.Contains(reasons, text) {
		return reasons
	}
	return append(reasons, text)
}
