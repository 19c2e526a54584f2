package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metricspb "go.opentelemetry.io/proto/otlp/metrics/v1"

	"github.com/beamline-hpc/lensview/internal/run"
)

func TestWord(t *testing.T) {
	long := strings.Repeat("训", 10_000)
	a, b := word(long+"a"), word(long+"b")
	if a == b || len(a) > maxWord || !strings.HasPrefix(a, "训训训") {
		t.Errorf("%d and %d bytes, equal %v", len(a), len(b), a == b)
	}
	if s := strings.Repeat("x", maxWord); word(s) != s {
		t.Error("a text of the largest length is changed")
	}
}

// A name that is too long is counted under its beginning; its span keeps it whole.
func TestLongNames(t *testing.T) {
	f := newFixture(t)
	long := strings.Repeat("z", 1<<20)
	f.send(rank(0), sp(1, 0, long+"1", 0, second), sp(2, 0, long+"2", 0, second), sp(3, 0, long+"1", 0, second), sp(4, 0, "op", 0, second))
	r := f.only()
	held := 0
	for _, n := range r.Names {
		held += len(n.Text)
	}
	if len(r.Names) != 3 || held > 3*maxWord {
		t.Errorf("%d names with %d bytes", len(r.Names), held)
	}
	if n := total(r, word(long+"1")); n.Count != 2 {
		t.Errorf("the first name counts %d", n.Count)
	}
	var got []string
	for _, s := range live(r) {
		got = append(got, s.Name)
	}
	if diff := cmp.Diff([]string{long + "1", long + "2", long + "1", "op"}, got); diff != "" {
		t.Errorf("names of spans differ (%d bytes of difference)", len(diff))
	}
}

func TestLongIdentities(t *testing.T) {
	f := newFixture(t)
	long := strings.Repeat("h", 1<<20)
	for _, end := range []string{"1", "2", "1"} {
		f.send([]run.Attr{str("service.name", long+end), str("nemo.run.id", long), str("host.name", long+end)}, sp(f.at(end), 0, "op", 0, second))
	}
	r := f.only()
	if len(r.Processes) != 2 || len(r.ID) > maxWord || len(r.Processes[1].ID.Host) > maxWord || len(r.Service) > maxWord {
		t.Errorf("%d processes, id of %d bytes", len(r.Processes), len(r.ID))
	}
}

// at is a new span id for each call.
func (f *fixture) at(string) uint64 { f.now++; return uint64(f.now) }

func TestLean(t *testing.T) {
	big := func(k string, n int) run.Attr { return str(k, strings.Repeat("v", n)) }
	nested := run.Attr{Key: "nested", Value: run.ArrayValue([]run.Value{run.KVListValue([]run.Attr{big("k", 5000)})})}
	for _, tt := range []struct {
		name  string
		attrs []run.Attr
		room  int
		want  string
		cut   int
	}{
		{"all fits", []run.Attr{big("a", 10), big("b", 5000)}, 10_000, "a b", 0},
		{"the small stay", []run.Attr{big("large", 5000), big("a", 10), big("b", 10)}, 1000, "a b", 1},
		{"what fits beside them stays", []run.Attr{big("huge", 5000), big("large", 500), big("a", 10)}, 1000, "large a", 1},
		{"nested values count", []run.Attr{nested, big("a", 10)}, 1000, "a", 1},
		{"many small ones", []run.Attr{big("a", 100), big("b", 100), big("c", 100)}, 450, "a b", 1},
		{"none", nil, 0, "", 0},
	} {
		kept, cut := lean(tt.attrs, tt.room)
		var keys []string
		for _, a := range kept {
			keys = append(keys, a.Key)
		}
		if got := strings.Join(keys, " "); got != tt.want || cut != tt.cut || attrsCost(kept) > tt.room {
			t.Errorf("%s: %q, %d cut", tt.name, got, cut)
		}
	}
}

// Resources of any size stay within the budget, and it is said what is missing.
func TestLargeResourcesStayInTheBudget(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 8 << 20 })
	const n = 500
	for i := range n {
		res := append(rank(i), str("command", strings.Repeat("x", 200<<10)))
		for k := range 100 {
			res = append(res, str(fmt.Sprint("k", k), strings.Repeat("v", 900)))
		}
		f.send(res, sp(uint64(i+1), 0, "op", 0, second))
	}
	s := f.Snapshot()
	checkBalanced(t, s)
	held := 0
	for _, p := range s.Runs[0].Processes {
		held += attrsCost(p.Resource)
	}
	if len(s.Runs[0].Processes) != n || uint64(held) > f.budget/2 || uint64(f.resources.bytes) > f.budget/resourcePart {
		t.Errorf("%d processes hold %d bytes, the table %d", len(s.Runs[0].Processes), held, f.resources.bytes)
	}
	if id := s.Runs[0].Processes[n-1].ID; id.Rank != n-1 {
		t.Errorf("the last has rank %d", id.Rank)
	}
	if !hasNotice(s.Runs[0].Notices, "resource-cut", "not kept") {
		t.Errorf("notices = %+v", s.Runs[0].Notices)
	}
	if f.fixed() < uint64(held)/2 {
		t.Errorf("%d bytes are charged for %d", f.fixed(), held)
	}
	f.send(rank(0), sp(9000, 0, "op", 0, second)) // a lesser one does not take its place
	if got := len(f.Snapshot().Runs[0].Processes[0].Resource); got < 50 {
		t.Errorf("the first process shows %d attributes", got)
	}
}

func TestDroppedRunsGiveTheirResourcesBack(t *testing.T) {
	f := newFixture(t)
	f.sendLone(0)
	f.send(append(lone(1), str("command", strings.Repeat("x", 10_000))), sp(1, 0, "op", 0, second))
	if f.resourceBytes == 0 {
		t.Fatal("a large resource is not charged")
	}
	f.drop(1)
	if f.resourceBytes != 0 {
		t.Errorf("%d bytes stay charged", f.resourceBytes)
	}
}

// Services without a run id make a run of each process. Beyond the limit they are
// refused with the way out, at no cost to the rest.
func TestRunsBeyondTheLimit(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 1 << 20 })
	limit := f.limits.runs
	var refused run.Outcome
	for i := range 3 * limit {
		refused = f.send(lone(i), sp(1, 0, "op", 0, second))
	}
	if refused.Kept != 0 || refused.Rejected != 1 || !strings.Contains(refused.Reason, fmt.Sprint("more than ", limit, " runs")) || !strings.Contains(refused.Reason, "NEMO_LENS_RUN_ID") {
		t.Errorf("outcome %+v", refused)
	}
	if out := f.send(lone(0), sp(2, 0, "op", 0, second)); out.Kept != 1 {
		t.Errorf("a run that was there is refused: %+v", out)
	}
	s := f.Snapshot()
	checkBalanced(t, s)
	if len(s.Runs) != limit {
		t.Errorf("%d runs, want %d", len(s.Runs), limit)
	}
	f.now += 2 * idleBeforeForgotten
	if out := f.send(lone(3*limit), sp(1, 0, "op", 0, second)); out.Kept != 1 {
		t.Errorf("after the others fell silent a new run is refused: %+v", out)
	}
}

func TestMetricsBeyondTheShare(t *testing.T) {
	const share = 64 << 10
	s := newMetricSet(defaultMetricLimits(share))
	var all metricAccount
	const n = 2000
	for i := range n {
		b := metricBatch(t, gauge(fmt.Sprint("m", i), number(1, 0, 1)))
		a := s.add(1, b, &b.Metrics[0], 0, 1)
		all.kept, all.evicted = all.kept+a.kept, all.evicted+a.evicted
	}
	if len(s.metrics) >= n || len(s.metrics) < freeMetrics || s.bytes > share+freeMetrics*usualCost {
		t.Errorf("%d metrics in %d bytes", len(s.metrics), s.bytes)
	}
	if all.kept+all.evicted != n || s.unknown == 0 {
		t.Errorf("%+v of %d points, %d unknown", all, n, s.unknown)
	}
}

func TestMetricsBeyondTheShareAreSaid(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Budget = 1 << 20 })
	for i := range 500 {
		f.put(run.Metrics, "s", gaugeOf(rank(0), fmt.Sprint(strings.Repeat("m", 5000), i), t0, "k", "v"))
	}
	s := f.Snapshot()
	checkBalanced(t, s)
	if !hasNotice(s.Runs[0].Notices, "many-metrics", "out of metric names") || s.Accounts[run.Metrics].Evicted == 0 {
		t.Errorf("notices %+v, accounts %+v", s.Runs[0].Notices, s.Accounts[run.Metrics])
	}
}

func TestKeysBeyondTheShareAreNotCounted(t *testing.T) {
	const share = 64 << 10
	s := newMetricSet(defaultMetricLimits(share))
	for i := range 5000 {
		feed(s, 1, 0, metricBatch(t, counter("c", number(1, 0, 1, fmt.Sprint("key-", i), "v"))))
	}
	if n := len(s.keyStats()); n < freeKeys || n > 500 || s.bytes > share+64*usualCost {
		t.Errorf("%d keys in %d bytes", n, s.bytes)
	}
	if m := s.snapshot()[0]; m.SeriesSeen < 4000 {
		t.Errorf("%d series seen", m.SeriesSeen)
	}
}

func TestSeriesKnownByHashAreBounded(t *testing.T) {
	lim := defaultMetricLimits(64 << 10)
	s := newMetricSet(lim)
	for i := range 3 {
		for k := range 3000 {
			feed(s, 1, 0, metricBatch(t, counter(fmt.Sprint("c", i), number(1, 0, 1, "k", fmt.Sprint(k)))))
		}
	}
	known := 0
	for _, st := range s.state {
		known += len(st.index)
	}
	if known != s.indexed || known > s.mostIndexed() || known < 4000 {
		t.Errorf("%d series are known, at most %d", known, s.mostIndexed())
	}
}

func TestRawPointsAreCharged(t *testing.T) {
	const share = 256 << 10
	five, sum := uint64(5), 10.0
	p := &metricspb.HistogramDataPoint{Count: five, Sum: &sum, BucketCounts: make([]uint64, 2000), ExplicitBounds: make([]float64, 1999)}
	s := newMetricSet(defaultMetricLimits(share))
	for i := range 100 {
		p.Attributes = number(1, 0, 1, "k", fmt.Sprint(i%40)).Attributes
		p.TimeUnixNano = uint64(i)
		feed(s, 1, 0, metricBatch(t, &metricspb.Metric{Name: "h", Data: &metricspb.Metric_Histogram{Histogram: &metricspb.Histogram{DataPoints: []*metricspb.HistogramDataPoint{p}}}}))
	}
	held := 0
	for _, sr := range s.snapshot()[0].Series {
		held += len(sr.LastRaw)
	}
	if held == 0 || held > share || s.bytes > share {
		t.Errorf("%d bytes of points are held, %d charged, of %d", held, s.bytes, share)
	}
}
