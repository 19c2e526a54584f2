package store

import (
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
)

// picture is all that a reader sees of a run, as plain values.
type picture struct {
	Spans     []run.Span
	Processes []Process
	Stats     []NameStat
	Stages    []string
	Cells     []Cell
	Names     []string
	Accounts  [run.SignalCount]run.Account
	Seen      Iterations
}

func take(r *Run) (p picture) {
	p.Spans, p.Accounts, p.Seen = live(r), r.Accounts, r.Seen
	for _, n := range r.Names {
		p.Names = append(p.Names, n.Text)
	}
	for _, pr := range r.Processes {
		p.Processes = append(p.Processes, *pr)
		p.Stats = append(p.Stats, pr.Stats()...)
	}
	for _, st := range r.Stages {
		ns, exact := st.Quantile(.5)
		p.Stages = append(p.Stages, fmt.Sprint(st.Stage, st.NameStat, ns, exact))
	}
	for _, c := range r.Columns {
		for i := range r.Processes {
			if cell, ok := c.Cell(i); ok {
				p.Cells = append(p.Cells, cell)
			}
		}
	}
	return p
}

func samePicture(a, b picture) string {
	return cmp.Diff(a, b, cmp.Comparer(func(a, b run.Value) bool { return a.Equal(b) }),
		cmp.Comparer(func(a, b Sum) bool { return a == b }), cmpopts.IgnoreUnexported(Process{}, Cell{}), cmpopts.EquateNaNs())
}

// TestSnapshotsNeverChange takes one after every request and looks at all of
// them again at the end.
func TestSnapshotsNeverChange(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 512 << 10 })
	var snaps []*Snapshot
	var seen []picture
	open := sp(77, 0, "job", 0, 0)
	open.End = 0
	const rounds = 30
	for i := range rounds {
		f.send(rank(i%3), fullStep(i)...)
		f.send(rank(0), open)
		open.Status = run.Status(i % 3) // each version replaces the last
		f.fill("r", "a", uint64(1e6+i*1000), 400)
		snaps = append(snaps, f.Snapshot())
		seen = append(seen, take(snaps[i].Runs[0]))
	}
	if snaps[rounds-1].Accounts[run.Traces].Evicted == 0 {
		t.Fatal("nothing was evicted: the test is too small")
	}
	for i, s := range snaps {
		if d := samePicture(seen[i], take(s.Runs[0])); d != "" {
			t.Fatalf("snapshot %d changed:\n%.2000s", i, d)
		}
		checkBalanced(t, s)
	}
}

func TestAnUnchangedRunIsShared(t *testing.T) {
	f := newFixture(t)
	f.fill("a", "h", 0, 10)
	f.fill("b", "h", 100, 10)
	first := f.Snapshot()
	f.fill("b", "h", 200, 10)
	second := f.Snapshot()
	if first.Run("a") != second.Run("a") || first.Run("b") == second.Run("b") {
		t.Error("a run that did not change was copied, or one that did was not")
	}
}

func TestVersion(t *testing.T) {
	var r run.Receiver
	f := newFixture(t, func(c *Config) { c.Receiver = func() run.Receiver { return r } })
	rises := func(what string, want bool, do func()) {
		t.Helper()
		before := f.Version()
		do()
		if got := f.Version() > before; got != want {
			t.Errorf("%s: version rises %v, want %v", what, got, want)
		}
	}
	rises("a tick without runs", false, func() { f.Tick(f.now) })
	rises("a refusal", true, func() {
		r.Refused = []run.Refusal{{Code: "too-large", Count: 1}}
		f.Tick(f.now)
	})
	rises("the same refusal", false, func() { f.Tick(f.now) })
	rises("spans", true, func() { f.send(rank(0), stepSpan(0)) })
	rises("a tick while live", true, func() { f.Tick(f.now + int64(time.Second)) })
	rises("a look", false, func() { f.Snapshot() })
	f.now += liveFor + int64(time.Minute)
	rises("a tick long after", false, func() { f.Tick(f.now) })
	if s := f.Snapshot(); s.Live || s.Now != f.now || s.Receiver.Refused[0].Code != "too-large" {
		t.Errorf("live %v, now %d", s.Live, s.Now)
	}
}

func TestFilesHaveTheirOwnNow(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Files = true })
	body := request(rank(0), stepSpan(4))
	b := decode(t, run.Traces, body)
	if _, err := f.Put(t.Context(), b, run.Receipt{At: int64(t0) + 99*int64(second), Sender: "rec"}); err != nil {
		t.Fatal(err)
	}
	s := f.Snapshot()
	if s.Clock != ReceiverClock || s.Now != int64(t0)+99*int64(second) || s.Live {
		t.Errorf("recording: clock %v, now %d, live %v", s.Clock, s.Now, s.Live)
	}
	g := newFixture(t, func(c *Config) { c.Files = true })
	g.send(rank(0), stepSpan(4))
	s = g.Snapshot()
	p := s.Runs[0].Processes[0]
	if s.Clock != SenderClock || s.Now != int64(t0+5*second) || p.Last != s.Now || p.IterationAt != s.Now {
		t.Errorf("file: clock %v, now %d, last %d", s.Clock, s.Now, p.Last)
	}
}

func TestReadingAcrossChunks(t *testing.T) {
	f := newFixture(t)
	const traces, per = 300, 40
	for tr := range uint64(traces) {
		var spans []run.Span
		for i := range uint64(per) {
			s := sp(tr*per+i+1, 0, "op", tr*second+i*ms, tr*second+i*ms+500, num("tr", int64(tr)))
			s.TraceID = traceID(tr + 1)
			spans = append(spans, s)
		}
		f.send(rank(int(tr%3)), spans...)
	}
	r := f.only()
	if len(r.Chunks) < 3 {
		t.Fatalf("chunks = %d: the test is too small", len(r.Chunks))
	}
	for _, tr := range []uint64{0, 137, traces - 1} {
		refs := r.Trace(traceID(tr + 1))
		for _, ref := range refs {
			if s, ok := r.Span(ref); !ok || s.TraceID != traceID(tr+1) || s.Attrs[0].Value.Int() != int64(tr) {
				t.Fatalf("trace %d has the span %+v", tr, s)
			}
		}
		if len(refs) != per {
			t.Errorf("trace %d has %d spans, want %d", tr, len(refs), per)
		}
	}
	if refs := r.Trace(traceID(1e6)); refs != nil {
		t.Errorf("a trace that is not there has %d spans", len(refs))
	}
	if refs := r.ProcessSpans(1, 0, math.MaxUint64); len(refs) != traces/3*per {
		t.Errorf("process 1 has %d spans, want %d", len(refs), traces/3*per)
	}
	if refs := r.ProcessSpans(1, t0+4*second, t0+5*second-1); len(refs) != per {
		t.Errorf("process 1 has %d spans in trace 4, want %d", len(refs), per)
	}
	if refs := r.ProcessSpans(9, 0, math.MaxUint64); refs != nil {
		t.Errorf("a process that is not there has %d spans", len(refs))
	}
	if r.Chunk(0) != nil || r.Chunk(1) == nil || r.Chunk(1000) != nil || r.Chunk(2).Seq() != 2 {
		t.Error("chunks are not found by number")
	}
	if _, ok := r.Span(Ref{Chunk: 1, Row: chunkRows}); ok {
		t.Error("a row beyond the chunk is there")
	}
}

func TestATraceMayCrossRuns(t *testing.T) {
	f := newFixture(t)
	f.send([]run.Attr{str("service.name", "front")}, sp(1, 0, "request", 0, second))
	f.send([]run.Attr{str("service.name", "back")}, sp(2, 1, "query", 0, second))
	s := f.Snapshot()
	refs := s.Trace(traceID(1))
	if len(refs) != 2 || refs[0].Run == refs[1].Run {
		t.Errorf("refs = %+v, want one of each run", refs)
	}
}

func TestOpenSpansOverlapAllThatFollows(t *testing.T) {
	f := newFixture(t)
	open := sp(1, 0, "job", 0, 0)
	open.End = 0
	f.send(rank(0), open, sp(2, 1, "op", 100*second, 101*second))
	for range 2 {
		if refs := f.only().ProcessSpans(0, t0+500*second, t0+600*second); len(refs) != 1 {
			t.Errorf("%d spans overlap, want the open one", len(refs))
		}
		f.fill("r", "a", 10, 2*chunkRows) // it is in an old chunk then
	}
	if refs := f.only().ProcessSpans(0, t0-2, t0-1); len(refs) != 0 {
		t.Errorf("%d spans overlap a time before all", len(refs))
	}
}

func TestAccessorsOfAChunk(t *testing.T) {
	s := sp(2, 1, "op", 5, 9, str("k", "v"))
	s.Kind, s.Status, s.Flags = 3, run.StatusOK, 1
	f := newFixture(t)
	f.send(rank(0), s)
	r := f.only()
	c := r.Chunks[0]
	d, ok := c.Duration(0)
	got := []any{c.Len(), c.Live(), c.Seq(), c.Ref(0), c.Dead(0), c.Start(0), c.End(0), d, ok, c.NameID(0), c.Name(0), c.Process(0),
		c.Marks(0), c.Kind(0), c.Status(0), c.Scope(0).Name, c.TraceID(0), c.ID(0), c.Parent(0), c.MayHaveTrace(traceID(1)), c.MayHaveTrace(traceID(2)),
		c.HasProcess(0), c.HasProcess(1), c.HasProcess(1000), c.Overlaps(t0, t0+5), c.Overlaps(t0, t0+4)}
	want := []any{1, 1, uint32(1), Ref{Chunk: 1}, false, t0 + 5, t0 + 9, uint64(4), true, 0, "op", 0,
		run.Mark(0), run.Kind(3), run.StatusOK, "t", traceID(1), spanID(2), spanID(1), true, false,
		true, false, false, true, false}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("differs (-want +got):\n%s", d)
	}
	if _, ok := r.NameID("nope"); ok {
		t.Error("a name that is not there")
	}
}

func TestItemsWithoutAResourceAreKept(t *testing.T) {
	b := otlp.NewBuilder(run.Traces)
	s := sp(1, 0, "x", 0, second)
	b.Span(&s)
	f := newFixture(t)
	f.put(run.Traces, "h", append([]byte(nil), b.Bytes()...))
	r := f.only()
	if r.Service != run.UnknownService || r.Accounts[run.Traces].Kept != 1 || r.Processes[0].ID.Rank != run.Unknown {
		t.Errorf("service %q, %+v", r.Service, r.Accounts[run.Traces])
	}
}

func TestRefusedSpansBelongToTheOnlyRun(t *testing.T) {
	bad := sp(1, 0, "x", 0, second)
	bad.ID = run.SpanID{}
	f := newFixture(t)
	out := f.send(rank(0), bad, sp(2, 0, "y", 0, second))
	if out.Rejected != 1 || out.Kept != 1 || out.Reason == "" {
		t.Errorf("outcome = %+v", out)
	}
	if a := f.only().Accounts[run.Traces]; a.Rejected != 1 || a.Received != 2 {
		t.Errorf("account = %+v", a)
	}
	checkBalanced(t, f.Snapshot())
}

func TestSendersBeyondTheLimitShareAnEntry(t *testing.T) {
	f := newFixture(t)
	for i := range maxSenders + 10 {
		f.door.enter(fmt.Sprint("host-", i), run.Traces, 1)
	}
	senders := f.Snapshot().Senders
	if len(senders) != maxSenders+1 || senders[0].Name != otherSenders || senders[0].Accounts[run.Traces].Received != 10 {
		t.Errorf("%d senders, first %+v", len(senders), senders[0])
	}
}

// A run whose stall is told later than usual counts as live for longer, and what
// judges it travels with its snapshots.
func TestThresholdsTravelWithSnapshots(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Thresholds = run.Thresholds{StallFirst: 3600} })
	f.send(rank(0), stepSpan(0))
	f.now += liveFor + int64(time.Minute)
	f.Tick(f.now)
	s := f.Snapshot()
	if !s.Live || s.Runs[0].Thresholds.StallFirst != 3600 {
		t.Errorf("live %v, thresholds %+v", s.Live, s.Runs[0].Thresholds)
	}
	if n := s.Notices; len(n) != 1 || n[0].Code != "thresholds" || n[0].Run != "" {
		t.Errorf("notices %+v", n)
	}
	f.now += int64(time.Hour)
	if f.Tick(f.now); f.Snapshot().Live {
		t.Error("it lives for ever")
	}
}
