package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/simulate/simtest"
	"github.com/beamline-hpc/lensview/internal/store"
)

// scenarios is runs with something wrong of which the whole report is known. 16
// ranks: tp 2, pp 2, dp 4, so a worker is two ranks.
func scenarios() []scenario {
	faulty := func(fs ...simulate.Fault) func(*simulate.Config) {
		return func(c *simulate.Config) { c.DP, c.Iterations, c.CheckpointEvery, c.Faults = 4, 30, 0, fs }
	}
	return []scenario{
		{name: "healthy", change: faulty(), state: "ENDED", cause: "none"},
		{name: "a slow worker", change: faulty(simulate.Straggler{Rank: 2, Factor: 1.5}), state: "ENDED", unit: "worker", ranks: []int{2, 3}, level: "critical", cause: "worker", pp: 0, dp: 1,
			evidence: "was slow: worker pp 0, dp 1, ranks 2–3"},
		{name: "a slow host", change: func(c *simulate.Config) { faulty(simulate.SlowHost{Host: 1, Factor: 1.5})(c); c.RanksPerHost = 4 }, state: "ENDED",
			unit: "host", ranks: []int{4, 5, 6, 7}, level: "critical", cause: "global", evidence: "was slow: host gpu-0001, ranks 4–7"},
		{name: "a whole stage on a slow host", change: faulty(simulate.SlowHost{Host: 1, Factor: 1.5}), state: "ENDED", cause: "stage", evidence: "was slow: the last stage computes longer"},
		{name: "a slow last stage", change: faulty(simulate.SlowStage{Stage: 1, Factor: 1.6}), state: "ENDED", cause: "stage", evidence: "was slow: the last stage computes longer"},
		{name: "another each step", change: faulty(simulate.Rotating{Factor: 1.6}), state: "ENDED", cause: "rotating", evidence: "was slow: another worker is the longest each step"},
		{name: "steps alone", change: func(c *simulate.Config) { faulty()(c); c.Detail = simulate.StepOnly }, state: "ENDED", cannot: "turn the step's inner spans on"},
		{name: "only some ranks", change: faulty(simulate.Sampled{Every: 2}), state: "ENDED", cause: "none", unseen: 8, evidence: "8 of 16 ranks seen"},
	}
}

type scenario struct {
	name            string
	change          func(*simulate.Config)
	state, evidence string
	unit, level     string
	ranks           []int
	cause, cannot   string
	pp, dp          int // of the worker that is the cause
	unseen          int
}

func TestReportsOfKnownRuns(t *testing.T) {
	for _, sc := range scenarios() {
		t.Run(sc.name, func(t *testing.T) {
			rep := build(t, simulated(t, sc.change), Options{})
			r := rep.Runs[0]
			if r.Verdict.State != sc.state || !strings.Contains(strings.Join(r.Verdict.Evidence, "\n"), sc.evidence) {
				t.Errorf("verdict %+v", r.Verdict)
			}
			if len(r.NeverSeen) != sc.unseen || r.RanksSeen != 16-sc.unseen {
				t.Errorf("%d ranks seen, never %v", r.RanksSeen, r.NeverSeen)
			}
			sc.stragglers(t, r)
			sc.whatIf(t, r)
			consistent(t, r)
			written(t, rep, sc)
		})
	}
}

func (sc scenario) stragglers(t *testing.T, r Run) {
	t.Helper()
	switch {
	case sc.cannot != "":
		if r.Stragglers != nil || !strings.Contains(strings.Join(r.Verdict.CannotTell, "\n"), sc.cannot) {
			t.Errorf("stragglers %+v, cannot tell %q", r.Stragglers, r.Verdict.CannotTell)
		}
	case sc.unit == "":
		if r.Stragglers == nil || len(r.Stragglers) > 0 {
			t.Errorf("stragglers %+v", r.Stragglers)
		}
	default:
		if len(r.Stragglers) != 1 {
			t.Fatalf("stragglers %+v", r.Stragglers)
		}
		s := r.Stragglers[0]
		if s.Unit != sc.unit || !slices.Equal(s.Ranks, sc.ranks) || s.Level != sc.level || *s.BusyRatio < 1.2 || *s.Score >= 0.9 || *s.WorstIn < 0.5 {
			t.Errorf("%s", s.line())
		}
	}
}

func (sc scenario) whatIf(t *testing.T, r Run) {
	t.Helper()
	if sc.cannot != "" {
		if r.WhatIf != nil {
			t.Errorf("what if %+v", r.WhatIf)
		}
		return
	}
	w := r.WhatIf
	if w == nil || w.Cause != sc.cause {
		t.Fatalf("what if %+v, want %s", w, sc.cause)
	}
	if (*w.Slowdown >= 1.1) != (sc.cause != "none") {
		t.Errorf("%s at %.3f times as fast", w.Cause, *w.Slowdown)
	}
	if w.Cause == "worker" && (*w.Worker.PP != sc.pp || *w.Worker.DP != sc.dp || *w.WorkerShare < 0.5) {
		t.Errorf("worker %+v, share %.2f", w.Worker, *w.WorkerShare)
	}
}

// consistent is what holds in the report of every run.
func consistent(t *testing.T, r Run) {
	t.Helper()
	if s := r.Spans; s.Received != s.Kept+s.Evicted+s.Rejected+s.Duplicates+s.Replaced+s.InFlight {
		t.Errorf("spans do not add up: %+v", s)
	}
	i, n := r.Iterations, 0
	for _, k := range i.Excluded {
		n += k
	}
	if i.Complete+n != i.Seen || i.First > i.Last {
		t.Errorf("iterations do not add up: %+v", i)
	}
	sum := 0.0
	for _, p := range r.Breakdown {
		sum += p.Share
	}
	if len(r.Breakdown) > 0 && math.Abs(sum-1) > 1e-6 {
		t.Errorf("the classes of a step are %v of it", sum)
	}
	counted := uint64(0)
	for _, s := range r.SpanStats {
		counted += s.Count + s.Truncated + s.Invalid
		if s.Count > 0 && !(*s.P50 <= *s.P95 && *s.P95 <= *s.P99 && *s.P99 <= *s.Max && *s.Mean <= *s.Max) {
			t.Errorf("%s: percentiles out of order", s.Name)
		}
		if want := s.Count < 100; s.Few != want {
			t.Errorf("%s: %d spans, few %v", s.Name, s.Count, s.Few)
		}
	}
	if counted != r.Spans.Kept+r.Spans.Evicted {
		t.Errorf("statistics of %d spans, %d kept or evicted", counted, r.Spans.Kept+r.Spans.Evicted)
	}
	logs := uint64(0)
	for _, k := range r.Logs.BySeverity {
		logs += k
	}
	if logs != r.Logs.Kept+r.Logs.Evicted || r.Logs.Received != r.Logs.Kept+r.Logs.Evicted+r.Logs.Duplicates+r.Logs.Rejected {
		t.Errorf("log records do not add up: %+v", r.Logs)
	}
}

// written is what text and Markdown must have of it.
func written(t *testing.T, rep Report, sc scenario) {
	t.Helper()
	r := rep.Runs[0]
	for name, text := range map[string]string{"text": text1(t, rep), "markdown": strings.ReplaceAll(markdownOf(t, rep), `\`, "")} {
		for _, want := range []string{r.ID, r.Verdict.State, sc.evidence, sc.cannot, fmt.Sprintf("%d of 16", r.RanksSeen)} {
			if !strings.Contains(text, want) {
				t.Errorf("the %s lacks %q:\n%s", name, want, text)
			}
		}
		for _, s := range r.Stragglers {
			if !strings.Contains(text, s.line()) {
				t.Errorf("the %s lacks %q", name, s.line())
			}
		}
		if strings.Contains(text, "NaN ") && !strings.Contains(text, "NaN or infinite") || strings.Contains(text, "%!") || strings.Contains(text, "<nil>") {
			t.Errorf("the %s has what is no word:\n%s", name, text)
		}
	}
}

// Under little memory spans and records are evicted: the report says so, and its
// statistics stay those of the whole run.
func TestStatisticsOutliveEviction(t *testing.T) {
	all := build(t, simulated(t, slow), Options{}).Runs[0]
	c := simulate.Config{Seed: 7, TP: 2, PP: 2, DP: 2, Iterations: 12, CheckpointEvery: 5, LogEvery: 2, User: "ada", NaNEvery: 4}
	slow(&c)
	f := simtest.New(t, c, store.Config{Files: true, Budget: 2 << 20})
	tight := build(t, f.End(), Options{}).Runs[0]
	consistent(t, tight)
	if tight.Spans.Evicted == 0 {
		t.Fatalf("nothing was evicted: %+v", tight.Spans)
	}
	if tight.Spans.Received != all.Spans.Received || len(tight.SpanStats) != len(all.SpanStats) {
		t.Errorf("%d spans of %d names, want %d of %d", tight.Spans.Received, len(tight.SpanStats), all.Spans.Received, len(all.SpanStats))
	}
	for i, s := range tight.SpanStats {
		if o := all.SpanStats[i]; s.Name != o.Name || s.Count != o.Count || math.Abs(s.Total-o.Total) > 1e-9*o.Total {
			t.Errorf("%s: %d spans, %v s; with all of them %s: %d, %v s", s.Name, s.Count, s.Total, o.Name, o.Count, o.Total)
		}
	}
	if len(tight.Stragglers) != 1 || !slices.Equal(tight.Stragglers[0].Ranks, all.Stragglers[0].Ranks) {
		t.Errorf("stragglers %+v", tight.Stragglers)
	}
}

// A filter leaves the accounts alone and narrows the figures.
func TestFiltersNarrowEveryFigure(t *testing.T) {
	s := simulated(t, slow)
	whole := build(t, s, Options{}).Runs[0]
	for _, test := range []struct {
		filter   string
		ranks    int
		straggle bool // rank 8 or 9 is among them, and others of its stage
	}{{"pp=1", 8, true}, {"pp=0", 8, false}, {"rank=8..15", 8, true}, {"dp in (1, 2, 3)", 12, false}} {
		f, err := query.Parse(test.filter)
		if err != nil {
			t.Fatal(err)
		}
		r := build(t, s, Options{Filter: f}).Runs[0]
		if r.Spans != whole.Spans {
			t.Errorf("%s: the accounts are %+v, want %+v", test.filter, r.Spans, whole.Spans)
		}
		if got := len(r.Stragglers) > 0; got != test.straggle {
			t.Errorf("%s: stragglers %+v", test.filter, r.Stragglers)
		}
		step := r.SpanStats[slices.IndexFunc(r.SpanStats, func(x SpanStat) bool { return x.Class == "step" })]
		if want := uint64(test.ranks * r.Iterations.Seen); step.Count != want {
			t.Errorf("%s: %d steps, want %d", test.filter, step.Count, want)
		}
	}
}

// The same data give the same bytes: maps have no say in the order.
func TestReportsAreReproducible(t *testing.T) {
	s := simulated(t, slow)
	var first []byte
	for i := range 3 {
		var buf bytes.Buffer
		if err := WriteJSON(&buf, build(t, s, Options{Processes: true})); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			first = buf.Bytes()
			if !json.Valid(first) {
				t.Fatal("no JSON")
			}
		} else if !bytes.Equal(first, buf.Bytes()) {
			t.Fatal("two reports of one snapshot differ")
		}
	}
}
