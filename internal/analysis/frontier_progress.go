package analysis

import (
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
)

// samePlace is up to how many spans two ranks count as equally far: stages have
// different numbers of spans.
const (
	samePlace  = 0.75
	closePlace = 3.5 // of one lane: a pass with its receive and its send
)

// lowestProgress is the ranks among some of one iteration that have ended the
// smallest part of the next, against the furthest of their own stage.
func (f *frontier) lowestProgress(among []int) (at []int, reason string) {
	missing := f.missing(among)
	switch {
	case f.oneLane():
		at = f.lowestOfPipeline(among)
	case f.coarse():
		at = f.lowestLane(among, missing)
	default:
		if at = f.near(among, missing, samePlace); len(at) > 0 {
			at = f.computing(at, f.near(among, missing, closePlace))
		}
	}
	if len(at) == 0 {
		return nil, ""
	}
	return at, f.progressReason(at, among)
}

// near is the ranks that miss as much as the one that misses most, to so many
// spans.
func (f *frontier) near(among []int, missing map[int]float64, spans float64) (at []int) {
	most := 0.0
	for _, i := range among {
		most = max(most, missing[i])
	}
	for _, i := range among {
		usual := float64(max(f.process(i).Inside.Usual, 1))
		if missing[i] > 0 && (most-missing[i])*usual < spans {
			at = append(at, i)
		}
	}
	return at
}

// coarse reports whether stages wait for each other inside of a span that tells
// nothing of it: no microbatches are known.
func (f *frontier) coarse() bool {
	if f.view.layout.Sizes.PP < 2 {
		return false
	}
	for _, n := range f.view.run.Names {
		if n.Phase.Name == run.PhaseMicrobatchForward || n.Phase.Name == run.PhaseMicrobatchBackward {
			return false
		}
	}
	return true
}

// lowestLane is the ranks of the lane that misses most: its stages cannot be told
// apart.
func (f *frontier) lowestLane(among []int, missing map[int]float64) (at []int) {
	sum, lane, most := map[int]float64{}, run.Unknown, 0.0
	for _, i := range among {
		dp := f.view.members[i].coord.DP
		if sum[dp] += missing[i]; sum[dp] > most {
			lane, most = dp, sum[dp]
		}
	}
	for _, i := range among {
		if missing[i] > 0 && f.view.members[i].coord.DP == lane {
			at = append(at, i)
		}
	}
	return at
}

// computing narrows ranks of one lane that are close to each other down to those
// that were computing: they have what they need and did not finish with it, while
// the others wait for them. What it cannot narrow to one worker it leaves as it
// was.
func (f *frontier) computing(at, around []int) []int {
	lane := f.view.members[at[0]].coord.DP
	for _, i := range around {
		if lane < 0 || f.view.members[i].coord.DP != lane {
			return at
		}
	}
	if with := f.inCompute(around); len(with) > 0 && f.oneWorker(with) {
		return with
	}
	return at
}

// inCompute is those whose last span says that they were computing: a receive,
// or on the last stage, which waits for nobody in between, a forward pass.
func (f *frontier) inCompute(among []int) (at []int) {
	for _, i := range among {
		id := f.process(i).LastName
		if id < 0 {
			continue
		}
		name := f.view.run.Names[id]
		last := f.view.members[i].coord.PP == f.view.layout.Sizes.PP-1
		if strings.Contains(name.Text, "p2p.recv_") || last && name.Phase.Name == run.PhaseMicrobatchForward {
			at = append(at, i)
		}
	}
	return at
}

func (f *frontier) oneWorker(at []int) bool {
	first := f.view.members[at[0]].coord
	return !slices.ContainsFunc(at, func(i int) bool {
		c := f.view.members[i].coord
		return c.PP != first.PP || c.DP != first.DP
	})
}

// oneLane reports whether no stage has a second worker to compare with.
func (f *frontier) oneLane() bool {
	first := f.view.members[0].coord
	return !slices.ContainsFunc(f.view.members, func(m member) bool {
		return m.coord.DP != first.DP || m.coord.DP < 0 || m.coord.PP < 0
	})
}

// lowestOfPipeline is for stages of one worker each: the one that computes, else
// those that are inside of their passes while most are done with them.
func (f *frontier) lowestOfPipeline(among []int) []int {
	if with := f.inCompute(among); len(with) > 0 && f.oneWorker(with) {
		return with
	}
	var within []int
	for _, i := range among {
		id := f.process(i).LastName
		if id < 0 {
			continue
		}
		switch f.view.run.Names[id].Phase.Name {
		case run.PhaseMicrobatchForward, run.PhaseMicrobatchBackward, run.PhaseP2P:
			within = append(within, i)
		}
	}
	if len(within) > 0 && 2*len(within) < len(among) && f.oneWorker(within) {
		return within
	}
	return nil
}

// missing is the share of a usual step's spans that each rank lacks against the
// furthest rank of its stage.
func (f *frontier) missing(among []int) map[int]float64 {
	furthest := map[int]int{}
	for _, i := range among {
		stage := f.view.members[i].coord.PP
		furthest[stage] = max(furthest[stage], f.stall.Processes[i].SpansEnded)
	}
	out := map[int]float64{}
	for _, i := range among {
		lacks := furthest[f.view.members[i].coord.PP] - f.stall.Processes[i].SpansEnded
		out[i] = float64(lacks) / float64(max(f.process(i).Inside.Usual, 1))
	}
	return out
}
