package topologyscreen

import "github.com/beamline-hpc/lensview/internal/run"

// place is a place of the grid: it stays when ranks come and go.
type place struct{ tp, cp, dp, pp int }

// within is the nearest place of a grid of these sizes.
func (p place) within(z run.Sizes) place {
	hold := func(at, size int) int { return max(0, min(at, size-1)) }
	return place{hold(p.tp, z.TP), hold(p.cp, z.CP), hold(p.dp, z.DP), hold(p.pp, z.PP)}
}

// rank is the index in Grid.Cells: by pp, then dp, cp, tp.
func (p place) rank(z run.Sizes) int { return ((p.pp*z.DP+p.dp)*z.CP+p.cp)*z.TP + p.tp }

// worker is the index among the workers: by pp, then dp.
func (p place) worker(z run.Sizes) int { return p.pp*z.DP + p.dp }

// placeOf is the place of a rank's index.
func placeOf(i int, z run.Sizes) place {
	return place{tp: i % z.TP, cp: i / z.TP % z.CP, dp: i / (z.TP * z.CP) % z.DP, pp: i / (z.TP * z.CP * z.DP)}
}
