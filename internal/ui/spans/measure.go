package spansscreen

import (
	"context"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// question is what the statistics depend on besides the snapshot's version.
type question struct {
	run, filter string
	by          string // levels, joined
}

// levelSeparator cannot be typed, so it is in no level.
const levelSeparator = "\x00"

func (m *Model) question() question {
	q := question{run: m.data.Run, by: strings.Join(m.by, levelSeparator)}
	if m.data.Filter != nil {
		q.filter = m.data.Filter.String()
	}
	if slices.Contains(m.by, "run") {
		q.run = "" // of every run: the one in focus does not matter
	}
	return q
}

// answer is the statistics of one snapshot.
type answer struct {
	question question
	by       []string
	table    analysis.Table
	phases   map[string]run.Phase // by span name
	version  uint64
	err      error
}

// measure groups the spans of the run in focus, or of every run. Not for the
// event loop.
func measure(ctx context.Context, d screen.Data, q question, by []string) answer {
	a := answer{question: q, by: by, phases: map[string]run.Phase{}, version: d.Snapshot.Version}
	scopes := scopesOf(d, by)
	for _, s := range scopes {
		for _, n := range s.Run.Names {
			a.phases[n.Text] = n.Phase
		}
	}
	a.table, a.err = analysis.Durations(ctx, scopes, by)
	return a
}

// scopesOf is the runs that are shown, with the filter bound to each.
func scopesOf(d screen.Data, by []string) []analysis.Scope {
	var out []analysis.Scope
	for _, r := range runsOf(d, by) {
		s := analysis.Scope{Run: r}
		if d.Filter != nil && !d.Filter.Empty() {
			s.Filter = d.Filter.Bind(r)
		}
		out = append(out, s)
	}
	return out
}

func runsOf(d screen.Data, by []string) []*store.Run {
	if slices.Contains(by, "run") {
		return d.Snapshot.Runs
	}
	if r := d.Snapshot.Run(d.Run); r != nil {
		return []*store.Run{r}
	}
	return nil
}
