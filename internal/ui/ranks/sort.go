package ranksscreen

import (
	"cmp"
	"math"
	"slices"
)

// sortRanks orders rows by a column; equal ones by rank, then by who came first.
// What has no value comes last in either direction.
func sortRanks(ranks []rank, column string, desc bool) {
	by := comparison(column, desc)
	slices.SortStableFunc(ranks, func(a, b rank) int {
		if c := by(&a, &b); c != 0 {
			return c
		}
		return cmp.Or(compareFloat(rankOf(&a), rankOf(&b), false),
			cmp.Compare(bit(a.process.Sibling && !a.process.Grid), bit(b.process.Sibling && !b.process.Grid)),
			cmp.Compare(a.process.Index, b.process.Index))
	})
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// rankOf is the rank, NaN when it is not known.
func rankOf(r *rank) float64 {
	if r.process.ID.Rank < 0 {
		return math.NaN()
	}
	return float64(r.process.ID.Rank)
}

func comparison(column string, desc bool) func(a, b *rank) int {
	switch column {
	case "host":
		return text(func(r *rank) string { return r.process.ID.Host }, desc)
	case "role":
		return text(func(r *rank) string { return r.process.ID.Role }, desc)
	case "coord":
		return func(a, b *rank) int { return turned(compareCoord(a, b), desc) }
	}
	return func(a, b *rank) int { return compareFloat(number(a, column), number(b, column), desc) }
}

func text(of func(*rank) string, desc bool) func(a, b *rank) int {
	return func(a, b *rank) int { return turned(cmp.Compare(of(a), of(b)), desc) }
}

func compareCoord(a, b *rank) int {
	x, y := a.process.Coord, b.process.Coord
	return cmp.Or(cmp.Compare(x.PP, y.PP), cmp.Compare(x.DP, y.DP), cmp.Compare(x.TP, y.TP))
}

func number(r *rank, column string) float64 {
	p := r.process
	switch column {
	case "rank":
		return rankOf(r)
	case "attempt":
		return float64(p.Attempt)
	case "iteration":
		if !p.HasIteration {
			return math.NaN()
		}
		return float64(p.Iteration)
	case "age":
		return -float64(p.Last)
	case "truncated":
		return float64(p.Truncated)
	case "errors":
		return float64(p.Errors)
	}
	return duration(r, column)
}

// duration is one of the row's durations in seconds.
func duration(r *rank, column string) float64 {
	switch column {
	case "p50":
		return r.p50
	case "p95":
		return r.p95
	case "compute":
		return r.compute
	case "wait":
		return r.wait
	}
	return math.NaN()
}

func compareFloat(a, b float64, desc bool) int {
	switch {
	case math.IsNaN(a) || math.IsNaN(b):
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
