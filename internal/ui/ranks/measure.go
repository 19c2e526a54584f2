package ranksscreen

import (
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// rank is one process as a row.
type rank struct {
	analysis.Rank
	run     *store.Run
	key     string // identity
	earlier bool   // a newer attempt of the same rank is there
	told    *told  // by the diagnosis, nil where it says nothing
}

// measured is the ranks of the runs that are shown.
type measured struct {
	ranks    []*rank           // in order
	presence analysis.Presence // of the run in focus
	steps    int               // the most clean steps of any rank
	derived  bool              // a rank's coordinates were computed, not sent
	named    string            // whom the diagnosis of the run in focus names
}

// measure looks at the run in focus, or at every run. Not for the event loop.
func measure(d screen.Data, all bool, k *kept) measured {
	var out measured
	for _, r := range d.Snapshot.Runs {
		if r.ID == d.Run {
			out.presence = analysis.MainRole(r)
			out.named = k.of(d.Snapshot, r).summary
		}
		if all || r.ID == d.Run {
			out.ranks = append(out.ranks, ranksOf(d, r, k.of(d.Snapshot, r))...)
		}
	}
	slices.SortStableFunc(out.ranks, inOrder)
	for _, r := range out.ranks {
		out.steps = max(out.steps, r.Steps)
		out.derived = out.derived || coordKnown(r.Coord) && r.Coord.Derived
	}
	return out
}

func ranksOf(d screen.Data, r *store.Run, by *diagnosed) []*rank {
	scope := analysis.Scope{Run: r}
	if !d.Filter.Empty() {
		scope.Filter = d.Filter.Bind(r)
	}
	rows := analysis.Ranks(d.Snapshot, scope, analysis.DefaultSteps)
	last := lastAttempts(rows)
	out := make([]*rank, len(rows))
	for i, row := range rows {
		out[i] = &rank{Rank: row, run: r, key: keyOf(r, row.Process), earlier: row.Attempt < last[placeOf(row)]}
		if t, ok := by.of[row.Process]; ok {
			out[i].told = &t
		}
	}
	return out
}

// place is what a newer attempt replaces.
type place struct {
	role string
	rank int
}

func placeOf(r analysis.Rank) place { return place{r.Role, r.Rank} }

func lastAttempts(rows []analysis.Rank) map[place]int {
	last := make(map[place]int, len(rows))
	for _, r := range rows {
		if r.Rank != run.Unknown {
			last[placeOf(r)] = max(last[placeOf(r)], r.Attempt)
		}
	}
	return last
}

// beside says that a process is not the one that stands for its rank.
func (r *rank) beside() bool { return r.Sibling && !r.Grid }

// ratio and score are the diagnosis', NaN where it has none.
func (r *rank) ratio() float64 {
	if r.told == nil {
		return math.NaN()
	}
	return r.told.ratio
}

func (r *rank) score() float64 {
	if r.told == nil {
		return math.NaN()
	}
	return r.told.score
}

// duration is one of the row's durations in seconds, NaN where there is none.
func (r *rank) duration(column string) float64 {
	switch column {
	case "p50":
		return r.StepP50
	case "p95":
		return r.StepP95
	case "compute":
		return r.Compute
	case "wait":
		return r.Wait
	}
	return math.NaN()
}
