package analysis

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// brute is the duration statistics by their definition: every span in full,
// every group a list, sorted.
type brute struct {
	ns                         []uint64
	truncated, invalid, errors uint64
}

func (b *brute) add(s run.Span) {
	if s.Marks.Has(run.Failed) {
		b.errors++
	}
	switch {
	case s.Marks.Has(run.Truncated):
		b.truncated++
	case s.Marks.Has(run.InvalidTime):
		b.invalid++
	case !s.Marks.Has(run.Open):
		b.ns = append(b.ns, s.End-s.Start)
	}
}

func (b *brute) stats() Stats {
	nan := math.NaN()
	s := Stats{N: uint64(len(b.ns)), Truncated: b.truncated, Invalid: b.invalid, Errors: b.errors, Mean: nan, Min: nan, Max: nan, P50: nan, P95: nan, P99: nan}
	if s.N == 0 {
		return s
	}
	slices.Sort(b.ns)
	at := func(q float64) float64 {
		return float64(b.ns[int(math.Ceil(q*float64(len(b.ns))-1e-9))-1]) / 1e9
	}
	for _, ns := range b.ns {
		s.Total += float64(ns) / 1e9
	}
	s.Mean, s.Min, s.Max, s.Sample = s.Total/float64(s.N), float64(b.ns[0])/1e9, float64(b.ns[len(b.ns)-1])/1e9, s.N
	s.P50, s.P95, s.P99 = at(0.50), at(0.95), at(0.99)
	return s
}

// bruteTable groups spans by paths such as "pp=1/name=op".
func bruteTable(r *store.Run, keep func(*store.Chunk, int) bool, by []string) map[string]Stats {
	groups := map[string]*brute{}
	r.EachSpan(func(c *store.Chunk, i int) bool {
		if !keep(c, i) {
			return true
		}
		s := c.Span(i)
		path := ""
		for _, d := range append([]string{""}, by...) {
			if d != "" {
				path += "/" + d + "=" + bruteValue(r, s, d)
			}
			if groups[path] == nil {
				groups[path] = &brute{}
			}
			groups[path].add(s)
		}
		return true
	})
	out := map[string]Stats{}
	for path, b := range groups {
		out[path] = b.stats()
	}
	return out
}

func bruteValue(r *store.Run, s run.Span, dim string) string {
	p := r.Processes[s.Process]
	switch dim {
	case "name":
		return s.Name
	case "class":
		return run.DefaultPhases().Of(s.Name).Class.String()
	case "rank":
		return fmt.Sprint(p.ID.Rank)
	case "pp":
		return fmt.Sprint(p.Coord.PP)
	case "host":
		return p.ID.Host
	}
	for _, attrs := range [][]run.Attr{s.Attrs, p.Resource} {
		for i := len(attrs) - 1; i >= 0; i-- {
			if attrs[i].Key == dim {
				return attrs[i].Value.String()
			}
		}
	}
	return ""
}

// flatten writes a table as bruteTable does.
func flatten(t Table) map[string]Stats {
	out := map[string]Stats{"": t.All}
	var walk func(path string, groups []*Group)
	walk = func(path string, groups []*Group) {
		for _, g := range groups {
			at := path + "/" + g.By + "=" + g.Value
			out[at] = g.Stats
			walk(at, g.Groups)
		}
	}
	walk("", t.Groups)
	return out
}

// mess sends a run with everything in it: four ranks, odd times, errors,
// attributes that come and go.
func mess(f *feed, rng *rand.Rand) *store.Run {
	names := []string{"megatron.train_step", "megatron.forward_backward", "megatron.all_reduce", "op", "checkpoint"}
	for rank := range 4 {
		var spans []run.Span
		for range 50 + rng.IntN(100) {
			from := rng.Uint64N(1e10)
			s := f.mk(names[rng.IntN(len(names))], from, from+rng.Uint64N(1e9))
			if rng.IntN(2) == 0 {
				s.Attrs = append(s.Attrs, num("batch", int64(rng.IntN(3))))
			}
			if rng.IntN(4) == 0 {
				s.Attrs = append(s.Attrs, str("flavor", []string{"a", "b"}[rng.IntN(2)]))
			}
			switch rng.IntN(20) {
			case 0:
				s.Attrs = append(s.Attrs, truncated())
			case 1:
				s.End = s.Start - 1
			case 2:
				s.Status = run.StatusError
			case 3:
				s.End = 0
			}
			spans = append(spans, s)
		}
		f.spans(trainer(rank, 4, append(sizes(1, 2, 2), str("flavor", "resource"))...), spans...)
	}
	_, r := f.look()
	return r
}

// TestDurationsAgainstBruteForce asks many questions with the real filters.
func TestDurationsAgainstBruteForce(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 13))
	filters := []string{
		"", "rank=1", "rank in (0,3)", "pp=1", "forward", "not forward and rank>0", "class=wait or rank=2",
		"batch=1", "dur>500ms", "error", "not truncated", "flavor=a", "flavor=resource", "batch>0 and host=node0 or op",
	}
	groupings := [][]string{{"name"}, {"rank", "name"}, {"name", "pp"}, {"pp", "rank", "name"}, {"class", "name"}, {"batch", "name"}, {"name", "flavor", "rank"}}
	opts := []cmp.Option{
		cmpopts.EquateNaNs(), cmpopts.EquateApprox(1e-9, 0), cmpopts.IgnoreFields(Stats{}, "Share"), cmpopts.EquateEmpty(),
	}
	for round := range 3 {
		r := mess(newFeed(t), rng)
		for _, text := range filters {
			flt, err := query.Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			m := flt.Bind(r)
			for _, by := range groupings {
				got, err := Durations(context.Background(), []Scope{{r, m}}, by)
				if err != nil {
					t.Fatal(err)
				}
				want := bruteTable(r, m.Span, by)
				if len(want) == 0 {
					want[""] = (&brute{}).stats()
				}
				if diff := cmp.Diff(dropEmpty(want), dropEmpty(flatten(got)), opts...); diff != "" {
					t.Fatalf("round %d, %q by %q (whole run %v): -brute +table\n%s", round, text, by, got.Coverage.WholeRun, diff)
				}
			}
		}
	}
}

// dropEmpty leaves out groups of open spans only: roll-ups do not count them.
func dropEmpty(groups map[string]Stats) map[string]Stats {
	for path, s := range groups {
		if path != "" && s.N+s.Truncated+s.Invalid+s.Errors == 0 {
			delete(groups, path)
		}
	}
	return groups
}

// TestPercentilesNeverLeaveTheRange over every table of the mess.
func TestPercentilesNeverLeaveTheRange(t *testing.T) {
	r := mess(newFeed(t), rand.New(rand.NewPCG(14, 15)))
	tab, err := Durations(context.Background(), []Scope{{Run: r}}, []string{"rank", "flavor"})
	if err != nil {
		t.Fatal(err)
	}
	for path, s := range flatten(tab) {
		v := []float64{s.Min, s.P50, s.P95, s.P99, s.Max}
		if s.N > 0 && (!sort.Float64sAreSorted(v) || s.Mean < s.Min || s.Mean > s.Max) {
			t.Errorf("%s: %+v", path, s)
		}
	}
}

// TestRollUpsOutliveSpans fills a store beyond its budget: counts stay exact,
// and the table says what its percentiles stand on.
func TestRollUpsOutliveSpans(t *testing.T) {
	f := newFeed(t)
	f.Store = store.New(store.Config{Clock: func() int64 { return f.now }, Budget: 3 << 20})
	res := trainer(0, 1, sizes(1, 1, 1)...)
	var n, kept uint64
	for n < 1<<20 && (n < 60_000 || kept == n || kept == 0) {
		var batch []run.Span
		for range 1000 {
			batch = append(batch, f.mk("op", n, n+(n%1000+1)*ms, str("filler", strings.Repeat("x", 20)), num("i", int64(n))))
			n++
		}
		f.spans(res, batch...)
		_, r := f.look()
		kept = r.Accounts[run.Traces].Kept
	}
	s, _ := f.look()
	tab := f.table(nil)
	if st := tab.All; st.N != n || !near(st.Mean, 0.5005, 1e-9) || st.Sample != n || !near(st.P50, 0.5, 0.011) || !st.Approximate {
		t.Errorf("%+v", st)
	}
	if c := tab.Coverage; !c.WholeRun || !c.Percentiles || c.Retained != kept || c.Received != n {
		t.Errorf("coverage %+v, kept %d", c, kept)
	}
	byRank := f.table(nil, "rank")
	if c := byRank.Coverage; byRank.All.N != n || byRank.All.Sample != kept || !c.WholeRun || c.Percentiles {
		t.Errorf("by rank: %+v, coverage %+v", byRank.All, c)
	}
	every := f.table(fakeFilter{span: func(*store.Chunk, int) bool { return true }})
	if c := every.Coverage; every.All.N != kept || c.WholeRun || c.Percentiles {
		t.Errorf("spans: %+v, coverage %+v", every.All, c)
	}
	if tr := TraceCounts(s); tr.Count != 1 {
		t.Errorf("%+v", tr)
	}
}

// TestAnalysisWhileSpansArrive runs everything on snapshots while a writer goes
// on: run with -race.
func TestAnalysisWhileSpansArrive(t *testing.T) {
	f := newFeed(t)
	grid(f, 1)
	done := make(chan struct{})
	go func() {
		defer close(done)
		grid(f, 30)
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		default:
		}
		s := f.Snapshot()
		r := s.Runs[0]
		tab, err := Durations(context.Background(), []Scope{{Run: r}}, []string{"pp", "rank"})
		if err != nil {
			t.Fatal(err)
		}
		if acc := r.Accounts[run.Traces]; tab.All.N != acc.Kept {
			t.Fatalf("%d spans in the table, %d kept", tab.All.N, acc.Kept)
		}
		Runs(s, nil)
		Ranks(s, Scope{Run: r}, 0)
		Topology(s, Scope{Run: r}, GridOptions{AnyRole: true})
		TraceCounts(s)
		TraceTree(s, traceID(1000))
	}
}
