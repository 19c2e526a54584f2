package report

import (
	"strings"

	"github.com/rivo/uniseg"

	"github.com/beamline-hpc/lensview/internal/clean"
	"github.com/beamline-hpc/lensview/internal/run"
)

func (p *printer) spanStats(stats []SpanStat) {
	if len(stats) == 0 {
		return
	}
	all := len(stats)
	stats = stats[:min(all, mostRows)]
	rows := [][]string{{"span", "class", "count", "mean", "p50", "p95", "p99", "max", "total", "truncated", "invalid"}}
	for _, s := range stats {
		rows = append(rows, []string{s.Name, s.Class, run.Count(s.Count), secs(s.Mean), secs(s.P50),
			few(secs(s.P95), s.Count, 20), few(secs(s.P99), s.Count, 100), secs(s.Max), secs(&s.Total), run.Count(s.Truncated), run.Count(s.Invalid)})
	}
	p.table(rows)
	p.left(all, "span name")
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
	all := len(ms)
	ms = ms[:min(all, mostRows)]
	rows := [][]string{{"metric", "kind", "series", "points", "not finite", "min", "mean", "max", "last"}}
	for _, m := range ms {
		rows = append(rows, []string{m.Name, kind(m), run.Count(m.Series), run.Count(m.Points), run.Count(m.NotFinite),
			figure(m.Min), figure(m.Mean), figure(m.Max), figure(m.Last)})
	}
	p.table(rows)
	p.left(all, "metric")
}

// mostRows is how many rows of a table a text has.
const mostRows = 40

// left counts what is not in a table.
func (p *printer) left(all int, word string) {
	if more := all - mostRows; more > 0 {
		p.line("  … and %s more; --format json has all", plural(more, word))
	}
}

// kind says which way the points count where that makes a difference.
func kind(m Metric) string {
	if m.Temporality == nil {
		return m.Kind
	}
	return *m.Temporality + " " + m.Kind
}

// table writes rows with the first column to the left and all others to the
// right. The first column, which is text from telemetry, is cleaned and clipped.
// Columns are as wide as their text is on a terminal.
func (p *printer) table(rows [][]string) {
	const widest, gap = 60, 2
	var widths []int
	for _, r := range rows {
		r[0] = clipped(clean.Text(r[0]), widest)
		for i, cell := range r {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], uniseg.StringWidth(cell))
		}
	}
	for _, r := range rows {
		line := strings.Repeat(" ", gap) + r[0] + blanks(widths[0], r[0])
		for i, cell := range r[1:] {
			line += blanks(gap+widths[i+1], cell) + cell
		}
		p.line("%s", line)
	}
}

func blanks(width int, cell string) string {
	return strings.Repeat(" ", max(0, width-uniseg.StringWidth(cell)))
}

// clipped is s in at most n cells, ending in … on a grapheme border when
// something was left out.
func clipped(s string, n int) string {
	if uniseg.StringWidth(s) <= n {
		return s
	}
	var out strings.Builder
	for used := 0; ; {
		cluster, rest, width, _ := uniseg.FirstGraphemeClusterInString(s, -1)
		if used += width; used > n-1 {
			return out.String() + "…"
		}
		out.WriteString(cluster)
		s = rest
	}
}
