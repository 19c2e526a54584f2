package store

import "github.com/beamline-hpc/lensview/internal/run"

// nameInfo is what a span name means to the iteration columns.
type nameInfo struct {
	class  run.Class
	level  uint8     // of compute: the finest level that a step has counts
	covers bool      // what is beneath belongs to it
	breaks CellFlags // an iteration that it touches is no usual one
	own    bool      // of a span: it says its iteration itself
}

// Levels of compute spans, coarse to fine.
const (
	otherCompute = iota
	wholePass
	microbatch
	computeLevels
)

func infoOf(p run.Phase) nameInfo {
	i := nameInfo{class: p.Class, covers: p.Covers()}
	switch p.Name {
	case run.PhaseMicrobatchForward, run.PhaseMicrobatchBackward:
		i.level = microbatch
	case run.PhaseForwardBackward:
		i.level = wholePass
	case run.PhaseCheckpoint:
		i.breaks = HasCheckpoint
	case run.PhaseEvaluate:
		i.breaks = HasEvaluate
	case run.PhaseGraphCapture:
		i.breaks = HasGraphCapture
	case run.PhaseGC:
		i.breaks = HasGC
	}
	return i
}
