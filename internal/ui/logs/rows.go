package logsscreen

import (
	"slices"
	"strconv"
	"time"
	"unicode/utf8"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// rows is the table's content. A record is looked up when its row is drawn.
type rows struct {
	theme   theme.Theme
	records *records
	list    []uint64
	dates   timeForm
}

// Len is the number of records that are shown.
func (r *rows) Len() int { return len(r.list) }

// Key is a record's number.
func (r *rows) Key(i int) string { return strconv.FormatUint(r.list[i], 10) }

// Find is the record with a number, or the next one that is shown: where one was
// left out or evicted, the cursor stays near.
func (r *rows) Find(key string) (int, bool) {
	n, err := strconv.ParseUint(key, 10, 64)
	if err != nil || len(r.list) == 0 {
		return 0, false
	}
	at, _ := slices.BinarySearch(r.list, n)
	return min(at, len(r.list)-1), true
}

// Cell is one place of the table.
func (r *rows) Cell(i int, column string) draw.Cell {
	rec := r.records.at(r.list[i])
	if rec == nil {
		if column == "said" {
			return draw.Cell{Text: "evicted", Style: r.theme.Dim}
		}
		return draw.Cell{Text: draw.Missing, Style: r.theme.Dim}
	}
	p := r.records.run.Processes[rec.Process]
	switch column {
	case "time":
		return r.timeCell(rec)
	case "level":
		mark, style := levelOf(rec).look(r.theme)
		return draw.Cell{Text: mark + " " + levelText(rec), Style: style}
	case "rank":
		return draw.Cell{Text: rankText(p), Style: r.theme.Accent}
	case "host":
		return draw.Cell{Text: p.ID.Host, Style: r.theme.Dim}
	case "service":
		return draw.Cell{Text: roleText(p), Style: r.theme.Dim}
	}
	_, style := levelOf(rec).look(r.theme)
	return draw.Cell{Text: oneLine(said(rec)), Style: style}
}

func (r *rows) timeCell(rec *run.Log) draw.Cell {
	at, own := timeOf(rec)
	if at == 0 {
		return draw.Cell{Text: draw.Missing, Style: r.theme.Dim}
	}
	text, style := time.Unix(0, int64(at)).UTC().Format(string(r.dates)), theme.Style{}
	if !own {
		text, style = text+r.theme.Glyphs.Derived, r.theme.Dim
	}
	return draw.Cell{Text: text, Style: style}
}

// timeOf is when a record was made, else when it was seen first: then own is
// false. A time that cannot be one is 0.
func timeOf(rec *run.Log) (at uint64, own bool) {
	if rec.Time != 0 && run.Sane(rec.Time, rec.Time) == 0 {
		return rec.Time, true
	}
	if rec.Observed != 0 && run.Sane(rec.Observed, rec.Observed) == 0 {
		return rec.Observed, false
	}
	return 0, false
}

// levelText is the word of a level; what has none shows what was sent instead.
func levelText(rec *run.Log) string {
	if l := levelOf(rec); l != unset {
		return l.String()
	}
	if rec.SeverityText != "" {
		return rec.SeverityText
	}
	return draw.Missing
}

func rankText(p *store.Process) string {
	if p.ID.Rank == run.Unknown {
		return draw.Missing
	}
	return strconv.Itoa(p.ID.Rank)
}

func roleText(p *store.Process) string {
	if p.ID.Role != "" {
		return p.ID.Role
	}
	return p.ID.Service
}

// longestLine is how much of a record may be drawn in one line, in bytes.
const longestLine = 2_000

// oneLine bounds what is cleaned for one row: a record may be megabytes.
func oneLine(text string) string {
	if len(text) <= longestLine {
		return text
	}
	end := longestLine
	for end > 0 && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + draw.Ellipsis
}

// timeForm is how much of a time is shown.
type timeForm string

const (
	clock       timeForm = "15:04:05"
	clockMillis timeForm = "15:04:05.000"
	dateMillis  timeForm = "01-02 15:04:05.000"
)

// dates is the form for a width.
func (m *Model) dates() timeForm {
	switch width := m.tableWidth(); {
	case width < 60:
		return clock
	case width < 110:
		return clockMillis
	}
	return dateMillis
}

// columns is the table's columns at a width, with times of so many cells. What
// records say gets more than half of it before hosts and roles get any.
func columns(width, times int) []draw.Column {
	message := 14
	if width >= 60 {
		message = width * 11 / 20
	}
	return []draw.Column{
		{ID: "time", Title: "time UTC", Min: max(8, times), Priority: 1},
		{ID: "level", Title: "  level", Min: 7},
		{ID: "rank", Title: "rank", Min: 4, Max: 6, Right: true, Priority: 1},
		{ID: "host", Title: "host", Min: 10, Max: 16, Priority: 3},
		{ID: "service", Title: "role", Min: 11, Max: 14, Priority: 2},
		{ID: "said", Title: "message", Min: message, Max: 1 << 20, Last: true},
	}
}
