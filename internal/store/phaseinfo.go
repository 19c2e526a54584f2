package store

import "github.com/beamline-hpc/lensview/internal/run"

// nameInfo is what a span name means to the iteration columns.
type nameInfo struct {
	class  run.Class
	level  uint8     // of compute: the finest level that a step has counts, as in ComputeLevel less 1
	breaks CellFlags // an iteration that it touches is no usual one
	facts  infoFacts
}

// infoFacts are further facts about a name, or about one span.
type infoFacts uint8

const (
	coversBeneath infoFacts = 1 << iota // what is beneath belongs to it
	saysIteration                       // of a span: it says its iteration itself
	isForward                           // a forward pass of a microbatch
	isCollective                        // of waits: ranks meet in it
)

func (i nameInfo) has(f infoFacts) bool { return i.facts&f != 0 }

// Levels of compute spans, coarse to fine.
const (
	otherCompute = iota
	wholePass
	microbatch
	computeLevels
)

func infoOf(p run.Phase) nameInfo {
	i := nameInfo{class: p.Class}
	if p.Covers() {
		i.facts = coversBeneath
	}
	switch p.Name {
	case run.PhaseMicrobatchForward:
		i.level = microbatch
		i.facts |= isForward
	case run.PhaseMicrobatchBackward:
		i.level = microbatch
	case run.PhaseGradSync:
		i.facts |= isCollective
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
