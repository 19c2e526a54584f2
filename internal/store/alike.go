package store

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// alikeWithin is how close two runs must have started to look like one.
const alikeWithin = int64(60e9)

// alikeRuns remembers which runs look like one, until runs or processes come.
type alikeRuns struct {
	runs, processes int
	known           []run.Notice
}

// notices says which runs look like one: the same service, started within a
// minute, with ranks that complement each other.
func (a *alikeRuns) notices(s *Store) []run.Notice {
	if a.runs != len(s.runs) || a.processes != s.processes {
		a.runs, a.processes = len(s.runs), s.processes
		a.known = findAlike(s.runs)
	}
	return a.known
}

// findAlike compares runs that nobody named, by service in order of their start.
func findAlike(runs []*runWriter) []run.Notice {
	byService := map[string][]*runWriter{}
	for _, w := range runs {
		if !named(w.pub.IDBy) && len(w.groups) > 0 && w.pub.WorldSize > 1 {
			byService[w.pub.Service] = append(byService[w.pub.Service], w)
		}
	}
	var out []run.Notice
	for _, ws := range byService {
		slices.SortStableFunc(ws, func(a, b *runWriter) int { return cmp.Compare(a.pub.First, b.pub.First) })
		for from := 0; from < len(ws); {
			to := alikeFrom(ws, from)
			if to-from > 1 {
				out = append(out, alikeNotice(ws[from:to]))
			}
			from = to
		}
	}
	slices.SortFunc(out, func(a, b run.Notice) int { return cmp.Compare(a.Text, b.Text) })
	return out
}

// named reports whether a rule gives all processes of a run one id for sure.
func named(by string) bool { return by == run.ByRunID || by == run.BySlurmJob || by == run.ByJobUUID }

// alikeFrom is the end of the runs that look like one with ws[from].
func alikeFrom(ws []*runWriter, from int) int {
	ranks := map[int]bool{}
	for i := from; i < len(ws); i++ {
		w := ws[i]
		if w.pub.First-ws[from].pub.First > alikeWithin || w.pub.WorldSize != ws[from].pub.WorldSize {
			return max(i, from+1)
		}
		for r := range w.groups {
			if ranks[r] {
				return max(i, from+1)
			}
		}
		for r := range w.groups {
			ranks[r] = true
		}
	}
	return len(ws)
}

func alikeNotice(ws []*runWriter) run.Notice {
	ranks := 0
	for _, w := range ws {
		ranks += len(w.groups)
	}
	return run.Notice{
		Code: "runs-alike", Level: run.Warning, Count: uint64(len(ws)),
		Text: fmt.Sprintf("%s runs of %s with %s of %s ranks look like one: set NEMO_LENS_RUN_ID to the same value on every rank",
			run.Count(len(ws)), ws[0].pub.Service, run.Count(ranks), run.Count(ws[0].pub.WorldSize)),
	}
}
