package analysis

import (
	"fmt"
	"math"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// stepGrid reads the workers of the compared steps. why is non-empty when that
// cannot be done. Steps in which a worker is missing are left out.
func (v *view) stepGrid() (g *stepGrid, source ComputeSource, why string) {
	z := v.layout.Sizes
	if !v.placed {
		return nil, "", "the parallel sizes are not known"
	}
	units, source, why := v.gridUnits(z)
	if why != "" {
		return nil, source, why
	}
	g = &stepGrid{pp: z.PP, dp: z.DP, micro: v.microbatches(), mean: math.NaN()}
	if source != FromMicrobatches {
		g.micro = math.Inf(1)
		units = v.collapse(units, z)
		g.pp = 1
	}
	g.fill(units, v.frame(), g.micro)
	if g.steps < fewestSteps {
		return nil, source, fmt.Sprintf("%s with all workers, %d are needed", count(g.steps, "clean step"), fewestSteps)
	}
	g.tail = v.tail(source, z.PP)
	return g, source, ""
}

// gridUnits is the workers by stage and lane.
func (v *view) gridUnits(z run.Sizes) (units []*unit, source ComputeSource, why string) {
	units = make([]*unit, z.PP*z.DP)
	seen := 0
	for _, u := range v.units() {
		if p, d := u.coord.PP, u.coord.DP; p >= 0 && d >= 0 && p < z.PP && d < z.DP && u.steps > 0 {
			units[p*z.DP+d] = u
			source = coarser(source, u.source)
			seen++
		}
	}
	switch {
	case seen < len(units):
		return nil, source, fmt.Sprintf("%s of %s sent steps that can be compared", thousands(seen), count(len(units), "worker"))
	case seen < 2:
		return nil, source, "one worker: nothing to compare it with"
	case source != FromMicrobatches && source != FromForwardBackward:
		return nil, source, "neither microbatches nor forward_backward are known"
	}
	return units, source, ""
}

// collapse makes a lane of its stages: with forward_backward alone they move
// together. Its compute is that of its slowest stage.
func (v *view) collapse(units []*unit, z run.Sizes) []*unit {
	lanes := make([]*unit, z.DP)
	for d := range lanes {
		l := &unit{kind: UnitLane, c: make([]float64, v.frame().steps)}
		for s := range l.c {
			for p := range z.PP {
				l.c[s] = max(l.c[s], units[p*z.DP+d].c[s])
			}
		}
		lanes[d] = l
	}
	return lanes
}

// fill takes the steps in that all units have.
func (g *stepGrid) fill(units []*unit, f *frame, micro float64) {
	per := micro
	if math.IsInf(per, 1) {
		per = 1
	}
	row := make([]float64, len(units))
	sum := 0.0
	for s := range f.steps {
		whole := true
		for i, u := range units {
			row[i] = u.c[s] / per
			whole = whole && row[i] > 0
		}
		if !whole {
			continue
		}
		g.c = append(g.c, row...)
		for _, c := range row {
			sum += c
		}
		g.steps++
	}
	g.mean = sum / float64(max(len(g.c), 1))
}

// microbatches is how many a usual step has.
func (v *view) microbatches() float64 {
	f := v.frame()
	n := make([]float64, 0, len(f.micro))
	for _, m := range f.micro {
		if m > 0 {
			n = append(n, float64(m))
		}
	}
	return median(n)
}

// tail is what every step has once beside its microbatches, seconds: the medians
// of the collectives and of the gradient clip, the mean of the optimizer, and the
// transfers that fill and drain the pipeline. It is read from the run's whole
// life.
func (v *view) tail(source ComputeSource, pp int) float64 {
	steps := v.finishedSteps()
	sum := 0.0
	for id, name := range v.run.Names {
		switch stat, ok := v.nameStat(id); {
		case !ok:
		case isReceive(name.Text):
			if source == FromMicrobatches {
				sum += 2 * float64(pp-1) * nameMedian(&stat)
			}
		case name.Phase.Name == run.PhaseGradSync && perStep(&stat, steps):
			sum += nameMedian(&stat)
		case name.Phase.Name == run.PhaseOptimizer && perStep(&stat, steps):
			sum += optimizerTime(name.Text, &stat)
		}
	}
	return sum
}

func isReceive(name string) bool { return strings.HasSuffix(name, "p2p.recv_forward") }

// optimizerTime is the median of a gradient clip and the mean of an optimizer,
// whose time varies with what it does.
func optimizerTime(name string, stat *store.StageStat) float64 {
	if strings.HasSuffix(name, "clip_grad") {
		return nameMedian(stat)
	}
	ns, _ := stat.Mean()
	return seconds(ns)
}

func nameMedian(stat *store.StageStat) float64 {
	ns, _ := stat.Quantile(.5)
	return seconds(ns)
}

// perStep reports whether a span comes about once a step or less.
func perStep(stat *store.StageStat, steps uint64) bool { return 2*stat.Count <= 3*steps }

// finishedSteps counts the step spans of the run.
func (v *view) finishedSteps() (n uint64) {
	for id, name := range v.run.Names {
		if name.Phase.Class == run.Step {
			if stat, ok := v.nameStat(id); ok {
				n = max(n, stat.Count)
			}
		}
	}
	return n
}

// nameStat is the statistics of a span name over all stages.
func (v *view) nameStat(id int) (stat store.StageStat, ok bool) {
	var all []*store.StageStat
	for _, s := range v.run.Stages {
		if s.Name == id && s.Count > 0 {
			all = append(all, s)
		}
	}
	if len(all) == 0 {
		return store.StageStat{}, false
	}
	return store.MergeStages(all...), true
}
