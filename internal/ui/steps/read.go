package stepsscreen

import (
	"cmp"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
)

// question is what the map depends on besides the snapshot's version and the part
// that is on screen.
type question struct {
	run, filter string
	measure     measure
}

// spot is an iteration of an attempt.
type spot struct {
	attempt   int
	iteration int64
}

func (s spot) compare(o spot) int {
	return cmp.Or(cmp.Compare(s.attempt, o.attempt), cmp.Compare(s.iteration, o.iteration))
}

// answer is the map of one snapshot.
type answer struct {
	question
	in     *store.Run // nil without a run
	rows   []row
	points []analysis.StepPoint // one for each iteration that is kept, newest last
	cols   []*column            // of the same iterations, nil where not read
	scale  scale
}

// find is the place of an iteration, else of the next newer one.
func (a *answer) find(s spot) int {
	i, _ := slices.BinarySearchFunc(a.points, s, func(p analysis.StepPoint, s spot) int { return spotOf(&p).compare(s) })
	return min(i, len(a.points)-1)
}

func spotOf(p *analysis.StepPoint) spot { return spot{p.Attempt, p.Iteration} }

// column is what every row has in an iteration. It never changes.
type column struct {
	values  []float32 // by row: seconds, or the slowdown; NaN: see states
	states  []state
	medians map[int]float32 // by stage, of what values are made of, in seconds
	members map[int]int     // by stage: how many ranks that median is over
	out     bool            // in no step statistic
}

// state is what a cell is.
type state uint8

const (
	measured state = iota
	notYet         // neither this iteration nor a later one came from the rank
	noValue        // the step came, without what is measured
	alone          // no other rank of its stage to compare it with
	leftOut        // in no step statistic
	missing        // later ones came, this one did not
)

// reader keeps columns that did not change. Only the job touches it.
type reader struct {
	series *analysis.StepReader
	of     question
	rows   int
	known  map[*store.Column]*column
}

func newReader() *reader { return &reader{known: map[*store.Column]*column{}} }

// margin is how many columns are read on either side of those on screen.
const margin = 64

// mostCells is how many cells are read besides those on screen at most.
const mostCells = 1 << 21

// read answers for the columns that end with an iteration. Not for the event loop.
func (r *reader) read(d screen.Data, q question, end spot, cols int) answer {
	a := answer{question: q, in: d.Snapshot.Run(q.run)}
	if a.in == nil {
		return a
	}
	sc := analysis.Scope{Run: a.in}
	if d.Filter != nil && !d.Filter.Empty() {
		sc.Filter = d.Filter.Bind(a.in)
	}
	a.rows = rowsOf(sc)
	r.begin(q, len(a.in.Processes))
	a.points = r.series.Read(sc, 0).Points
	a.cols = make([]*column, len(a.points))
	if len(a.points) > 0 {
		r.columns(&a, end, cols)
	}
	a.scale = newScale(q.measure, a.cols)
	return a
}

// begin forgets what belongs to another question, or to fewer processes.
func (r *reader) begin(q question, processes int) {
	if r.series == nil || r.of.run != q.run || r.of.filter != q.filter || r.rows != processes {
		r.series = analysis.NewStepReader()
	}
	if r.of != q || r.rows != processes {
		clear(r.known)
	}
	r.of, r.rows = q, processes
}

// columns reads those around the window, the known ones from memory.
func (r *reader) columns(a *answer, end spot, cols int) {
	to := min(a.find(end)+1+margin, len(a.points))
	from := max(0, to-cols-2*margin)
	if spare := mostCells / max(1, len(a.rows)); to-from > cols+spare {
		to = min(a.find(end)+1+spare/4, len(a.points))
		from = max(0, to-cols-spare/2)
	}
	known := make(map[*store.Column]*column, to-from)
	for i := from; i < to; i++ {
		c := r.known[a.in.Columns[i]]
		if c == nil || c.out != (a.points[i].Excluded != "") {
			c = readColumn(a, i)
		}
		a.cols[i], known[a.in.Columns[i]] = c, c
	}
	r.known = known
}

// readColumn reads an iteration of all rows.
func readColumn(a *answer, i int) *column {
	c, n := a.in.Columns[i], len(a.rows)
	out := &column{values: make([]float32, n), states: make([]state, n), medians: map[int]float32{}, members: map[int]int{}, out: a.points[i].Excluded != ""}
	byStage := map[int][]float32{}
	for k := range a.rows {
		r := &a.rows[k]
		cell, _, ok := r.cell(c)
		if !ok { // whether it may still come is another question: see stateOf
			out.values[k], out.states[k] = float32(math.NaN()), notYet
			continue
		}
		v := a.measure.seconds(&cell)
		switch {
		case out.out:
			out.states[k] = leftOut
		case math.IsNaN(v):
			out.states[k] = noValue
		default:
			out.states[k] = measured
			byStage[r.stage] = append(byStage[r.stage], float32(v))
		}
		out.values[k] = float32(v)
	}
	for stage, v := range byStage {
		out.medians[stage], out.members[stage] = middle(v), len(v)
	}
	if a.measure == slowdown {
		out.divide(a.rows)
	}
	return out
}

// stateOf is the state of row k in iteration i, which was read. What is not there
// may still come, or was passed over.
func (a *answer) stateOf(k, i int) state {
	s := a.cols[i].states[k]
	if s == notYet && a.rows[k].last.compare(spotOf(&a.points[i])) > 0 {
		return missing
	}
	return s
}

// divide makes seconds ratios to the median of the rank's stage. What is left out
// keeps none: there is no median to compare it with.
func (c *column) divide(rows []row) {
	for k := range c.values {
		stage := rows[k].stage
		if c.states[k] == measured && c.members[stage] < 2 {
			c.states[k] = alone
		}
		if c.states[k] != measured {
			c.values[k] = float32(math.NaN())
			continue
		}
		c.values[k] /= c.medians[stage]
	}
}

// middle is the median; it reorders v.
func middle(v []float32) float32 {
	slices.Sort(v)
	n := len(v)
	return (v[(n-1)/2] + v[n/2]) / 2
}
