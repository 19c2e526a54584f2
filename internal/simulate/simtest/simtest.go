// Package simtest receives simulated runs into stores, for the tests of what reads
// stores. Nothing but tests imports it.
package simtest

import (
	"slices"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Feed is a simulated run on its way into a store, by a clock that follows it.
type Feed struct {
	testing.TB
	Stream *simulate.Stream
	Store  *store.Store
	Sender string
	Now    int64                       // of the store's clock, in ns
	Keep   func(simulate.Request) bool // what is received; nil for all of it

	start int64
	next  simulate.Request
	more  bool
}

// New is a run of which nothing has been received yet. The store's clock is the
// feed's, unless it has one.
func New(t testing.TB, c simulate.Config, of store.Config) *Feed {
	t.Helper()
	stream, err := simulate.New(c)
	if err != nil {
		t.Fatal(err)
	}
	f := &Feed{TB: t, Stream: stream, Sender: "sim", start: stream.Config().Start.UnixNano()}
	f.Now = f.start
	if of.Clock == nil {
		of.Clock = func() int64 { return f.Now }
	}
	f.Store = store.New(of)
	f.next, f.more = stream.Next()
	return f
}

// Until receives what is exported by a time after the run's start, which is what
// the clock shows then; 0 is the end of the run.
func (f *Feed) Until(at time.Duration) *store.Snapshot {
	f.Helper()
	if at == 0 {
		return f.End()
	}
	for f.more && f.next.At <= at {
		f.receive()
	}
	return f.look(f.start + int64(at))
}

// End receives the rest of the run.
func (f *Feed) End() *store.Snapshot {
	f.Helper()
	for f.more {
		f.receive()
	}
	return f.look(f.Now)
}

func (f *Feed) receive() {
	f.Helper()
	r := f.next
	f.next, f.more = f.Stream.Next()
	if f.Keep != nil && !f.Keep(r) {
		return
	}
	f.Now = f.start + int64(r.At)
	var b otlp.Batch
	if err := b.Decode(r.Signal, r.Body); err != nil {
		f.Fatal(err)
	}
	if _, err := f.Store.Put(f.Context(), &b, run.Receipt{At: f.Now, Sender: f.Sender, Raw: r.Body}); err != nil {
		f.Fatal(err)
	}
}

func (f *Feed) look(now int64) *store.Snapshot {
	f.Now = max(f.Now, now)
	f.Store.Tick(f.Now)
	return f.Store.Snapshot()
}

// Only keeps the requests of some signals.
func Only(signals ...run.Signal) func(simulate.Request) bool {
	return func(r simulate.Request) bool { return slices.Contains(signals, r.Signal) }
}
