package spansscreen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// rows is the table's content: the groups that are unfolded, depth first.
type rows struct {
	theme  theme.Theme
	width  func(column string) int
	phases map[string]run.Phase
	list   []row
	at     map[string]int // row by key
	marks  marked
}

// row is one group; on the innermost level it is mostly a span name.
type row struct {
	group  *analysis.Group
	key    string
	parent int // row, −1 at top level
	depth  int
	shut   bool
}

// build lists the groups that are unfolded.
func (m *Model) build() rows {
	r := rows{theme: m.theme, phases: m.seen.phases, at: map[string]int{},
		width: m.table.ColumnWidth}
	m.list(&r, m.seen.table.Groups, -1)
	return r
}

func (m *Model) list(r *rows, groups []*analysis.Group, parent int) {
	depth, prefix := 0, ""
	if parent >= 0 {
		depth, prefix = r.list[parent].depth+1, r.list[parent].key
	}
	for _, g := range order(groups, m.table.Sort(), r.class) {
		at := len(r.list)
		key := keyOf(prefix, g)
		shut := len(g.Groups) > 0 && m.folds.shut(key, depth)
		r.list = append(r.list, row{group: g, key: key, parent: parent, depth: depth, shut: shut})
		r.at[key] = at
		r.marks.see(&g.Stats)
		if !shut {
			m.list(r, g.Groups, at)
		}
	}
}

// keyOf is the identity of a group: the values on the way to it.
func keyOf(prefix string, g *analysis.Group) string {
	mark := "="
	if !g.Known {
		mark = "?"
	}
	return prefix + "\x00" + g.By + mark + g.Value
}

// path is the way to a row.
func (r *rows) path(at int) []analysis.Branch {
	var out []analysis.Branch
	for ; at >= 0; at = r.list[at].parent {
		g := r.list[at].group
		out = append([]analysis.Branch{{By: g.By, Value: g.Value, Known: g.Known}}, out...)
	}
	return out
}

// class is the class of a span name's phase.
func (r *rows) class(name string) string {
	if p, ok := r.phases[name]; ok {
		return p.Class.String()
	}
	return ""
}

func (r *rows) Len() int           { return len(r.list) }
func (r *rows) IsGroup(i int) bool { return len(r.list[i].group.Groups) > 0 }
func (r *rows) Key(i int) string   { return r.list[i].key }

// Find is for the table's cursor, which follows an identity.
func (r *rows) Find(key string) (int, bool) {
	i, ok := r.at[key]
	return i, ok
}

// Cell is one place of the table.
func (r *rows) Cell(i int, column string) draw.Cell {
	g := r.list[i].group
	s := &g.Stats
	switch column {
	case "name":
		return draw.Cell{Text: r.label(i)}
	case "class":
		return draw.Cell{Text: r.classOf(g), Style: r.classStyle(g)}
	case "phase":
		return draw.Cell{Text: r.phaseOf(g), Style: r.theme.Dim}
	case "n":
		return draw.Cell{Text: countText(s.N, r.width("n"))}
	case "share":
		return draw.Cell{Text: r.share(i)}
	case "truncated":
		return r.countCell(s.Truncated, column, r.theme.Warn)
	case "invalid":
		return r.countCell(s.Invalid, column, r.theme.Bad)
	case "errors":
		return r.countCell(s.Errors, column, r.theme.Bad)
	}
	return draw.Cell{Text: duration(s, column)}
}

// share is blank where spans of several names are together: those lie within
// each other, and their sum is a share of nothing.
func (r *rows) share(i int) string {
	if !r.named(i) {
		return ""
	}
	return draw.Percent(r.list[i].group.Stats.Share)
}

// named reports that a row is of one span name.
func (r *rows) named(i int) bool {
	for ; i >= 0; i = r.list[i].parent {
		if r.list[i].group.By == "name" {
			return true
		}
	}
	return false
}

// label is the row's value, with what it is a value of where that is no name.
func (r *rows) label(i int) string {
	at := r.list[i]
	mark := "  "
	switch {
	case len(at.group.Groups) == 0 && len(r.list) > 0 && r.flat():
		mark = ""
	case len(at.group.Groups) == 0:
	case at.shut:
		mark = r.theme.Glyphs.Folded + " "
	default:
		mark = r.theme.Glyphs.Unfolded + " "
	}
	indent := strings.Repeat("  ", at.depth) + mark
	text := branchText(at.group.By, at.group.Value, at.group.Known)
	if at.group.By == "name" {
		text = short(text, r.width("name"), draw.Width(indent))
	}
	return indent + text
}

// short shortens a span name for a column of so many cells of which some are
// taken. The least of it that says anything is left to be cut by the table. A
// column that is not shown shortens nothing.
func short(name string, column, taken int) string {
	const least = 8
	if column == 0 {
		return name
	}
	return draw.ShortName(draw.Clean(name), max(column-taken, least))
}

// flat reports that there are names only: nothing to fold, nothing to indent.
func (r *rows) flat() bool {
	return r.list[0].depth == 0 && len(r.list[0].group.Groups) == 0
}

// branchText is a value as people read it: "rank 3", a span name alone.
func branchText(by, value string, known bool) string {
	switch {
	case !known && by == "name":
		return "(no name)"
	case !known:
		return by + " " + draw.Missing
	case by == "name":
		return value
	}
	return by + " " + value
}

func (r *rows) classOf(g *analysis.Group) string {
	if g.By != "name" {
		return ""
	}
	return r.class(g.Value)
}

func (r *rows) phaseOf(g *analysis.Group) string {
	if g.By != "name" {
		return ""
	}
	return r.phases[g.Value].Name
}

func (r *rows) classStyle(g *analysis.Group) theme.Style {
	switch r.phases[g.Value].Class {
	case run.Compute:
		return r.theme.Compute
	case run.Wait:
		return r.theme.Wait
	case run.IO:
		return r.theme.IO
	}
	return r.theme.Dim
}

func (r *rows) countCell(n uint64, column string, style theme.Style) draw.Cell {
	if n == 0 {
		return draw.Cell{Text: "0", Style: r.theme.Dim}
	}
	return draw.Cell{Text: countText(n, r.width(column)), Style: style}
}
