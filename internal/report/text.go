package report

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"
	"unicode/utf8"

	"github.com/beamline-hpc/lensview/internal/clean"
)

// WriteJSON writes the contract: one indented object. Its characters are
// harmless to a terminal.
func WriteJSON(w io.Writer, r Report) error {
	b, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return fmt.Errorf("encode report: %w", err)
	}
	_, err = w.Write(append(clean.JSON(b), '\n'))
	return err
}

// WriteText writes the report for a person: what was read, what is wrong first,
// then the figures. Text from telemetry is shown through clean.Text.
func WriteText(w io.Writer, r Report) error {
	p := printer{w: w}
	for _, s := range r.Sources {
		p.source(s)
	}
	p.line("%d traces, %d orphan spans, %d start before their parent, %d parent cycles, %d duplicates dropped",
		r.Traces.Count, r.Traces.OrphanSpans, r.Traces.StartsBeforeParent, r.Traces.ParentCycles, r.Traces.DuplicatesDropped)
	for _, run := range r.Runs {
		p.line("")
		p.run(run)
	}
	if len(r.Runs) == 0 {
		p.line("no run: nothing was received, or the filter lets nothing through")
	}
	return p.err
}

// printer keeps the first error, so that the text reads in order.
type printer struct {
	w   io.Writer
	err error
}

func (p *printer) line(format string, a ...any) {
	for i := range a {
		if s, ok := a[i].(string); ok {
			a[i] = clean.Text(s)
		}
	}
	if p.err == nil {
		_, p.err = fmt.Fprintf(p.w, format+"\n", a...)
	}
}

func (p *printer) source(s Source) {
	p.line("%s (%s): %d spans, %d metrics with %d points, %d logs, %d bad records",
		s.Path, s.Format, s.Spans, s.Metrics, s.Points, s.Logs, s.BadRecords)
	for _, m := range s.Messages {
		p.line("  ! %s", m)
	}
}

func (p *printer) run(r Run) {
	p.line("run %s · service %s%s", r.ID, r.Service, user(r.User))
	p.line("  ranks seen %d of %s%s, %s", r.RanksSeen, size(r.WorldSize), never(r.NeverSeen), plural(r.Attempts, "attempt"))
	if t := r.Topology; t != nil {
		p.line("  tp %s cp %s pp %s dp %s, order %s%s", size(t.TP), size(t.CP), size(t.PP), size(t.DP), t.Order, derived(t.Derived))
		for _, problem := range t.Problems {
			p.line("  ! %s", problem)
		}
	}
	if i := r.Iterations; i != nil {
		p.line("  iterations %d to %d: %d seen, %d complete%s", i.First, i.Last, i.Seen, i.Complete, excluded(i.Excluded))
	}
	s := r.Spans
	p.line("  spans received %d = kept %d + evicted %d + rejected %d + duplicates %d + replaced %d + in flight %d",
		s.Received, s.Kept, s.Evicted, s.Rejected, s.Duplicates, s.Replaced, s.InFlight)
	p.line("  %d truncated and %d with impossible times stand beside the statistics, %d errors", s.Truncated, s.InvalidTime, s.Errors)
	for _, n := range r.Notices {
		p.line("  %s %s: %s", mark(n.Level), n.Level, n.Text)
	}
	p.spanStats(r.SpanStats)
	p.metrics(r.Metrics)
}

func (p *printer) spanStats(stats []SpanStat) {
	if len(stats) == 0 {
		return
	}
	rows := [][]string{{"span", "class", "count", "mean", "p50", "p95", "p99", "max", "total", "truncated"}}
	for _, s := range stats {
		rows = append(rows, []string{s.Name, s.Class, fmt.Sprint(s.Count), secs(s.Mean), secs(s.P50),
			few(secs(s.P95), s.Count, 20), few(secs(s.P99), s.Count, 100), secs(s.Max), secs(&s.Total), fmt.Sprint(s.Truncated)})
	}
	p.table(rows)
	p.line("  * few: p95 of under 20 spans, p99 of under 100")
}

// few marks a percentile of so few values that it is hardly more than their
// largest.
func few(text string, count, enough uint64) string {
	if count == 0 || count >= enough {
		return text
	}
	return text + "*"
}

func (p *printer) metrics(ms []Metric) {
	if len(ms) == 0 {
		return
	}
	rows := [][]string{{"metric", "kind", "series", "points", "not finite", "min", "mean", "max", "last"}}
	for _, m := range ms {
		rows = append(rows, []string{m.Name, m.Kind, fmt.Sprint(m.Series), fmt.Sprint(m.Points), fmt.Sprint(m.NotFinite),
			figure(m.Min), figure(m.Mean), figure(m.Max), figure(m.Last)})
	}
	p.table(rows)
}

// table writes rows with the first column to the left and all others to the
// right. The first column, which is text from telemetry, is cleaned and clipped.
func (p *printer) table(rows [][]string) {
	if p.err != nil {
		return
	}
	const widest = 60
	width := 0
	for _, r := range rows {
		r[0] = clipped(clean.Text(r[0]), widest)
		width = max(width, utf8.RuneCountInString(r[0]))
	}
	t := tabwriter.NewWriter(p.w, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, r := range rows {
		r[0] += strings.Repeat(" ", width-utf8.RuneCountInString(r[0]))
		fmt.Fprintf(t, "%s\t\n", strings.Join(r, "\t"))
	}
	p.err = t.Flush()
}

func clipped(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}

// secs is a duration in seconds with a unit that suits it; – when there is none.
func secs(f *float64) string {
	if f == nil {
		return "–"
	}
	d := time.Duration(*f * 1e9)
	switch {
	case d >= time.Minute:
		return d.Round(time.Second).String()
	case d >= time.Second:
		return fmt.Sprintf("%.3fs", *f)
	case d >= time.Millisecond:
		return fmt.Sprintf("%.2fms", *f*1e3)
	case d >= time.Microsecond:
		return fmt.Sprintf("%.2fµs", *f*1e6)
	}
	return fmt.Sprintf("%dns", d)
}

func figure(f *float64) string {
	if f == nil {
		return "–"
	}
	return fmt.Sprintf("%.6g", *f)
}

func size(n *int) string {
	if n == nil {
		return "?"
	}
	return fmt.Sprint(*n)
}

func user(u *string) string {
	if u == nil {
		return ""
	}
	return " · user " + *u
}

func derived(d bool) string {
	if d {
		return ", coordinates derived"
	}
	return ""
}

func mark(level string) string {
	if level == "info" {
		return "·"
	}
	return "!"
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}
