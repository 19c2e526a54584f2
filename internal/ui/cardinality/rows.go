package cardinalityscreen

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// row is a heading of a part, a key of a metric, or a convention that is broken.
type row struct {
	group  bool
	title  string // of a heading
	metric *metricKey
	broken *analysis.Broken
}

// rows is the table's content: keys of metrics, then what else is broken.
type rows struct {
	theme theme.Theme
	now   int64
	width func(column string) int // of a column that is shown, else 0
	list  []row
}

func newRows(t theme.Theme, a *answer, all bool, sort draw.Sort, width func(string) int) rows {
	r := rows{theme: t, now: a.now, width: width}
	var keys, broken []row
	for i := range a.keys {
		if all || a.keys[i].finding != nil {
			keys = append(keys, row{metric: &a.keys[i]})
		}
	}
	for i := range a.broken {
		broken = append(broken, row{broken: &a.broken[i]})
	}
	r.part("attributes of metrics", keys, sort)
	r.part("other conventions that are broken", broken, sort)
	return r
}

// part adds rows below a heading, in order; without any there is no heading.
func (r *rows) part(title string, part []row, sort draw.Sort) {
	if len(part) == 0 {
		return
	}
	slices.SortStableFunc(part, func(a, b row) int {
		c := r.compare(&a, &b, sort.Column)
		if sort.Desc {
			c = -c
		}
		return c
	})
	r.list = append(r.list, row{group: true, title: title})
	r.list = append(r.list, part...)
}

func (r rows) compare(a, b *row, column string) int {
	switch column {
	case "level":
		return cmp.Compare(a.level(), b.level())
	case "values":
		return cmp.Compare(a.values(), b.values())
	case "series":
		return cmp.Compare(a.series(), b.series())
	case "growth":
		return cmp.Compare(a.growth(r.now), b.growth(r.now))
	}
	return strings.Compare(r.text(a, column), r.text(b, column))
}

// okLevel is below all levels: few values.
const okLevel = -1

func (r *row) level() int {
	switch {
	case r.broken != nil:
		return int(r.broken.Level)
	case r.metric != nil && r.metric.finding != nil:
		return int(r.metric.finding.Level)
	}
	return okLevel
}

func (r *row) values() int {
	switch {
	case r.broken != nil:
		return r.broken.Count
	case r.metric != nil:
		return r.metric.stat.Distinct
	}
	return 0
}

func (r *row) series() int {
	if r.metric == nil {
		return 0
	}
	return r.metric.stat.SeriesMax
}

// growth is new values a minute; what no longer grows is below all that does.
func (r *row) growth(now int64) float64 {
	if r.metric == nil || now-r.metric.stat.GrewAt > stillFor || math.IsNaN(r.metric.rate()) {
		return -1
	}
	return r.metric.rate()
}

// text is the row as one sentence.
func (r *row) text() string {
	switch {
	case r.broken != nil:
		return r.broken.Text()
	case r.metric.finding != nil:
		return r.metric.finding.Text()
	}
	return r.metric.stat.Key + " has " + draw.Plural(r.metric.stat.Distinct, "value") + " on metric " + r.metric.stat.Metric
}

func brokenKey(b *analysis.Broken) string {
	return strings.Join([]string{b.Code, b.Where, b.Name, b.On}, "\x00")
}

func (r rows) Len() int           { return len(r.list) }
func (r rows) IsGroup(i int) bool { return r.list[i].group }

// Key is the identity of a row.
func (r rows) Key(i int) string {
	switch at := &r.list[i]; {
	case at.group:
		return at.title
	case at.broken != nil:
		return brokenKey(at.broken)
	default:
		return at.metric.key()
	}
}

// Cell is one place of the table.
func (r rows) Cell(i int, column string) draw.Cell {
	at := &r.list[i]
	if at.group {
		if column == "level" {
			return draw.Cell{Text: at.title}
		}
		return draw.Cell{}
	}
	c := draw.Cell{Text: r.text(at, column)}
	switch column {
	case "level":
		c.Style = r.levelStyle(at.level())
	case "key":
		c.Style = r.theme.Accent
		c.Text = r.short(c.Text, column)
	case "values":
		if at.metric != nil && at.metric.unbounded() {
			c.Style = r.theme.Warn
		}
	case "on":
		c.Style = r.theme.Dim
		c.Text = r.short(c.Text, column)
	case "examples", "advice":
		c.Style = r.theme.Dim
	}
	return c
}

// short is a dotted name in the cells of its column.
func (r rows) short(name, column string) string {
	if n := r.width(column); n > 0 {
		return draw.ShortName(draw.Clean(name), n)
	}
	return name
}

func (r rows) levelStyle(level int) theme.Style {
	switch run.Level(level) {
	case run.Critical:
		return r.theme.Bad
	case run.Warning:
		return r.theme.Warn
	}
	return r.theme.Dim
}

// text is a place of the table as text.
func (r rows) text(at *row, column string) string {
	if column == "level" {
		return levelWord(at.level())
	}
	if at.broken != nil {
		return brokenText(at.broken, column)
	}
	k := at.metric
	switch column {
	case "key":
		return k.stat.Key
	case "on":
		return k.stat.Metric
	case "values":
		return r.valuesText(k)
	case "series":
		return draw.Count(k.stat.SeriesMax)
	case "growth":
		return k.grew(r.now)
	case "examples":
		return strings.Join(k.stat.Examples, ", ")
	case "advice":
		return adviceFor(k)
	}
	return ""
}

func brokenText(b *analysis.Broken, column string) string {
	switch column {
	case "key":
		return b.Name
	case "on":
		return strings.TrimSpace(b.Where + " " + b.On)
	case "values":
		if b.Count > 0 {
			return draw.Count(b.Count) + " "
		}
	case "examples":
		return strings.Join(b.Examples, ", ")
	case "advice":
		return b.Advice
	}
	return ""
}

func levelWord(level int) string {
	switch {
	case level == okLevel:
		return "ok"
	case run.Level(level) == run.Info:
		return "notice"
	}
	return run.Level(level).String()
}

// valuesText is how many values there are, about as many when they are estimated,
// and the mark of a key that nearly always has a new one.
func (r rows) valuesText(k *metricKey) string {
	text, mark := draw.Count(k.stat.Distinct), " "
	if !k.stat.Exact {
		text = "~" + text
	}
	if k.unbounded() {
		mark = r.theme.Glyphs.Up
	}
	return text + mark
}

func columns() []draw.Column {
	return []draw.Column{
		{ID: "level", Title: "level", Min: 8, Sortable: true, DescBy: true},
		{ID: "key", Title: "key", Min: 16, Max: 32, Priority: 1, Sortable: true},
		{ID: "on", Title: "metric, or where", Min: 16, Max: 44, Priority: 3, Sortable: true},
		{ID: "values", Title: "values ", Min: 9, Right: true, Priority: 2, Sortable: true, DescBy: true},
		{ID: "growth", Title: "growth", Min: 11, Right: true, Priority: 4, Sortable: true, DescBy: true},
		{ID: "series", Title: "series", Min: 7, Right: true, Priority: 6, Sortable: true, DescBy: true},
		{ID: "examples", Title: "examples", Min: 24, Max: 48, Priority: 8, Last: true},
		{ID: "advice", Title: "what to do", Min: 26, Max: 60, Priority: 7, Last: true},
	}
}
