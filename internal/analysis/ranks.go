package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Rank is one row of the table of ranks: a process.
type Rank struct {
	Process      int // in the run
	Rank         int // run.Unknown when not sent
	Role         string
	Host         string
	Coord        run.Coord
	Attempt      int
	Grid         bool // stands on the rank grid
	Sibling      bool // shares role and rank with another process
	Iteration    int64
	HasIteration bool
	Age          float64 // seconds since it finished its last iteration, NaN before the first
	Quiet        float64 // seconds since its last anything, NaN when unknown
	Steps        int     // clean steps in the window
	StepP50      float64 // seconds, nearest rank over the window; NaN without steps
	StepP95      float64
	Compute      float64 // median seconds a step; NaN where nobody spanned it
	Wait         float64
	Spans        uint64
	Truncated    uint64
	Errors       uint64
}

// Few reports that StepP95 comes from fewer than 20 steps.
func (r Rank) Few() bool { return r.Steps < fewForP95 }

// Ranks lists the processes that the filter lets through: by role, rank, attempt
// and host. Step statistics are over the last window clean steps of each (0 is
// DefaultSteps), which Topology uses too.
func Ranks(s *store.Snapshot, sc Scope, window int) []Rank {
	c := newCells(sc.Run, window)
	var out []Rank
	for i, p := range sc.Run.Processes {
		if sc.process(i) {
			out = append(out, rankRow(s, p, c, i))
		}
	}
	slices.SortStableFunc(out, compareRanks)
	return out
}

func compareRanks(a, b Rank) int {
	return cmp.Or(
		cmp.Compare(a.Role, b.Role), cmp.Compare(unknownLast(a.Rank), unknownLast(b.Rank)),
		cmp.Compare(a.Attempt, b.Attempt), cmp.Compare(a.Host, b.Host), cmp.Compare(a.Process, b.Process),
	)
}

func unknownLast(n int) uint { return uint(n) } // −1 is the largest

func rankRow(s *store.Snapshot, p *store.Process, c *cells, i int) Rank {
	r := Rank{
		Process: i, Rank: p.ID.Rank, Role: p.ID.Role, Host: p.ID.Host, Coord: p.Coord, Attempt: p.Attempt,
		Grid: p.Grid, Sibling: p.Sibling, Iteration: p.Iteration, HasIteration: p.HasIteration,
		Age: stepAge(s, p), Quiet: age(s, p.Last), Steps: len(c.byProc[i]),
		Compute: c.median(i, ComputeTime), Wait: c.median(i, WaitTime),
		Spans: p.Spans, Truncated: p.Truncated, Errors: p.Errors,
		StepP50: math.NaN(), StepP95: math.NaN(),
	}
	if v := c.values(i, StepTime); len(v) > 0 {
		pc := selectPercentiles(v)
		r.StepP50, r.StepP95 = pc.p50, pc.p95
	}
	return r
}

// age is the seconds since a time of the snapshot's clock, NaN when that is not
// known.
func age(s *store.Snapshot, at int64) float64 {
	if at == 0 || s.Now == 0 {
		return math.NaN()
	}
	return float64(max(s.Now-at, 0)) / 1e9
}

// stepAge is the age of a rank wherever it is shown: the seconds since it finished
// its last iteration, NaN before the first.
func stepAge(s *store.Snapshot, p *store.Process) float64 {
	if !p.HasIteration {
		return math.NaN()
	}
	return age(s, p.IterationAt)
}

// RankGroup is the ranks that share a value, with figures over them.
type RankGroup struct {
	By        string
	Value     string
	Known     bool // false: it was not sent
	Ranks     []Rank
	StepP50   float64 // median over the ranks
	Slowest   float64 // largest StepP50
	Compute   float64 // median over the ranks
	Wait      float64
	Behind    int64 // iterations between the first and the last rank
	Truncated uint64
	Errors    uint64
}

// GroupRanks groups rows by a dimension (see Dimensions; not name, phase or
// class), which is usually host, tp, pp, dp or role.
func GroupRanks(r *store.Run, rows []Rank, by string) []RankGroup {
	d := newDimension(by)
	at := map[label]int{}
	var labels []label
	var out []RankGroup
	for _, row := range rows {
		l := processLabelOf(d, r, r.Processes[row.Process])
		i, ok := at[l]
		if !ok {
			i = len(out)
			at[l] = i
			labels = append(labels, l)
			out = append(out, RankGroup{By: by, Value: l.text, Known: l.known})
		}
		out[i].Ranks = append(out[i].Ranks, row)
	}
	order := make([]int, len(out))
	for i := range order {
		order[i] = i
		out[i].measure()
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if labels[a].less(labels[b]) {
			return -1
		}
		return 1
	})
	sorted := make([]RankGroup, len(out))
	for i, k := range order {
		sorted[i] = out[k]
	}
	return sorted
}

func processLabelOf(d *dimension, r *store.Run, p *store.Process) label {
	switch {
	case d.process != nil:
		return d.process(r, p)
	case d.ofName != nil:
		return label{}
	}
	return d.resource(p)
}

func (g *RankGroup) measure() {
	var steps, compute, wait []float64
	first, last, started := int64(math.MaxInt64), int64(math.MinInt64), false
	g.Slowest = math.NaN()
	for _, r := range g.Ranks {
		steps, compute, wait = known(steps, r.StepP50), known(compute, r.Compute), known(wait, r.Wait)
		if r.HasIteration {
			first, last, started = min(first, r.Iteration), max(last, r.Iteration), true
		}
		g.Truncated += r.Truncated
		g.Errors += r.Errors
	}
	if len(steps) > 0 {
		g.Slowest = slices.Max(steps)
	}
	if started {
		g.Behind = last - first
	}
	g.StepP50, g.Compute, g.Wait = median(steps), median(compute), median(wait)
}

// known appends v unless it is NaN.
func known(list []float64, v float64) []float64 {
	if math.IsNaN(v) {
		return list
	}
	return append(list, v)
}
