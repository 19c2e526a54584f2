package store

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// TestARequestThatComesAgain sends a request of two items twice: a retry is known
// by its bytes, its sender and the times of its items.
func TestARequestThatComesAgain(t *testing.T) {
	const minute = int64(60e9)
	points, lines := gaugeOf(rank(0), "m", t0, "k", "a", "b"), linesOf(rank(0), t0, 2, "x")
	tests := []struct {
		name   string
		sig    run.Signal
		body   []byte
		sender string // of the second
		after  int64
		again  bool
	}{
		{"points", run.Metrics, points, "host", 10 * int64(second), true},
		{"points at once", run.Metrics, points, "host", 0, true},
		{"points after the last retry", run.Metrics, points, "host", 5*minute + 1, false},
		{"points of another sender", run.Metrics, points, "elsewhere", minute, false},
		{"points without a time", run.Metrics, gaugeOf(rank(0), "m", 0, "k", "a", "b"), "host", minute, false},
		{"log records", run.Logs, lines, "host", minute, true},
		{"log records of another sender", run.Logs, lines, "elsewhere", minute, false},
		{"log records whose clock counts seconds", run.Logs, oneLineTwice(t0, 0), "host", minute, false},
		{"log records that were observed at a time", run.Logs, oneLineTwice(t0, t0+1), "host", minute, true},
		{"log records without a time", run.Logs, oneLineTwice(0, 0), "host", minute, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			f.put(tt.sig, "host", tt.body)
			f.now += tt.after
			want, kept := run.Outcome{Kept: 2}, uint64(4)
			if tt.again {
				want, kept = run.Outcome{Duplicates: 2}, 2
			}
			if diff := cmp.Diff(want, f.put(tt.sig, tt.sender, tt.body)); diff != "" {
				t.Error(diff)
			}
			s := f.Snapshot()
			checkBalanced(t, s)
			account := run.Account{Received: 4, Kept: kept, Duplicates: 4 - kept}
			if diff := cmp.Diff([]run.Account{account, account}, []run.Account{s.Accounts[tt.sig], s.Runs[0].Accounts[tt.sig]}); diff != "" {
				t.Error(diff)
			}
			p := s.Runs[0].Processes[0]
			if p.Points+p.Logs != kept || p.Last != f.now {
				t.Errorf("%d points, %d records, last %d", p.Points, p.Logs, p.Last-f.now)
			}
			if tt.sig == run.Metrics && s.Runs[0].Metrics[0].Roll.Points != kept {
				t.Errorf("%d points in the roll-up", s.Runs[0].Metrics[0].Roll.Points)
			}
		})
	}
}

// oneLineTwice is a logs request of two equal records.
func oneLineTwice(at, observed uint64) []byte {
	b := otlp.NewBuilder(run.Logs)
	b.Resource(rank(0), 0, "")
	b.Scope(run.Scope{Name: "l"})
	for range 2 {
		b.Log(&run.Log{Time: at, Observed: observed, Severity: 9, Body: run.StringValue("tick")})
	}
	return append([]byte(nil), b.Bytes()...)
}

// TestARepeatInAFile: a file has no receive times, and its own stand in.
func TestARepeatInAFile(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Files = true })
	for range 2 {
		f.put(run.Metrics, "file", gaugeOf(rank(0), "m", t0+3*second, "k", "a"))
		f.put(run.Logs, "file", linesOf(rank(0), t0+5*second+1, 1, "x"))
	}
	s := f.Snapshot()
	checkBalanced(t, s)
	for _, sig := range []run.Signal{run.Metrics, run.Logs} {
		if diff := cmp.Diff(run.Account{Received: 2, Kept: 1, Duplicates: 1}, s.Accounts[sig]); diff != "" {
			t.Errorf("%s: %s", sig, diff)
		}
	}
	if want := int64(t0 + 5*second + 1); s.Now != want || s.Runs[0].Last != want {
		t.Errorf("now %d, last %d, want %d", s.Now, s.Runs[0].Last, want)
	}
}

// TestARefusedRequestIsNotKnown: what was not stored is no repeat.
func TestARefusedRequestIsNotKnown(t *testing.T) {
	f := newFixture(t)
	body := gaugeOf(rank(0), "m", t0, "k", "a")
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := f.Put(gone, decode(t, run.Metrics, body), run.Receipt{Sender: "host", Raw: body}); err == nil {
		t.Fatal("it was stored for a sender that had left")
	}
	if diff := cmp.Diff(run.Outcome{Kept: 1}, f.put(run.Metrics, "host", body)); diff != "" {
		t.Error(diff)
	}
}

// TestRequestsThatAreRemembered: the newest, in bounded memory, told apart by all
// that makes them different.
func TestRequestsThatAreRemembered(t *testing.T) {
	r := newResent(4)
	for key := range uint64(40) {
		if r.again(key, 0) {
			t.Errorf("%d is new", key)
		}
		oldest := key - min(key, 4)
		_, newer := r.newer[oldest]
		if _, old := r.old[oldest]; !newer && !old {
			t.Errorf("%d is forgotten at %d", oldest, key)
		}
	}
	if n := r.bytes(); n > 2*4*resentCost {
		t.Errorf("%d bytes", n)
	}
	keys := map[uint64]bool{}
	for _, sig := range []run.Signal{run.Metrics, run.Logs} {
		for _, from := range []run.Receipt{{Sender: "a", Raw: []byte("b")}, {Sender: "b", Raw: []byte("a")}, {Sender: "", Raw: []byte("ab")}, {Sender: "ab", Raw: []byte("c")}} {
			keys[r.key(sig, &from)] = true
		}
	}
	if len(keys) != 8 {
		t.Errorf("%d keys for 8 requests", len(keys))
	}
	if r.key(run.Traces, &run.Receipt{Raw: []byte("x")}) != 0 || r.key(run.Logs, &run.Receipt{}) != 0 {
		t.Error("spans are known by their ids, and nothing by nothing")
	}
}
