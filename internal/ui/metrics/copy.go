package metricsscreen

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	tea "github.com/charmbracelet/bubbletea"

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
	return strings.Join(screen.JobLines(listeners), "\n") + "\n"
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
