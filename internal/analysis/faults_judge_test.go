package analysis

import (
	"fmt"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/store"
)

// culprit is one that the analysis names, in one of its answers.
type culprit struct {
	by    string
	unit  string
	ranks []int
}

// culprits is everybody whom a diagnosis names.
func culprits(d Diagnosis, r *store.Run) (out []culprit) {
	for _, x := range d.Stragglers.Found {
		out = append(out, culprit{"straggler", string(x.Unit), x.Ranks})
	}
	for _, x := range d.Stall.Suspects {
		out = append(out, culprit{"suspect", string(x.Unit), x.Ranks})
	}
	switch d.WhatIf.Cause {
	case CauseWorker:
		out = append(out, culprit{"what-if", "worker", d.WhatIf.Ranks})
	case CauseStage:
		n := culprit{by: "what-if", unit: simulate.UnitStage}
		last := 0
		for _, p := range r.Processes {
			last = max(last, p.Coord.PP)
		}
		for _, p := range r.Processes {
			if p.Coord.PP == last {
				n.ranks = append(n.ranks, p.ID.Rank)
			}
		}
		out = append(out, n)
	}
	return out
}

// fits reports whether a name is that of an injected fault: exactly the ranks of
// a rank or worker (the what-if names those of it that send), and nobody outside
// of a larger unit.
func (n culprit) fits(t simulate.Injected) bool {
	if t.Unit == simulate.UnitNone || t.Unit == simulate.UnitMetric || len(n.ranks) == 0 {
		return false
	}
	if slices.ContainsFunc(n.ranks, func(r int) bool { return !slices.Contains(t.Shown, r) }) {
		return false
	}
	small := t.Unit == simulate.UnitRank || t.Unit == simulate.UnitWorker
	return n.by == "what-if" || !small || len(n.ranks) == len(t.Shown)
}

// covers reports whether the names say all of a fault that can be told: of a hang
// the rank that hangs, else every rank that sends.
func covers(names []culprit, t simulate.Injected, seen map[int]bool) bool {
	said := map[int]bool{}
	for _, n := range names {
		if n.fits(t) && (n.by != "what-if" || t.Unit == simulate.UnitStage) {
			for _, r := range n.ranks {
				said[r] = true
			}
		}
	}
	if t.Kind == simulate.KindHang {
		return said[t.Rank]
	}
	return !slices.ContainsFunc(t.Shown, func(r int) bool { return seen[r] && !said[r] })
}

// score counts what became of the runs of one scenario.
type score struct {
	runs, identifiable, found int
	names, right              int
	abstain, reasons          int // runs in which nothing is identifiable that was asked for, and those with a reason
	tells, told               int
	wrong                     []string // what went wrong, with how to see it again
}

func (s *score) add(o score) {
	s.runs += o.runs
	s.identifiable, s.found = s.identifiable+o.identifiable, s.found+o.found
	s.names, s.right = s.names+o.names, s.right+o.right
	s.abstain, s.reasons = s.abstain+o.abstain, s.reasons+o.reasons
	s.tells, s.told = s.tells+o.tells, s.told+o.told
	s.wrong = append(s.wrong, o.wrong...)
}

// judgeRun holds a diagnosis against the truth of its run.
func judgeRun(truth simulate.Truth, s *store.Snapshot, r *store.Run) score {
	d := Diagnose(s, r, DiagnoseOptions{})
	out := score{runs: 1}
	names := culprits(d, r)
	seen := map[int]bool{}
	for _, p := range r.Processes {
		seen[p.ID.Rank] = true
	}
	for _, n := range names {
		out.names++
		if slices.ContainsFunc(truth.Injected, n.fits) {
			out.right++
		} else {
			out.wrong = append(out.wrong, fmt.Sprintf("wrong name: %s %s %v", n.by, n.unit, n.ranks))
		}
	}
	for _, t := range truth.Injected {
		out.judge(t, d, names, seen)
		if t.Tells != "" {
			out.tells++
			if tells(t, d, s, r) {
				out.told++
			} else {
				out.wrong = append(out.wrong, "not told: "+t.Kind+" "+t.Tells)
			}
		}
	}
	if len(out.wrong) > 0 {
		out.wrong = append(out.wrong, fmt.Sprintf("verdict %s: %s; cannot tell %q; what-if %s %.2f", d.Verdict.State, d.Verdict.Summary, d.Verdict.CannotTell, d.WhatIf.Cause, d.WhatIf.Slowdown))
	}
	return out
}

func (s *score) judge(t simulate.Injected, d Diagnosis, names []culprit, seen map[int]bool) {
	if t.Unit != simulate.UnitNone && t.Unit != simulate.UnitMetric {
		if t.Faint {
			return
		}
		s.identifiable++
		if covers(names, t, seen) {
			s.found++
		} else {
			s.wrong = append(s.wrong, fmt.Sprintf("missed: %s %s %v factor %.2f", t.Kind, t.Unit, t.Shown, t.Factor))
		}
		return
	}
	switch t.Kind {
	case simulate.KindStraggler, simulate.KindSlowHost, simulate.KindHang, simulate.KindFreeze:
		s.abstain++
		if reasoned(d) {
			s.reasons++
		} else {
			s.wrong = append(s.wrong, "no reason: "+t.Kind+": "+t.Why)
		}
	}
}

// reasoned reports whether a diagnosis says why it names nobody: what it cannot
// compare, why a stall has no suspect, or whom it does not see.
func reasoned(d Diagnosis) bool {
	return len(d.Verdict.CannotTell) > 0 || len(d.Coverage.NeverSeen) > 0
}

// tells reports whether the house says what the truth says that it must.
func tells(t simulate.Injected, d Diagnosis, s *store.Snapshot, r *store.Run) bool {
	coded := func(code string) bool {
		is := func(n run.Notice) bool { return n.Code == code }
		return slices.ContainsFunc(r.Notices, is) || slices.ContainsFunc(Checks(r), is) || slices.ContainsFunc(HealthNotices(s, r), is)
	}
	switch t.Tells {
	case simulate.TellsUnseen:
		return len(d.Coverage.NeverSeen) > 0 && (t.Rank < 0 || slices.Contains(d.Coverage.NeverSeen, t.Rank))
	case simulate.TellsSilent:
		silent := d.Stall.ranks(func(x Standing) bool { return x.State == ProcessSilent })
		return slices.Equal(silent, []int{t.Rank}) && d.Verdict.State == VerdictPartial
	case simulate.TellsTogether:
		return d.Stall.Together && d.Stall.NoSuspect != "" && d.Verdict.State == VerdictStalled
	case simulate.TellsAttempt:
		return len(r.Attempts) == 2
	case simulate.TellsEnded:
		return d.Verdict.State == VerdictEnded
	case simulate.TellsClocks:
		return coded("clock-offset")
	case simulate.TellsIDs:
		return coded("shared-span-ids")
	case simulate.TellsTopology:
		return coded("topology")
	case simulate.TellsRotating:
		return d.WhatIf.Cause == CauseRotating
	case simulate.TellsKey:
		return slices.ContainsFunc(Cardinality(s, r), func(f Finding) bool { return f.Metric == t.Metric && f.Key == t.Key })
	}
	return false
}

// wilson is the 95 % interval of a proportion (Wilson, JASA 1927).
func wilson(k, n int) (lo, hi float64) {
	if n == 0 {
		return math.NaN(), math.NaN()
	}
	const z = 1.959964
	p, m := float64(k)/float64(n), float64(n)
	middle := (p + z*z/(2*m)) / (1 + z*z/m)
	width := z / (1 + z*z/m) * math.Sqrt(p*(1-p)/m+z*z/(4*m*m))
	return max(middle-width, 0), min(middle+width, 1)
}
