package ranksscreen

import (
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// groupings is by what ranks are put together, in the order of the key; the
// first is not at all.
func groupings() []string { return []string{"", "host", "tp", "pp", "dp", "role", "run"} }

// group is ranks with their statistics, which are medians over the ranks. Its row
// stands before theirs.
type group struct {
	analysis.RankGroup
	ranks     []*rank
	iteration float64 // the lowest, NaN when there is none
	age       float64 // of the rank that finished its last iteration first
	slowdown  float64 // the largest
	state     string  // the gravest
}

// groupsOf puts ranks together that are in order; they stay in order within.
func groupsOf(ranks []*rank, by string) []*group {
	var out []*group
	for _, r := range runsOf(ranks) {
		rows, at := pick(ranks, r)
		for _, g := range analysis.GroupRanks(r, rows, by) {
			out = append(out, newGroup(g, ranks, at))
		}
	}
	return out
}

// runsOf is the runs of ranks, each once.
func runsOf(ranks []*rank) []*store.Run {
	var out []*store.Run
	for i := range ranks {
		if !slices.Contains(out, ranks[i].run) {
			out = append(out, ranks[i].run)
		}
	}
	return out
}

// pick is the rows of a run, and where the row of a process stands.
func pick(ranks []*rank, r *store.Run) ([]analysis.Rank, map[int]int) {
	var rows []analysis.Rank
	at := map[int]int{}
	for i := range ranks {
		if ranks[i].run == r {
			rows = append(rows, ranks[i].Rank)
			at[ranks[i].Process] = i
		}
	}
	return rows, at
}

func newGroup(g analysis.RankGroup, ranks []*rank, at map[int]int) *group {
	out := &group{RankGroup: g, iteration: math.NaN(), age: math.NaN(), slowdown: math.NaN()}
	for _, row := range g.Ranks {
		out.ranks = append(out.ranks, ranks[at[row.Process]])
		if row.HasIteration && !(out.iteration <= float64(row.Iteration)) {
			out.iteration = float64(row.Iteration)
		}
		if !math.IsNaN(row.Age) && !(out.age >= row.Age) {
			out.age = row.Age
		}
	}
	out.gravest()
	return out
}

// gravest takes the state and the slowdown of those that need a person most.
func (g *group) gravest() {
	grave := math.NaN()
	for _, r := range g.ranks {
		if v := r.ratio(); !math.IsNaN(v) && !(g.slowdown >= v) {
			g.slowdown = v
		}
		if v := r.told.grave(); !math.IsNaN(v) && !(grave >= v) {
			grave, g.state = v, r.told.word()
		}
	}
}

// label is the group's value, – when it was not sent.
func (g *group) label(missing string) string {
	if !g.Known {
		return missing
	}
	return g.Value
}

// size is how many ranks the group has, and what else is in it.
func (g *group) size() string {
	n := 0
	for _, r := range g.ranks {
		if r.Rank.Rank != run.Unknown && !r.beside() {
			n++
		}
	}
	text := draw.Plural(n, "rank")
	if others := len(g.ranks) - n; others > 0 {
		text += " + " + draw.Plural(others, "other")
	}
	return text
}

// sortGroups orders groups by what their ranks are sorted by, where a group has
// such a figure; else they stay in the order of their values.
func sortGroups(groups []*group, column string, desc bool) {
	slices.SortStableFunc(groups, func(a, b *group) int {
		return draw.Compare(a.value(column), b.value(column), desc)
	})
}

func (g *group) value(column string) float64 {
	switch column {
	case "iteration":
		return g.iteration
	case "slowdown":
		return g.slowdown
	case "age":
		return g.age
	case "truncated":
		return float64(g.Truncated)
	case "errors":
		return float64(g.Errors)
	}
	return g.duration(column)
}

func (g *group) duration(column string) float64 {
	switch column {
	case "p50":
		return g.StepP50
	case "compute":
		return g.Compute
	case "wait":
		return g.Wait
	}
	return math.NaN()
}

// coordKnown reports whether any coordinate is there.
func coordKnown(c run.Coord) bool {
	return c.TP != run.Unknown || c.PP != run.Unknown || c.DP != run.Unknown
}
