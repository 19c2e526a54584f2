package store

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/run"
)

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
