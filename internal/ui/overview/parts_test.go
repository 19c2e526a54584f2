package overviewscreen

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

// pageOf is an empty page of a size.
func pageOf(width, height int, a *answer) *page { return newPage(plain(), size{width, height}, a, nil) }

// drawn is the lines of a page in ASCII without blanks at the ends.
func drawn(p *page) []string {
	var out []string
	for _, l := range p.lines {
		out = append(out, strings.TrimRight(draw.ASCII(l.drawn), " "))
	}
	return out
}

func wantLines(t *testing.T, p *page, want ...string) {
	t.Helper()
	if d := cmp.Diff(want, drawn(p)); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestSaidWrapsAndCuts(t *testing.T) {
	p := pageOf(32, 22, &answer{})
	p.said("why", theme.Style{}, "one two three four five six seven", 2, "a", nil)
	wantLines(t, p, "why    one two three four five", "       six seven")
	p = pageOf(32, 22, &answer{})
	p.said("why", theme.Style{}, "one two three four five six seven eight nine ten", 2, "a", nil)
	wantLines(t, p, "why    one two three four five", "       six seven eight nine t>")
	if p.lines[0].text != "why  one two three four five six seven eight nine ten" || p.lines[1].text != "" {
		t.Errorf("copied: %q and %q", p.lines[0].text, p.lines[1].text)
	}
}

func TestFlowKeepsPiecesWhole(t *testing.T) {
	pieces := []piece{{text: "alpha"}, {text: "beta gamma"}, {text: "delta"}, {text: "epsilon"}}
	p := pageOf(29, 22, &answer{})
	p.flow("run", pieces, 2, "run", nil)
	wantLines(t, p, "run    alpha  beta gamma", "       delta  epsilon")
	p = pageOf(29, 22, &answer{})
	p.flow("run", pieces, 1, "run", nil)
	wantLines(t, p, "run    alpha  beta gamma")
	p = pageOf(12, 22, &answer{}) // nothing fits: better cut than lost
	p.flow("run", pieces[1:2], 1, "run", nil)
	wantLines(t, p, "run    be>")
}

func TestRoomGrowsWithTheScreen(t *testing.T) {
	for height, want := range map[int]int{10: 1, 22: 1, 30: 2, 38: 3, 60: 3} {
		if got := pageOf(80, height, &answer{}).room(1, 2, 3); got != want {
			t.Errorf("height %d: %d, want %d", height, got, want)
		}
	}
}

func TestShortenedReasons(t *testing.T) {
	for _, test := range [][3]string{
		{"rank 5: 1.5 × (worst in 90 %, z 3)", "rank 5: 1.5 ×", "worst in 90 %, z 3"},
		{"compute compared over 20 steps", "rank 5: 1.5 ×", "compute compared over 20 steps"},
		{"rank 5: 1.5 × of others", "rank 5: 1.5 ×", "rank 5: 1.5 × of others"},
	} {
		if got := shortened(test[0], test[1]); got != test[2] {
			t.Errorf("%q, want %q", got, test[2])
		}
	}
}

func TestNobodyIsOnlySaidWhereSomebodyLooked(t *testing.T) {
	workers := []analysis.Worker{{Ranks: []int{0}, BusyRatio: 0.98}, {Ranks: []int{4, 5}, BusyRatio: 1.03}, {Ranks: []int{6}, BusyRatio: math.NaN()}}
	for _, test := range []struct {
		s    analysis.Stragglers
		want string
	}{
		{analysis.Stragglers{Workers: workers}, ""}, // cannot tell
		{analysis.Stragglers{Found: []analysis.Straggler{}}, ""},
		{analysis.Stragglers{Found: []analysis.Straggler{{}}, Workers: workers}, ""},
		{analysis.Stragglers{Found: []analysis.Straggler{}, Workers: workers, Compared: analysis.UnitWorker},
			"none of 3 workers named slow; most compute 1.03 × its like (ranks 4–5)"},
		{analysis.Stragglers{Found: []analysis.Straggler{}, Workers: workers[2:], Compared: analysis.UnitRank}, "none of 1 rank named slow"},
		{analysis.Stragglers{Found: []analysis.Straggler{}, Workers: append(workers[2:], workers[2:]...), Compared: analysis.UnitLane}, "none of 2 lanes named slow"},
	} {
		if got := nobody(&test.s); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestBadges(t *testing.T) {
	for state, want := range map[analysis.VerdictState]string{
		analysis.VerdictAdvancing: "[ADVANCING]", analysis.VerdictSlow: "[! SLOW]", analysis.VerdictPartial: "[! PARTIAL]",
		analysis.VerdictStalled: "[x STALLED]", analysis.VerdictEnded: "[ENDED]", analysis.VerdictUnknown: "[UNKNOWN]", analysis.VerdictStarting: "[STARTING]",
	} {
		if got, _ := badgeOf(plain(), state); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestTopologyText(t *testing.T) {
	for _, test := range []struct {
		f    facts
		want string
	}{
		{facts{sizes: run.Sizes{TP: 2, CP: 1, EP: 1, PP: 4, DP: 8}}, "tp 2 × pp 4 × dp 8"},
		{facts{sizes: run.Sizes{TP: 2, CP: 2, EP: 4, PP: 1, DP: 8}, derived: true}, "tp 2 × cp 2 × pp 1 × dp 8 × ep 4~"},
		{facts{sizes: run.Sizes{TP: 1, CP: 1, EP: 1, PP: 1, DP: 16384}}, "tp 1 × pp 1 × dp 16,384"},
		{facts{sizes: run.Sizes{TP: -1, CP: -1, EP: -1, PP: -1, DP: -1}, derived: true}, ""},
	} {
		if got := test.f.topology("~"); got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestWhatIsNotKnownOfARunIsNotSaid(t *testing.T) {
	a := &answer{facts: facts{id: "r", world: run.Unknown, attempts: 1}}
	p := pageOf(80, 22, a)
	p.facts()
	wantLines(t, p, "run    r  0 spans")
	a.facts = facts{id: "r", job: "r", service: "s", world: 8, attempts: 3, iteration: 1200, has: true, start: uitest.Start, ago: 90, spans: 12345}
	p = pageOf(120, 22, a)
	p.facts()
	wantLines(t, p, "run    r  service s  world 8  iteration 1200  attempt 3  since 2025-10-09 08:53:20 UTC  received for 1m30s", "       12.3k spans")
}

func TestSpansOfARun(t *testing.T) {
	for n, want := range map[uint64]string{0: "0 spans", 1: "1 span", 2: "2 spans", 12_345: "12.3k spans"} {
		if got := spanCount(n); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestPlacesOfAStalledRun(t *testing.T) {
	at := func(rank, ended int, state analysis.ProcessState) analysis.Standing {
		return analysis.Standing{Process: rank, Rank: rank, State: state, Iteration: 10, HasIteration: true, SpansEnded: ended, LastPhase: "p2p"}
	}
	d := &analysis.Diagnosis{Stall: analysis.Stall{Stalled: true, Processes: []analysis.Standing{
		at(0, 4, analysis.ProcessAliveStuck), at(1, 4, analysis.ProcessAliveStuck), at(2, 1, analysis.ProcessSilent), at(3, 4, analysis.ProcessAliveStuck),
		{Process: -1, Rank: 4, State: analysis.ProcessNeverSeen}, {Process: 5, Rank: 5, State: analysis.ProcessEnded, StuckIn: "x"},
	}, Suspects: []analysis.Suspect{{Ranks: []int{2}}}}}
	var got []string
	for _, s := range placesOf(d) {
		got = append(got, s.text())
	}
	want := []string{"rank 2: silent, in iteration 11, 1 span ended, last p2p", "rank 5: ended, no iteration finished, shut down in x",
		"ranks 0–1, 3: alive stuck, in iteration 11, 4 spans ended, last p2p", "rank 4: never seen"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	d.Stall.Stalled = false
	if placesOf(d) != nil {
		t.Error("a run that moves has places")
	}
}

func TestMorePlacesAreCounted(t *testing.T) {
	a := &answer{}
	for i := range 9 {
		a.slow.places = append(a.slow.places, standing{state: analysis.ProcessSilent, ranks: []int{i}, iteration: int64(i), has: true})
	}
	p := pageOf(80, 22, a)
	p.places()
	if got := drawn(p); len(got) != 4 || got[3] != "       6 more places: 3 Ranks" {
		t.Errorf("%q", got)
	}
}

// What to look at next follows the verdict.
func TestNextFollowsTheVerdict(t *testing.T) {
	r := cases(t)["slow"].Runs[0]
	suspects := []analysis.Suspect{{Ranks: []int{2}}}
	standings := []analysis.Standing{{Process: 2, Rank: 2, State: analysis.ProcessSilent, Iteration: 9, HasIteration: true}, {Process: -1, Rank: 7}}
	for _, test := range []struct {
		d    analysis.Diagnosis
		want string
	}{
		{analysis.Diagnosis{Verdict: analysis.Verdict{State: analysis.VerdictAdvancing}}, "spans"},
		{analysis.Diagnosis{Verdict: analysis.Verdict{State: analysis.VerdictUnknown}}, "ingest logs"},
		{analysis.Diagnosis{Verdict: analysis.Verdict{State: analysis.VerdictStarting}}, "ingest logs"},
		{analysis.Diagnosis{Verdict: analysis.Verdict{State: analysis.VerdictPartial}, Stall: analysis.Stall{Processes: standings}, Coverage: analysis.RankCoverage{NeverSeen: []int{7}}}, "ranks(rank=2) ingest topology"},
		{analysis.Diagnosis{Verdict: analysis.Verdict{State: analysis.VerdictPartial}}, "ingest"},
		{analysis.Diagnosis{Verdict: analysis.Verdict{State: analysis.VerdictStalled}, Stall: analysis.Stall{Processes: standings, Suspects: suspects}}, "trace ranks(rank=2) logs"},
		{analysis.Diagnosis{Verdict: analysis.Verdict{State: analysis.VerdictEnded}}, "ranks logs"},
		{analysis.Diagnosis{Verdict: analysis.Verdict{State: analysis.VerdictSlow, Scope: analysis.ScopeStage}, WhatIf: analysis.WhatIf{Cause: analysis.CauseStage}}, "topology steps"},
		{analysis.Diagnosis{Verdict: analysis.Verdict{State: analysis.VerdictEnded}, WhatIf: analysis.WhatIf{Cause: analysis.CauseStage}}, "topology steps"},
		{analysis.Diagnosis{Verdict: analysis.Verdict{State: analysis.VerdictEnded}, Stragglers: analysis.Stragglers{
			Found: []analysis.Straggler{{Ranks: []int{5}, Processes: []int{5}}}}}, "trace topology steps"},
		{analysis.Diagnosis{Verdict: analysis.Verdict{State: analysis.VerdictEnded}, Stall: analysis.Stall{Processes: standings, Suspects: suspects}, Stragglers: analysis.Stragglers{
			Found: []analysis.Straggler{{Ranks: []int{5}, Processes: []int{5}}}}}, "trace ranks(rank=2) logs"},
		{analysis.Diagnosis{Verdict: analysis.Verdict{State: analysis.VerdictSlow, Scope: analysis.ScopeGlobal}}, "steps"},
		{analysis.Diagnosis{Verdict: analysis.Verdict{State: analysis.VerdictSlow}, Stragglers: analysis.Stragglers{
			Found: []analysis.Straggler{{Ranks: []int{5}, Processes: []int{5}}, {Ranks: []int{6}}}}}, "trace topology steps"},
	} {
		var got []string
		for _, j := range nextOf(r, &test.d) {
			text := string(j.to.Screen)
			if j.to.Narrow != "" {
				text += "(" + j.to.Narrow + ")"
			}
			if got = append(got, text); j.to.Target.Run != r.ID || j.key == "" || j.text == "" {
				t.Errorf("%+v", j)
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s %s: %v, want %s", test.d.Verdict.State, test.d.Verdict.Scope, got, test.want)
		}
	}
}

// The longest iteration of late is that of a plain loop over the clean ones.
func TestLongestIteration(t *testing.T) {
	r := cases(t)["slow"].Runs[0]
	for p := range r.Processes {
		got, ok := longest(r, p)
		most, want, left := float32(0), int64(0), analysis.DefaultSteps
		for i := len(r.Columns) - 1; i >= 0; i-- {
			if c, there := r.Columns[i].Cell(p); there && c.Flags&127 == 0 && left > 0 {
				if left--; c.Compute > most {
					most, want = c.Compute, r.Columns[i].Iteration
				}
			}
		}
		if got != want || ok != (want > 0) {
			t.Errorf("process %d: %d, want %d", p, got, want)
		}
	}
	if _, ok := longest(r, 99); ok {
		t.Error("of a process that is not there")
	}
}

func TestClassesKeepTheirOrder(t *testing.T) {
	rows := []analysis.BreakdownRow{{Class: "wait", Share: 0.5}, {Class: "compute", Share: 0.4}, {Class: analysis.Dark, Share: 0.1}}
	a := &answer{}
	a.slow.breakdown = analysis.Breakdown{Rows: rows, Step: 1, Goodput: analysis.Goodput{Share: math.NaN()}}
	p := pageOf(49, 22, a)
	p.breakdown()
	wantLines(t, p, "time   [###############...................    ]", "       # compute 40.0%  . wait 50.0%", "       blank dark 10.0%")
	if rows[0].Class != "wait" {
		t.Error("the answer was changed")
	}
}

func TestBreakdownThatCannotTell(t *testing.T) {
	a := &answer{}
	a.slow.breakdown = analysis.Breakdown{CannotTell: "no clean step has been seen yet"}
	p := pageOf(80, 22, a)
	p.breakdown()
	wantLines(t, p, "time   cannot tell where it goes: no clean step has been seen yet")
}

func TestBubbleWarns(t *testing.T) {
	for _, test := range []struct {
		b    analysis.Bubble
		want string
	}{
		{analysis.Bubble{Stages: 1}, ""}, {analysis.Bubble{Stages: 4, CannotTell: "no spans"}, ""},
		{analysis.Bubble{Stages: 4, Observed: 0.3, Expected: 0.25}, "pipeline bubble 30.0%, 25.0% by design"},
		{analysis.Bubble{Stages: 4, Observed: 0.5, Expected: 0.25, Warn: true}, "! pipeline bubble 50.0%, 25.0% by design"},
	} {
		a := &answer{}
		a.slow.bubble = test.b
		got := ""
		for _, x := range pageOf(80, 22, a).bubble() {
			got = x.text
		}
		if got != test.want {
			t.Errorf("%q, want %q", got, test.want)
		}
	}
}

func TestQuantitiesMarkWhatIsNoNumber(t *testing.T) {
	q := quantityOf(&analysis.Quantity{Title: "loss", Line: []analysis.Point{{Value: 1}, {Value: math.NaN(), Marks: analysis.NotFinite}, {Value: 3}, {Value: math.NaN(), Marks: analysis.Gap}}})
	if q.notFinite != 1 || q.last != 3 || !math.IsNaN(q.values[3]) || q.odd[3] {
		t.Errorf("%+v", q)
	}
	p := pageOf(42, 22, &answer{})
	l := draw.NewLine(40)
	p.quantity(l, &q, 40)
	if got := strings.TrimRight(l.String(), " "); !strings.HasPrefix(got, "loss                  3 ") || !strings.Contains(got, "_x#") || !strings.HasSuffix(got, "x1 NaN") {
		t.Errorf("%q", got)
	}
}

func TestWhatDoesNotMoveLooksSo(t *testing.T) {
	p := pageOf(42, 22, &answer{})
	l := draw.NewLine(10)
	p.spark(l, &quantity{values: []float64{100, 100.1, 100}, odd: make([]bool, 3)}, 10)
	if got := l.String(); strings.ContainsAny(got, "_.+*#") {
		t.Errorf("%q", got)
	}
}

func TestWhereNoticesLead(t *testing.T) {
	for code, want := range map[string]screen.Name{"cardinality": screen.Cardinality, "conventions": screen.Cardinality, "topology": screen.Topology,
		"ranks-missing": screen.Ranks, "iterations-missing": screen.Ranks, "late-data": screen.Ingest, "": screen.Ingest, "bubble": screen.Topology} {
		if got := placeOf(code); got != want {
			t.Errorf("%s: %s, want %s", code, got, want)
		}
	}
}

func TestMoreNoticesAreCounted(t *testing.T) {
	a := &answer{}
	for i := range 7 {
		a.checks = append(a.checks, run.Notice{Level: run.Level(i % 3), Text: fmt.Sprint("notice ", i)})
	}
	p := pageOf(80, 22, a)
	p.notices(3)
	wantLines(t, p, "notes  x notice 2", "       x notice 5", "       5 more notices: i Ingest lists them")
}
