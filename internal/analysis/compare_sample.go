package analysis

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// How much of a side is looked at: the newest of its clean iterations, and ranks
// at equal distances.
const (
	mostCompared      = 200
	mostComparedRanks = 64
)

// measured is a figure of one side, as the bootstrap needs it.
type measured struct {
	steps   []float64 // by clean iteration, in order: median over the ranks
	workers []float64 // by worker: its median over the iterations, against that of its stage
	uneven  float64   // seconds by which another placement of the workers may move it: see unevenness
}

// phaseKey is what is compared: a phase word, or the span name where it has none.
type phaseKey struct{ name, class string }

// sideSample is what was measured of one side.
type sideSample struct {
	w      *stepWindows
	step   *measured
	phases map[phaseKey]*measured
	shares map[string]*measured // exclusive, by class
}

func newSideSample(ctx context.Context, s Side) (*sideSample, error) {
	w := windowsOf(s.Scope, s.columns(), mostComparedRanks)
	out := &sideSample{w: w, phases: map[phaseKey]*measured{}, shares: map[string]*measured{}}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.collect()
	step := newTally()
	phases, shares := map[phaseKey]*tally{}, map[string]*tally{}
	bare := w.each(func(st *stepSpans) {
		place := placeOf(w.run.Processes[st.process])
		step.add(st.column, place, seconds(st.length))
		for key, sec := range st.phaseSeconds(w.run.Names) {
			tallyOf(phases, key).add(st.column, place, sec)
		}
		for class, ns := range st.classTimes(w.run.Names) {
			tallyOf(shares, class).add(st.column, place, float64(ns)/float64(st.length))
		}
	})
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if bare > 0 && bare == len(step.all) {
		phases, shares = out.fromCells()
	}
	out.step = step.measured(false)
	for class, t := range shares {
		out.shares[class] = t.measured(true)
	}
	uneven := unevenness(out.shares[run.Compute.String()], shares[run.Compute.String()], medianOf(out.step.steps))
	for key, t := range phases {
		out.phases[key] = t.measured(false)
		if m := out.phases[key]; key.class == run.Wait.String() && len(m.workers) > 1 {
			// What is equally long on all workers is no waiting for each other.
			m.uneven = min(uneven, (slices.Max(m.workers)-slices.Min(m.workers))*medianOf(m.steps))
		}
	}
	return out, nil
}

// attempts are those that the iterations are of.
func (s *sideSample) attempts() (out []int) {
	for _, c := range s.w.columns {
		if len(out) == 0 || out[len(out)-1] != c.Attempt {
			out = append(out, c.Attempt)
		}
	}
	return out
}

// samePlacement lets only the iterations vary.
func (s *sideSample) samePlacement() {
	still := func(m *measured) { m.workers, m.uneven = nil, 0 }
	still(s.step)
	for _, m := range s.phases {
		still(m)
	}
	for _, m := range s.shares {
		still(m)
	}
}

// unevenness is the standard deviation of the workers' compute seconds within
// their stages, robustly. Waits are what the workers differ by: a job that is
// started again runs on other devices, and its waits move by about as much on all
// ranks together, which the ranks of one run do not show.
func unevenness(shares *measured, t *tally, step float64) float64 {
	if shares == nil || len(shares.workers) < 2 {
		return 0
	}
	stages := map[int]bool{}
	for at := range t.byWorker {
		stages[at.stage] = true
	}
	n := len(shares.workers)
	free := n - len(stages)
	if free < 1 {
		return 0
	}
	return madToSigma * mad(shares.workers, 0) * math.Sqrt(float64(n)/float64(free)) * step
}

// columns is the newest clean iterations of a side.
func (s Side) columns() []*store.Column {
	why := exclusions(s.Scope.Run)
	var out []*store.Column
	for _, c := range s.Scope.Run.Columns {
		if s.has(c.Iteration) && why(c) == "" {
			out = append(out, c)
		}
	}
	return out[max(0, len(out)-mostCompared):]
}

// fromCells is the classes as the columns have them, where spans are not
// retained.
func (s *sideSample) fromCells() (map[phaseKey]*tally, map[string]*tally) {
	phases, shares := map[phaseKey]*tally{}, map[string]*tally{}
	for k, c := range s.w.columns {
		for _, p := range s.w.ranks {
			cell, ok := c.Cell(p)
			if !ok || !(cell.Step > 0) {
				continue
			}
			place := placeOf(s.w.run.Processes[p])
			for class, sec := range map[string]float32{"compute": cell.Compute, "wait": cell.Wait, "io": cell.IO} {
				if sec > 0 {
					tallyOf(phases, phaseKey{class, class}).add(k, place, float64(sec))
					tallyOf(shares, class).add(k, place, float64(sec/cell.Step))
				}
			}
		}
	}
	return phases, shares
}

// facts is what a side is, beside its times.
func (s *sideSample) facts(side Side) SideFacts {
	r := side.Scope.Run
	f := SideFacts{
		Name: side.Name, Run: r.ID, World: MainRole(r).World, Ranks: len(s.w.byProc), Steps: len(s.w.columns),
		GlobalBatch: configured(r, "nv.dl.training.config.global_batch_size", "dl.batch_size"),
		Sequence:    configured(r, "nv.dl.training.config.sequence_length", "dl.sequence_length"),
	}
	for i, c := range s.w.columns {
		if i == 0 {
			f.First, f.Last = c.Iteration, c.Iteration
		}
		f.First, f.Last = min(f.First, c.Iteration), max(f.Last, c.Iteration)
	}
	return f
}

// configured is a whole number that some process says of the training.
func configured(r *store.Run, keys ...string) int {
	for _, p := range r.Processes {
		for _, k := range keys {
			if n, ok := last(p.Resource, k).IntLike(); ok && n > 0 && n < 1<<40 {
				return int(n)
			}
		}
	}
	return run.Unknown
}

// phaseSeconds is the time of every phase in a step: the union of its spans,
// whatever lies in them.
func (s *stepSpans) phaseSeconds(names []store.Name) map[phaseKey]float64 {
	out := map[phaseKey]float64{}
	end := map[phaseKey]uint64{}
	for _, e := range s.byStart() {
		n := names[e.name]
		key := phaseKey{n.Phase.Name, n.Phase.Class.String()}
		if n.Phase.Class == run.Step {
			continue
		}
		if key.name == "" {
			key.name = n.Text
		}
		from := max(e.from, end[key])
		if e.to > from {
			out[key] += seconds(e.to - from)
			end[key] = e.to
		}
	}
	return out
}

// byStart sorts the spans of a step.
func (s *stepSpans) byStart() []inStep {
	slices.SortFunc(s.spans, func(a, b inStep) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to))
	})
	return s.spans
}

// classTimes is the exclusive time of every class, of RL of every bucket.
func (s *stepSpans) classTimes(names []store.Name) map[string]uint64 {
	sums := newSums(&store.Run{Names: names})
	sums.add(s)
	if !sums.rl {
		sums.fold()
	}
	return sums.classes
}

// workerPlace is where a process stands for a comparison: workers are alike within a
// stage.
type workerPlace struct {
	worker string
	stage  int
}

func placeOf(p *store.Process) workerPlace {
	c := p.Coord
	if c.PP == run.Unknown || c.DP == run.Unknown {
		return workerPlace{worker: fmt.Sprint("rank ", p.ID.Rank)}
	}
	return workerPlace{worker: fmt.Sprint(p.ID.Role, " ", c.PP, " ", c.DP), stage: c.PP}
}

// tally is the values of one figure.
type tally struct {
	all      []float64
	byStep   map[int][]float64
	byWorker map[workerPlace][]float64
}

func newTally() *tally {
	return &tally{byStep: map[int][]float64{}, byWorker: map[workerPlace][]float64{}}
}

func tallyOf[K comparable](m map[K]*tally, key K) *tally {
	t := m[key]
	if t == nil {
		t = newTally()
		m[key] = t
	}
	return t
}

func (t *tally) add(step int, at workerPlace, v float64) {
	t.all = append(t.all, v)
	t.byStep[step] = append(t.byStep[step], v)
	t.byWorker[at] = append(t.byWorker[at], v)
}

// measured folds the values. A worker stands against the median of its stage: by
// its ratio, or, for shares, by its difference.
func (t *tally) measured(difference bool) *measured {
	m := &measured{}
	for _, step := range sortedKeys(t.byStep) {
		m.steps = append(m.steps, medianOf(t.byStep[step]))
	}
	own, stages := map[workerPlace]float64{}, map[int][]float64{}
	for at, v := range t.byWorker {
		own[at] = medianOf(v)
		stages[at.stage] = append(stages[at.stage], own[at])
	}
	for at, v := range own {
		switch whole := medianOf(stages[at.stage]); {
		case difference:
			m.workers = append(m.workers, v-whole)
		case whole > 0:
			m.workers = append(m.workers, v/whole)
		}
	}
	slices.Sort(m.workers) // the same draws whatever the order of the map
	return m
}

func sortedKeys[V any](m map[int]V) []int {
	keys := make([]int, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// onlyNames is the span names of a side's steps and processes that the other one
// has not.
func onlyNames(s, o *sideSample) []string {
	other := map[string]bool{}
	for _, n := range o.w.run.Names {
		other[n.Text] = true
	}
	var out []string
	for _, n := range s.w.run.Names {
		if !other[n.Text] {
			out = append(out, n.Text)
		}
	}
	slices.Sort(out)
	return out
}
