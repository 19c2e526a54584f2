package metricsscreen

import (
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// CopyText is the row in focus with names: of a metric its figures, of a line what
// it says at the cursor. Without any run it is the lines for a job script.
func (m *Model) CopyText() string {
	if m.chart != nil {
		return m.chart.copyText()
	}
	if at, ok := m.list.table.Cursor(); ok && at < len(m.list.rows.list) {
		return m.list.rows.text(at)
	}
	listeners := m.data.Snapshot.Receiver.Listeners
	if len(m.data.Snapshot.Runs) > 0 || len(listeners) == 0 {
		return ""
	}
	return strings.Join(screen.JobLines(), "\n") + "\n"
}

func (r *listRows) text(i int) string {
	parts := []string{r.list[i].Metric.Name}
	for _, c := range listColumns(0)[1:] {
		if text := strings.TrimSpace(r.Cell(i, c.ID).Text); text != "" && c.ID != "trend" {
			parts = append(parts, c.Title+" "+text)
		}
	}
	return strings.Join(parts, "  ")
}

func (c *chart) copyText() string {
	at, ok := c.table.Cursor()
	if !ok || c.answer.Metric == nil {
		return ""
	}
	r := groupRows{c}
	parts := []string{c.name, string(c.answer.View), strings.TrimSpace(r.groups[at].Label)}
	if from, to := c.span(); !c.isDistribution() && to >= from {
		parts = append(parts, "at "+c.timeText(c.at(), to-from))
	}
	for _, col := range c.columns()[1:] {
		if text := strings.TrimSpace(r.Cell(at, col.ID).Text); text != "" && text != draw.Missing {
			parts = append(parts, col.Title+" "+text)
		}
	}
	return strings.Join(parts, "  ")
}

// Export is the list as a table, or the points of all lines of the chart: figures
// as they are and not as they are shown.
func (m *Model) Export() screen.Export {
	if m.chart != nil {
		return screen.Export{Ext: "csv", Text: m.chart.csv()}
	}
	rows := [][]string{{"metric", "kind", "temporality", "unit", "series", "points", "last", "min", "mean", "max", "not_finite", "gaps", "resets"}}
	for i := range m.list.rows.list {
		r := &m.list.rows.list[i]
		line := []string{r.Metric.Name, kindText(r.Metric), temporalityText(r.Metric), r.Metric.Unit}
		for _, c := range []string{"series", "points", "last", "min", "mean", "max", "bad", "gaps", "resets"} {
			line = append(line, exact(m.list.rows.figure(r, c)))
		}
		rows = append(rows, line)
	}
	return screen.Export{Ext: "csv", Text: csvText(rows)}
}

// exact is a figure with all its digits, "" for none.
func exact(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func csvText(rows [][]string) string {
	if len(rows) < 2 {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	if err := w.WriteAll(rows); err != nil {
		return "" // a Builder never fails
	}
	return b.String()
}

// csv is the chart: a row for each point of each line, or of a distribution for
// each bucket.
func (c *chart) csv() string {
	if c.isDistribution() {
		rows := [][]string{{"run", c.answer.By, "above", "to", "count"}}
		for _, g := range c.groups {
			for _, b := range c.spreadOf(g).Buckets() {
				rows = append(rows, []string{g.Run, g.Label, exact(b.Low), exact(b.High), strconv.FormatUint(b.N, 10)})
			}
		}
		return csvText(rows)
	}
	rows := [][]string{{"run", c.answer.By, "line", "time_unix_nano", string(c.answer.View), "marks"}}
	for _, g := range c.groups {
		for _, l := range c.linesOf(g) {
			for _, p := range l.Points {
				rows = append(rows, []string{g.Run, g.Label, l.Name, strconv.FormatUint(p.Time, 10), strconv.FormatFloat(p.Value, 'g', -1, 64), marksText(p.Marks)})
			}
		}
	}
	return csvText(rows)
}

// marksText is what is odd about a point in words.
func marksText(m analysis.PointMark) string {
	var out []string
	for _, w := range []struct {
		mark analysis.PointMark
		word string
	}{{analysis.NotFinite, "not finite"}, {analysis.Gap, "gap"}, {analysis.Reset, "reset"}} {
		if m.Has(w.mark) {
			out = append(out, w.word)
		}
	}
	return strings.Join(out, ", ")
}

// copyAll copies the line in focus as a table: one line a point, the time in full
// and the values.
func (m *Model) copyAll() tea.Cmd {
	g := m.chart.focus()
	if g == nil || m.chart.isDistribution() {
		return screen.Say("there is no line here that could be copied")
	}
	lines := m.chart.linesOf(g)
	var b strings.Builder
	b.WriteString("time")
	for _, l := range lines {
		b.WriteString("\t" + strings.TrimSpace(m.chart.name+" "+l.Name))
	}
	b.WriteByte('\n')
	for i, p := range lines[0].Points {
		fmt.Fprint(&b, time.Unix(0, int64(p.Time)).UTC().Format(time.RFC3339Nano))
		for _, l := range lines {
			b.WriteString("\t" + strconv.FormatFloat(l.Points[i].Value, 'g', -1, 64))
		}
		b.WriteByte('\n')
	}
	return screen.Copy(b.String())
}
