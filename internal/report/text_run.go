package report

import (
	"fmt"
	"math"
	"slices"
	"strings"
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
	p.line("%d %s", len(runs), word)
	rows := [][]string{{"run", "service", "processes", "spans", "errors", "metrics", "warnings"}}
	for _, r := range runs[:min(len(runs), mostBrief)] {
		rows = append(rows, []string{r.ID, clipped(r.Service, 24), fmt.Sprint(r.ProcessCount), fmt.Sprint(r.Spans.Received), fmt.Sprint(r.Spans.Errors),
			fmt.Sprint(len(r.Metrics)), fmt.Sprint(r.warnings())})
	}
	p.table(rows)
	if more := len(runs) - mostBrief; more > 0 {
		p.line("  … and %d more", more)
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
		p.line("  ranks seen %d of %s%s, %s", r.RanksSeen, size(r.WorldSize), never(r.NeverSeen), plural(r.Attempts, "attempt"))
	}
	if r.Topology != nil {
		p.topology(*r.Topology, r.Notices)
	}
	if i := r.Iterations; i != nil {
		p.line("  iterations %d to %d: %d seen, %d complete%s", i.First, i.Last, i.Seen, i.Complete, excluded(i.Excluded))
	}
	p.stepTime(r)
	if r.training() {
		p.stall(r.Stall)
	}
	p.stragglers(r.Stragglers)
	p.quantities(r.Quantities)
	p.notices("  ", r.Notices)
	p.worst(r)
	s := r.Spans
	p.line("  spans received %d = kept %d + evicted %d + rejected %d + duplicates %d + replaced %d + in flight %d",
		s.Received, s.Kept, s.Evicted, s.Rejected, s.Duplicates, s.Replaced, s.InFlight)
	p.line("  %d truncated and %d with impossible times stand beside the statistics, %d errors", s.Truncated, s.InvalidTime, s.Errors)
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
	p.line("  tp %s cp %s pp %s dp %s%s%s", size(t.TP), size(t.CP), size(t.PP), size(t.DP), order, derived(t.Derived))
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
		p.line("  step time: %s", line)
	}
	if g := r.Goodput; g != nil {
		p.line("  goodput %s of %s in clean steps; %s between steps", percent(&g.Share), secs(&g.Elapsed), secs(&g.Between))
	}
	if w := r.WhatIf; w != nil {
		p.line("  %s", ifFixed(*w))
	}
	if b := r.Bubble; b != nil {
		p.line("  pipeline bubble %s, expected %s with %d stages and %d microbatches", percent(b.ObservedShare), percent(b.ExpectedShare), b.Stages, b.Microbatches)
	}
}

// oddities are the spikes and shifts of a step series.
func oddities(s Steps) string {
	out := ""
	if s.Spikes > 0 {
		out += fmt.Sprintf("; %s", plural(s.Spikes, "spike"))
	}
	if s.Irregular > 0 {
		out += fmt.Sprintf("; %s at least twice as long", plural(s.Irregular, "step"))
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
	if w.Cause == "worker" && w.Worker != nil {
		s += fmt.Sprintf(" pp %s, dp %s", size(w.Worker.PP), size(w.Worker.DP))
	}
	s += fmt.Sprintf(" (worst worker %s of the loss", percent(w.WorkerShare))
	if w.StageShare != nil {
		s += fmt.Sprintf(", last stage %s", percent(w.StageShare))
	}
	if w.Approximate {
		s += "; approximate"
	}
	return s + ")"
}

func percent(f *float64) string {
	if f == nil {
		return "–"
	}
	return fmt.Sprintf("%.1f %%", math.Round(1000**f)/10+0) // + 0: a little less than none is not -0
}
