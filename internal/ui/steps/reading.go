package stepsscreen

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// reading is the cell in focus in words, the most telling first, in so many lines.
func (m *Model) reading(lines int) []string {
	var out []string
	texts := m.describe()
	l := draw.NewLine(m.size.width).Add(m.theme.Selected, m.theme.Glyphs.Cursor).Space(1)
	for len(out) < lines && len(texts) > 0 {
		sep := ""
		if l.Used() > gutter {
			sep = "  "
		}
		if l.AddIf(m.theme.Plain, sep+texts[0]) {
			texts = texts[1:]
			continue
		}
		if l.Used() <= gutter {
			l.Add(m.theme.Plain, texts[0])
			texts = texts[1:]
		}
		out = append(out, l.String())
		l = draw.NewLine(m.size.width).Space(gutter)
	}
	for len(out) < lines {
		out = append(out, l.String())
		l = draw.NewLine(m.size.width)
	}
	return out
}

// focus is the row and column in focus: of a line of several ranks, the worst.
func (m *Model) focus() (k, i int) {
	i = m.seen.find(m.at)
	k = m.rank
	if m.window.bucket > 1 {
		from, to := m.bucketOf(m.rank / m.window.bucket)
		k = m.worstOf(i, from, to).row
	}
	return k, i
}

// describe is what is known of the cell in focus.
func (m *Model) describe() []string {
	if len(m.grid) == 0 {
		return nil
	}
	k, i := m.focus()
	r, p := &m.seen.rows[k], &m.seen.points[i]
	out := []string{r.name()}
	if m.window.bucket > 1 {
		out[0] = "worst of " + m.label(m.rank/m.window.bucket) + ": " + r.name()
	}
	out = append(out, "iteration "+draw.Name(p.Iteration))
	if p.Attempt > 0 {
		out = append(out, "attempt "+strconv.Itoa(p.Attempt+1))
	}
	cell, process, ok := r.cell(m.seen.in.Columns[i])
	if !ok {
		return append(out, m.absence(k, i))
	}
	out = append(out, m.valueText(k, i)...)
	if p.Excluded != "" {
		out = append(out, "left out: "+reasonText(p.Excluded))
	}
	out = append(out, seconds("step", cell.Step))
	for _, x := range []struct {
		name string
		sec  float32
	}{{"compute", cell.Compute}, {"wait", cell.Wait}, {"io", cell.IO}, {"other", cell.Other}} {
		if x.sec > 0 {
			out = append(out, seconds(x.name, x.sec))
		}
	}
	return append(out, m.whereabouts(process)...)
}

func seconds(name string, sec float32) string { return name + " " + draw.Seconds(float64(sec)) }

// absence says why a rank has no cell.
func (m *Model) absence(k, i int) string {
	if m.seen.rows[k].last.compare(spotOf(&m.seen.points[i])) > 0 {
		return "missing: later iterations came, this one did not"
	}
	return "not finished yet"
}

// valueText is the slowdown and what it is against.
func (m *Model) valueText(k, i int) []string {
	c := m.seen.cols[i]
	if c == nil || m.seen.measure != slowdown {
		return nil
	}
	stage := m.seen.rows[k].stage
	switch c.states[k] {
	case alone:
		return []string{"no other rank of its stage to compare it with"}
	case noValue:
		return []string{"no span of compute to compare"}
	case leftOut:
		return nil
	}
	against := "ranks"
	if stage != run.Unknown {
		against = "ranks of stage " + strconv.Itoa(stage)
	}
	return []string{fmt.Sprintf("%.2f ×", c.values[k]), fmt.Sprintf("the median compute %s of %s %s", draw.Seconds(float64(c.medians[stage])),
		draw.Count(c.members[stage]), against)}
}

// reasonText is why an iteration is in no step statistic.
func reasonText(word string) string {
	switch word {
	case "first":
		return "the first of its attempt"
	case "gc":
		return "a long garbage collection"
	case "skipped":
		return "marked as skipped"
	}
	return strings.ReplaceAll(word, "_", " ")
}

func (m *Model) whereabouts(process int) []string {
	if process < 0 {
		return nil
	}
	p := m.seen.in.Processes[process]
	out := []string{"host " + known(p.ID.Host)}
	if c := p.Coord; c.PP >= 0 || c.DP >= 0 || c.TP >= 0 {
		out = append(out, coordText(c, m.theme.Glyphs.Derived))
	}
	return out
}

func coordText(c run.Coord, derived string) string {
	text := fmt.Sprintf("tp %s pp %s dp %s", number(c.TP), number(c.PP), number(c.DP))
	if c.Derived {
		text += derived
	}
	return text
}

func number(n int) string {
	if n == run.Unknown {
		return draw.Missing
	}
	return strconv.Itoa(n)
}

func known(s string) string {
	if s == "" {
		return draw.Missing
	}
	return s
}

// exportText is all cells that were read, as comma-separated values.
func (m *Model) exportText() string {
	var b strings.Builder
	b.WriteString("rank,attempt,iteration,excluded,step_s,compute_s,wait_s,io_s,other_s," + m.seen.measure.String() + "\n")
	for i, c := range m.seen.cols {
		if c == nil {
			continue
		}
		p := &m.seen.points[i]
		for k := range m.seen.rows {
			cell, _, ok := m.seen.rows[k].cell(m.seen.in.Columns[i])
			if ok {
				fmt.Fprintf(&b, "%d,%d,%d,%s,%s\n", m.seen.rows[k].rank, p.Attempt+1, p.Iteration, p.Excluded, numbers(&cell, c.values[k]))
			}
		}
	}
	return b.String()
}

func numbers(c *store.Cell, value float32) string {
	var out []string
	for _, v := range []float32{c.Step, c.Compute, c.Wait, c.IO, c.Other, value} {
		if math.IsNaN(float64(v)) {
			out = append(out, "")
			continue
		}
		out = append(out, strconv.FormatFloat(float64(v), 'g', 7, 32))
	}
	return strings.Join(out, ",")
}
