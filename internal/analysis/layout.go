package analysis

import (
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// orders are the orders of ranks in use.
var orders = [...]string{run.DefaultRankOrder, "tp-cp-ep-pp-dp"}

// sizesOf is the parallel sizes of a role: what its lowest rank that sent some
// says, else what the run's first process said.
func sizesOf(r *store.Run, ps Presence) run.Sizes {
	for _, i := range ps.processes() {
		if z := r.Processes[i].ID.Sizes; sentSizes(z) {
			return z
		}
	}
	return r.Sizes
}

// layout finds sizes and an order of ranks that agree with the coordinates of
// the ranks that were seen: the order asked for, else another one in use. Where
// none does, the sizes are those that the coordinates need and the places of
// ranks that were not seen stay open.
func (g *Grid) layout(r *store.Run, ps Presence, order run.Order) (l run.Layout, agreed bool) {
	sizes := sizesOf(r, ps)
	given := sizesFromCoords(r, ps)
	if sizes.CP < 1 && given.CP > 1 {
		sizes.CP = given.CP
	}
	tried := []run.Order{order}
	for _, name := range orders {
		if o, err := run.ParseOrder(name); err == nil && !slices.Contains(tried, o) {
			tried = append(tried, o)
		}
	}
	var problem error
	for _, o := range tried {
		l, err := run.NewLayout(sizes, g.World, o)
		if err != nil {
			problem = err
			continue
		}
		if agrees(l, r, ps) {
			g.Sizes, g.World, g.Inferred, g.Order, g.Derived = l.Sizes, l.World, l.Inferred, o.String(), ps.Seen < l.World
			return l, true
		}
	}
	if problem != nil {
		g.Problems = append([]string{problem.Error()}, g.Problems...)
	}
	g.Sizes = given
	return run.Layout{}, false
}

// agrees reports whether every rank that was seen stands where the layout puts
// it.
func agrees(l run.Layout, r *store.Run, ps Presence) bool {
	for _, i := range ps.processes() {
		p := r.Processes[i]
		want, ok := l.Coord(p.ID.Rank)
		if !ok {
			continue
		}
		for _, d := range []run.Dim{run.DimTP, run.DimCP, run.DimDP, run.DimPP} {
			if at := p.Coord.Of(d); at != run.Unknown && at != want.Of(d) {
				return false
			}
		}
	}
	return true
}

// sizesFromCoords is the smallest sizes that hold all coordinates, all 0 when
// some rank has none.
func sizesFromCoords(r *store.Run, ps Presence) run.Sizes {
	z := run.Sizes{CP: 1, EP: 1}
	for _, i := range ps.processes() {
		c := r.Processes[i].Coord
		if c.TP < 0 || c.PP < 0 || c.DP < 0 {
			return run.Sizes{}
		}
		z.TP, z.PP, z.DP, z.CP = max(z.TP, c.TP+1), max(z.PP, c.PP+1), max(z.DP, c.DP+1), max(z.CP, c.CP+1)
	}
	return z
}
