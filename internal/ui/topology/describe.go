package topologyscreen

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// focusLines is the cell in focus in words, the value first.
func (m *Model) focusLines(lines int) []string {
	out := make([]string, 0, lines)
	texts := m.describe()
	l := draw.NewLine(m.size.width).Add(m.theme.Selected, m.theme.Glyphs.Cursor).Space(1)
	for len(texts) > 0 && len(out) < lines {
		sep := ""
		if l.Used() > 2 {
			sep = "  "
		}
		if l.AddIf(m.theme.Plain, sep+texts[0]) {
			texts = texts[1:]
			continue
		}
		if l.Used() <= 2 { // longer than a line: better cut than lost
			l.Add(m.theme.Plain, texts[0])
			texts = texts[1:]
		}
		out = append(out, l.String())
		l = draw.NewLine(m.size.width).Space(2)
	}
	if len(out) < lines {
		out = append(out, l.String())
	}
	for len(out) < lines {
		out = append(out, draw.Spaces(m.size.width))
	}
	return out
}

// describe is what is known of the cell in focus, the most telling first.
func (m *Model) describe() []string {
	if len(m.board.lines) == 0 {
		return nil
	}
	if m.board.unit == workers {
		return m.describeWorker(&m.seen.workers[m.at.worker(m.seen.grid.Sizes)])
	}
	return m.describeRank(&m.seen.grid.Cells[m.at.rank(m.seen.grid.Sizes)])
}

func rankWord(c *analysis.GridCell) string {
	if c.Rank == run.Unknown {
		return "this rank"
	}
	return "rank " + strconv.Itoa(c.Rank)
}

func (m *Model) describeRank(c *analysis.GridCell) []string {
	if c.Process < 0 {
		return []string{rankWord(c), "never seen", m.coordinates(c)}
	}
	out := []string{rankWord(c), m.valueText(c.Value), m.coordinates(c)}
	if !c.Shown {
		out = append(out, "not in the filter")
	}
	out = append(out, draw.Plural(c.Steps, "clean step"))
	out = append(out, progress(c.Iteration, c.HasIteration, c.Age)...)
	if c.Truncated > 0 {
		out = append(out, draw.Count(c.Truncated)+" truncated")
	}
	return append(out, "host "+known(m.seen.in.Processes[c.Process].ID.Host))
}

// coordinates is the place, with a mark when it was computed and not sent.
func (m *Model) coordinates(c *analysis.GridCell) string {
	text := fmt.Sprintf("tp %d pp %d dp %d", m.at.tp, m.at.pp, m.at.dp)
	if m.seen.grid.Sizes.CP > 1 {
		text += " cp " + strconv.Itoa(m.at.cp)
	}
	if derived(m.seen.in, c, m.seen.grid.Sizes) {
		text += m.theme.Glyphs.Derived
	}
	return text
}

func (m *Model) valueText(v float64) string {
	return m.seen.measure.String() + " " + m.seen.scale.text(v)
}

// progress is the last iteration and how long ago it came.
func progress(iteration int64, has bool, age float64) []string {
	var out []string
	if has {
		out = append(out, "iteration "+draw.Name(iteration))
	}
	if !math.IsNaN(age) {
		if text := draw.Age(int64(age*1e9)+1, 1); text == "now" {
			out = append(out, "just now")
		} else {
			out = append(out, text+" ago")
		}
	}
	return out
}

func known(s string) string {
	if s == "" {
		return draw.Missing
	}
	return s
}

func (m *Model) describeWorker(w *analysis.GridGroup) []string {
	out := []string{fmt.Sprintf("worker pp %d dp %d", m.at.pp, m.at.dp)}
	switch {
	case w.Seen == 0:
		return append(out, "never seen", m.ranksText(w))
	case w.Shown == 0:
		return append(out, "not in the filter", m.ranksText(w))
	}
	out = append(out, m.valueText(w.Value))
	if w.Low < w.High {
		out = append(out, "from "+m.seen.scale.number(w.Low)+" to "+m.seen.scale.number(w.High))
	}
	out = append(out, m.ranksText(w))
	if n := len(w.Cells) - w.Seen; n > 0 {
		out = append(out, draw.Count(n)+" never seen")
	}
	out = append(out, progress(w.Iteration, w.HasIteration, w.Age)...)
	if w.Truncated > 0 {
		out = append(out, draw.Count(w.Truncated)+" truncated")
	}
	return append(out, m.hostsText(w))
}

// ranksText is the ranks of a worker, as far as they are known.
func (m *Model) ranksText(w *analysis.GridGroup) string {
	var list []string
	low, high := math.MaxInt, -1
	for _, i := range w.Cells {
		if r := m.seen.grid.Cells[i].Rank; r != run.Unknown {
			low, high = min(low, r), max(high, r)
			list = append(list, strconv.Itoa(r))
		}
	}
	switch {
	case len(list) == 0:
		return "ranks unknown"
	case len(list) == 1:
		return "rank " + list[0]
	case high-low+1 == len(list):
		return "ranks " + strconv.Itoa(low) + "–" + strconv.Itoa(high)
	case len(list) > 4:
		list = append(list[:3], "…")
	}
	return "ranks " + strings.Join(list, ", ")
}

func (m *Model) hostsText(w *analysis.GridGroup) string {
	first, more := "", 0
	seen := map[string]bool{}
	for _, i := range w.Cells {
		p := m.seen.grid.Cells[i].Process
		if p < 0 || seen[m.seen.in.Processes[p].ID.Host] {
			continue
		}
		host := m.seen.in.Processes[p].ID.Host
		if len(seen) == 0 {
			first = host
		} else {
			more++
		}
		seen[host] = true
	}
	text := "host " + known(first)
	if more > 0 {
		text += " and " + draw.Count(more) + " more"
	}
	return text
}

// CopyText is the cell in focus in words.
func (m *Model) CopyText() string {
	if texts := m.describe(); texts != nil {
		return strings.Join(texts, "  ")
	}
	return m.emptyCopy()
}
