package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
)

// mostFull and mostBrief are how many runs a text tells in full and in a line
// each.
const (
	mostFull  = 5
	mostBrief = 20
)

// split is the runs that are told in full, training runs first, and the others.
// Few runs are all told in full.
func split(r Report) (full, brief []Run) {
	for _, run := range r.Runs {
		if run.training() && len(full) < mostFull {
			full = append(full, run)
		} else {
			brief = append(brief, run)
		}
	}
	if len(r.Runs) <= 3 {
		return append(full, brief...), nil
	}
	return full, brief
}

// training reports a run that has steps, or ranks of a world.
func (r *Run) training() bool {
	return r.Iterations != nil || r.WorldSize != nil && r.RanksSeen > 0
}

// others writes a line for each run that is not told in full.
func (p *printer) others(runs []Run, full int) {
	if len(runs) == 0 {
		return
	}
	p.line("")
	word := "runs, the latest first:"
	if full > 0 {
		word = "other runs, the latest first:"
	}
	p.line("%s %s", run.Count(len(runs)), word)
	rows := [][]string{{"run", "service", "processes", "spans", "errors", "metrics", "warnings"}}
	for _, r := range runs[:min(len(runs), mostBrief)] {
		rows = append(rows, []string{r.ID, clipped(r.Service, 24), run.Count(r.ProcessCount), run.Count(r.Spans.Received), run.Count(r.Spans.Errors),
			run.Count(len(r.Metrics)), run.Count(r.warnings())})
	}
	p.table(rows)
	if more := len(runs) - mostBrief; more > 0 {
		p.line("  … and %s more", run.Count(more))
	}
	p.line("  --run ID tells of one in full; --format json has all of them")
}

// warnings counts the notices above info.
func (r *Run) warnings() (n int) {
	for _, x := range r.Notices {
		if x.Level != "info" {
			n++
		}
	}
	return n
}

func (p *printer) run(r Run) {
	p.line("run %s · service %s%s", r.ID, r.Service, user(r.User))
	p.verdict(r)
	if r.training() {
		p.line("  ranks seen %s of %s%s, %s", run.Count(r.RanksSeen), many(r.WorldSize), never(r.NeverSeen), plural(r.Attempts, "attempt"))
	}
	if r.Topology != nil {
		p.topology(*r.Topology, r.Notices)
	}
	if i := r.Iterations; i != nil {
		p.line("  iterations %d to %d: %s seen, %s complete%s", i.First, i.Last, run.Count(i.Seen), run.Count(i.Complete), excluded(i.Excluded))
	}
	p.stepTime(r)
	if r.training() {
		p.stall(r.Stall)
	}
	p.stragglers(r.Stragglers)
	p.quantities(r.Quantities)
	p.notices("  ", r.Notices)
	p.worst(r)
	p.legend(r)
	s := r.Spans
	p.line("  spans received %s = kept %s + evicted %s + rejected %s + duplicates %s + replaced %s + in flight %s",
		run.Count(s.Received), run.Count(s.Kept), run.Count(s.Evicted), run.Count(s.Rejected), run.Count(s.Duplicates), run.Count(s.Replaced), run.Count(s.InFlight))
	p.line("  %s truncated and %s with impossible times stand beside the statistics, %s",
		run.Count(s.Truncated), run.Count(s.InvalidTime), plural(int(s.Errors), "error"))
	if line := r.Logs.line(); line != "" {
		p.line("  %s", line)
	}
	p.spanStats(r.SpanStats)
	p.metrics(r.Metrics)
}

func (p *printer) verdict(r Run) {
	if r.Verdict == nil || !r.training() {
		return
	}
	v := r.Verdict
	p.line("  %s", headline(*v))
	for _, e := range v.Evidence {
		p.line("    · %s", e)
	}
	for _, c := range v.CannotTell {
		p.line("    ? cannot tell: %s", c)
	}
}

// headline is the verdict in one line.
func headline(v Verdict) string {
	s := v.State
	if v.Scope != "" && v.Scope != "none" {
		s += " (" + v.Scope + ")"
	}
	if v.Summary != "" {
		s += ": " + v.Summary
	}
	return s
}

// topology leaves out the problems that are notices too.
func (p *printer) topology(t Topology, notices []Notice) {
	order := ""
	if t.Order != "" {
		order = ", order " + t.Order
	}
	p.line("  tp %s cp %s pp %s dp %s%s%s", many(t.TP), many(t.CP), many(t.PP), many(t.DP), order, derived(t.Derived))
	for _, problem := range t.Problems {
		if !slices.ContainsFunc(notices, func(n Notice) bool { return n.Text == problem }) {
			p.line("  ! %s", problem)
		}
	}
}

// stepTime is how long steps take, how they changed and where their time goes.
func (p *printer) stepTime(r Run) {
	if s := r.Steps; s != nil && s.P50 != nil {
		p.line("  step %s, slowest rank %s%s", secs(s.P50), secs(s.Slowest), oddities(*s))
	}
	if line := parts(r.Breakdown); line != "" {
		p.line("  step time by class, mean: %s", line)
	}
	if g := r.Goodput; g != nil {
		p.line("  goodput %s of %s in clean steps; %s between steps", percent(&g.Share), secs(&g.Elapsed), secs(&g.Between))
	}
	if w := r.WhatIf; w != nil {
		p.line("  %s", ifFixed(*w))
	}
	if b := r.Bubble; b != nil {
		p.line("  pipeline bubble %s, expected %s with %s and %s microbatches", percent(b.ObservedShare), percent(b.ExpectedShare), plural(b.Stages, "stage"), run.Count(b.Microbatches))
	}
}

// oddities are the spikes and shifts of a step series.
func oddities(s Steps) string {
	out := ""
	if s.Spikes > 0 {
		out += fmt.Sprintf("; %s", plural(s.Spikes, "spike"))
	}
	if s.Irregular > 0 {
		out += fmt.Sprintf("; %s at least %s as long", plural(s.Irregular, "step"), times(s.irregularRatio))
	}
	if n := len(s.Shifts); n > 0 {
		x := s.Shifts[n-1]
		out += fmt.Sprintf("; since iteration %d %+.1f %% (%s to %s)", x.Iteration, 100*x.Change, secs(&x.Before), secs(&x.After))
	}
	return out
}

// parts is the breakdown in one line.
func parts(all []Part) string {
	var out []string
	for _, x := range all {
		out = append(out, fmt.Sprintf("%s %s", x.Class, percent(&x.Share)))
	}
	return strings.Join(out, " · ")
}

func ifFixed(w WhatIf) string {
	s := fmt.Sprintf("with equal compute times steps would be %.2f times as fast; cause: %s", deref(w.Slowdown), w.Cause)
	unit, place := w.worst()
	if w.Cause == "worker" {
		s = strings.TrimSuffix(s, w.Cause) + unit + place
	}
	s += fmt.Sprintf(" (worst %s %s of the loss", unit, percent(w.WorkerShare))
	if w.StageShare != nil {
		s += fmt.Sprintf(", last stage %s", percent(w.StageShare))
	}
	if w.Approximate {
		s += "; approximate"
	}
	return s + ")"
}

// worst is what the worst worker is, and where: a lane where its stage cannot be
// told.
func (w *WhatIf) worst() (unit, place string) {
	switch {
	case w.Worker == nil:
		return "worker", ""
	case w.Worker.PP == nil:
		return "dp lane", " " + size(w.Worker.DP)
	}
	return "worker", fmt.Sprintf(" pp %s, dp %s", size(w.Worker.PP), size(w.Worker.DP))
}

func percent(f *float64) string {
	if f == nil {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", math.Round(1000**f)/10+0) // + 0: a little less than none is not -0
}
