package store

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// chaos is one sender's random requests: new spans, resent ones, open ones that
// end, ends that change, spans with bad ids, points and records.
type chaos struct {
	r     *rand.Rand
	who   int
	sent  []run.Span
	open  []run.Span
	spans uint64
	iter  int64
}

func newChaos(who int) *chaos { return &chaos{r: rand.New(rand.NewPCG(7, uint64(who))), who: who} }

func (c *chaos) resource() []run.Attr {
	return []run.Attr{str("service.name", "s"), str("nemo.run.id", fmt.Sprint("run-", c.who%3)), num("dl.rank", int64(c.who+8*c.r.IntN(2)))}
}

// traces is a request of up to 40 spans and how many items it has.
func (c *chaos) traces() ([]byte, int) {
	var spans []run.Span
	for range 1 + c.r.IntN(40) {
		spans = append(spans, c.span())
	}
	return request(c.resource(), spans...), len(spans)
}

func (c *chaos) span() run.Span {
	c.spans++
	switch k := c.r.IntN(20); {
	case k == 0 && len(c.sent) > 0:
		return c.sent[c.r.IntN(len(c.sent))]
	case k == 1 && len(c.open) > 0:
		s := c.open[0]
		c.open = c.open[1:]
		s.End = s.Start + second
		return s
	case k == 2 && len(c.sent) > 0:
		s := c.sent[c.r.IntN(len(c.sent))]
		s.Status = run.StatusError
		return s
	case k == 3:
		s := c.fresh()
		s.ID = run.SpanID{} // rejected by the decoder
		return s
	case k == 4:
		s := c.fresh()
		s.End = 0
		c.open = append(c.open, s)
		return s
	}
	s := c.fresh()
	if len(c.sent) < 64 {
		c.sent = append(c.sent, s)
	}
	return s
}

func (c *chaos) fresh() run.Span {
	at := uint64(c.r.IntN(1e9)) * 1000
	s := sp(uint64(c.who)<<40|c.spans, 0, fmt.Sprint("op-", c.r.IntN(6)), at, at+uint64(c.r.IntN(1e6)),
		num("i", int64(c.spans)), str("s", fmt.Sprint(c.r.IntN(100000))))
	s.TraceID = traceID(uint64(c.who)<<32 | c.spans/10)
	if c.r.IntN(10) == 0 {
		c.iter++
		s.Name, s.Attrs = "train_step", append(s.Attrs, num("iteration", c.iter))
	}
	return s
}

func (c *chaos) logs() ([]byte, int) {
	b := otlp.NewBuilder(run.Logs)
	b.Resource(c.resource(), 0, "")
	b.Scope(run.Scope{Name: "l"})
	n := 1 + c.r.IntN(20)
	for range n {
		b.Log(&run.Log{Time: t0, Severity: 9, Body: run.StringValue(fmt.Sprint("line ", c.r.IntN(1000)))})
	}
	return append([]byte(nil), b.Bytes()...), n
}

func (c *chaos) points() ([]byte, int) {
	b := otlp.NewBuilder(run.Metrics)
	b.Resource(c.resource(), 0, "")
	b.Scope(run.Scope{Name: "m"})
	b.Metric(otlp.MetricInfo{Name: fmt.Sprint("m", c.r.IntN(3)), Kind: otlp.Gauge})
	n := 1 + c.r.IntN(20)
	for range n {
		b.Point(&otlp.DataPoint{Time: t0, Attrs: []run.Attr{num("k", int64(c.r.IntN(300)))}, Value: run.DoubleValue(c.r.Float64())})
	}
	return append([]byte(nil), b.Bytes()...), n
}

func (c *chaos) request(sig run.Signal) ([]byte, int) {
	switch sig {
	case run.Metrics:
		return c.points()
	case run.Logs:
		return c.logs()
	}
	return c.traces()
}

// sendAll sends rounds requests of each signal and adds up what was sent.
func (c *chaos) sendAll(t *testing.T, s *Store, rounds int, sent *[run.SignalCount]atomic.Uint64) {
	b := new(otlp.Batch)
	for i := range rounds {
		for sig := range run.SignalCount {
			body, n := c.request(sig)
			sent[sig].Add(uint64(n))
			if err := b.Decode(sig, body); err != nil {
				t.Error(err)
				return
			}
			out, err := s.Put(context.Background(), b, run.Receipt{At: int64(t0) + int64(i), Sender: fmt.Sprint("host-", c.who/2), Raw: body})
			if err != nil {
				t.Error(err)
			}
			if got := out.Kept + out.Rejected + out.Duplicates + out.Replaced; sig != run.Metrics && got != uint64(n) {
				t.Errorf("%s: outcome %+v of %d items", sig, out, n)
			}
			b.Reset()
		}
	}
}

// walk reads all there is in a snapshot, as screens and exports do.
func walk(t *testing.T, s *Snapshot) {
	checkBalanced(t, s)
	for _, r := range s.Runs {
		var kept uint64
		names := map[string]int{}
		r.EachSpan(func(c *Chunk, i int) bool {
			kept++
			names[c.Span(i).Name]++
			return true
		})
		if a := r.Accounts[run.Traces]; a.Kept != kept {
			t.Errorf("run %s: %d spans held, account %+v", r.ID, kept, a)
		}
		for p := range r.Processes {
			r.Windows(p)
			r.Processes[p].Stats()
		}
		for _, st := range r.Stages {
			if ns, _ := st.Quantile(.5); st.Count > 0 && (ns < st.Min || ns > st.Max) {
				t.Errorf("p50 %d outside of %d … %d", ns, st.Min, st.Max)
			}
		}
		checkOthers(t, r)
	}
}

func checkOthers(t *testing.T, r *Run) {
	points, records := uint64(0), uint64(0)
	for _, m := range r.Metrics {
		for _, sr := range m.Series {
			points += uint64(len(sr.Points))
		}
	}
	for _, c := range r.Logs {
		records += uint64(len(c.Records))
	}
	if a := r.Accounts[run.Metrics]; a.Kept != points {
		t.Errorf("run %s: %d points held, account %+v", r.ID, points, a)
	}
	if a := r.Accounts[run.Logs]; a.Kept != records {
		t.Errorf("run %s: %d records held, account %+v", r.ID, records, a)
	}
}

// TestCase76 is eight senders of three signals while readers look, under a
// budget so small that most of it is evicted.
func TestCase76ConcurrentWritersAndReaders(t *testing.T) {
	rounds := 1000
	if testing.Short() || raceEnabled {
		rounds = 150
	}
	s := New(Config{Budget: 4 << 20})
	var sent [run.SignalCount]atomic.Uint64
	var writers, readers sync.WaitGroup
	done := make(chan struct{})
	for range 2 {
		readers.Go(func() {
			for {
				walk(t, s.Snapshot())
				s.Tick(int64(t0))
				runtime.Gosched() // the writers are what is waited for
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	for who := range 8 {
		writers.Go(func() { newChaos(who).sendAll(t, s, rounds, &sent) })
	}
	writers.Wait()
	close(done)
	readers.Wait()
	snap := s.Snapshot()
	walk(t, snap)
	for sig, a := range snap.Accounts {
		if a.Received != sent[sig].Load() || a.InFlight != 0 {
			t.Errorf("%s: %+v, sent %d", run.Signal(sig), a, sent[sig].Load())
		}
		if a.Evicted == 0 {
			t.Errorf("%s: nothing was evicted: the test is too small", run.Signal(sig))
		}
	}
	if a := snap.Accounts[run.Traces]; a.Duplicates == 0 || a.Replaced == 0 || a.Rejected == 0 {
		t.Errorf("traces = %+v, want some of each", a)
	}
}

func TestWhatWaitsAtTheDoorIsInFlight(t *testing.T) {
	s := New(Config{Budget: 4 << 20})
	b := decode(t, run.Traces, request(rank(0), oneTrace(ms)...))
	s.mu.Lock()
	done := make(chan struct{})
	go func() {
		defer close(done)
		if _, err := s.Put(context.Background(), b, run.Receipt{Sender: "a"}); err != nil {
			t.Error(err)
		}
	}()
	for { // until it stands at the door
		all, _ := s.door.accounts(&s.ledger)
		if a := all[run.Traces]; a.InFlight == 2 {
			if a.Received != 2 || !a.Balanced() {
				t.Errorf("account = %+v", a)
			}
			break
		}
	}
	s.mu.Unlock()
	<-done
	if a := s.Snapshot().Accounts[run.Traces]; a.InFlight != 0 || a.Kept != 2 {
		t.Errorf("account = %+v", a)
	}
}
