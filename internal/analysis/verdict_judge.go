package analysis

import (
	"fmt"
	"math"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// verdict weighs the answers: an end over a stall over slowness over ranks that
// are missing.
func (v *view) verdict(d *Diagnosis) Verdict {
	out := Verdict{State: VerdictAdvancing, Scope: ScopeNone}
	out.CannotTell = v.cannotTell(d)
	switch {
	case len(v.members) == 0 || !v.hasSteps():
		out.State, out.Summary = VerdictUnknown, "no training steps were received"
	case d.Stall.ended():
		v.sayEnded(&out, d)
	case d.Stall.Stalled:
		v.sayStalled(&out, d)
	case !d.Stall.HasFrontier:
		out.State = VerdictStarting
		out.Summary = fmt.Sprintf("no iteration finished yet, first data %s ago", durationText(age(v.snap, v.run.First)))
	case v.saySlow(&out, d):
	case v.sayPartial(&out, d):
	default:
		out.Summary = v.pace(d)
	}
	out.Evidence = append(out.Evidence, v.evidence(d)...)
	return out
}

// cannotTell gathers what the questions could not answer.
func (v *view) cannotTell(d *Diagnosis) (out []string) {
	for _, why := range d.Stragglers.CannotTell {
		out = append(out, "who is slow: "+why)
	}
	if v.snap.Clock == store.SenderClock && !d.Stall.ended() && len(v.members) > 0 {
		out = append(out, "whether it still runs: a file without receive times has no present")
	}
	return out
}

// evidence is what every verdict rests on.
func (v *view) evidence(d *Diagnosis) []string {
	out := []string{d.Coverage.String() + " seen"}
	if len(d.Coverage.NeverSeen) > 0 && d.Coverage.Seen > 0 {
		out[0] += ", never " + list("rank", d.Coverage.NeverSeen)
	}
	if text := v.sampled(); text != "" {
		out = append(out, text)
	}
	if d.Stragglers.Steps > 0 && len(d.Stragglers.Workers) > 0 {
		text := fmt.Sprintf("compute compared over %s, from %s", count(d.Stragglers.Steps, "clean step"), d.Stragglers.Source)
		if d.Stragglers.Early {
			text += " (early)"
		}
		out = append(out, text)
	}
	return out
}

func (v *view) pace(d *Diagnosis) string {
	text := fmt.Sprintf("at iteration %d", d.Stall.Frontier)
	if !math.IsNaN(d.Stall.Interval) {
		text += fmt.Sprintf(", one every %s", durationText(d.Stall.Interval))
	}
	switch {
	case d.Stragglers.Found == nil || len(d.Stragglers.CannotTell) > 0: // that stands beside it
		return text
	case d.Stragglers.Early:
		return text + "; no straggler so far"
	}
	return text + "; no straggler"
}

func (v *view) sayEnded(out *Verdict, d *Diagnosis) {
	out.State = VerdictEnded
	out.Summary = "ended"
	if d.Stall.HasFrontier {
		out.Summary = fmt.Sprintf("ended after iteration %d", d.Stall.Frontier)
	}
	out.blame(d.Stall.Suspects)
	if d.Stall.NoSuspect != "" {
		out.CannotTell = append(out.CannotTell, d.Stall.NoSuspect)
	}
	out.wasSlow(d)
}

// wasSlow keeps for a run that no longer moves what was found while it did.
func (out *Verdict) wasSlow(d *Diagnosis) {
	for _, s := range d.Stragglers.Found {
		out.Evidence = append(out.Evidence, "was slow: "+s.Text())
	}
	if _, why := d.slowAsAWhole(); why != "" && len(d.Stragglers.Found) == 0 {
		out.Evidence = append(out.Evidence, "was slow: "+why+d.WhatIf.shares())
	}
}

func (v *view) sayStalled(out *Verdict, d *Diagnosis) {
	st := &d.Stall
	out.State, out.Scope = VerdictStalled, ScopeGlobal
	since := "since the first data"
	if st.HasFrontier {
		since = fmt.Sprintf("since iteration %d", st.Frontier)
	}
	out.Summary = fmt.Sprintf("no iteration for %s, %s", durationText(v.stalledFor(st)), since)
	out.Evidence = append(out.Evidence, fmt.Sprintf("limit %s (%s)", durationText(st.Limit), st.LimitWhy), st.Summary)
	out.blame(st.Suspects)
	if st.NoSuspect != "" {
		out.CannotTell = append(out.CannotTell, "who stopped it: "+st.NoSuspect)
	}
	out.wasSlow(d)
}

func (v *view) stalledFor(st *Stall) float64 {
	if math.IsNaN(st.Age) {
		return age(v.snap, v.run.First)
	}
	return st.Age
}

// blame adds the first suspect to the summary and all to the evidence.
func (out *Verdict) blame(suspects []Suspect) {
	for i, s := range suspects {
		if i == 0 {
			out.Summary += "; suspect " + s.Text()
			out.Scope = scopeOfUnit(s.Unit)
		}
		out.Evidence = append(out.Evidence, s.Text()+": "+s.Reason)
	}
}

func scopeOfUnit(u Unit) VerdictScope {
	if u == UnitRank {
		return ScopeRank
	}
	return ScopeGroup
}

// saySlow names what is slow, and reports whether anything is.
func (v *view) saySlow(out *Verdict, d *Diagnosis) bool {
	for i, s := range d.Stragglers.Found {
		if i == 0 {
			out.State, out.Scope, out.Summary = VerdictSlow, scopeOfUnit(s.Unit), s.Text()
		}
		out.Evidence = append(out.Evidence, s.Text()+" "+s.figures())
	}
	scope, why := d.slowAsAWhole()
	switch {
	case !d.WhatIf.slow():
		return out.State == VerdictSlow
	case out.State == VerdictSlow:
	case why == "": // who it is could not be compared
		out.CannotTell = append(out.CannotTell, "why "+d.WhatIf.loss())
		return false
	default:
		out.State, out.Scope, out.Summary = VerdictSlow, scope, why
	}
	out.Evidence = append(out.Evidence, d.WhatIf.loss()+d.WhatIf.shares())
	return true
}

// slowAsAWhole is what makes steps long where no rank or group is named for it, ""
// where they are not, or it cannot be told.
func (d *Diagnosis) slowAsAWhole() (VerdictScope, string) {
	w := &d.WhatIf
	switch {
	case !w.slow():
		return ScopeNone, ""
	case w.Cause == CauseStage:
		return ScopeStage, "the last stage computes longer than the others: " + w.loss()
	case w.Cause == CauseRotating:
		return ScopeGlobal, "another worker is the longest each step (uneven data, garbage collection): " + w.loss()
	case d.Stragglers.Found == nil:
		return ScopeNone, ""
	}
	return ScopeGlobal, w.loss() + ", which no steadily slow rank explains"
}

// slow reports whether equal compute would make steps shorter by what matters.
func (w *WhatIf) slow() bool { return len(w.CannotTell) == 0 && w.Cause != CauseNone }

func (w *WhatIf) loss() string {
	return fmt.Sprintf("steps take %.2f times as long as with equal compute", w.Slowdown)
}

func (w *WhatIf) shares() string {
	text := fmt.Sprintf(", %.0f %% of it by the worst %ss", wholePercent(w.WorkerShare), w.Of)
	if !math.IsNaN(w.StageShare) {
		text += fmt.Sprintf(", %.0f %% by the last stage", wholePercent(w.StageShare))
	}
	return text
}

// wholePercent is a share in whole percent; a little less than none is 0, not -0.
func wholePercent(share float64) float64 { return math.Round(100*share) + 0 }

// sayPartial is for a run that moves while ranks are missing or silent.
func (v *view) sayPartial(out *Verdict, d *Diagnosis) bool {
	away := d.Stall.ranks(func(s Standing) bool {
		return s.State == ProcessSilent || s.State == ProcessBehind || s.State == ProcessAliveStuck
	})
	if d.Coverage.Full() && len(away) == 0 {
		return false
	}
	out.State = VerdictPartial
	out.Summary = d.Stall.Summary
	if len(away) > 0 {
		out.Evidence = append(out.Evidence, list("rank", away)+d.Stall.whyAway(len(away)))
	}
	if len(d.Coverage.NeverSeen) > 0 {
		out.CannotTell = append(out.CannotTell, "anything about "+list("rank", d.Coverage.NeverSeen))
	}
	return true
}

// whyAway is what may be with ranks that sent no iteration for long, as many as
// given: others go on, or all others have ended.
func (st *Stall) whyAway(away int) string {
	ended := len(st.ranks(func(s Standing) bool { return s.State == ProcessEnded }))
	if ended > 0 && ended+away == len(st.Processes) {
		return " sent no iteration for long, and the others have ended: hung, or killed before the last spans were sent"
	}
	return " sent no iteration for long while others go on: their exporters, or the ranks themselves"
}

// Text names a straggler in a line: "rank 5 on node1: 1.50 × the compute of its
// like".
func (s *Straggler) Text() string {
	return fmt.Sprintf("%s: %.2f × the compute of its like", unitText(s.Unit, s.Ranks, s.Hosts, s.Coord), s.BusyRatio)
}

func (s *Straggler) figures() string {
	text := fmt.Sprintf("(worst in %.0f %% of steps", 100*s.WorstIn)
	if !math.IsNaN(s.Z) {
		text += fmt.Sprintf(", z %.1f", s.Z)
	}
	return text + ")"
}

// Text names a suspect in words.
func (s *Suspect) Text() string { return unitText(s.Unit, s.Ranks, s.Hosts, s.Coord) }

func unitText(u Unit, ranks []int, hosts []string, at run.Coord) string {
	var text string
	switch u {
	case UnitWorker:
		text = fmt.Sprintf("worker pp %d, dp %d, %s", at.PP, at.DP, list("rank", ranks))
	case UnitLane:
		text = fmt.Sprintf("dp lane %d, %s", at.DP, list("rank", ranks))
	case UnitHost:
		return fmt.Sprintf("host %s, %s", strings.Join(hosts, ", "), list("rank", ranks))
	default:
		text = list("rank", ranks)
	}
	if len(hosts) == 1 {
		text += " on " + hosts[0]
	} else if len(hosts) > 1 {
		text += " on " + thousands(len(hosts)) + " hosts"
	}
	return text
}
