package analysis

import (
	"fmt"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// BubbleOverIdeal is the idle time of a pipeline over its ideal time, for the 1F1B
// schedule with p stages, m microbatches and v virtual stages a rank: (p−1)/(v·m)
// (Narayanan et al., "Efficient Large-Scale Language Model Training on GPU
// Clusters Using Megatron-LM", SC '21, 2.2). NaN unless all are positive.
func BubbleOverIdeal(p, m, v int) float64 {
	if p < 1 || m < 1 || v < 1 {
		return math.NaN()
	}
	return float64(p-1) / float64(v*m)
}

// BubbleShare is the same time as a share of the whole pipeline: (p−1)/(v·m+p−1).
func BubbleShare(p, m, v int) float64 {
	if p < 1 || m < 1 || v < 1 {
		return math.NaN()
	}
	return float64(p-1) / float64(v*m+p-1)
}

// Bubble is how long the stages of the pipeline stand idle.
type Bubble struct {
	Stages       int
	Microbatches int     // passes of one step and stage: microbatches times virtual stages
	Expected     float64 // share of the pipeline's time, with equal stages and microbatches
	Observed     float64 // 1 − compute / (time of the lane's pipeline), mean over ranks and steps; NaN when unknown
	Steps        int
	Lanes        int // data-parallel lanes that were measured
	Warn         bool
	CannotTell   string // why there is no answer, "" when there is one
}

// BubbleOf is the bubble over the last n clean steps (0 is DefaultSteps). It needs
// spans of microbatches and a known place of each rank. The time of a lane's
// pipeline is that from the first microbatch of its first stage to the last one
// there, by that rank's own clock: the first stage begins first and ends last.
func BubbleOf(sc Scope, n int) Bubble {
	b := Bubble{Expected: math.NaN(), Observed: math.NaN()}
	b.Stages = sizesOf(sc.Run, MainRole(sc.Run)).PP
	if b.Stages < 2 {
		b.CannotTell = "there is no pipeline: one stage, or its size was not sent"
		return b
	}
	w := newStepWindows(sc, n, mostBroken)
	w.collect()
	lanes := newLanes(w)
	if len(lanes.all) == 0 {
		b.CannotTell = "no spans of microbatches: turn the microbatch group on (NEMO_LENS_SPAN_GROUPS)"
		return b
	}
	b.Microbatches = lanes.passes()
	b.Expected = BubbleShare(b.Stages, b.Microbatches, 1) // passes hold the virtual stages
	b.Observed, b.Steps, b.Lanes = lanes.observed(b.Stages)
	if math.IsNaN(b.Observed) {
		b.CannotTell = "no data-parallel lane has its first stage among the ranks seen"
		return b
	}
	b.Warn = b.Observed > sc.Run.Thresholds.Filled().Bubble*b.Expected
	return b
}

// Notice is the warning of a bubble that is too large; ok is false when it is not.
func (b Bubble) Notice(r *store.Run) (n run.Notice, ok bool) {
	if !b.Warn {
		return n, false
	}
	return notice(r, "bubble", run.Warning, fmt.Sprintf(
		"the pipeline stands idle for %.0f %% of its time, %d stages and %s microbatches need %.0f %%: its stages or microbatches are unequal",
		100*b.Observed, b.Stages, thousands(b.Microbatches), 100*b.Expected)), true
}

// laneStep is one step of one lane.
type laneStep struct {
	column int
	at     run.Coord // without pp
}

// stageTime is the microbatches of one stage in one step.
type stageTime struct {
	compute, extent float64 // seconds
	passes, ranks   int
}

type lanes struct {
	all map[laneStep]map[int]*stageTime // by stage
}

func newLanes(w *stepWindows) *lanes {
	l := &lanes{all: map[laneStep]map[int]*stageTime{}}
	w.each(func(s *stepSpans) {
		at := w.run.Processes[s.process].Coord
		if at.PP == run.Unknown || at.DP == run.Unknown {
			return
		}
		t, ok := s.microbatches(w.run.Names)
		if !ok {
			return
		}
		key := laneStep{column: s.column, at: folded(at, []run.Dim{run.DimPP, run.DimTP, run.DimCP})}
		if l.all[key] == nil {
			l.all[key] = map[int]*stageTime{}
		}
		l.all[key][at.PP] = t.merge(l.all[key][at.PP])
	})
	return l
}

// microbatches are the spans of microbatches of a step.
func (s *stepSpans) microbatches(names []store.Name) (t stageTime, ok bool) {
	first, last, forward, backward := s.length, uint64(0), 0, 0
	for _, e := range s.spans {
		switch names[e.name].Phase.Name {
		case run.PhaseMicrobatchForward:
			forward++
		case run.PhaseMicrobatchBackward:
			backward++
		default:
			continue
		}
		first, last = min(first, e.from), max(last, e.to)
		t.compute += seconds(e.to - e.from)
	}
	if last <= first {
		return t, false
	}
	t.extent, t.passes, t.ranks = seconds(last-first), max(forward, backward), 1
	return t, true
}

// merge takes in the peers of a stage, which do the same.
func (t stageTime) merge(o *stageTime) *stageTime {
	if o == nil {
		return &t
	}
	n := float64(o.ranks)
	o.compute = (o.compute*n + t.compute) / (n + 1)
	o.extent = (o.extent*n + t.extent) / (n + 1)
	o.ranks++
	return o
}

// passes is the usual number of passes of a step and stage.
func (l *lanes) passes() int {
	var v []float64
	for _, stages := range l.all {
		for _, t := range stages {
			v = append(v, float64(t.passes))
		}
	}
	return int(math.Round(median(v)))
}

// observed is the mean idle share over the stages, steps and lanes whose first
// stage was seen.
func (l *lanes) observed(stages int) (share float64, steps, count int) {
	var idle []float64
	columns, at := map[int]bool{}, map[run.Coord]bool{}
	for key, byStage := range l.all {
		whole := byStage[0]
		if whole == nil {
			continue
		}
		columns[key.column], at[key.at] = true, true
		for _, t := range byStage {
			idle = append(idle, 1-min(t.compute/whole.extent, 1))
		}
	}
	if len(idle) == 0 {
		return math.NaN(), 0, 0
	}
	slices.Sort(idle) // the same sum whatever the order of the map
	sum := 0.0
	for _, v := range idle {
		sum += v
	}
	return sum / float64(len(idle)), len(columns), len(at)
}
