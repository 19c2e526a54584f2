package ranksscreen

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"github.com/beamline-hpc/lensview/internal/run"
)

// grouping is by what ranks are put together.
type grouping uint8

const (
	ungrouped grouping = iota
	byHost
	byTP
	byPP
	byDP
	byRole
	byRun
	groupings
)

func (g grouping) String() string {
	return [...]string{"", "host", "tp", "pp", "dp", "role", "run"}[g]
}

// label is the group a rank belongs to, and what orders groups of equal value.
func (g grouping) label(r *rank) (text string, number int) {
	p := r.process
	switch g {
	case byHost:
		return p.ID.Host, 0
	case byTP:
		return numbered(p.Coord.TP)
	case byPP:
		return numbered(p.Coord.PP)
	case byDP:
		return numbered(p.Coord.DP)
	case byRole:
		return p.ID.Role, 0
	case byRun:
		return r.run.ID, 0
	}
	return "", 0
}

func numbered(n int) (string, int) {
	if n == run.Unknown {
		return "", math.MaxInt
	}
	return strconv.Itoa(n), n
}

// group is ranks with their statistics: medians of the ranks' durations, the
// lowest iteration, the oldest news, sums of counts. Its row stands before them.
type group struct {
	label     string
	number    int
	ranks     []rank
	stats     rank // durations only
	iteration int64
	hasIter   bool
	last      int64
	truncated uint64
	errors    uint64
}

func groupsOf(ranks []rank, by grouping) []*group {
	index := map[string]*group{}
	var out []*group
	for _, r := range ranks {
		text, number := by.label(&r)
		g := index[text]
		if g == nil {
			g = &group{label: text, number: number}
			index[text] = g
			out = append(out, g)
		}
		g.ranks = append(g.ranks, r)
	}
	for _, g := range out {
		g.summarise()
	}
	return out
}

func (g *group) summarise() {
	var p50, p95, compute, wait []float64
	for i, r := range g.ranks {
		p := r.process
		p50, p95 = finite(p50, r.p50), finite(p95, r.p95)
		compute, wait = finite(compute, r.compute), finite(wait, r.wait)
		g.truncated += p.Truncated
		g.errors += p.Errors
		if i == 0 || p.Last < g.last {
			g.last = p.Last
		}
		if p.HasIteration && (!g.hasIter || p.Iteration < g.iteration) {
			g.iteration, g.hasIter = p.Iteration, true
		}
	}
	g.stats.p50, g.stats.p95 = quantile(p50, 0.5), quantile(p95, 0.5)
	g.stats.compute, g.stats.wait = quantile(compute, 0.5), quantile(wait, 0.5)
}

func finite(all []float64, v float64) []float64 {
	if math.IsNaN(v) {
		return all
	}
	return append(all, v)
}

// sortGroups orders groups by what their ranks are sorted by, else by label.
func sortGroups(groups []*group, column string, desc bool) {
	slices.SortStableFunc(groups, func(a, b *group) int {
		if c := compareFloat(a.value(column), b.value(column), desc); c != 0 {
			return c
		}
		return cmp.Or(cmp.Compare(a.number, b.number), cmp.Compare(a.label, b.label))
	})
}

func (g *group) value(column string) float64 {
	switch column {
	case "p50", "p95", "compute", "wait":
		return duration(&g.stats, column)
	case "iteration":
		return float64(g.iteration)
	case "age":
		return -float64(g.last)
	case "truncated":
		return float64(g.truncated)
	}
	return 0
}
