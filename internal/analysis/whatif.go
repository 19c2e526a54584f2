package analysis

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Cause is what would have to be fixed, in the report's words.
type Cause string

// The causes.
const (
	CauseNone     Cause = "none"     // steps are about as fast as they could be
	CauseWorker   Cause = "worker"   // one worker (a lane where only forward_backward is known)
	CauseStage    Cause = "stage"    // the last stage: partition or loss layer
	CauseRotating Cause = "rotating" // another worker each step: data imbalance or garbage collection
	CauseGlobal   Cause = "global"
)

// WhatIf is how much faster steps would be if compute times were equal, and
// whose time that is, after Lin et al., "Understanding Stragglers in Large Model
// Training Using What-if Analysis", OSDI '25 (arXiv 2505.05713).
type WhatIf struct {
	CannotTell  []string // non-empty: the figures are NaN and Cause is ""
	Steps       int
	Slowdown    float64 // S: step time over that with equal compute
	WorkerShare float64 // M_W: part of the loss that goes away with the worst 3 % of workers
	StageShare  float64 // M_S: part of it that goes away with the last stage; NaN with one stage
	Cause       Cause
	Of          Unit      // what WorkerShare and Worker are of: UnitWorker, or UnitLane where only forward_backward is known
	Worker      run.Coord // the worst worker; pp and dp only
	Ranks       []int     // of that worker, those seen
	Approximate bool      // from forward_backward, not from microbatches
}

// whatIf answers for the compared steps.
func (v *view) whatIf() WhatIf {
	w := WhatIf{Slowdown: math.NaN(), WorkerShare: math.NaN(), StageShare: math.NaN(), Worker: run.UnknownCoord()}
	g, source, why := v.stepGrid()
	if why != "" {
		w.CannotTell = []string{why}
		return w
	}
	w.Steps, w.Approximate = g.steps, source != FromMicrobatches
	now, equal := g.time(none), g.equal()
	w.Slowdown = now / equal
	worst := g.worst()
	w.Worker.PP, w.Worker.DP, w.Of = worst[0].pp, worst[0].dp, UnitWorker
	if w.Approximate && v.layout.Sizes.PP > 1 {
		w.Worker.PP, w.Of = run.Unknown, UnitLane
	}
	w.WorkerShare = (now - g.time(top(worst, g))) / (now - equal)
	if g.pp > 1 {
		last := g.pp - 1
		w.StageShare = (now - g.time(func(p, _ int) bool { return p == last })) / (now - equal)
	}
	w.Cause = w.cause(g, &v.limits)
	w.Ranks = v.placeRanks(w.Worker)
	return w
}

// topPart is the part of the workers that the source fixes: 3 %, at least one. A
// slowdown is straggling from run.Thresholds.Slowdown on; half of it gone is the
// cause.
const topPart = 0.03

// top fixes the worst 3 % of the workers.
func top(worst []spot, g *stepGrid) fixed {
	n := topCount(len(worst))
	in := make([]bool, g.pp*g.dp)
	for _, w := range worst[:n] {
		in[w.pp*g.dp+w.dp] = true
	}
	return func(p, d int) bool { return in[p*g.dp+d] }
}

func topCount(workers int) int { return max(1, int(math.Ceil(topPart*float64(workers)))) }

// cause is the worst workers before the last stage: it is slow with one of its
// workers, and not the other way round, but where the worst are all of a stage.
func (w *WhatIf) cause(g *stepGrid, limits *run.Thresholds) Cause {
	switch {
	case !(w.Slowdown >= limits.Slowdown):
		return CauseNone
	case w.WorkerShare >= half && !(w.StageShare > w.WorkerShare && topCount(g.pp*g.dp) >= g.dp):
		return CauseWorker
	case w.StageShare >= half && g.lastIsSlow(limits.StragglerRatio):
		return CauseStage
	case g.rotates():
		return CauseRotating
	}
	return CauseGlobal
}

// placeRanks is the seen ranks of a worker or, without a stage, of a lane.
func (v *view) placeRanks(at run.Coord) (out []int) {
	for _, m := range v.members {
		if m.coord.DP == at.DP && (at.PP < 0 || m.coord.PP == at.PP) {
			out = append(out, m.rank)
		}
	}
	return out
}
