package topologyscreen

import (
	"strings"

	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// needed is the sizes that a grid is made of, with the attributes that carry
// them, the newest spelling first.
func needed(r *store.Run) []need {
	return []need{
		{"tensor-parallel size", "nv.dl.topology.size.tp", "dl.tensor_parallel.size", r.Sizes.TP},
		{"pipeline-parallel size", "nv.dl.topology.size.pp", "dl.pipeline_parallel.size", r.Sizes.PP},
		{"data-parallel size", "nv.dl.topology.size.dp", "dl.data_parallel.size", r.Sizes.DP},
	}
}

type need struct {
	what, key, older string
	sent             int
}

// exportLine is what a job script needs, with sizes for the reader to replace.
const exportLine = `export OTEL_RESOURCE_ATTRIBUTES="${OTEL_RESOURCE_ATTRIBUTES:+$OTEL_RESOURCE_ATTRIBUTES,}` +
	`nv.dl.topology.size.tp=TP,nv.dl.topology.size.pp=PP,nv.dl.topology.size.dp=DP"`

// empty says why there is no grid, and what would make one.
func (m *Model) empty() []string {
	if len(m.data.Snapshot.Runs) == 0 {
		return screen.Teach(m.data)
	}
	if m.seen.in == nil {
		return []string{"Laying out the ranks of this run."}
	}
	if m.seen.grid.Seen == 0 {
		return []string{"No process of this run has said which rank it is, so there is nothing to lay out.", "",
			"A rank is sent as the resource attribute nv.dl.rank (or dl.rank), with nv.dl.world_size."}
	}
	lines := []string{"These ranks cannot be laid out."}
	for _, text := range m.seen.grid.Problems {
		lines = append(lines, "", m.theme.Glyphs.Warn+" "+text)
	}
	return append(lines, m.missing()...)
}

// missing names what was not sent and how to send it.
func (m *Model) missing() []string {
	var lines []string
	for _, n := range needed(m.seen.in) {
		if n.sent <= 0 {
			lines = append(lines, "  "+n.what+": "+n.key+" (or "+n.older+")")
		}
	}
	if len(lines) == 0 {
		return []string{"", "The sizes must multiply to the world size. What cp is follows from the others where they divide it."}
	}
	lines = append([]string{"", "Not sent as a resource attribute by any rank:", ""}, lines...)
	return append(lines, "", "In the job script, with the run's own numbers ("+m.data.Key("", "y")+" copies it):", "", "  "+exportLine)
}

// emptyCopy is what an empty screen asks for, as lines of a job script.
func (m *Model) emptyCopy() string {
	listeners := m.data.Snapshot.Receiver.Listeners
	switch {
	case len(m.data.Snapshot.Runs) == 0 && len(listeners) > 0:
		return strings.Join(screen.JobLines(), "\n") + "\n"
	case m.seen.in != nil && m.seen.grid.Seen > 0:
		return exportLine + "\n"
	}
	return ""
}
