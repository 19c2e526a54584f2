package ranksscreen

import (
	"cmp"
	"math"
	"slices"
)

// sortRanks orders rows by a column; equal ones by rank, those beside a rank
// after it. What has no value comes last in either direction.
func sortRanks(ranks []rank, column string, desc bool) {
	by := comparison(column, desc)
	slices.SortStableFunc(ranks, func(a, b rank) int {
		if c := by(&a, &b); c != 0 {
			return c
		}
		return cmp.Or(compareFloat(a.number("rank"), b.number("rank"), false),
			cmp.Compare(bit(a.beside()), bit(b.beside())), cmp.Compare(a.Attempt, b.Attempt))
	})
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func comparison(column string, desc bool) func(a, b *rank) int {
	switch column {
	case "host":
		return text(func(r *rank) string { return r.Host }, desc)
	case "role":
		return text(func(r *rank) string { return r.Role }, desc)
	case "coord":
		return func(a, b *rank) int { return turned(compareCoord(a, b), desc) }
	}
	return func(a, b *rank) int { return compareFloat(a.number(column), b.number(column), desc) }
}

func text(of func(*rank) string, desc bool) func(a, b *rank) int {
	return func(a, b *rank) int { return turned(cmp.Compare(of(a), of(b)), desc) }
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
	case "age":
		return r.Quiet
	case "truncated":
		return float64(r.Truncated)
	case "errors":
		return float64(r.Errors)
	}
	return r.duration(column)
}

func compareFloat(a, b float64, desc bool) int {
	if math.IsNaN(a) || math.IsNaN(b) {
		return cmp.Compare(bit(math.IsNaN(a)), bit(math.IsNaN(b)))
	}
	return turned(cmp.Compare(a, b), desc)
}

func turned(c int, desc bool) int {
	if desc {
		return -c
	}
	return c
}
