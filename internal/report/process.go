package report

import (
	"cmp"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// processes lists the processes that the filter lets through, by role, rank and
// attempt.
func (b *builder) processes() []Process {
	out := []Process{}
	for i, p := range b.run.Processes {
		if b.scope.Filter == nil || b.scope.Filter.Process(i) {
			out = append(out, process(p))
		}
	}
	slices.SortStableFunc(out, func(a, b Process) int {
		return cmp.Or(cmp.Compare(deref(a.Role), deref(b.Role)), cmp.Compare(deref(a.Rank), deref(b.Rank)), cmp.Compare(a.Attempt, b.Attempt))
	})
	return out
}

// deref is the value, or the zero value for what was not sent.
func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}

func process(p *store.Process) Process {
	out := Process{
		Rank: known(p.ID.Rank), Role: text(p.ID.Role), Host: text(p.ID.Host), Attempt: p.Attempt, Sibling: p.Sibling,
		Coord: coord(p.Coord), First: seconds(p.Start), Last: seconds(p.End), Spans: p.Spans, Resource: map[string]Typed{},
	}
	if p.ID.PID > 0 {
		out.PID = known(p.ID.PID)
	}
	for _, a := range p.Resource {
		out.Resource[a.Key] = typed(a.Value)
	}
	return out
}

func coord(c run.Coord) *Coord {
	out := Coord{TP: known(c.TP), CP: known(c.CP), PP: known(c.PP), DP: known(c.DP), Derived: c.Derived}
	if out.TP == nil && out.CP == nil && out.PP == nil && out.DP == nil {
		return nil
	}
	return &out
}

// seconds is a time of a sender's clock; nil when none was sane.
func seconds(ns uint64) *float64 {
	if ns == 0 {
		return nil
	}
	return number(float64(ns) / 1e9)
}
