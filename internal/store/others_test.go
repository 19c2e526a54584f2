package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// gaugeOf is a metrics request of one gauge with one point per value.
func gaugeOf(res []run.Attr, name string, at uint64, key string, values ...string) []byte {
	b := otlp.NewBuilder(run.Metrics)
	b.Resource(res, 0, "")
	b.Scope(run.Scope{Name: "m"})
	b.Metric(otlp.MetricInfo{Name: name, Kind: otlp.Gauge})
	for i, v := range values {
		b.Point(&otlp.DataPoint{Time: at, Attrs: []run.Attr{str(key, v)}, Value: run.DoubleValue(float64(i))})
	}
	return append([]byte(nil), b.Bytes()...)
}

// linesOf is a logs request of n records.
func linesOf(res []run.Attr, at uint64, n int, text string) []byte {
	b := otlp.NewBuilder(run.Logs)
	b.Resource(res, 0, "")
	b.Scope(run.Scope{Name: "l"})
	for i := range n {
		b.Log(&run.Log{Time: at + uint64(i), Severity: 9, Body: run.StringValue(fmt.Sprint(text, i))})
	}
	return append([]byte(nil), b.Bytes()...)
}

func TestThreeSignalsOfOneProcess(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0), stepSpan(0))
	spanAt := f.now
	f.now += int64(second)
	f.put(run.Metrics, "host", gaugeOf(rank(0), "dl.loss", t0, "k", "a", "b"))
	pointAt := f.now
	f.now += int64(second)
	f.put(run.Logs, "host", linesOf(rank(0), t0, 3, "line "))
	snap := f.Snapshot()
	checkBalanced(t, snap)
	r := snap.Runs[0]
	if len(r.Processes) != 1 || len(r.Metrics) != 1 || len(r.Logs) != 1 || len(r.Cardinality) != 1 {
		t.Fatalf("processes %d, metrics %d, log chunks %d, keys %d", len(r.Processes), len(r.Metrics), len(r.Logs), len(r.Cardinality))
	}
	p := r.Processes[0]
	if p.Spans != 1 || p.Points != 2 || p.Logs != 3 || p.LastSpan != spanAt || p.LastPoint != pointAt || p.LastLog != f.now || p.Last != f.now {
		t.Errorf("process = %+v", p)
	}
	if r.Metrics[0].Name != "dl.loss" || r.Metrics[0].Series[0].Process != 0 || r.Logs[0].Records[2].Body.Str() != "line 2" {
		t.Errorf("metric %+v, records %+v", r.Metrics[0], r.Logs[0].Records)
	}
	for sig, want := range [run.SignalCount]uint64{1, 2, 3} {
		if a := snap.Accounts[sig]; a.Received != want || a.Kept != want {
			t.Errorf("%s: %+v, want %d", run.Signal(sig), a, want)
		}
	}
}

func TestAProcessThatOnlySendsMetricsIsAlive(t *testing.T) {
	f := newFixture(t)
	f.steps(rank(0, of("a", 1)...), 0, 2)
	stuck := f.now
	f.now += 300 * int64(second)
	f.put(run.Metrics, "host", gaugeOf(rank(0, of("a", 1)...), "memory", t0, "k", "v"))
	p := f.only().Processes[0]
	if p.IterationAt != stuck || p.LastSpan != stuck || p.Last != f.now {
		t.Errorf("iteration at %d, span at %d, last %d", p.IterationAt-stuck, p.LastSpan-stuck, p.Last-stuck)
	}
}

func TestEvictedRecordsLeaveTheAccountOfWhoSentThem(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 4 << 20 })
	f.put(run.Logs, "old", linesOf(rank(0), t0, 400, "from old "))
	for i := range uint64(40) {
		f.put(run.Logs, "new", linesOf(rank(0), t0+i*second, 100, strings.Repeat("x", 200)))
	}
	s := f.Snapshot()
	checkBalanced(t, s)
	for _, snd := range s.Senders {
		a := snd.Accounts[run.Logs]
		if snd.Name == "old" && (a.Kept != 0 || a.Evicted != 400) {
			t.Errorf("old: %+v, want all evicted", a)
		}
		if snd.Name == "new" && (a.Kept == 0 || a.Kept > a.Received) {
			t.Errorf("new: %+v", a)
		}
	}
	if m := s.Memory; m.Used > m.Data {
		t.Errorf("memory = %+v", m)
	}
}

func TestMetricsAndLogsTakeFromTheSpans(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 8 << 20 })
	f.fill("r", "a", 0, 150_000)
	before := f.Snapshot().Accounts[run.Traces]
	for i := range uint64(60) {
		f.put(run.Logs, "host", linesOf(rank(0), t0+i*second, 100, strings.Repeat("x", 200)))
	}
	f.fill("r", "a", 150_000, 100)
	s := f.Snapshot()
	checkBalanced(t, s)
	after := s.Accounts[run.Traces]
	if after.Kept >= before.Kept || after.Evicted <= before.Evicted {
		t.Errorf("spans before %+v, after %+v: they gave no room", before, after)
	}
	if m := s.Memory; m.Used > m.Data {
		t.Errorf("memory = %+v", m)
	}
}

func TestFilesWithoutReceiveTimesUseTheirOwn(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Files = true })
	f.put(run.Metrics, "file", gaugeOf(rank(0), "m", t0+3*second, "k", "v"))
	f.put(run.Logs, "file", linesOf(rank(0), t0+9*second, 1, "x"))
	s := f.Snapshot()
	p := s.Runs[0].Processes[0]
	if p.LastPoint != int64(t0+3*second) || p.LastLog != int64(t0+9*second) || s.Now != p.LastLog || s.Clock != SenderClock {
		t.Errorf("point at %d, log at %d, now %d", p.LastPoint, p.LastLog, s.Now)
	}
	g := newFixture(t, func(c *Config) { c.Files = true })
	g.put(run.Logs, "file", linesOf(rank(0), 5, 1, "x")) // a time of 1970 says nothing
	if s := g.Snapshot(); s.Now != 0 || s.Runs[0].Accounts[run.Logs].Kept != 1 {
		t.Errorf("now %d", s.Now)
	}
}

func TestRequestsOfSeveralResources(t *testing.T) {
	b := otlp.NewBuilder(run.Traces)
	for n := range 3 {
		b.Resource(rank(n), 0, "")
		for k := range 2 {
			b.Scope(run.Scope{Name: fmt.Sprint("scope-", k)})
			s := sp(uint64(10*n+k+1), 0, "x", 0, second)
			b.Span(&s)
		}
	}
	f := newFixture(t)
	if out := f.put(run.Traces, "collector", append([]byte(nil), b.Bytes()...)); out.Kept != 6 {
		t.Errorf("outcome = %+v", out)
	}
	r := f.only()
	for _, p := range r.Processes {
		if p.Spans != 2 {
			t.Errorf("rank %d has %d spans", p.ID.Rank, p.Spans)
		}
	}
	scopes := map[string]int{}
	for _, s := range live(r) {
		scopes[s.Scope.Name]++
	}
	if scopes["scope-0"] != 3 || scopes["scope-1"] != 3 {
		t.Errorf("scopes = %v", scopes)
	}
}

func TestAnEmptyRequestIsNothing(t *testing.T) {
	f := newFixture(t)
	if out := f.put(run.Traces, "host", nil); out != (run.Outcome{}) {
		t.Errorf("outcome = %+v", out)
	}
	s := f.Snapshot()
	if len(s.Runs) != 0 || len(s.Senders) != 1 || s.Senders[0].Requests != 1 {
		t.Errorf("runs %d, senders %+v", len(s.Runs), s.Senders)
	}
}
