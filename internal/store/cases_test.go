package store

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

// The names say which row of CASES.md a test is an example of.

func hasNotice(ns []run.Notice, code, text string) bool {
	return slices.ContainsFunc(ns, func(n run.Notice) bool { return n.Code == code && strings.Contains(n.Text, text) })
}

// oneTrace is the request of row 19.
func oneTrace(scale uint64) []run.Span {
	return []run.Span{sp(1, 0, "root", 0, 10*scale), sp(2, 1, "child", scale, 9*scale)}
}

func TestCase19RanksThatShareIDs(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0), oneTrace(100*ms)...)
	f.send(rank(1), oneTrace(150*ms)...)
	s := f.Snapshot()
	checkBalanced(t, s)
	r := f.only()
	if got := live(r); len(got) != 4 {
		t.Fatalf("spans = %d, want 4", len(got))
	}
	for p := range 2 {
		if refs := r.ProcessSpans(p, 0, math.MaxUint64); len(refs) != 2 {
			t.Errorf("process %d has %d spans, want 2", p, len(refs))
		}
	}
	for _, name := range []string{"root", "child"} {
		if n := total(r, name); n.Count != 2 {
			t.Errorf("%s: count %d, want 2", name, n.Count)
		}
	}
	if !hasNotice(s.Notices, "shared-span-ids", "ranks 0, 1 share span ids (seeded RNG?)") {
		t.Errorf("notices = %+v", s.Notices)
	}
	if n := len(s.Trace(traceID(1))); n != 4 {
		t.Errorf("the trace has %d spans, want 4", n)
	}
}

func TestCase20ResentSpans(t *testing.T) {
	f := newFixture(t)
	f.send(rank(0), oneTrace(100*ms)...)
	if out := f.send(rank(0), oneTrace(100*ms)...); out.Duplicates != 2 || out.Kept != 0 {
		t.Errorf("the second time: %+v, want 2 duplicates", out)
	}
	open := sp(3, 1, "job", 0, 0)
	open.End = 0
	done := sp(3, 1, "job", 0, 2*second)
	failed := done
	failed.Status = run.StatusError
	f.send(rank(0), open)
	f.send(rank(0), done)
	f.send(rank(0), failed)
	s := f.Snapshot()
	checkBalanced(t, s)
	r := f.only()
	want := run.Account{Received: 7, Kept: 3, Duplicates: 2, Replaced: 2}
	if got := s.Accounts[run.Traces]; got != want {
		t.Errorf("account = %+v, want %+v", got, want)
	}
	if n := total(r, "root"); n.Count != 1 {
		t.Errorf("root: count %d, want 1", n.Count)
	}
	if n := total(r, "job"); n.Count != 1 || n.Errors != 0 || n.Max != 2*second {
		t.Errorf("job: %+v, want the first finished version to count", n)
	}
	spans := live(r)
	last := spans[len(spans)-1]
	if len(spans) != 3 || last.Status != run.StatusError || !last.Marks.Has(run.Versions) {
		t.Errorf("the last of %d spans is %+v, want the failed version, flagged", len(spans), last)
	}
	if r.Processes[0].Spans != 3 {
		t.Errorf("process has %d spans, want 3", r.Processes[0].Spans)
	}
}

func TestCase20LateOpenVersionIsDropped(t *testing.T) {
	f := newFixture(t)
	done := sp(3, 0, "job", 0, 2*second)
	open := done
	open.End = 0
	f.send(rank(0), done)
	if out := f.send(rank(0), open); out.Replaced != 1 {
		t.Errorf("outcome = %+v, want it replaced", out)
	}
	if spans := live(f.only()); len(spans) != 1 || spans[0].End == 0 {
		t.Errorf("spans = %+v, want the finished one", spans)
	}
	checkBalanced(t, f.Snapshot())
}

func TestReusedIDsAreSpansOfTheirOwn(t *testing.T) {
	f := newFixture(t)
	for i := range uint64(3) {
		f.send(rank(0), sp(1, 0, "op", i*second, i*second+ms))
		f.send(rank(0), sp(1, 0, "op", i*second, i*second+ms)) // resent
	}
	r := f.only()
	if n := total(r, "op"); n.Count != 3 || len(live(r)) != 3 {
		t.Errorf("count %d, %d spans, want 3", n.Count, len(live(r)))
	}
	if a := r.Accounts[run.Traces]; a.Duplicates != 3 {
		t.Errorf("account = %+v", a)
	}
	if !hasNotice(r.Notices, "reused-span-ids", "one span id") {
		t.Errorf("notices = %+v", r.Notices)
	}
}

func TestASenderOfDroppedRowsIsNotThatOfTheNext(t *testing.T) {
	f := newFixture(t)
	open := sp(2, 0, "job", 0, 0)
	open.End = 0
	f.sendFrom("a", rank(0), sp(1, 0, "op", 0, ms))
	f.sendFrom("b", rank(0), sp(1, 0, "op", 0, ms)) // a duplicate: no row of b
	f.sendFrom("c", rank(0), open)
	f.sendFrom("d", rank(0), sp(2, 0, "job", 0, second))
	s := f.Snapshot()
	checkBalanced(t, s)
	want := map[string]run.Account{
		"a": {Received: 1, Kept: 1}, "b": {Received: 1, Duplicates: 1}, "c": {Received: 1, Replaced: 1}, "d": {Received: 1, Kept: 1},
	}
	for _, snd := range s.Senders {
		if got := snd.Accounts[run.Traces]; got != want[snd.Name] {
			t.Errorf("sender %s: %+v, want %+v", snd.Name, got, want[snd.Name])
		}
	}
}

func TestCase23OrderOfArrival(t *testing.T) {
	spans := []run.Span{sp(2, 1, "child", 1*ms, 9*ms), sp(3, 2, "grandchild", 2*ms, 8*ms), sp(1, 0, "train", 0, 10*ms)}
	orders := [][]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}}
	for _, order := range orders {
		t.Run(fmt.Sprint(order), func(t *testing.T) {
			f := newFixture(t)
			for _, i := range order {
				f.send(rank(0), spans[i])
			}
			r := f.only()
			got := map[string]run.SpanID{}
			for _, ref := range r.Trace(traceID(1)) {
				s, ok := r.Span(ref)
				if !ok {
					t.Fatal("a ref of the trace has no span")
				}
				got[s.Name] = s.Parent
			}
			want := map[string]run.SpanID{"train": {}, "child": spanID(1), "grandchild": spanID(2)}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("parents differ (-want +got):\n%s", d)
			}
		})
	}
}

func TestCase26OpenSpans(t *testing.T) {
	f := newFixture(t)
	open := sp(1, 0, "job", 0, 0)
	open.End = 0
	f.send(rank(0), open)
	f.send(rank(0), open)
	for i := range uint64(50) {
		f.send(rank(0), sp(10+i, 1, "work", i*second, (i+1)*second))
	}
	r := f.only()
	if n := total(r, "job"); n != (NameStat{}) {
		t.Errorf("job counts while open: %+v", n)
	}
	if a := r.Accounts[run.Traces]; a.Duplicates != 1 || a.Kept != 51 {
		t.Errorf("account = %+v", a)
	}
	closed := open
	closed.End = t0 + 60*second
	f.send(rank(0), closed)
	r = f.only()
	if n := total(r, "job"); n.Count != 1 || n.Min != 60*second {
		t.Errorf("job after it ended: %+v", n)
	}
	if spans := live(r); len(spans) != 51 {
		t.Errorf("spans = %d, want 51", len(spans))
	}
	checkBalanced(t, f.Snapshot())
}

func TestCase28TruncatedSpansStandBeside(t *testing.T) {
	f := newFixture(t)
	for i := range uint64(9) {
		f.send(rank(0), sp(i+1, 0, "train_step", i*second, (i+1)*second, num("iteration", int64(i))))
	}
	f.send(rank(0), sp(100, 0, "train_step", 0, 7200*second, truth("nemo.span.truncated", true)))
	r := f.only()
	n := total(r, "train_step")
	mean, _ := n.Mean()
	if n.Count != 9 || n.Truncated != 1 || n.Min != second || n.Max != second || mean != second {
		t.Errorf("stat = %+v, mean %d", n, mean)
	}
	st := stageOf(t, r, "train_step")
	for _, q := range []float64{0, .5, .95, .99, 1} {
		if ns, exact := st.Quantile(q); ns != second || !exact {
			t.Errorf("q%g = %d, want 1 s", q, ns)
		}
	}
	if r.Truncated != 1 || r.Processes[0].Truncated != 1 {
		t.Errorf("truncated = %d, %d, want 1", r.Truncated, r.Processes[0].Truncated)
	}
	spans := live(r)
	if !spans[9].Marks.Has(run.Truncated) {
		t.Errorf("marks = %b, want truncated", spans[9].Marks)
	}
	c := r.Chunks[0]
	if _, ok := c.Duration(9); ok {
		t.Error("a truncated span has a duration")
	}
}

func TestCase28OddTruncationsDoNotTruncate(t *testing.T) {
	tests := []struct {
		name  string
		attrs []run.Attr
		event bool
	}{
		{"false", []run.Attr{truth("nemo.span.truncated", false)}, false},
		{"a string", []run.Attr{str("nemo.span.truncated", "true")}, false},
		{"the event alone", nil, true},
		{"a later false", []run.Attr{truth("nemo.span.truncated", true), truth("nemo.span.truncated", false)}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := sp(1, 0, "x", 0, second, tt.attrs...)
			if tt.event {
				s.Events = []run.Event{{Time: t0, Name: "nemo.span.truncated"}}
			}
			f := newFixture(t)
			f.send(rank(0), s)
			r := f.only()
			if m := r.Chunks[0].Marks(0); !m.Has(run.OddTruncate) || m.Has(run.Truncated) {
				t.Errorf("marks = %b", m)
			}
			if n := total(r, "x"); n.Count != 1 || n.Truncated != 0 {
				t.Errorf("stat = %+v", n)
			}
		})
	}
}

func TestCase29NearestRank(t *testing.T) {
	upTo := func(n int) (ds []uint64) {
		for i := range n {
			ds = append(ds, uint64(i+1)*ms)
		}
		return ds
	}
	tests := []struct {
		name          string
		durations     []uint64
		p50, p95, p99 uint64
	}{
		{"1…20 ms", upTo(20), 10 * ms, 19 * ms, 20 * ms},
		{"1…100 ms", upTo(100), 50 * ms, 95 * ms, 99 * ms},
		{"one of 7 ms", []uint64{7 * ms}, 7 * ms, 7 * ms, 7 * ms},
		{"1 s and 2 s", []uint64{second, 2 * second}, second, 2 * second, 2 * second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := newFixture(t)
			for i, d := range tt.durations {
				f.send(rank(0), sp(uint64(i+1), 0, "x", 0, d))
			}
			st := stageOf(t, f.only(), "x")
			var got [3]uint64
			for i, q := range []float64{.5, .95, .99} {
				got[i], _ = st.Quantile(q)
			}
			if want := [3]uint64{tt.p50, tt.p95, tt.p99}; got != want {
				t.Errorf("p50, p95, p99 = %v, want %v", got, want)
			}
		})
	}
	none := MergeStages()
	if ns, _ := none.Quantile(.5); ns != 0 || none.Count != 0 {
		t.Errorf("none: %d of %d", ns, none.Count)
	}
}

func TestCase30ZeroAndOverflow(t *testing.T) {
	const long = uint64(32e14)
	f := newFixture(t)
	var spans []run.Span
	for i := range uint64(3000) {
		spans = append(spans, sp(i+1, 0, "long", 0, long))
	}
	f.send(rank(0), spans...)
	for n, d := range []uint64{0, 0, ms} {
		f.send(rank(n), sp(uint64(9000+n), 0, "noop", 0, d))
	}
	r := f.only()
	n := total(r, "long")
	if mean, ok := n.Mean(); !ok || mean != long {
		t.Errorf("mean = %d, want %d", mean, long)
	}
	st := stageOf(t, r, "long")
	if ns, exact := st.Quantile(.5); ns != long || exact {
		t.Errorf("p50 = %d (exact %v), want it within min and max", ns, exact)
	}
	noop := stageOf(t, r, "noop")
	if ns, _ := noop.Quantile(.5); ns != 0 || noop.Count != 3 {
		t.Errorf("noop: p50 %d of %d", ns, noop.Count)
	}
}

func TestCase10ImpossibleTimes(t *testing.T) {
	f := newFixture(t)
	before := sp(2, 1, "child", 5, 4)
	zero := sp(3, 1, "child", 0, 0)
	zero.Start = 0
	huge := sp(4, 1, "child", 0, 0)
	huge.Start = math.MaxUint64
	millis := sp(5, 1, "child", 0, 0)
	millis.Start = 1760000000000
	open := sp(6, 1, "child", 0, 0)
	open.End = 0
	f.send(rank(0), sp(1, 0, "root", 0, 10*second), before, zero, huge, millis, open)
	r := f.only()
	if r.Start != t0 || r.End != t0+10*second {
		t.Errorf("run covers %d … %d, want t0 … t0+10 s", r.Start, r.End)
	}
	from, to, ok := r.Chunks[0].TimeRange()
	if !ok || from != t0 || to != t0+10*second {
		t.Errorf("chunk covers %d … %d", from, to)
	}
	if n := total(r, "child"); n.Count != 0 || n.Invalid != 4 {
		t.Errorf("child: %+v, want 4 invalid and none counted", n)
	}
	for i, s := range live(r)[1:] {
		if !s.Marks.Has(run.NoDuration) {
			t.Errorf("child %d has no mark", i)
		}
	}
	if live(r)[3].Start != math.MaxUint64 {
		t.Error("the raw start was changed")
	}
}

func TestCase16ValuesSurvive(t *testing.T) {
	s := sp(1, 0, "x", 0, second,
		run.Attr{Key: "bytes", Value: run.BytesValue([]byte{0, 1, 2})},
		run.Attr{Key: "kv", Value: run.KVListValue([]run.Attr{num("a", 1), num("a", 2)})},
		run.Attr{Key: "mixed", Value: run.ArrayValue([]run.Value{run.IntValue(1), run.StringValue("a"), run.BoolValue(true), run.ArrayValue(nil)})},
		str("empty", ""), truth("false", false), num("zero", 0), num("k", 1), num("k", 2), num("", 3),
		real64("nan", math.NaN()), num("big", 1<<53+1), run.Attr{Key: "none"}, str("long", strings.Repeat("x", 1000)))
	s.Flags, s.TraceState, s.StatusMessage, s.Status = 257, "a=b", "why", run.StatusError
	s.DroppedAttrs, s.DroppedEvents, s.DroppedLinks = 1, 2, 3
	s.Events = []run.Event{{Time: t0, Name: "e", Attrs: []run.Attr{num("n", 1)}, Dropped: 4}}
	s.Links = []run.Link{{TraceID: traceID(9), ID: spanID(9), TraceState: "c=d", Dropped: 5, Flags: 1}}
	f := newFixture(t)
	f.send(rank(0), s)
	got := live(f.only())[0]
	s.Marks, s.Scope = run.Failed, run.Scope{Name: "t"}
	if d := cmp.Diff(s, got, cmp.Comparer(func(a, b run.Value) bool { return a.Equal(b) })); d != "" {
		t.Errorf("span differs (-want +got):\n%s", d)
	}
	c := f.only().Chunks[0]
	if v, ok := c.Attr(0, "k"); !ok || v.Int() != 2 {
		t.Errorf("k = %v, want the last", v)
	}
	if v, ok := c.Value(0, NewKey("absent", "big")); !ok || v.Int() != 1<<53+1 {
		t.Errorf("big = %v", v)
	}
	if _, ok := c.Attr(0, "absent"); ok {
		t.Error("an absent key was found")
	}
}
