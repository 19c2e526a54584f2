package ranksscreen

import (
	"cmp"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// inOrder is the order of equals: by rank, those beside a rank after it, then by
// attempt. It is made once, off the event loop; sorting by a column keeps it.
func inOrder(a, b *rank) int {
	return cmp.Or(draw.Compare(a.number("rank"), b.number("rank"), false),
		draw.TrueLast(a.beside(), b.beside()), cmp.Compare(a.Attempt, b.Attempt))
}

// sortRanks orders rows by a column; equal ones stay as they are. What has no
// value comes last in either direction.
func sortRanks(ranks []*rank, column string, desc bool) {
	if by := textual(column); by != nil {
		slices.SortStableFunc(ranks, func(a, b *rank) int { return draw.Turned(by(a, b), desc) })
		return
	}
	type keyed struct {
		key float64
		r   *rank
	}
	rows := make([]keyed, len(ranks))
	for i, r := range ranks {
		rows[i] = keyed{r.number(column), r}
	}
	slices.SortStableFunc(rows, func(a, b keyed) int { return draw.Compare(a.key, b.key, desc) })
	for i := range rows {
		ranks[i] = rows[i].r
	}
}

// textual compares by a column that is no number; nil for the others.
func textual(column string) func(a, b *rank) int {
	switch column {
	case "host":
		return func(a, b *rank) int { return cmp.Compare(a.Host, b.Host) }
	case "role":
		return func(a, b *rank) int { return cmp.Compare(a.Role, b.Role) }
	case "coord":
		return compareCoord
	}
	return nil
}

func compareCoord(a, b *rank) int {
	x, y := a.Coord, b.Coord
	return cmp.Or(cmp.Compare(x.PP, y.PP), cmp.Compare(x.DP, y.DP), cmp.Compare(x.TP, y.TP))
}

func (r *rank) number(column string) float64 {
	switch column {
	case "rank":
		if r.Rank.Rank < 0 {
			return math.NaN()
		}
		return float64(r.Rank.Rank)
	case "attempt":
		return float64(r.Attempt)
	case "iteration":
		if !r.HasIteration {
			return math.NaN()
		}
		return float64(r.Iteration)
	case "state":
		return r.told.grave()
	case "slowdown":
		return r.ratio()
	case "score":
		return r.score()
	case "age":
		return r.Age
	case "quiet":
		return r.Quiet
	case "truncated":
		return float64(r.Truncated)
	case "errors":
		return float64(r.Errors)
	}
	return r.duration(column)
}
