package ingestscreen

import (
	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// refusedRows is the requests that never reached the store, by reason.
type refusedRows struct{ snap *store.Snapshot }

func (r refusedRows) Len() int           { return len(r.snap.Receiver.Refused) }
func (r refusedRows) Key(row int) string { return r.snap.Receiver.Refused[row].Code }

func (r refusedRows) Cell(row int, column string) draw.Cell {
	one := r.snap.Receiver.Refused[row]
	switch column {
	case "count":
		return draw.Cell{Text: draw.Count(one.Count)}
	case "last":
		return draw.Cell{Text: draw.Age(r.snap.Now, one.At)}
	}
	return draw.Cell{Text: one.Text}
}

func refusedColumns() []draw.Column {
	return []draw.Column{
		{ID: "count", Title: "count", Min: 7, Right: true},
		{ID: "last", Title: "last", Min: 4, Right: true, Priority: 1},
		{ID: "text", Title: "what, and what to do", Min: 20, Max: 400},
	}
}

// noticeRows is what there is to say of the instance and of every run.
type noticeRows struct {
	theme   theme.Theme
	now     int64
	notices []run.Notice
}

// checks keeps what the checks of a run's processes said, until it has others.
type checks = screen.Memo[int, []run.Notice]

// allNotices looks at every run: not for the event loop.
func allNotices(s *store.Snapshot, kept *checks) []run.Notice {
	out := screen.Instance(s)
	for _, r := range s.Runs {
		found := kept.Get(r.ID, len(r.Processes), func() []run.Notice { return analysis.Checks(r) })
		out = append(out, analysis.RunNotices(s, r, found)...)
	}
	return gravestFirst(out)
}

func gravestFirst(all []run.Notice) []run.Notice {
	var out []run.Notice
	for _, level := range []run.Level{run.Critical, run.Warning, run.Info} {
		for _, n := range all {
			if n.Level == level {
				out = append(out, n)
			}
		}
	}
	return out
}

func (r noticeRows) Len() int { return len(r.notices) }

func (r noticeRows) Key(row int) string {
	n := r.notices[row]
	return n.Code + "\x00" + n.Run + "\x00" + n.Text
}

func (r noticeRows) Cell(row int, column string) draw.Cell {
	n := r.notices[row]
	switch column {
	case "level":
		style := [...]theme.Style{r.theme.Dim, r.theme.Warn, r.theme.Bad}[min(n.Level, run.Critical)]
		return draw.Cell{Text: n.Level.String(), Style: style}
	case "run":
		return draw.Cell{Text: n.Run, Style: r.theme.Accent}
	case "count":
		if n.Count < 2 {
			return draw.Cell{}
		}
		return draw.Cell{Text: draw.Count(n.Count)}
	case "last":
		return draw.Cell{Text: draw.Age(r.now, n.At)}
	}
	return draw.Cell{Text: n.Text}
}

func noticeColumns() []draw.Column {
	return []draw.Column{
		{ID: "level", Title: "level", Min: 8},
		{ID: "text", Title: "what, and what to do", Min: 20, Max: 400, Priority: 1},
		{ID: "count", Title: "count", Min: 7, Right: true, Priority: 4},
		{ID: "last", Title: "last", Min: 4, Right: true, Priority: 3},
		{ID: "run", Title: "run", Min: 12, Priority: 5},
	}
}
