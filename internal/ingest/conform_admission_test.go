package ingest

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// bodiesOf are requests of a signal: two good ones, of which the second repeats
// the first, and one that has an item to reject; with the items of each.
func bodiesOf(t testing.TB, s run.Signal) (bodies [][]byte, items []uint64) {
	switch s {
	case run.Metrics:
		return [][]byte{marshal(t, metrics(1, 2)), marshal(t, metrics(1, 2)), marshal(t, metrics(3))}, []uint64{2, 2, 1}
	case run.Logs:
		return [][]byte{marshal(t, logs("a", "b")), marshal(t, logs("a", "b")), marshal(t, logs("c"))}, []uint64{2, 2, 1}
	}
	bad := span(3)
	bad.TraceId = bad.TraceId[:3]
	return [][]byte{marshal(t, traces(span(0), span(1))), marshal(t, traces(span(0), span(1))), marshal(t, traces(bad, span(2)))}, []uint64{2, 2, 2}
}

// TestAdmissionAccounts: whatever comes at once over every way, at every moment
// received = kept + evicted + rejected + duplicates + replaced + in flight, for
// each signal and each sender; in the end received is what was acknowledged.
func TestAdmissionAccounts(t *testing.T) {
	st := store.New(store.Config{Budget: 16 << 20, Clock: t0.UnixNano})
	all := ways(t)
	servers := make([]*Server, len(all))
	for i, w := range all {
		servers[i] = w.start(t, Config{MaxCalls: 4, Wait: time.Second}, st)
	}
	done := make(chan struct{})
	var watching sync.WaitGroup
	watching.Go(func() {
		for {
			checkBalance(t, st)
			select {
			case <-done:
				return
			default:
			}
		}
	})
	var acknowledged [run.SignalCount]atomic.Uint64
	var wg sync.WaitGroup
	for i, w := range all {
		for signal := range run.SignalCount {
			bodies, items := bodiesOf(t, signal)
			wg.Go(func() { sendInTurn(t, w, servers[i], signal, bodies, items, &acknowledged[signal]) })
		}
	}
	wg.Wait()
	close(done)
	watching.Wait()
	snap := st.Snapshot()
	for signal := range run.SignalCount {
		a := snap.Accounts[signal]
		if want := acknowledged[signal].Load(); a.Received != want || want == 0 || a.InFlight != 0 {
			t.Errorf("%s: %d acknowledged, account %+v", signal, want, a)
		}
	}
	if a := snap.Accounts[run.Traces]; a.Rejected == 0 || a.Duplicates == 0 {
		t.Errorf("nothing was rejected or repeated: %+v", a)
	}
}

// sendInTurn sends every body over gRPC and HTTP by turns and counts what was
// acknowledged; what was not is not in the store.
func sendInTurn(t *testing.T, w way, s *Server, signal run.Signal, bodies [][]byte, items []uint64, acknowledged *atomic.Uint64) {
	cc := w.dial(t, s)
	for round := range 6 {
		for i, body := range bodies {
			var ok bool
			if round%2 == 0 {
				_, err := call(t, cc, exportMethods[signal], body)
				ok = err == nil
			} else {
				got := w.post(t, s, "/v1/"+signal.String(), body, "Content-Type", typeProto)
				if ok = got.status == 200; !ok && got.status != 503 {
					t.Errorf("%d %q", got.status, got.body)
				}
			}
			if ok {
				acknowledged.Add(items[i])
			}
		}
	}
}

// checkBalance looks at every account of one moment.
func checkBalance(t *testing.T, st *store.Store) {
	snap := st.Snapshot()
	var sum [run.SignalCount]uint64
	for _, from := range snap.Senders {
		for signal, a := range from.Accounts {
			if sum[signal] += a.Received; !a.Balanced() {
				t.Errorf("%s of %s: %+v", run.Signal(signal), from.Name, a)
			}
		}
	}
	for signal, a := range snap.Accounts {
		if !a.Balanced() || sum[signal] != a.Received {
			t.Errorf("%s: %+v, senders %d", run.Signal(signal), a, sum[signal])
		}
	}
}

// What was not acknowledged was not stored, whichever check refused it.
func TestRefusedIsNotStored(t *testing.T) {
	st := store.New(store.Config{Clock: t0.UnixNano})
	everyWay(t, Config{MaxRequest: 1 << 16, Token: "4f2a", owner: stranger}, func() Sink { return st }, func(t *testing.T, w way, s *Server) {
		good := marshal(t, traces(span(0)))
		for i, kv := range [][]string{
			{"Content-Type", typeProto},
			{"Content-Type", typeProto, tokenHeader, "wrong"},
			{"Content-Type", "text/plain", tokenHeader, "4f2a"},
			{"Content-Type", typeProto, tokenHeader, "4f2a", "Content-Encoding", "gzip"},
		} {
			if got := w.post(t, s, "/v1/traces", good, kv...); got.status < 400 || got.status >= 500 {
				t.Errorf("%d: %d", i, got.status)
			}
		}
		if _, err := call(t, w.dial(t, s), exportTraces, good); err == nil {
			t.Error("gRPC without a token was taken")
		}
		if a := st.Snapshot().Accounts[run.Traces]; a != (run.Account{}) {
			t.Errorf("account %+v", a)
		}
		if n := len(s.Stats().Refused); n < 4 {
			t.Errorf("the screen knows of %d kinds: %s", n, fmt.Sprint(s.Stats().Refused))
		}
	})
}
