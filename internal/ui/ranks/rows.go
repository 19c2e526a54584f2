package ranksscreen

import (
	"math"
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// rows is the table's content: ranks in order, with group rows among them.
type rows struct {
	theme  theme.Theme
	unit   draw.Unit // of all durations
	marked map[string]bool
	list   []row
}

// row is a rank, or a group when group is set.
type row struct {
	rank  *rank
	group *group
	shut  bool
}

func (r *rows) add(at row) { r.list = append(r.list, at) }

func (r rows) Len() int           { return len(r.list) }
func (r rows) IsGroup(i int) bool { return r.list[i].group != nil }

func (r rows) Key(i int) string {
	if g := r.list[i].group; g != nil {
		return "group " + g.Value
	}
	return r.list[i].rank.key
}

func keyOf(r *store.Run, process int) string { return r.ID + "\x00" + strconv.Itoa(process) }

func (r rows) Cell(i int, column string) draw.Cell {
	if r.list[i].group != nil {
		return draw.Cell{Text: r.groupText(r.list[i], column)}
	}
	return r.rankCell(r.list[i].rank, column)
}

func (r rows) rankCell(k *rank, column string) draw.Cell {
	switch column {
	case "rank":
		return draw.Cell{Text: r.rankText(k), Style: r.rankStyle(k)}
	case "role":
		return draw.Cell{Text: roleText(k), Style: r.theme.Dim}
	case "host":
		return draw.Cell{Text: k.Host}
	case "coord":
		return draw.Cell{Text: coordText(k.Coord, r.theme.Glyphs.Derived)}
	case "attempt":
		return draw.Cell{Text: strconv.Itoa(k.Attempt + 1), Style: r.theme.Dim}
	case "iteration":
		if k.HasIteration {
			return draw.Cell{Text: draw.Name(k.Iteration)}
		}
		return draw.Cell{Text: draw.Missing, Style: r.theme.Dim}
	case "state":
		return r.stateCell(k)
	case "slowdown":
		return r.ratioCell(k)
	case "score":
		return draw.Cell{Text: ratioText(k.score(), ""), Style: r.theme.Dim}
	case "age":
		return draw.Cell{Text: ageText(k.Age)}
	case "quiet":
		return draw.Cell{Text: ageText(k.Quiet), Style: r.theme.Dim}
	case "truncated":
		return r.countCell(k.Truncated, r.theme.Warn)
	case "errors":
		return r.countCell(k.Errors, r.theme.Bad)
	}
	return draw.Cell{Text: r.unit.Format(k.duration(column) * 1e9)}
}

// stateCell is the state, with a mark before one that needs a person.
func (r rows) stateCell(k *rank) draw.Cell {
	word := k.told.word()
	switch {
	case word == "":
		return draw.Cell{Text: draw.Missing, Style: r.theme.Dim}
	case k.told.suspect:
		return draw.Cell{Text: r.theme.Glyphs.Bad + " " + word, Style: r.theme.Bad}
	case word == "ok" || word == "ended":
		return draw.Cell{Text: word, Style: r.theme.Dim}
	}
	return draw.Cell{Text: r.theme.Glyphs.Warn + " " + word, Style: r.theme.Warn}
}

// ratioCell is the compute over that of its like, marked where it is named.
func (r rows) ratioCell(k *rank) draw.Cell {
	style := r.theme.Plain
	if k.told != nil && k.told.slow {
		style = r.theme.Warn
	}
	return draw.Cell{Text: ratioText(k.ratio(), "×"), Style: style}
}

func ratioText(v float64, unit string) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return draw.Missing
	}
	return strconv.FormatFloat(v, 'f', 2, 64) + unit
}

func (r rows) countCell(n uint64, style theme.Style) draw.Cell {
	if n == 0 {
		return draw.Cell{Text: "0", Style: r.theme.Dim}
	}
	return draw.Cell{Text: draw.Count(n), Style: style}
}

// rankText is the rank, with the mark before it when it is marked.
func (r rows) rankText(k *rank) string {
	text := draw.PadLeft(known(k.Rank.Rank), rankDigits)
	if !r.marked[k.key] {
		return text
	}
	return r.theme.Glyphs.Marked + strings.TrimPrefix(text, " ")
}

// rankStyle dims what does not stand for its rank.
func (r rows) rankStyle(k *rank) theme.Style {
	if k.earlier || k.beside() {
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

func ageText(seconds float64) string {
	if math.IsNaN(seconds) {
		return draw.Missing
	}
	return draw.Age(int64(seconds*1e9)+1, 1)
}

// roleText says what does not stand for its rank in so many words.
func roleText(k *rank) string {
	text := k.Role
	if k.beside() {
		text += " (beside)"
	}
	if k.earlier {
		text += " (earlier)"
	}
	return strings.TrimSpace(text)
}

// coordText is tp/pp/dp, with a mark when it was computed and not sent.
func coordText(c run.Coord, derived string) string {
	if !coordKnown(c) {
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
		return r.groupLabel(at)
	case "iteration":
		if !math.IsNaN(g.iteration) {
			return draw.Name(int64(g.iteration))
		}
	case "slowdown":
		if !math.IsNaN(g.slowdown) {
			return ratioText(g.slowdown, "×")
		}
	case "age":
		return ageText(g.age)
	case "truncated":
		return draw.Count(g.Truncated)
	case "errors":
		return draw.Count(g.Errors)
	case "p50", "compute", "wait":
		return r.unit.Format(g.duration(column) * 1e9)
	}
	return ""
}

func (r rows) groupLabel(at row) string {
	mark := r.theme.Glyphs.Unfolded
	if at.shut {
		mark = r.theme.Glyphs.Folded
	}
	text := mark + " " + at.group.By + " " + at.group.label(draw.Missing) + "  " + at.group.size()
	if n := at.group.Behind; n > 1 { // one apart is how a step looks while it ends
		text += "  apart by " + draw.Plural(n, "iteration")
	}
	if word := at.group.state; word != "" && word != "ok" && word != "ended" {
		text += "  " + word
	}
	return text
}

// text is a row for the clipboard: name and value of every column.
func (r rows) text(at row) string {
	var parts []string
	for _, c := range columns() {
		var value string
		if at.group != nil {
			value = r.groupText(at, c.ID)
		} else {
			value = strings.TrimSpace(r.rankCell(at.rank, c.ID).Text)
		}
		if value != "" {
			parts = append(parts, strings.TrimSpace(c.Title)+" "+value)
		}
	}
	return strings.Join(parts, "  ")
}

// rankDigits lines up ranks below 100,000 in a column that is not aligned right,
// because group labels start in it.
const rankDigits = 5

func columns() []draw.Column {
	return []draw.Column{
		{ID: "rank", Title: " rank", Min: 6, Sortable: true},
		{ID: "state", Title: "state", Min: 8, Max: 9, Priority: 1, Sortable: true, DescBy: true},
		{ID: "host", Title: "host", Min: 10, Max: 24, Priority: 5, Sortable: true},
		{ID: "role", Title: "role", Min: 8, Max: 18, Priority: 9, Sortable: true},
		{ID: "coord", Title: "tp/pp/dp", Min: 9, Max: 12, Priority: 6, Sortable: true},
		{ID: "attempt", Title: "try", Min: 4, Right: true, Priority: 11, Sortable: true, DescBy: true},
		{ID: "iteration", Title: "iter", Min: 7, Max: 9, Right: true, Priority: 1, Sortable: true},
		{ID: "age", Title: "age", Min: 4, Right: true, Priority: 3, Sortable: true, DescBy: true},
		{ID: "quiet", Title: "heard", Min: 6, Right: true, Priority: 12, Sortable: true, DescBy: true},
		{ID: "p50", Title: "step p50", Min: 9, Right: true, Priority: 2, Sortable: true, DescBy: true},
		{ID: "p95", Title: "step p95", Min: 9, Right: true, Priority: 7, Sortable: true, DescBy: true},
		{ID: "compute", Title: "compute", Min: 9, Right: true, Priority: 4, Sortable: true, DescBy: true},
		{ID: "wait", Title: "wait", Min: 9, Right: true, Priority: 6, Sortable: true, DescBy: true},
		{ID: "slowdown", Title: "slowdown", Min: 8, Right: true, Priority: 3, Sortable: true, DescBy: true},
		{ID: "score", Title: "score", Min: 5, Right: true, Priority: 10, Sortable: true},
		{ID: "truncated", Title: "trunc", Min: 6, Right: true, Priority: 8, Sortable: true, DescBy: true},
		{ID: "errors", Title: "errors", Min: 7, Right: true, Priority: 10, Sortable: true, DescBy: true},
	}
}
