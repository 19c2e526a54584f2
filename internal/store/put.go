package store

import (
	"context"
	"fmt"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// Put stores one decoded request and says what became of its items. It
// implements ingest.Sink: when it returns nil, what it reports as kept is in the
// store. It is done with the batch and the receipt's bytes when it returns. The
// only error is run.ErrBusy, for a request whose sender has left already.
func (s *Store) Put(ctx context.Context, b *otlp.Batch, r run.Receipt) (run.Outcome, error) {
	if err := ctx.Err(); err != nil {
		return run.Outcome{}, fmt.Errorf("store %d %s: %w (%w)", b.Items(), b.Signal.Item(), run.ErrBusy, err)
	}
	p := put{s: s, b: b, items: b.Items()}
	p.sender = s.door.enter(r.Sender, b.Signal, p.items)
	key := s.resent.key(b.Signal, &r) // before the lock is taken
	s.mu.Lock()
	defer s.mu.Unlock()
	if p.at = s.receiveTime(r.At); p.at != 0 {
		s.noteTime(p.at, false)
	}
	defer p.settle(len(r.Raw))
	p.rejections()
	switch {
	case p.repeats(key):
		p.duplicates()
	case b.Signal == run.Traces:
		p.spans()
	case b.Signal == run.Metrics:
		p.points()
	case b.Signal == run.Logs:
		p.records()
	}
	return p.outcome(), nil
}

// put is one request on its way into the store.
type put struct {
	s       *Store
	b       *otlp.Batch
	items   int
	sender  *sender
	at      int64 // receive time; 0 for a file that has none
	done    tally
	reason  string
	only    *runWriter // of the whole request so far
	several bool       // more than one run
	refused int        // by the decoder, without a resource
}

// receiveTime is when a request came: what the receipt says, else the clock.
// Files may have no receive times.
func (s *Store) receiveTime(at int64) int64 {
	if at != 0 || s.cfg.Files {
		return at
	}
	return s.clock()
}

// rejections counts what the decoder refused one by one.
func (p *put) rejections() {
	for _, r := range p.b.Rejected {
		p.refused += r.Count
		p.why(r.Reason)
	}
	p.book(nil, tally{rejected: p.refused})
}

// why keeps the first reason of a rejection.
func (p *put) why(reason string) {
	if p.reason == "" {
		p.reason = reason
	}
}

// book counts what became of items of this request in all accounts.
func (p *put) book(w *runWriter, t tally) {
	p.done.add(t)
	p.s.ledger.book(p.b.Signal, t)
	p.sender.ledger.book(p.b.Signal, t)
	if w != nil {
		w.ledger.book(p.b.Signal, t)
		w.recv[p.b.Signal] += uint64(t.received())
	}
}

// reject counts n items that cannot be stored.
func (p *put) reject(n int, why error) {
	p.why(why.Error())
	p.book(nil, tally{rejected: n})
}

// settle ends the request: whatever happened, each of its items is in the
// accounts when it leaves the flight.
func (p *put) settle(bytes int) {
	if lost := p.items - p.done.received(); lost > 0 { // a panic on the way
		p.book(nil, tally{rejected: lost})
	}
	p.attribute()
	if p.s.untilMeasure--; p.s.untilMeasure <= 0 {
		p.s.measure()
	}
	p.s.door.leave(p.sender, p.b.Signal, p.items, bytes, p.at)
	p.s.retain() // gives up the lock: all is settled by now
	p.s.version.Add(1)
}

// attribute gives refused items to the run of the rest of the request, where
// there is only one.
func (p *put) attribute() {
	if p.only != nil && !p.several && p.refused > 0 {
		t := tally{rejected: p.refused}
		p.only.ledger.book(p.b.Signal, t)
		p.only.recv[p.b.Signal] += uint64(p.refused)
		p.only.changed()
	}
}

func (p *put) outcome() run.Outcome {
	return run.Outcome{
		Kept: uint64(p.done.kept), Rejected: uint64(p.done.rejected),
		Duplicates: uint64(p.done.duplicates), Replaced: uint64(p.done.replaced), Reason: p.reason,
	}
}

// from is who sent the rows of a scope.
func (p *put) from(scope uint32, at int64) (*procWriter, error) {
	proc, err := p.s.process(p.b, &p.b.Resources[p.b.Scopes[scope].Resource], at)
	if err != nil {
		return nil, err
	}
	p.several = p.several || p.only != nil && p.only != proc.w
	p.only = proc.w
	return proc, nil
}
