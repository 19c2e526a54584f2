package analysis

import (
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/store"
)

// Measure is what a table or grid of ranks shows: a median over the last steps.
type Measure uint8

// The measures.
const (
	StepTime Measure = iota
	ComputeTime
	WaitTime
	IOTime
	OtherTime
)

// Measures lists them in the order in which a screen offers them.
func Measures() []Measure { return []Measure{StepTime, ComputeTime, WaitTime, IOTime, OtherTime} }

// String is the word on screen.
func (m Measure) String() string {
	return [...]string{"step", "compute", "wait", "io", "other"}[min(m, OtherTime)]
}

// of reads the measure from a cell, in seconds.
func (m Measure) of(c store.Cell) float64 {
	return float64([...]float32{c.Step, c.Compute, c.Wait, c.IO, c.Other}[min(m, OtherTime)])
}

// excluded are the reasons for which a cell is in no step statistic.
// ComputeIsUmbrella is none, and a garbage collection only decides for the
// iteration as a whole (see Iterations).
const excluded = store.FirstOfAttempt | store.HasCheckpoint | store.HasEvaluate |
	store.HasGraphCapture | store.Skipped | store.StepTruncated

// DefaultSteps is over how many of the last iterations medians are taken.
const DefaultSteps = 20

// cells are the last clean cells of every process. Whatever shows figures of
// ranks over their last steps takes them from here, so that two screens never
// disagree on a rank.
type cells struct {
	window int            // how many at most
	byProc [][]store.Cell // newest last
}

// columnsPerClean is in how many columns for each one wanted clean cells are looked for.
const columnsPerClean = 5

// newCells reads the last window clean cells of each process: cells that are
// excluded from step statistics are left out, and others looked for in their
// place.
func newCells(r *store.Run, window int) *cells {
	if window <= 0 {
		window = DefaultSteps
	}
	c := &cells{window: window, byProc: make([][]store.Cell, len(r.Processes))}
	left, attempt, full := 0, -1, 0
	for i := len(r.Columns) - 1; i >= 0 && full < len(c.byProc); i-- {
		col := r.Columns[i]
		if col.Attempt != attempt {
			left, attempt = columnsPerClean*window, col.Attempt
		}
		if left > 0 {
			full += c.take(col)
			left--
		}
	}
	for _, v := range c.byProc {
		slices.Reverse(v)
	}
	return c
}

// take adds the clean cells of an older column, and counts the processes that
// have enough now.
func (c *cells) take(col *store.Column) (full int) {
	for p := range min(col.Len(), len(c.byProc)) {
		if len(c.byProc[p]) == c.window {
			continue
		}
		cell, ok := col.Cell(p)
		if !ok || cell.Flags&excluded != 0 || math.IsNaN(float64(cell.Step)) {
			continue
		}
		if c.byProc[p] = append(c.byProc[p], cell); len(c.byProc[p]) == c.window {
			full++
		}
	}
	return full
}

// lastColumns is the last n columns of each attempt, in order.
func lastColumns(r *store.Run, n int) []*store.Column {
	var out []*store.Column
	left, attempt := n, -1
	for i := len(r.Columns) - 1; i >= 0; i-- {
		c := r.Columns[i]
		if c.Attempt != attempt {
			left, attempt = n, c.Attempt
		}
		if left > 0 {
			out = append(out, c)
			left--
		}
	}
	slices.Reverse(out)
	return out
}

// values reads a measure of process p.
func (c *cells) values(p int, m Measure) []float64 {
	out := make([]float64, len(c.byProc[p]))
	for i, cell := range c.byProc[p] {
		out[i] = m.of(cell)
	}
	return out
}

// median is the median of a measure of process p in seconds, NaN for none. A
// class of which no step had a span was not measured, so it has no median.
func (c *cells) median(p int, m Measure) float64 {
	v := c.values(p, m)
	if m != StepTime && !slices.ContainsFunc(v, func(x float64) bool { return x > 0 }) {
		return math.NaN()
	}
	return median(v)
}
