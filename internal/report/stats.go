package report

import (
	"cmp"
	"slices"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// spanStats is the duration statistics by span name, largest total first.
func (b *builder) spanStats() ([]SpanStat, error) {
	table, err := analysis.Durations(b.ctx, []analysis.Scope{b.scope}, []string{"name"})
	if err != nil {
		return nil, err
	}
	out := []SpanStat{}
	for _, g := range table.Groups {
		out = append(out, b.spanStat(g))
	}
	slices.SortStableFunc(out, func(x, y SpanStat) int {
		return cmp.Or(cmp.Compare(y.Total, x.Total), cmp.Compare(x.Name, y.Name))
	})
	return out, nil
}

func (b *builder) spanStat(g *analysis.Group) SpanStat {
	phase := run.Phase{}
	if id, ok := b.run.NameID(g.Value); ok {
		phase = b.run.Names[id].Phase
	}
	s := g.Stats
	return SpanStat{
		Name: g.Value, Phase: phase.Name, Class: phase.Class.String(),
		Count: s.N, Truncated: s.Truncated, Invalid: s.Invalid,
		Mean: number(s.Mean), P50: number(s.P50), P95: number(s.P95), P99: number(s.P99), Max: number(s.Max),
		Total: s.Total, Few: s.FewP99(),
	}
}

// sharedResource is the attributes that all processes of the run sent with the
// same value.
func (b *builder) sharedResource() map[string]any {
	out := map[string]any{}
	for i, p := range b.run.Processes {
		if i == 0 {
			for _, a := range p.Resource {
				out[a.Key] = plain(a.Value)
			}
			continue
		}
		keepShared(out, p)
	}
	return out
}

func keepShared(shared map[string]any, p *store.Process) {
	own := make(map[string]any, len(p.Resource))
	for _, a := range p.Resource {
		own[a.Key] = plain(a.Value)
	}
	for k, v := range shared {
		if w, ok := own[k]; !ok || w != v {
			delete(shared, k)
		}
	}
}
