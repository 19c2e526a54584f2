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
	Worker      run.Coord // the worst worker; pp and dp only
	Ranks       []int     // of that worker, those seen
	Approximate bool      // from forward_backward, not from microbatches
}

func (v *view) whatIf() WhatIf {
	return WhatIf{CannotTell: []string{"not looked yet"}, Slowdown: math.NaN(), WorkerShare: math.NaN(), StageShare: math.NaN(), Worker: run.UnknownCoord()}
}
