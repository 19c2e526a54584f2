package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Dark is the class of what no span below the step covers: waiting that nobody
// spanned, or work.
const Dark = "dark"

// BreakdownRow is a part of the usual step.
type BreakdownRow struct {
	Class   string  // "compute", "wait", "io", "other" and "dark"; of RL "productive", "overhead", "idle", "wasted" and "dark"
	Phase   string  // of ByPhase: the phase word, the span name where it has none, "" for dark
	Seconds float64 // mean over the steps and ranks
	Share   float64 // of the step
}

// Breakdown is where the time of a step goes: exclusive times, so the parts add up
// to the step.
type Breakdown struct {
	Rows        []BreakdownRow // every class that has time, and dark always; largest first, dark last
	ByPhase     []BreakdownRow // largest first, dark among them
	Step        float64        // mean seconds of a step, the sum of Rows; NaN without one
	Steps       int            // iterations
	Ranks       int            // whose steps are in it
	Of          int            // ranks there are
	RL          bool           // by rl.bucket of its leaf spans
	Approximate bool           // from the columns: the spans are not retained any more, and classes may overlap
	CannotTell  string         // why Rows say little or nothing, "" when they do not
	Goodput     Goodput
}

// Goodput is which part of the run's time went into steps that count, over the
// iterations that are kept.
type Goodput struct {
	Share    float64            // Useful/Elapsed, NaN when unknown
	Useful   float64            // seconds in clean steps of the median rank
	Elapsed  float64            // seconds from the first step's start to the last one's end, by the clocks of the ranks
	Excluded map[string]float64 // seconds in steps that are excluded, by reason
	Between  float64            // seconds in no step: checkpoints between steps, restarts, waiting
}

// BreakdownOf is the breakdown over the last n clean steps (0 is DefaultSteps) of
// the latest attempt, of the ranks that the filter lets through.
func BreakdownOf(sc Scope, n int) Breakdown {
	w := newStepWindows(sc, n, mostBroken)
	b := Breakdown{Steps: len(w.columns), Of: w.all, Step: math.NaN(), Goodput: goodput(sc)}
	if len(w.byProc) == 0 {
		b.CannotTell = "no clean step has been seen yet"
		return b
	}
	w.collect()
	sums := newSums(sc.Run)
	bare := w.each(sums.add)
	b.Ranks, b.RL = len(w.byProc), sums.rl
	switch {
	case bare < sums.steps:
		b.rows(sums)
	case fromColumns(w, sums):
		b.Approximate = true
		b.rows(sums)
	default:
		b.rows(sums)
		b.CannotTell = "only the step itself is spanned: turn the step's inner spans on (NEMO_LENS_SPAN_GROUPS=per_step)"
	}
	return b
}

// sums are the exclusive times of all steps together, in ns.
type sums struct {
	run     *store.Run
	names   map[int]uint64 // by name, dark among them
	classes map[string]uint64
	total   uint64
	steps   int
	rl      bool
}

func newSums(r *store.Run) *sums {
	return &sums{run: r, names: map[int]uint64{}, classes: map[string]uint64{}}
}

func (s *sums) add(step *stepSpans) {
	s.steps++
	s.total += step.length
	step.selfTimes(s.run.Names, func(name int, ns uint64) { s.names[name] += ns })
	if slices.ContainsFunc(step.spans, func(e inStep) bool { return e.bucket != 0 }) {
		s.rl = true
		step.bucketTimes(func(b int, ns uint64) { s.classes[bucketWord(b)] += ns })
	}
}

func bucketWord(b int) string {
	if b == 0 {
		return Dark
	}
	return bucketNames[b]
}

// fromColumns takes the classes as the columns have them. It is false when they
// have none.
func fromColumns(w *stepWindows, s *sums) bool {
	found := false
	classes := map[string]uint64{}
	for _, c := range w.columns {
		for _, p := range w.ranks {
			cell, ok := c.Cell(p)
			if !ok || !(cell.Step > 0) {
				continue
			}
			left := uint64(float64(cell.Step) * 1e9)
			for class, sec := range map[run.Class]float32{run.Compute: cell.Compute, run.Wait: cell.Wait, run.IO: cell.IO, run.Other: cell.Other} {
				ns := uint64(float64(sec) * 1e9)
				found = found || ns > 0
				classes[class.String()] += ns
				left -= min(left, ns)
			}
			classes[Dark] += left
		}
	}
	if found {
		s.classes, s.names, s.total = classes, nil, 0
		for _, ns := range classes {
			s.total += ns
		}
	}
	return found
}

// fold adds the names of each class up.
func (s *sums) fold() {
	for name, ns := range s.names {
		class, _ := s.word(name)
		s.classes[class] += ns
	}
}

// rows writes the sums as means of a step.
func (b *Breakdown) rows(s *sums) {
	if len(s.classes) == 0 {
		s.fold()
	}
	s.classes[Dark] += 0
	per := 1e-9 / float64(s.steps)
	b.Step = float64(s.total) * per
	for class, ns := range s.classes {
		b.Rows = append(b.Rows, BreakdownRow{Class: class, Seconds: float64(ns) * per, Share: float64(ns) / float64(s.total)})
	}
	phases := map[[2]string]uint64{}
	for name, ns := range s.names {
		class, phase := s.word(name)
		phases[[2]string{class, phase}] += ns
	}
	for k, ns := range phases {
		b.ByPhase = append(b.ByPhase, BreakdownRow{Class: k[0], Phase: k[1], Seconds: float64(ns) * per, Share: float64(ns) / float64(s.total)})
	}
	bySize := func(x, y BreakdownRow) int {
		return cmp.Or(cmp.Compare(y.Seconds, x.Seconds), cmp.Compare(x.Class, y.Class), cmp.Compare(x.Phase, y.Phase))
	}
	slices.SortFunc(b.ByPhase, bySize)
	slices.SortFunc(b.Rows, func(x, y BreakdownRow) int {
		if (x.Class == Dark) != (y.Class == Dark) {
			return cmp.Compare(btoi(x.Class == Dark), btoi(y.Class == Dark))
		}
		return bySize(x, y)
	})
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// word is the class and phase of a name's own time.
func (s *sums) word(name int) (class, phase string) {
	if name == dark {
		return Dark, ""
	}
	n := s.run.Names[name]
	if n.Phase.Class == run.Step { // a frame of the step, of RL
		return Dark, ""
	}
	if n.Phase.Name == "" {
		return n.Phase.Class.String(), n.Text
	}
	return n.Phase.Class.String(), n.Phase.Name
}

// Coverage is "256 of 1,024 ranks, 20 steps".
func (b Breakdown) Coverage() string {
	return fmt.Sprintf("%s of %s ranks, %d steps", thousands(b.Ranks), thousands(b.Of), b.Steps)
}

// goodput adds up the steps of the median rank.
func goodput(sc Scope) Goodput {
	g := Goodput{Share: math.NaN(), Excluded: map[string]float64{}}
	s := Steps(sc, 0)
	from, to := math.Inf(1), math.Inf(-1)
	for i, c := range lastColumns(sc.Run, len(sc.Run.Columns)) {
		p := s.Points[i]
		if math.IsNaN(p.Median) {
			continue
		}
		start := float64(c.Base)/1e9 + firstStart(c)
		from, to = min(from, start), max(to, start+p.Median)
		if p.Excluded == "" {
			g.Useful += p.Median
		} else {
			g.Excluded[p.Excluded] += p.Median
		}
	}
	if g.Elapsed = to - from; !(g.Elapsed > 0) {
		g.Elapsed = 0
		return g
	}
	g.Between = g.Elapsed - g.Useful
	for _, sec := range g.Excluded {
		g.Between -= sec
	}
	g.Between = max(g.Between, 0)
	g.Share = min(g.Useful/g.Elapsed, 1)
	return g
}

// firstStart is the start of the first process that is in the column, in seconds
// after its base.
func firstStart(c *store.Column) float64 {
	for p := range c.Len() {
		if cell, ok := c.Cell(p); ok {
			return float64(cell.Start)
		}
	}
	return 0
}
