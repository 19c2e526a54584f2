package store

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestTally(t *testing.T) {
	var sum tally
	for _, x := range []tally{{kept: 3}, {evicted: 2, kept: -2}, {rejected: 1, duplicates: 2, replaced: 3}} {
		sum.add(x)
	}
	if want := (tally{kept: 1, evicted: 2, rejected: 1, duplicates: 2, replaced: 3}); sum != want {
		t.Errorf("sum = %+v, want %+v", sum, want)
	}
	if sum.received() != 9 {
		t.Errorf("received = %d, want 9", sum.received())
	}
}

func TestLedgerBooksMovesBothWays(t *testing.T) {
	var l ledger
	l.book(run.Traces, tally{kept: 10})
	l.book(run.Traces, tally{kept: -4, evicted: 4})
	l.book(run.Logs, tally{rejected: 1})
	want := ledger{run.Traces: {Kept: 6, Evicted: 4}, run.Logs: {Rejected: 1}}
	if d := cmp.Diff(want, l); d != "" {
		t.Errorf("ledger differs (-want +got):\n%s", d)
	}
}

func TestDoor(t *testing.T) {
	d := newDoor()
	var settled ledger
	a := d.enter("a", run.Traces, 5)
	b := d.enter("b", run.Metrics, 7)
	if d.enter("a", run.Traces, 1) != a {
		t.Error("a sender has two entries")
	}
	want := [run.SignalCount]run.Account{run.Traces: {Received: 6, InFlight: 6}, run.Metrics: {Received: 7, InFlight: 7}}
	if got, _ := d.accounts(&settled); got != want {
		t.Errorf("at the door: %+v, want %+v", got, want)
	}
	settled.book(run.Traces, tally{kept: 4, rejected: 1})
	a.ledger.book(run.Traces, tally{kept: 4, rejected: 1})
	d.leave(a, run.Traces, 5, 1000, 77)
	all, list := d.accounts(&settled)
	got := all[run.Traces]
	if want := (run.Account{Received: 6, Kept: 4, Rejected: 1, InFlight: 1}); got != want || !got.Balanced() {
		t.Errorf("after: %+v, want %+v", got, want)
	}
	if len(list) != 2 || list[0].Name != "b" || list[1].Requests != 1 || list[1].Bytes != 1000 || list[1].Last != 77 {
		t.Errorf("senders = %+v", list)
	}
	if b.requests != 0 {
		t.Error("a request that has not left counts")
	}
}

func TestDoorHoldsAtEveryLook(t *testing.T) {
	d := newDoor()
	var mu sync.Mutex // the store's
	var settled ledger
	var wg sync.WaitGroup
	for k := range 4 {
		wg.Go(func() {
			for i := range 500 {
				s := d.enter(fmt.Sprint(k), run.Logs, i)
				mu.Lock()
				settled.book(run.Logs, tally{kept: i})
				s.ledger.book(run.Logs, tally{kept: i})
				d.leave(s, run.Logs, i, 0, 0)
				mu.Unlock()
			}
		})
	}
	for range 500 {
		mu.Lock()
		all, senders := d.accounts(&settled)
		var sum run.Account
		for _, s := range senders {
			sum = plus(sum, s.Accounts[run.Logs])
		}
		if a := all[run.Logs]; a.Received != sum.Received || a.InFlight != sum.InFlight {
			t.Errorf("%+v, by sender %+v", a, sum)
		} else if !a.Balanced() {
			t.Errorf("%+v does not balance", a)
		}
		mu.Unlock()
	}
	wg.Wait()
}
