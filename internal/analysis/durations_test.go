package analysis

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

func TestDurationsOfFew(t *testing.T) {
	f := newFeed(t)
	for i := range uint64(20) {
		f.spans(trainer(0, 1), f.mk("twenty", 0, (i+1)*ms))
	}
	for i := range uint64(100) {
		f.spans(trainer(0, 1), f.mk("hundred", 0, (i+1)*ms))
	}
	f.spans(trainer(0, 1), f.mk("one", 0, 7*ms), f.mk("two", 0, sec), f.mk("two", 0, 2*sec))
	tab := f.table(nil)
	for _, c := range []struct {
		name                     string
		n                        uint64
		p50, p95, p99, max, mean float64
		few95, few99             bool
	}{
		{"twenty", 20, 0.010, 0.019, 0.020, 0.020, 0.0105, false, true},
		{"hundred", 100, 0.050, 0.095, 0.099, 0.100, 0.0505, false, false},
		{"one", 1, 0.007, 0.007, 0.007, 0.007, 0.007, true, true},
		{"two", 2, 1, 2, 2, 2, 1.5, true, true},
	} {
		s := tab.group(t, c.name).Stats
		got := []float64{s.P50, s.P95, s.P99, s.Max, s.Mean}
		if diff := cmp.Diff([]float64{c.p50, c.p95, c.p99, c.max, c.mean}, got); diff != "" || s.N != c.n {
			t.Errorf("%s: n %d, -want +got\n%s", c.name, s.N, diff)
		}
		if s.FewP95() != c.few95 || s.FewP99() != c.few99 {
			t.Errorf("%s: few %v %v, want %v %v", c.name, s.FewP95(), s.FewP99(), c.few95, c.few99)
		}
		if s.Approximate {
			t.Errorf("%s: percentiles of %d spans are approximate", c.name, s.N)
		}
	}
	if !tab.Coverage.WholeRun || !tab.Coverage.Percentiles {
		t.Errorf("coverage %+v of a run of which nothing was evicted", tab.Coverage)
	}
}

func TestTruncatedStandBeside(t *testing.T) {
	f := newFeed(t)
	for i := range uint64(9) {
		f.spans(trainer(0, 1), f.mk("train_step", i*sec, (i+1)*sec))
	}
	f.spans(trainer(0, 1), f.mk("train_step", 0, 7200*sec, truncated()))
	for name, filter := range map[string]Filter{
		"roll-ups": nil,
		"spans":    fakeFilter{span: func(*store.Chunk, int) bool { return true }},
	} {
		s := f.table(filter).group(t, "train_step").Stats
		want := Stats{N: 9, Truncated: 1, Mean: 1, Min: 1, Max: 1, Total: 9, P50: 1, P95: 1, P99: 1, Sample: 9, Share: 1}
		if diff := cmp.Diff(want, s); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestInvalidAndOpenSpansStandBeside(t *testing.T) {
	f := newFeed(t)
	early := f.mk("op", 0, 0)
	early.End = early.Start - 1
	zero := f.mk("op", 0, sec)
	zero.Start = 0
	open := f.mk("op", 0, 0)
	open.End = 0
	failed := f.mk("op", 0, sec)
	failed.Status = run.StatusError
	f.spans(trainer(0, 1), early, zero, open, failed, f.mk("op", 0, 3*sec))
	for name, filter := range map[string]Filter{
		"roll-ups": nil,
		"spans":    fakeFilter{span: func(*store.Chunk, int) bool { return true }},
	} {
		s := f.table(filter).group(t, "op").Stats
		if s.N != 2 || s.Invalid != 2 || s.Errors != 1 || s.Mean != 2 || s.Max != 3 || s.Min != 1 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestNothingIsNotZero(t *testing.T) {
	f := newFeed(t)
	f.spans(trainer(0, 1), f.mk("cut", 0, sec, truncated()))
	s := f.table(nil).group(t, "cut").Stats
	for _, v := range []float64{s.Mean, s.Min, s.Max, s.P50, s.P95, s.P99, s.Share} {
		if !math.IsNaN(v) {
			t.Errorf("a figure of no span is %v, want NaN: %+v", v, s)
		}
	}
	if s.N != 0 || s.Truncated != 1 || s.Total != 0 {
		t.Errorf("%+v", s)
	}
}

func TestSumsDoNotOverflow(t *testing.T) {
	f := newFeed(t)
	const long = 3_200_000_000_000_000 // ns: the sum of 3,000 is beyond int64
	for range 3000 {
		s := f.mk("long", 0, long)
		f.spans(trainer(0, 1), s)
	}
	s := f.table(nil).group(t, "long").Stats
	if s.N != 3000 || s.Mean != 3.2e6 || s.Total != 9.6e9 {
		t.Errorf("n %d, mean %v s, total %v s; want 3000, 3.2e6, 9.6e9", s.N, s.Mean, s.Total)
	}
}

func TestDurationsOfNoSpans(t *testing.T) {
	tab, err := Durations(context.Background(), []Scope{{Run: &store.Run{}}}, []string{"rank"})
	if err != nil || len(tab.Groups) != 0 || tab.All.N != 0 || !math.IsNaN(tab.All.P50) {
		t.Errorf("%+v, %v", tab, err)
	}
	if tab, err = Durations(context.Background(), nil, nil); err != nil || tab.All.N != 0 {
		t.Errorf("no run: %+v, %v", tab, err)
	}
}

// grid sends steps of 8 ranks (tp 2, pp 2, dp 2): rank r takes r+1 ms for
// compute and (8−r) ms for waiting, n times.
func grid(f *feed, n int) {
	for rank := range 8 {
		res := trainer(rank, 8, sizes(2, 2, 2)...)
		for i := range n {
			f.step(res, int64(i), uint64(i)*20*ms, uint64(rank+1)*ms, uint64(8-rank)*ms)
		}
	}
}

func TestDurationsNested(t *testing.T) {
	f := newFeed(t)
	grid(f, 3)
	tab := f.table(nil, "run", "pp", "rank")
	if diff := cmp.Diff([]string{"run", "pp", "rank", "name"}, tab.By); diff != "" {
		t.Fatal(diff)
	}
	stage0 := tab.group(t, "run-1", "0")
	var ranks []string
	for _, g := range stage0.Groups {
		ranks = append(ranks, g.Value)
	}
	if diff := cmp.Diff([]string{"0", "1", "2", "3"}, ranks); diff != "" {
		t.Errorf("ranks of stage 0: %s", diff)
	}
	one := tab.group(t, "run-1", "0", "2", "megatron.forward_backward").Stats
	if one.N != 3 || one.P50 != 0.003 || !near(one.Share, 3.0/9, 1e-12) {
		t.Errorf("rank 2's compute: %+v", one)
	}
	if all := tab.All; all.N != 8*3*3 || stage0.Stats.N != 4*3*3 {
		t.Errorf("n = %d and %d", all.N, stage0.Stats.N)
	}
	by := f.table(nil, "name", "pp")
	fb := by.group(t, "megatron.forward_backward")
	if fb.Stats.N != 24 || fb.Stats.P50 != 0.004 || fb.Groups[1].Stats.P99 != 0.008 || fb.Groups[1].Value != "1" {
		t.Errorf("by name, then stage: %+v", fb)
	}
	if tab.ShareOf != ShareOfSteps {
		t.Errorf("share of %q", tab.ShareOf)
	}
}

// TestRollUpsAndSpansAgree asks the same question in both ways.
func TestRollUpsAndSpansAgree(t *testing.T) {
	f := newFeed(t)
	grid(f, 5)
	f.spans(trainer(3, 8, sizes(2, 2, 2)...), f.mk("megatron.forward_backward", 0, 9999*sec, truncated()))
	every := fakeFilter{span: func(*store.Chunk, int) bool { return true }}
	some := func(p int) bool { return p%3 == 1 }
	for _, by := range [][]string{{}, {"rank"}, {"pp", "tp"}, {"name", "host"}, {"role", "phase"}, {"class", "dp"}} {
		if diff := diffTables(f.table(nil, by...), f.table(every, by...)); diff != "" {
			t.Errorf("by %q: -roll-ups +spans\n%s", by, diff)
		}
		half := f.table(fakeFilter{process: some}, by...)
		also := f.table(fakeFilter{process: some, span: every.span}, by...)
		if diff := diffTables(half, also); diff != "" {
			t.Errorf("some processes by %q: -roll-ups +spans\n%s", by, diff)
		}
	}
}

func diffTables(a, b Table) string {
	return cmp.Diff(a, b, cmpopts.IgnoreFields(Table{}, "Coverage"), cmpopts.EquateNaNs(), cmpopts.EquateApprox(1e-12, 0))
}

func TestFilterOfSpansUsesOnlyThem(t *testing.T) {
	f := newFeed(t)
	for i := range uint64(10) {
		f.spans(trainer(0, 1), f.mk("op", 0, (i+1)*ms, num("batch", int64(i%2))))
	}
	key := store.NewKey("batch")
	odd := fakeFilter{span: func(c *store.Chunk, i int) bool {
		v, _ := c.Value(i, key)
		return v.Int() == 1
	}}
	s := f.table(odd).group(t, "op").Stats
	if s.N != 5 || s.Min != 0.002 || s.Max != 0.010 || s.P50 != 0.006 {
		t.Errorf("%+v", s)
	}
}

func TestDurationsByAttribute(t *testing.T) {
	f := newFeed(t)
	for i := range uint64(12) {
		f.spans(trainer(0, 1, num("gpu.kind", 9)), f.mk("op", 0, (i+1)*ms, num("batch", int64(i%3))))
	}
	f.spans(trainer(0, 1, num("gpu.kind", 9)), f.mk("op", 0, ms))
	tab := f.table(nil, "batch")
	got := map[string]uint64{}
	for _, g := range tab.Groups {
		got[fmt.Sprintf("%s/%v", g.Value, g.Known)] = g.Stats.N
	}
	if diff := cmp.Diff(map[string]uint64{"0/true": 4, "1/true": 4, "2/true": 4, "/false": 1}, got); diff != "" {
		t.Errorf("by batch: %s", diff)
	}
	if g := f.table(nil, "gpu.kind").Groups; len(g) != 1 || g[0].Value != "9" || g[0].Stats.N != 13 {
		t.Errorf("by an attribute of the resource: %+v", g[0])
	}
}

func TestAttributeWithTooManyValues(t *testing.T) {
	f := newFeed(t)
	for i := range maxValues + 500 {
		f.spans(trainer(0, 1), f.mk("op", 0, ms, num("id", int64(i))))
	}
	tab := f.table(nil, "id")
	if n := len(tab.Groups); n != maxValues {
		t.Errorf("%d groups, want %d", n, maxValues)
	}
	if s := tab.group(t, OtherValues).Stats; s.N != 501 {
		t.Errorf("%d other values, want 501", s.N)
	}
}

// TestOrderOfArrival permutes what was sent: nothing changes. Truncated spans
// change nothing but their own count.
func TestOrderOfArrival(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	spans := func(f *feed) []run.Span {
		var out []run.Span
		for i := range uint64(300) {
			out = append(out, f.mk([]string{"a", "b.forward_backward", "train_step"}[i%3], 0, (i*7919%1000+1)*ms))
		}
		return out
	}
	first := newFeed(t)
	first.spans(trainer(0, 1), spans(first)...)
	want := first.table(nil)
	for range 3 {
		f := newFeed(t)
		all := spans(f)
		rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		f.spans(trainer(0, 1), all...)
		if diff := diffTables(want, f.table(nil)); diff != "" {
			t.Fatalf("another order of arrival: %s", diff)
		}
		for range 10 {
			f.spans(trainer(0, 1), f.mk("train_step", 0, rng.Uint64N(1e15), truncated()))
		}
		got := f.table(nil)
		if n := got.group(t, "train_step").Stats.Truncated; n != 10 {
			t.Errorf("%d truncated, want 10", n)
		}
		opt := cmpopts.IgnoreFields(Stats{}, "Truncated")
		if diff := cmp.Diff(want, got, opt, cmpopts.IgnoreFields(Table{}, "Coverage"), cmpopts.EquateNaNs()); diff != "" {
			t.Errorf("truncated spans changed a statistic: %s", diff)
		}
	}
}

func TestShareWithoutSteps(t *testing.T) {
	f := newFeed(t)
	f.spans(trainer(0, 1), f.mk("x", 0, 3*sec), f.mk("y", 0, sec))
	tab := f.table(nil)
	if tab.ShareOf != ShareOfListed || tab.group(t, "x").Stats.Share != 0.75 {
		t.Errorf("share %v of %q", tab.group(t, "x").Stats.Share, tab.ShareOf)
	}
}

func TestDurationsOverRuns(t *testing.T) {
	f := newFeed(t)
	f.spans(trainer(0, 1), f.mk("op", 0, ms))
	f.spans(trainer(0, 1, str("nemo.run.id", "run-2")), f.mk("other", 0, ms), f.mk("op", 0, 2*ms))
	s, _ := f.look()
	var scopes []Scope
	for _, r := range s.Runs {
		scopes = append(scopes, Scope{Run: r})
	}
	tab, err := Durations(context.Background(), scopes, []string{"run"})
	if err != nil {
		t.Fatal(err)
	}
	if n := tab.group(t, "run-2", "op").Stats; n.N != 1 || n.Max != 0.002 {
		t.Errorf("%+v", n)
	}
	if tab.All.N != 3 {
		t.Errorf("n = %d", tab.All.N)
	}
}

func TestSketchBeyondTheLimit(t *testing.T) {
	f := newFeed(t)
	var all []run.Span
	for i := range uint64(3000) {
		all = append(all, f.mk("op", 0, (i+1)*ms), f.mk("rest", 0, ms))
	}
	f.spans(trainer(0, 1), all...)
	_, r := f.look()
	q := newQuestion([]Scope{{r, fakeFilter{span: func(*store.Chunk, int) bool { return true }}}}, []string{"rank"})
	q.taken.limit = 100
	if err := q.scan(context.Background()); err != nil {
		t.Fatal(err)
	}
	s := q.table().group(t, "0", "op").Stats
	if !s.Approximate || s.N != 3000 || s.Sample != 3000 || s.Max != 3 {
		t.Errorf("%+v", s)
	}
	if !near(s.P50, 1.5, 0.011) || !near(s.P95, 2.85, 0.011) || !near(s.P99, 2.97, 0.011) {
		t.Errorf("p50 %v p95 %v p99 %v", s.P50, s.P95, s.P99)
	}
}

func TestDurationsCanBeDropped(t *testing.T) {
	f := newFeed(t)
	f.spans(trainer(0, 1), f.mk("op", 0, ms))
	_, r := f.look()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Durations(ctx, []Scope{{Run: r}}, []string{"rank"})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestDimensionsAreUsable(t *testing.T) {
	f := newFeed(t)
	grid(f, 1)
	for _, d := range Dimensions() {
		tab := f.table(nil, d)
		if strings.Join(tab.By[:1], "") != d || len(tab.Groups) == 0 || tab.All.N != 24 {
			t.Errorf("by %s: %d groups of %d spans", d, len(tab.Groups), tab.All.N)
		}
	}
}
