package runsscreen

import (
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// asked is of what the resources are compared: a run that has so many processes.
type asked struct {
	run, filter string
	processes   int
}

// comparison is the answer.
type comparison struct {
	asked
	analysis.Resources
}

// compare starts comparing the processes of the run in focus, when that is shown
// and not known yet.
func (m *Model) compare() tea.Cmd {
	r := m.data.Snapshot.Run(m.table.Key())
	if !m.detail.IsOpen() || r == nil {
		return nil
	}
	q := asked{run: r.ID, processes: len(r.Processes), filter: m.data.Filter.String()}
	if q == m.found.asked {
		return nil
	}
	scope := analysis.Scope{Run: r}
	if !m.data.Filter.Empty() {
		scope.Filter = m.data.Filter.Bind(r)
	}
	return m.ask.Start(q, func() comparison { return comparison{q, analysis.CompareResources(scope)} })
}

// tell fills the pane.
func (m *Model) tell() {
	at := m.found.asked
	m.detail.Show(m.theme, m.table.Key()+"\x00\x00"+at.run+"\x00"+at.filter+"\x00"+draw.Count(at.processes), m.resources)
}

// resources is in what the processes of the run in focus differ, then what they
// share.
func (m *Model) resources() []draw.Fact {
	f := &m.found
	strong := func(text string) draw.Fact { return draw.Fact{Style: m.theme.Strong, Text: text} }
	if f.run != m.table.Key() {
		return []draw.Fact{{Style: m.theme.Dim, Text: "Comparing its processes."}}
	}
	about := draw.Plural(f.Processes, "process")
	if f.Processes != 1 {
		about = draw.Count(f.Processes) + " processes"
	}
	if f.Earlier > 0 {
		about += " of the latest attempt; " + draw.Count(f.Earlier) + " of earlier ones left out"
	}
	out := []draw.Fact{{Style: m.theme.Accent, Text: f.run}, strong(about)}
	out = append(out, strong("differ in "+attributes(len(f.Differing))))
	for i := range f.Differing {
		out = append(out, draw.Fact{Style: m.theme.Plain, Name: f.Differing[i].Key, Text: differenceText(&f.Differing[i])})
	}
	out = append(out, strong("share "+attributes(len(f.Shared))))
	for _, a := range f.Shared {
		out = append(out, draw.Fact{Style: m.theme.Plain, Name: a.Key, Text: typed(a.Value)})
	}
	return out
}

func attributes(n int) string { return draw.Plural(n, "attribute") }

// typed is a value behind its type.
func typed(v run.Value) string {
	text := v.String()
	if text == "" {
		text = "(empty)"
	}
	return draw.PadRight(v.Type.String(), typeCells) + "  " + text
}

// typeCells is the cells of the longest type.
const typeCells = 6

// differenceText is who has which value. Of what names a process, one line: each
// has its own.
func differenceText(d *analysis.ResourceDifference) string {
	missing := ""
	if d.Missing > 0 {
		missing = draw.Count(d.Missing) + " without it"
	}
	if d.Each {
		text := draw.Count(d.Distinct) + " values, no two alike: " + d.Values[0].Value.String() + ", " + d.Values[1].Value.String()
		if d.Distinct > 2 {
			text += ", " + draw.Ellipsis
		}
		return strings.TrimSuffix(text+"; "+missing, "; ")
	}
	if d.Distinct == 1 {
		return typed(d.Values[0].Value) + "  on " + draw.Count(d.Values[0].Count) + ": " + d.Values[0].Who + "; " + missing
	}
	var lines []string
	for _, v := range d.Values {
		lines = append(lines, typed(v.Value)+"  on "+draw.Count(v.Count)+": "+v.Who)
	}
	if more := d.Distinct - len(d.Values); more > 0 {
		lines = append(lines, draw.Count(more)+" values more")
	}
	if missing != "" {
		lines = append(lines, missing)
	}
	return strings.Join(lines, "\n")
}
