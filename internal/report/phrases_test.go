package report

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
)

func f64(v float64) *float64 { return &v }
func i64(v int64) *int64     { return &v }
func num1(v int) *int        { return &v }

func TestNamesOfGroups(t *testing.T) {
	for _, tt := range []struct {
		unit  string
		ranks []int
		want  string
	}{
		{"rank", []int{7}, "rank 7"},
		{"worker", []int{7}, "rank 7"},
		{"rank", []int{1, 2, 3}, "ranks 1-3"},
		{"", []int{1, 3}, "ranks 1, 3"},
		{"worker", []int{0, 1, 2, 3}, "worker of ranks 0-3"},
		{"tp_position", []int{0, 2}, "tp position of ranks 0, 2"},
		{"host", []int{8, 9, 10, 11, 20}, "host of ranks 8-11, 20"},
	} {
		if got := named(tt.unit, tt.ranks); got != tt.want {
			t.Errorf("%s %v: %q, want %q", tt.unit, tt.ranks, got, tt.want)
		}
	}
}

func TestHosts(t *testing.T) {
	for _, tt := range []struct {
		hosts []string
		want  string
	}{
		{nil, ""}, {[]string{"a"}, " on a"}, {[]string{"a", "b"}, " on a and b"}, {[]string{"a", "b", "c", "d"}, " on a and 3 more hosts"},
	} {
		if got := onHosts(tt.hosts); got != tt.want {
			t.Errorf("%v: %q, want %q", tt.hosts, got, tt.want)
		}
	}
}

func TestStandings(t *testing.T) {
	for _, tt := range []struct {
		in   Standing
		want string
	}{
		{Standing{Rank: num1(5), State: "BEHIND", Iteration: i64(4), Age: f64(90), LastPhase: text("forward_backward")}, "rank 5 BEHIND at iteration 4 for 1m30s, last forward_backward"},
		{Standing{Rank: num1(0), State: "SILENT"}, "rank 0 SILENT"},
		{Standing{State: "ALIVE_STUCK", StuckIn: text("nv.mcore.p2p.recv_forward")}, "rank ? ALIVE_STUCK, closed by force in nv.mcore.p2p.recv_forward"},
	} {
		if got := tt.in.line(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestStragglerLines(t *testing.T) {
	s := Straggler{Unit: "worker", Ranks: []int{0, 1}, Hosts: []string{"h"}, Level: "critical", BusyRatio: f64(1.5), WorstIn: f64(1), Score: f64(0.667), Early: true, Approximate: true}
	want := "straggler (critical): worker of ranks 0-1 on h computes 1.50 times as long as its like, worst in 100 % of the steps, score 0.67; early; approximate"
	if got := s.line(); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	s = Straggler{Unit: "rank", Ranks: []int{3}, Level: "warning", BusyRatio: f64(1.12)}
	if got := s.line(); got != "straggler (warning): rank 3 computes 1.12 times as long as its like" {
		t.Errorf("%q", got)
	}
}

func TestOddities(t *testing.T) {
	for _, tt := range []struct {
		in   Steps
		want string
	}{
		{Steps{}, ""},
		{Steps{Spikes: 1}, "; 1 spike"},
		{Steps{Spikes: 3, Irregular: 2, irregularRatio: 2}, "; 3 spikes; 2 steps at least twice as long"},
		{Steps{Irregular: 1000, irregularRatio: 1.5}, "; 1,000 steps at least 1.5 times as long"},
		{Steps{Shifts: []Shift{{5, 1, 2, 1}, {50, 1, 1.1, 0.1}}}, "; since iteration 50 +10.0 % (1.000s to 1.100s)"},
	} {
		if got := oddities(tt.in); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestIfFixed(t *testing.T) {
	for _, tt := range []struct {
		in   WhatIf
		want string
	}{
		{WhatIf{Slowdown: f64(2), WorkerShare: f64(1), Cause: "worker", Worker: &Worker{PP: num1(0), DP: num1(3)}},
			"with equal compute times steps would be 2.00 times as fast; cause: worker pp 0, dp 3 (worst worker 100.0 % of the loss)"},
		{WhatIf{Slowdown: f64(1.5), WorkerShare: f64(0.9), Cause: "worker", Worker: &Worker{DP: num1(3)}, Approximate: true},
			"with equal compute times steps would be 1.50 times as fast; cause: dp lane 3 (worst dp lane 90.0 % of the loss; approximate)"},
		{WhatIf{Slowdown: f64(1), Cause: "none"}, "with equal compute times steps would be 1.00 times as fast; cause: none (worst worker – of the loss)"},
		{WhatIf{Slowdown: f64(1.2), WorkerShare: f64(0.1), StageShare: f64(0.9), Cause: "stage", Worker: &Worker{DP: num1(3)}, Approximate: true},
			"with equal compute times steps would be 1.20 times as fast; cause: stage (worst dp lane 10.0 % of the loss, last stage 90.0 %; approximate)"},
	} {
		if got := ifFixed(tt.in); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestQuantityValues(t *testing.T) {
	for _, tt := range []struct {
		in   Quantity
		want string
	}{
		{Quantity{ID: "loss", First: f64(3), Last: f64(2), Of: "rank 7"}, "2 (from 3) · rank 7"},
		{Quantity{ID: "loss", First: f64(2), Last: f64(2), Of: "rank 7"}, "2 · rank 7"},
		{Quantity{ID: "grad_norm", NotFinite: 2, Points: 9, Of: "rank 0"}, "–; 2 of 9 points are NaN or infinite · rank 0"},
		{Quantity{ID: "tokens", Unit: "tokens", Last: f64(5), Total: f64(100), Of: "rank 0"}, "100 tokens in all · rank 0"},
		{Quantity{ID: "step_duration", Unit: "s", Last: f64(1.5), First: f64(1), Reading: "running mean", Of: "median of 8 ranks"}, "1.5 s (mean since the start) · median of 8 ranks"},
	} {
		if got := tt.in.value(); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.in.ID, got, tt.want)
		}
	}
	if got := (&Quantity{ID: "grad_norm"}).title(); got != "grad norm" {
		t.Errorf("title %q", got)
	}
}

func TestHeadlines(t *testing.T) {
	for _, tt := range []struct {
		in   Verdict
		want string
	}{
		{Verdict{State: "SLOW", Scope: "rank", Summary: "rank 3"}, "SLOW (rank): rank 3"},
		{Verdict{State: "ENDED", Scope: "none"}, "ENDED"},
		{Verdict{State: "UNKNOWN", Summary: "why"}, "UNKNOWN: why"},
	} {
		if got := headline(tt.in); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

func TestFigures(t *testing.T) {
	for got, want := range map[string]string{
		percent(nil): "–", percent(f64(0.123)): "12.3 %", percent(f64(-0.0001)): "0.0 %", percent(f64(-0.002)): "-0.2 %", whole(nil): "–", whole(i64(-4)): "-4", figure2(nil): "–", figure2(f64(1.005)): "1.00",
		place(nil): "–", place(&Coord{TP: num1(1), DP: num1(2)}): "tp 1 pp ? dp 2", change(nil): "–", change(f64(-0.5)): "-50.0 %",
		intervalOf(nil, f64(1)): "", intervalOf(f64(-0.1), f64(0.2)): "(-10.0 … +20.0 %)", points(f64(0.0075)): "+0.75", points(nil): "–",
		pointsOf(f64(-0.01), f64(0.02)): "(-1.00 … +2.00)", pointsOf(nil, nil): "", weight("none"): "", weight("material"): "material",
		(&DiffRow{Level: "none", Follows: text("compute")}).weight(): "follows compute", sent(nil): "nothing", sent(text("x")): "x",
		parts(nil): "", parts([]Part{{"compute", 0.9, 1}, {"dark", 0.1, 0.1}}): "compute 90.0 % · dark 10.0 %",
		(&DiffSide{}).seen(): "no clean step", (&DiffSide{Steps: 1, Ranks: 2, First: i64(3), Last: i64(3)}).seen(): "1 clean step of iterations 3 to 3, 2 ranks",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// Few runs are all told in full; of many, training runs first and no more than a
// few.
func TestSplit(t *testing.T) {
	training, service := Run{ID: "t", Iterations: &Iterations{}}, Run{ID: "s"}
	many := func(n int, r Run) (out []Run) {
		for range n {
			out = append(out, r)
		}
		return out
	}
	for _, tt := range []struct {
		runs        []Run
		full, brief int
	}{
		{nil, 0, 0}, {many(1, service), 1, 0}, {many(3, service), 3, 0}, {many(4, service), 0, 4},
		{append(many(4, service), training), 1, 4}, {many(9, training), mostFull, 9 - mostFull}, {append(many(2, service), training), 3, 0},
	} {
		full, brief := split(Report{Runs: tt.runs})
		if len(full) != tt.full || len(brief) != tt.brief {
			t.Errorf("%d runs: %d in full, %d in brief, want %d and %d", len(tt.runs), len(full), len(brief), tt.full, tt.brief)
		}
		if len(full) > 0 && len(tt.runs) > 1 && tt.runs[len(tt.runs)-1].ID == "t" && full[0].ID != "t" {
			t.Error("a training run is not the first")
		}
	}
}

func TestTrainingRuns(t *testing.T) {
	for _, tt := range []struct {
		run  Run
		want bool
	}{
		{Run{}, false}, {Run{Iterations: &Iterations{}}, true}, {Run{WorldSize: num1(8)}, false}, {Run{WorldSize: num1(8), RanksSeen: 1}, true}, {Run{RanksSeen: 3}, false},
	} {
		if got := tt.run.training(); got != tt.want {
			t.Errorf("%+v: %t", tt.run, got)
		}
	}
}

// failing fails after so many bytes.
type failing struct{ left int }

func (w *failing) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errors.New("no space left")
	}
	return len(p), nil
}

// A writer that fails ends the text with its error, wherever that happens.
func TestWritersReportErrors(t *testing.T) {
	rep := build(t, simulated(t, slow), Options{Sources: []Source{{Path: "f"}}})
	d := diffOf(t, longer(1, 1), longer(1.15, 2))
	for name, write := range map[string]func(w *failing) error{
		"text":     func(w *failing) error { return WriteText(w, rep) },
		"markdown": func(w *failing) error { return WriteMarkdown(w, rep) },
		"json":     func(w *failing) error { return WriteJSON(w, rep) },
		"diff":     func(w *failing) error { return WriteDiffText(w, d) },
		"diff md":  func(w *failing) error { return WriteDiffMarkdown(w, d) },
		"diff js":  func(w *failing) error { return WriteDiffJSON(w, d) },
	} {
		for _, left := range []int{0, 10, 200} {
			if err := write(&failing{left}); err == nil || !strings.Contains(err.Error(), "no space") {
				t.Errorf("%s after %d bytes: %v", name, left, err)
			}
		}
	}
}

// Long lists are cut and say so.
func TestLongListsAreCut(t *testing.T) {
	r := Run{ID: "r", Iterations: &Iterations{}, RanksSeen: 99, WorldSize: num1(99), Stall: &Stall{Stalled: true, NoSuspect: text("all alike")}}
	for i := range 60 {
		r.Stall.Processes = append(r.Stall.Processes, Standing{Rank: num1(i), State: "SILENT"})
		r.Stall.Suspects = append(r.Stall.Suspects, Suspect{Unit: "rank", Ranks: []int{i}, Reason: "x"})
		r.Stragglers = append(r.Stragglers, Straggler{Unit: "rank", Ranks: []int{i}, Level: "warning"})
		r.SpanStats = append(r.SpanStats, SpanStat{Name: fmt.Sprint("span", i), Count: 1})
		r.Metrics = append(r.Metrics, Metric{Name: fmt.Sprint("metric", i)})
	}
	out := text1(t, Report{Runs: []Run{r}})
	for _, want := range []string{"… and 52 more ranks", "… and 52 more suspects", "… and 52 more stragglers", "… and 20 span names more", "no suspect: all alike"} {
		if !strings.Contains(out, want) && !strings.Contains(out, strings.Replace(want, "20 span names more", "20 span names more; --format json has all", 1)) {
			t.Errorf("the text lacks %q:\n%s", want, out)
		}
	}
	md := markdownOf(t, Report{Runs: []Run{r}})
	if !strings.Contains(md, "… and 52 more stragglers") || strings.Count(md, "\n") > 60 {
		t.Errorf("markdown:\n%s", md)
	}
	d := Diff{Comparable: true}
	for i := range 60 {
		d.OnlyA = append(d.OnlyA, fmt.Sprint("span", i))
	}
	var buf bytes.Buffer
	if err := WriteDiffMarkdown(&buf, d); err != nil || !strings.Contains(buf.String(), "… and 40 more span names only in A") {
		t.Errorf("%v\n%s", err, buf.String())
	}
	buf.Reset()
	if err := WriteDiffText(&buf, d); err != nil || !strings.Contains(buf.String(), "… and 40 more span names only in A") {
		t.Errorf("%v\n%s", err, buf.String())
	}
}

func TestLogsLine(t *testing.T) {
	for _, tt := range []struct {
		in   Logs
		want string
	}{
		{Logs{}, ""}, {Logs{Received: 3, Duplicates: 3}, ""},
		{Logs{Kept: 1, BySeverity: map[string]uint64{"info": 1}}, "1 log record · 1 info"},
		{Logs{Kept: 500, Evicted: 12_000, BySeverity: map[string]uint64{"unset": 1, "trace": 1, "info": 11_000, "warn": 1_494, "error": 3, "fatal": 1}},
			"12,500 log records, 500 still held · 1 fatal · 3 error · 1,494 warn · 11,000 info · 1 trace · 1 unset"},
	} {
		if got := tt.in.line(); got != tt.want {
			t.Errorf("%q, want %q", got, tt.want)
		}
	}
}

// The legend explains the words that the report of a run uses, and no others.
func TestLegend(t *testing.T) {
	ranks := []Rank{{}, {}}
	iterations := &Iterations{}
	for _, tt := range []struct {
		in   Run
		want string
	}{
		{Run{}, ""},
		{Run{Breakdown: []Part{{Class: "compute"}, {Class: "dark"}}}, "dark"},
		{Run{WorstRanks: ranks[:1]}, ""},
		{Run{WorstRanks: ranks}, "slowdown score"},
		{Run{Stragglers: []Straggler{{}}}, "score"},
		{Run{Iterations: iterations, Verdict: &Verdict{Evidence: []string{"rank 3 (worst in 100 % of steps, z 67.0)"}}, noise: 3.5}, "z"},
		{Run{Verdict: &Verdict{Evidence: []string{"of a service, z 1"}}}, ""},
		{Run{Iterations: iterations, Verdict: &Verdict{Evidence: []string{"8 of 8 ranks seen"}}}, ""},
	} {
		var got []string
		for _, w := range words(tt.in) {
			got = append(got, w[0])
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("%+v: %q, want %q", tt.in, s, tt.want)
		}
	}
	r := Run{Iterations: iterations, Verdict: &Verdict{Evidence: []string{"x, z 9"}}, noise: 5}
	if got := words(r)[0][1]; !strings.HasSuffix(got, "noise stays below 5") {
		t.Errorf("the limit in force is not told: %q", got)
	}
}
