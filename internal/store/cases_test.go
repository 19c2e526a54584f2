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
