package report

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/simulate"
)

// slow is a run whose worker pp 1, dp 0 computes twice as long.
func slow(c *simulate.Config) {
	c.Iterations, c.DP = 40, 4
	c.Faults = []simulate.Fault{simulate.Straggler{Rank: 8, Factor: 2}}
}

func text1(t *testing.T, r Report) string {
	t.Helper()
	var buf bytes.Buffer
	if err := WriteText(&buf, r); err != nil {
		t.Fatal(err)
	}
	return buf.String()
}

func TestReportNamesTheStraggler(t *testing.T) {
	rep := build(t, simulated(t, slow), Options{})
	r := rep.Runs[0]
	if len(r.Stragglers) != 1 || !slices.Equal(r.Stragglers[0].Ranks, []int{8, 9}) || r.Stragglers[0].Level != "critical" || *r.Stragglers[0].BusyRatio < 1.8 {
		t.Fatalf("stragglers %+v", r.Stragglers)
	}
	if r.Verdict.State != "ENDED" || !strings.Contains(strings.Join(r.Verdict.Evidence, "\n"), "was slow: worker pp 1, dp 0") || r.WhatIf.Cause != "worker" || *r.WhatIf.Worker.PP != 1 || *r.WhatIf.Worker.DP != 0 {
		t.Errorf("verdict %+v, what if %+v", r.Verdict, r.WhatIf)
	}
	if w := r.WorstRanks; len(w) != mostWorst || *w[0].Rank != 8 && *w[0].Rank != 9 || *w[0].Slowdown < 1.8 {
		t.Errorf("worst ranks %+v", w)
	}
	for _, want := range []string{"was slow", "straggler (critical): worker of ranks 8-9", "step time by class, mean: compute", "pipeline bubble", "the slowest of 16 ranks"} {
		if out := text1(t, rep); !strings.Contains(out, want) {
			t.Errorf("the text lacks %q:\n%s", want, out)
		}
	}
}

// The parts of the step add up to it.
func TestBreakdownOfAReport(t *testing.T) {
	r := build(t, simulated(t, nil), Options{}).Runs[0]
	share, sec := 0.0, 0.0
	for _, p := range r.Breakdown {
		share, sec = share+p.Share, sec+p.Seconds
	}
	if math.Abs(share-1) > 1e-9 || math.Abs(sec/(*r.Steps.P50)-1) > 0.05 || r.Breakdown[len(r.Breakdown)-1].Class != "dark" {
		t.Errorf("shares add up to %v, seconds to %v of %v: %+v", share, sec, *r.Steps.P50, r.Breakdown)
	}
}

func TestQuantitiesOfAReport(t *testing.T) {
	r := build(t, simulated(t, nil), Options{}).Runs[0]
	got := map[string]Quantity{}
	for _, q := range r.Quantities {
		got[q.ID] = q
	}
	if q := got["loss"]; q.Name != "dl.loss" || q.Last == nil || q.Points == 0 || q.Of != "median of 8 ranks" {
		t.Errorf("loss %+v", q)
	}
	if q := got["grad_norm"]; q.NotFinite == 0 {
		t.Errorf("grad norm %+v", q)
	}
	if q := got["tokens"]; !q.Global || q.Total == nil || *q.Total > 1e6 {
		t.Errorf("tokens %+v: a global counter must not be summed", q)
	}
}

// Where there are many runs, training runs are told in full and the others in a
// line each.
func TestManyRunsStayShort(t *testing.T) {
	r := build(t, simulated(t, nil), Options{})
	for i := range 400 {
		r.Runs = append(r.Runs, Run{ID: fmt.Sprintf("service/%d", i), Service: "service", Spans: Spans{Received: uint64(i)}})
	}
	slices.Reverse(r.Runs)
	out := text1(t, r)
	if n := strings.Count(out, "\n"); n > 100 {
		t.Errorf("%d lines", n)
	}
	for _, want := range []string{"run sim-7 · service", "400 other runs, the latest first:", "service/399 ", "… and 380 more", "--run ID tells of one in full"} {
		if !strings.Contains(out, want) {
			t.Errorf("the text lacks %q:\n%s", want, out)
		}
	}
	if strings.Index(out, "run sim-7") > strings.Index(out, "other runs") {
		t.Error("the training run is not the first")
	}
}

func TestAFilteredReportSaysSo(t *testing.T) {
	s := simulated(t, nil)
	parse := func(text string) *query.Filter {
		f, err := query.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	r := build(t, s, Options{Filter: parse("dl.rank=0")})
	if r.Filter == nil || !strings.Contains(text1(t, r), "filtered by dl.rank=0: ") {
		t.Errorf("filter %v:\n%s", r.Filter, text1(t, r))
	}
	if m := r.Runs[0].Metrics[0]; m.Series != 1 || m.Points*4 > build(t, s, Options{}).Runs[0].Metrics[0].Points {
		t.Errorf("a metric of one rank has %d series, %d points", m.Series, m.Points)
	}
	r = build(t, s, Options{Filter: parse("rnak=5")})
	if len(r.Notices) != 1 || !strings.Contains(r.Notices[0].Text, "did you mean rank?") || r.Notices[0].Level != "warning" {
		t.Errorf("notices %+v", r.Notices)
	}
	if r = build(t, s, Options{Filter: parse("rank=99")}); len(r.Runs) == 0 && len(r.Notices) != 1 {
		t.Errorf("a filter that lets nothing through: %+v", r.Notices)
	}
	if r = build(t, s, Options{}); r.Filter != nil || len(r.Notices) != 0 {
		t.Errorf("no filter: %v, %+v", r.Filter, r.Notices)
	}
}

func TestFindings(t *testing.T) {
	r := build(t, simulated(t, slow), Options{})
	if got := Findings(r, FailCritical); len(got) == 0 || got[0].Level != FailCritical || got[0].Run != "sim-7" || !strings.Contains(got[0].String(), "straggler") {
		t.Errorf("critical: %v", got)
	}
	healthy := Report{Runs: []Run{{ID: "a", Iterations: &Iterations{}, Verdict: &Verdict{State: "ADVANCING"}, Notices: []Notice{{"x", "info", "hint"}}}}}
	if got := Findings(healthy, FailWarning); len(got) != 0 {
		t.Errorf("healthy: %v", got)
	}
	for state, want := range map[string][2]int{"STALLED": {1, 1}, "SLOW": {0, 1}, "PARTIAL": {0, 1}, "ENDED": {0, 0}, "UNKNOWN": {0, 0}, "STARTING": {0, 0}} {
		healthy.Runs[0].Verdict.State = state
		if got := [2]int{len(Findings(healthy, FailCritical)), len(Findings(healthy, FailWarning))}; got != want {
			t.Errorf("%s: %v findings, want %v", state, got, want)
		}
	}
}
