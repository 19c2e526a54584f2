package report

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
)

// diagnose is the diagnosis of the run, of the ranks that the filter lets
// through.
func (b *builder) diagnose() analysis.Diagnosis {
	return analysis.Diagnose(b.snapshot, b.run, analysis.DiagnoseOptions{AnyRole: true, Filter: b.scope.Filter})
}

func verdict(v analysis.Verdict, more ...string) *Verdict {
	return &Verdict{
		State: string(v.State), Scope: string(v.Scope), Summary: v.Summary,
		Evidence: list(v.Evidence), CannotTell: list(unique(append(v.CannotTell[:len(v.CannotTell):len(v.CannotTell)], more...))),
	}
}

// unique keeps the first of equal lines, and none that is empty.
func unique(lines []string) []string {
	seen := map[string]bool{"": true}
	var out []string
	for _, l := range lines {
		if !seen[l] {
			seen[l] = true
			out = append(out, l)
		}
	}
	return out
}

func stall(s analysis.Stall) *Stall {
	out := &Stall{
		Stalled: s.Stalled, Together: s.Together, Age: number(s.Age), Limit: number(s.Limit), LimitWhy: s.LimitWhy,
		Summary: s.Summary, Processes: []Standing{}, Suspects: []Suspect{}, NoSuspect: text(s.NoSuspect),
	}
	if s.HasFrontier {
		out.Frontier = &s.Frontier
	}
	for _, p := range s.Processes {
		if p.State != analysis.ProcessOK {
			out.Processes = append(out.Processes, standing(p))
		}
	}
	for _, x := range s.Suspects {
		out.Suspects = append(out.Suspects, Suspect{
			Unit: string(x.Unit), Ranks: list(x.Ranks), Hosts: list(x.Hosts), Coord: coord(x.Coord), Reason: x.Reason,
		})
	}
	return out
}

func standing(p analysis.Standing) Standing {
	out := Standing{
		Rank: known(p.Rank), Role: text(p.Role), Host: text(p.Host), State: string(p.State), Age: number(p.Age),
		LastPhase: text(p.LastPhase), StuckIn: text(p.StuckIn),
	}
	if p.HasIteration {
		out.Iteration = &p.Iteration
	}
	return out
}

// stragglers is nil where the data cannot tell.
func stragglers(s analysis.Stragglers) []Straggler {
	if s.Found == nil {
		return nil
	}
	out := []Straggler{}
	for _, f := range s.Found {
		x := Straggler{
			Unit: string(f.Unit), Ranks: list(f.Ranks), Role: text(f.Role), Hosts: list(f.Hosts), Coord: coord(f.Coord),
			BusyRatio: number(f.BusyRatio), Z: number(f.Z), WaitGap: number(f.WaitGap), Score: number(f.Score), WorstIn: number(f.WorstIn),
			Signals: []string{}, Level: f.Level.String(), Early: f.Early, Approximate: f.Approximate, Note: text(f.Note),
		}
		for _, s := range f.Signals {
			x.Signals = append(x.Signals, string(s))
		}
		out = append(out, x)
	}
	return out
}

func whatIf(w analysis.WhatIf) *WhatIf {
	if len(w.CannotTell) > 0 || math.IsNaN(w.Slowdown) {
		return nil
	}
	out := &WhatIf{
		Slowdown: number(w.Slowdown), WorkerShare: number(w.WorkerShare), StageShare: number(w.StageShare),
		Cause: string(w.Cause), Approximate: w.Approximate,
	}
	if w.Worker.PP != run.Unknown || w.Worker.DP != run.Unknown {
		out.Worker = &Worker{PP: known(w.Worker.PP), DP: known(w.Worker.DP)}
	}
	return out
}

func bubble(b analysis.Bubble) *Bubble {
	if b.CannotTell != "" {
		return nil
	}
	return &Bubble{ExpectedShare: number(b.Expected), ObservedShare: number(b.Observed), Stages: b.Stages, Microbatches: b.Microbatches}
}
