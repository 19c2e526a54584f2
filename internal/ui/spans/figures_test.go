package spansscreen

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// The table of CASES 29 as it is seen.
func TestPercentilesOfFew(t *testing.T) {
	f := newFeed(t)
	for i := range uint64(100) {
		f.send(trainer("r", 0), f.mk("hundred", 0, (i+1)*ms))
		if i < 20 {
			f.send(trainer("r", 0), f.mk("twenty", 0, (i+1)*ms))
		}
	}
	f.send(trainer("r", 0), f.mk("one", 0, 7*ms), f.mk("two", 0, sec), f.mk("two", 0, 2*sec), f.mk("none", 0, sec, truncated()))
	m := open(t, f.Snapshot(), "")
	m.SetSize(120, 40)
	for name, want := range map[string]string{
		"hundred": "100 50.0ms 95.0ms 99.0ms 100ms",
		"twenty":  "20 10.0ms 19.0ms 20.0ms* 20.0ms",
		"one":     "1 7.00ms 7.00ms* 7.00ms* 7.00ms",
		"two":     "2 1.00s 2.00s* 2.00s* 2.00s",
		"none":    "0 - - - - - - 1",
	} {
		if got := line(t, text(m), name+" "); !strings.Contains(got, want) {
			t.Errorf("%s: %q, want %q in it", name, got, want)
		}
	}
	if got := line(t, text(m), "few: p95 of < 20, p99 of < 100 spans"); !strings.Contains(got, "*") {
		t.Errorf("the legend is %q", got)
	}
}

func TestZeroAndLargeDurations(t *testing.T) {
	f := newFeed(t)
	f.send(trainer("r", 0), f.mk("noop", 0, 0), f.mk("noop", 5, 5))
	for range 3000 {
		f.send(trainer("r", 0), f.mk("long", 0, 3_200_000_000_000_000))
	}
	m := open(t, f.Snapshot(), "")
	m.SetSize(160, 40)
	if got := line(t, text(m), "noop "); !strings.Contains(got, "2 0ns 0ns* 0ns* 0ns") {
		t.Errorf("spans of no length: %q", got)
	}
	if got := line(t, text(m), "long "); !strings.Contains(got, "3,000 ~37d00h ~37d00h ~37d00h 37d00h 37d00h 37d00h 111111d 100.0%") {
		t.Errorf("3,000 spans of 3.2e15 ns: %q", got)
	}
	if view := text(m); strings.Contains(view, "NaN") || strings.Contains(view, "Inf") {
		t.Errorf("the view holds what is no number:\n%s", view)
	}
}

func TestDurationMarks(t *testing.T) {
	s := analysis.Stats{N: 500, Sample: 500, P50: 1, P95: 2, P99: 3, Max: 4, Approximate: true}
	for column, want := range map[string]string{"p50": "~1.00s", "p95": "~2.00s ", "p99": "~3.00s ", "max": "4.00s", "nothing": "–"} {
		if got := duration(&s, column); got != want {
			t.Errorf("%s: %q, want %q", column, got, want)
		}
	}
	s = analysis.Stats{N: 5, P50: math.NaN(), P95: math.NaN(), Max: 4} // counted over the whole run, none retained
	for column, want := range map[string]string{"p50": "–", "p95": "– ", "max": "4.00s"} {
		if got := duration(&s, column); got != want {
			t.Errorf("%s without a sample: %q, want %q", column, got, want)
		}
	}
	var k marked
	k.see(&analysis.Stats{N: 500, Sample: 500, Approximate: true})
	k.see(&analysis.Stats{Truncated: 1})
	if k != (marked{about: true, beside: true}) {
		t.Errorf("marks %+v", k)
	}
}

func TestApproximateIsSeen(t *testing.T) {
	f := newFeed(t)
	for i := range 12 {
		spans := make([]uint64, 2000)
		for j := range spans {
			spans[j] = uint64(i*2000+j+1) * 1000
		}
		f.sendMany(trainer("r", 0), "op", spans)
	}
	m := open(t, f.Snapshot(), "")
	if got := column(m, "p50")[0]; !strings.HasPrefix(got, "~") {
		t.Errorf("p50 of 24,000 durations %s bears no mark", got)
	}
	if got := line(t, text(m), "within 1 %"); !strings.Contains(got, "~ within 1 %") {
		t.Errorf("the legend is %q", got)
	}
}

func (f *feed) sendMany(resource []attr, name string, ns []uint64) {
	spans := make([]span, len(ns))
	for i, n := range ns {
		spans[i] = f.mk(name, 0, n)
	}
	f.send(resource, spans...)
}

func TestCounts(t *testing.T) {
	for n, want := range map[uint64]string{0: "0", 9: "9", 99_999: "99,999", 100_000: "100k", 12_345_678: "12.3M"} {
		if got := countText(n, 6); got != want || draw.Width(got) > 6 {
			t.Errorf("%d: %q, want %q in 6 cells", n, got, want)
		}
	}
	if got := countText(12_345_678, 11); got != "12,345,678" {
		t.Errorf("where there is room: %q", got)
	}
}

func TestCoverageText(t *testing.T) {
	for _, c := range []struct {
		c           analysis.Coverage
		full, short string
	}{
		{analysis.Coverage{WholeRun: true, Percentiles: true, Retained: 5, Received: 5}, "whole run, 5 spans", "whole run"},
		{analysis.Coverage{WholeRun: true, Retained: 25, Received: 100}, "percentiles over 25 retained of 100 spans, the rest whole run", "percentiles of 25.0%"},
		{analysis.Coverage{Retained: 1000, Received: 4000}, "over 1,000 retained of 4,000 spans", "of 25.0%"},
	} {
		if full, short := coverageText(c.c); full != c.full || short != c.short {
			t.Errorf("%+v: %q, %q; want %q, %q", c.c, full, short, c.full, c.short)
		}
	}
}

// When spans were evicted the counts go on, and the screen says of what its
// percentiles are.
func TestCoverageIsSeenWhenSpansAreEvicted(t *testing.T) {
	f := newFeed(t)
	f.Store = store.New(store.Config{Budget: 2 << 20, Clock: func() int64 { return f.now }})
	const n = 40_000
	for i := range n / 1000 {
		f.now += 1e9
		spans := make([]uint64, 1000)
		for j := range spans {
			spans[j] = uint64(j+1) * ms
		}
		f.sendMany(trainer("r", i%4), "op", spans)
	}
	m := open(t, f.Snapshot(), "")
	group(m, "rank")
	c := m.seen.table.Coverage
	if c.Retained == c.Received || c.Received != n {
		t.Fatalf("%d of %d retained: the budget holds all", c.Retained, c.Received)
	}
	want := fmt.Sprintf("percentiles over %s retained of 40,000 spans, the rest whole run", draw.Count(c.Retained))
	if !strings.Contains(text(m), want) || column(m, "n")[0] != "10,000" {
		t.Errorf("%q is missing, or the count is cut:\n%s", want, text(m))
	}
	m.SetSize(40, 10)
	if !strings.Contains(text(m), "percentiles of ") {
		t.Errorf("40 cells say nothing of coverage:\n%s", text(m))
	}
	uitest.Give(t, m, uitest.Data(t, f.Snapshot(), "dur>0.1s"))
	m.SetSize(120, 30)
	if !strings.Contains(text(m), "over "+draw.Count(c.Retained)+" retained of 40,000 spans") {
		t.Errorf("a filter on spans says:\n%s", text(m))
	}
}

func TestNamesStayTellable(t *testing.T) {
	const name = "nv.dl.training.iteration.optimizer"
	for _, c := range []struct {
		column, taken int
		want          string
	}{{40, 0, name}, {20, 0, "n.d.t.ite.optimizer…"}, {20, 6, "d.t.i.optimiz…"}, {9, 6, "t.i.opt…"}, {0, 0, name}} {
		if got := short(name, c.column, c.taken); got != c.want {
			t.Errorf("%d cells, %d taken: %q, want %q", c.column, c.taken, got, c.want)
		}
	}
	if got := short("\x1b[2J训练步骤/前向", 10, 0); draw.Width(got) > 10 || strings.Contains(got, "\x1b") {
		t.Errorf("a hostile name: %q", got)
	}
}
