package store

import (
	"cmp"
	"slices"
	"sync"

	"github.com/beamline-hpc/lensview/internal/run"
)

// maxSenders bounds the table of senders; later ones share one entry.
const maxSenders = 4096

// otherSenders is the entry of senders beyond the limit.
const otherSenders = "(other senders)"

// door counts what comes in, before the store's lock is taken, so that the
// accounts hold also for what waits there. Its lock is held for a few
// instructions only. What has been received and what is in flight change
// together; what is settled changes under the store's lock, in the same moment
// in which an item leaves the flight.
type door struct {
	mu      sync.Mutex
	total   traffic
	senders map[string]*sender
}

// traffic is the received and in-flight part of the accounts.
type traffic struct {
	received, inFlight [run.SignalCount]uint64
}

// sender is one peer. Its ledger is guarded by the store's lock, the rest by the
// door's.
type sender struct {
	name     string
	traffic  traffic
	requests uint64
	bytes    uint64
	last     int64
	ledger   ledger
}

func newDoor() door { return door{senders: map[string]*sender{}} }

// enter counts the items of a request as received and in flight.
func (d *door) enter(name string, sig run.Signal, items int) *sender {
	d.mu.Lock()
	defer d.mu.Unlock()
	s := d.sender(name)
	for _, t := range []*traffic{&d.total, &s.traffic} {
		t.received[sig] += uint64(items)
		t.inFlight[sig] += uint64(items)
	}
	return s
}

func (d *door) sender(name string) *sender {
	if s := d.senders[name]; s != nil {
		return s
	}
	if len(d.senders) >= maxSenders {
		name = otherSenders
		if s := d.senders[name]; s != nil {
			return s
		}
	}
	s := &sender{name: name}
	d.senders[name] = s
	return s
}

// leave ends the flight of a request's items. The caller holds the store's lock
// and has settled them.
func (d *door) leave(s *sender, sig run.Signal, items, bytes int, at int64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.total.inFlight[sig] -= uint64(items)
	s.traffic.inFlight[sig] -= uint64(items)
	s.requests++
	s.bytes += uint64(bytes)
	s.last = max(s.last, at)
}

// accounts are the whole accounts, in all and by sender, those with most items
// first: what is settled comes from the store, the rest from here, all of one
// moment. The caller holds the store's lock.
func (d *door) accounts(settled *ledger) ([run.SignalCount]run.Account, []Sender) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.total.account(settled), d.list()
}

func (t *traffic) account(settled *ledger) [run.SignalCount]run.Account {
	out := *settled
	for sig := range out {
		out[sig].Received, out[sig].InFlight = t.received[sig], t.inFlight[sig]
	}
	return out
}

func (d *door) list() []Sender {
	out := make([]Sender, 0, len(d.senders))
	for _, s := range d.senders {
		out = append(out, Sender{Name: s.name, Accounts: s.traffic.account(&s.ledger), Requests: s.requests, Bytes: s.bytes, Last: s.last})
	}
	slices.SortFunc(out, func(a, b Sender) int {
		return cmp.Or(-cmp.Compare(a.items(), b.items()), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// count is how many senders are known.
func (d *door) count() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.senders)
}

func (s *Sender) items() (n uint64) {
	for _, a := range s.Accounts {
		n += a.Received
	}
	return n
}
