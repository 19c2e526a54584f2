package ranksscreen

import (
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// rows is the table's content: ranks in order, with group rows among them.
type rows struct {
	theme theme.Theme
	by    grouping
	now   int64
	unit  draw.Unit
	list  []row
}

// row is a rank, or a group when group is set.
type row struct {
	rank  *rank
	group *group
	shut  bool
}

func (r rows) Len() int           { return len(r.list) }
func (r rows) IsGroup(i int) bool { return r.list[i].group != nil }

func (r rows) Key(i int) string {
	if g := r.list[i].group; g != nil {
		return "group " + g.label
	}
	return keyOf(r.list[i].rank)
}

func keyOf(k *rank) string { return k.run.ID + "\x00" + strconv.Itoa(k.process.Index) }

func (r rows) Cell(i int, column string) draw.Cell {
	if r.list[i].group != nil {
		return draw.Cell{Text: r.groupText(r.list[i], column)}
	}
	return r.rankCell(r.list[i].rank, column)
}

func (r rows) rankCell(k *rank, column string) draw.Cell {
	p := k.process
	switch column {
	case "rank":
		return draw.Cell{Text: draw.PadLeft(known(p.ID.Rank), rankDigits), Style: r.rankStyle(k)}
	case "role":
		return draw.Cell{Text: roleText(k), Style: r.theme.Dim}
	case "host":
		return draw.Cell{Text: p.ID.Host}
	case "coord":
		return draw.Cell{Text: coordText(p.Coord, r.theme.Glyphs.Derived)}
	case "attempt":
		return draw.Cell{Text: strconv.Itoa(p.Attempt + 1), Style: r.theme.Dim}
	case "iteration":
		if !p.HasIteration {
			return draw.Cell{Text: draw.Missing, Style: r.theme.Dim}
		}
		return draw.Cell{Text: draw.Count(p.Iteration)}
	case "age":
		return draw.Cell{Text: draw.Age(r.now, p.Last)}
	case "truncated":
		return r.countCell(p.Truncated, r.theme.Warn)
	case "errors":
		return r.countCell(p.Errors, r.theme.Bad)
	}
	return draw.Cell{Text: r.durationText(k, column)}
}

func (r rows) countCell(n uint64, style theme.Style) draw.Cell {
	if n == 0 {
		return draw.Cell{Text: "0", Style: r.theme.Dim}
	}
	return draw.Cell{Text: draw.Count(n), Style: style}
}

func (r rows) durationText(k *rank, column string) string {
	text := r.unit.Format(duration(k, column) * 1e9)
	if column == "compute" && k.umbrella {
		text = r.theme.Glyphs.Derived + text
	}
	return text
}

func (r rows) rankStyle(k *rank) theme.Style {
	if k.earlier || k.process.Sibling && !k.process.Grid {
		return r.theme.Dim
	}
	return r.theme.Accent
}

func known(n int) string {
	if n == run.Unknown {
		return draw.Missing
	}
	return strconv.Itoa(n)
}

// roleText says what is not the trainer of its rank in so many words.
func roleText(k *rank) string {
	text := k.process.ID.Role
	if k.process.Sibling && !k.process.Grid {
		text += " (beside)"
	}
	if k.earlier {
		text += " (earlier)"
	}
	return strings.TrimSpace(text)
}

// coordText is tp/pp/dp, with a mark when it was computed and not sent.
func coordText(c run.Coord, derived string) string {
	if c.TP == run.Unknown && c.PP == run.Unknown && c.DP == run.Unknown {
		return draw.Missing
	}
	text := known(c.TP) + "/" + known(c.PP) + "/" + known(c.DP)
	if c.Derived {
		text += derived
	}
	return text
}

func (r rows) groupText(at row, column string) string {
	g := at.group
	switch column {
	case "rank":
		mark := r.theme.Glyphs.Unfolded
		if at.shut {
			mark = r.theme.Glyphs.Folded
		}
		label := g.label
		if label == "" {
			label = draw.Missing
		}
		return mark + " " + r.by.String() + " " + label + "  " + draw.Plural(len(g.ranks), "rank")
	case "iteration":
		if g.hasIter {
			return draw.Count(g.iteration)
		}
	case "age":
		return draw.Age(r.now, g.last)
	case "truncated":
		return draw.Count(g.truncated)
	case "errors":
		return draw.Count(g.errors)
	case "p50", "p95", "compute", "wait":
		return r.unit.Format(duration(&g.stats, column) * 1e9)
	}
	return ""
}

// rankDigits lines up ranks below 100,000 in a column that is not aligned right,
// because group labels start in it.
const rankDigits = 5

// columns of the table. The rank column takes no part in what runs on in a group
// row unless it is to the left.
func columns() []draw.Column {
	return []draw.Column{
		{ID: "rank", Title: "rank", Min: 6, Sortable: true},
		{ID: "host", Title: "host", Min: 10, Max: 24, Priority: 5, Sortable: true},
		{ID: "role", Title: "role", Min: 8, Max: 18, Priority: 9, Sortable: true},
		{ID: "coord", Title: "tp/pp/dp", Min: 9, Max: 12, Priority: 6, Sortable: true},
		{ID: "attempt", Title: "try", Min: 4, Right: true, Priority: 11, Sortable: true, DescBy: true},
		{ID: "iteration", Title: "iter", Min: 7, Max: 9, Right: true, Priority: 1, Sortable: true},
		{ID: "age", Title: "age", Min: 4, Right: true, Priority: 3, Sortable: true, DescBy: true},
		{ID: "p50", Title: "step p50", Min: 9, Right: true, Priority: 2, Sortable: true, DescBy: true},
		{ID: "p95", Title: "step p95", Min: 9, Right: true, Priority: 7, Sortable: true, DescBy: true},
		{ID: "compute", Title: "compute", Min: 9, Right: true, Priority: 4, Sortable: true, DescBy: true},
		{ID: "wait", Title: "wait", Min: 9, Right: true, Priority: 5, Sortable: true, DescBy: true},
		{ID: "truncated", Title: "trunc", Min: 6, Right: true, Priority: 8, Sortable: true, DescBy: true},
		{ID: "errors", Title: "errors", Min: 7, Right: true, Priority: 10, Sortable: true, DescBy: true},
	}
}
