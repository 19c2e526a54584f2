package analysis

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// The rules of the step series (a spike is beyond 3.5 robust standard deviations:
// 1.4826·MAD estimates one for normal noise).
const (
	rollingSteps = 50
	rollingLeast = 5 // below, no point is judged
	spikeSigmas  = 3.5
	madToSigma   = 1.4826
)

// StepPoint is one iteration of one attempt over the ranks.
type StepPoint struct {
	Attempt       int
	Iteration     int64
	Median        float64 // seconds of the median rank, NaN when no rank has a step that can be told
	Slowest       float64 // seconds of the slowest rank, NaN likewise
	SlowestRank   int     // run.Unknown when not sent
	Seen          int     // ranks that finished it
	Rolling       float64 // median of Median over the last 50 clean iterations, this one included; NaN before the first
	Excluded      string  // why it is in no step statistic, as Iterations names it; "" for a clean one
	Spike         bool    // beyond med + 3.5·1.4826·MAD of those 50 (up to 50 after an upward shift: of these), and more than Thresholds.SpikeRatio times the median
	Irregular     bool    // at least Thresholds.IrregularRatio times the median
	SlowestOddity bool    // the slowest rank, not the median one, is beyond the same limit
}

// Shift is a change of the step time that lasted.
type Shift struct {
	Attempt   int
	Iteration int64   // the first of the iterations after it
	Before    float64 // median of the 20 clean iterations before, seconds
	After     float64 // median of the 20 after
	Change    float64 // After/Before − 1
	P         float64 // of the rank test
}

// StepSeries is how the step time of a run went, over the iterations that are
// kept.
type StepSeries struct {
	Points    []StepPoint // by attempt, then iteration
	Clean     int         // points that are not excluded
	Spikes    int
	Irregular int
	Shifts    []Shift // oldest first

	IrregularRatio float64 // from which a step is irregular
}

// Steps is the step series of the last n iterations that are kept of every
// attempt (0 is all), over the ranks of the main role that the filter lets
// through. Iterations that are excluded from step statistics keep their figures,
// with the reason, and are judged by none of the rules.
func Steps(sc Scope, n int) StepSeries { return NewStepReader().Read(sc, n) }

// StepReader makes step series of snapshots that follow each other: columns that
// did not change are not read again. It is for one goroutine and one filter.
type StepReader struct {
	known map[*store.Column]columnFigures
}

type columnFigures struct {
	median, slowest float64
	slowestRank     int
	seen            int
}

// NewStepReader is a reader that has read nothing.
func NewStepReader() *StepReader { return &StepReader{known: map[*store.Column]columnFigures{}} }

// Read is the step series of a run as it is now; see Steps.
func (sr *StepReader) Read(sc Scope, n int) StepSeries {
	if n <= 0 {
		n = len(sc.Run.Columns)
	}
	cols := lastColumns(sc.Run, n)
	why := exclusions(sc.Run)
	figures := sr.figures(sc, cols)
	s := StepSeries{IrregularRatio: sc.Run.Thresholds.Filled().IrregularRatio}
	for i, c := range cols {
		f := figures[i]
		p := StepPoint{
			Attempt: c.Attempt, Iteration: c.Iteration, Median: f.median, Slowest: f.slowest,
			SlowestRank: f.slowestRank, Seen: f.seen, Rolling: math.NaN(), Excluded: why(c),
		}
		s.Points = append(s.Points, p)
	}
	s.judge(sc.Run.Thresholds.Filled())
	return s
}

// Exclusions says why a column is in no step statistic, "" for a clean one, as
// Steps does.
func Exclusions(r *store.Run) func(*store.Column) string { return exclusions(r) }

// exclusions says why an iteration is in no step statistic. Garbage collections
// exclude only while fewer than half of the iterations have one.
func exclusions(r *store.Run) func(*store.Column) string {
	collected := r.Seen.Gone.Of(store.HasGC)
	for _, c := range r.Columns {
		if c.Reasons()&store.HasGC != 0 {
			collected++
		}
	}
	ordinary := 2*collected >= r.Seen.Seen
	return func(c *store.Column) string { return firstReason(c.Reasons(), ordinary) }
}

// figures reads the columns that are not known yet, and forgets those that are
// gone.
func (sr *StepReader) figures(sc Scope, cols []*store.Column) []columnFigures {
	ranks := rankProcesses(sc)
	out := make([]columnFigures, len(cols))
	var missing []int
	for i, c := range cols {
		f, ok := sr.known[c]
		if out[i] = f; !ok {
			missing = append(missing, i)
		}
	}
	inParallel(len(missing), func(k int) { i := missing[k]; out[i] = readColumn(sc.Run, cols[i], ranks) })
	clear(sr.known)
	for i, c := range cols {
		sr.known[c] = out[i]
	}
	return out
}

// rankProcesses lists the processes that count: those of the main role that
// stand on the grid, of every attempt.
func rankProcesses(sc Scope) []int {
	role := MainRole(sc.Run).Role
	var out []int
	for i, p := range sc.Run.Processes {
		if onGrid(p) && p.ID.Role == role && sc.process(i) {
			out = append(out, i)
		}
	}
	if len(out) == 0 { // no ranks: services are compared as they are
		for i := range sc.Run.Processes {
			if sc.process(i) {
				out = append(out, i)
			}
		}
	}
	return out
}

func readColumn(r *store.Run, c *store.Column, processes []int) columnFigures {
	f := columnFigures{slowest: math.NaN(), slowestRank: run.Unknown}
	v := make([]float64, 0, len(processes))
	for _, p := range processes {
		cell, ok := c.Cell(p)
		if !ok {
			continue
		}
		f.seen++
		if sec := float64(cell.Step); !math.IsNaN(sec) {
			v = append(v, sec)
			if !(sec <= f.slowest) {
				f.slowest, f.slowestRank = sec, r.Processes[p].ID.Rank
			}
		}
	}
	f.median = median(v)
	return f
}
