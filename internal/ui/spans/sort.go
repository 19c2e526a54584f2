package spansscreen

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// order sorts siblings by a column. Without one they stay as they come: names by
// their total, ranks and the like by number, so that nothing jumps while spans
// arrive. What has no value comes last in either direction.
func order(groups []*analysis.Group, s draw.Sort, class func(string) string) []*analysis.Group {
	if s.Column == "" {
		return groups
	}
	out := slices.Clone(groups)
	slices.SortStableFunc(out, func(a, b *analysis.Group) int { return compare(a, b, s, class) })
	return out
}

func compare(a, b *analysis.Group, s draw.Sort, class func(string) string) int {
	switch s.Column {
	case "name":
		return compareValues(a, b, s.Desc)
	case "class":
		return draw.Turned(strings.Compare(class(a.Value), class(b.Value)), s.Desc)
	}
	return draw.Compare(figure(&a.Stats, s.Column), figure(&b.Stats, s.Column), s.Desc)
}

// compareValues is numbers before text, and last what was not sent.
func compareValues(a, b *analysis.Group, desc bool) int {
	if a.Known != b.Known {
		return draw.TrueLast(!a.Known, !b.Known)
	}
	m, errM := strconv.ParseInt(a.Value, 10, 64)
	n, errN := strconv.ParseInt(b.Value, 10, 64)
	if errM == nil && errN == nil {
		return draw.Turned(cmp.Compare(m, n), desc)
	}
	return draw.Turned(cmp.Or(draw.TrueLast(errM != nil, errN != nil), strings.Compare(a.Value, b.Value)), desc)
}

// figure is a column's number.
func figure(s *analysis.Stats, column string) float64 {
	switch column {
	case "n":
		return float64(s.N)
	case "p50":
		return s.P50
	case "p95":
		return s.P95
	case "p99":
		return s.P99
	case "max":
		return s.Max
	case "min":
		return s.Min
	case "mean":
		return s.Mean
	case "total":
		return s.Total
	case "share":
		return s.Share
	case "truncated":
		return float64(s.Truncated)
	case "invalid":
		return float64(s.Invalid)
	case "errors":
		return float64(s.Errors)
	}
	return math.NaN()
}
