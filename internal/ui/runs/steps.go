package runsscreen

import (
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/store"
)

// sparkSteps is how many of the newest iterations the sparkline and the median
// are of.
const sparkSteps = 24

// steps is the newest iterations of a run: the median over the ranks of each,
// in seconds, NaN where no rank has a clean step; and the median of these.
type steps struct {
	series []float64
	p50    float64
}

const excluded = store.FirstOfAttempt | store.HasCheckpoint | store.HasEvaluate |
	store.HasGraphCapture | store.Skipped | store.StepTruncated

func stepsOf(r *store.Run) steps {
	out := steps{p50: math.NaN()}
	var buffer, clean []float64
	for _, c := range r.Columns[max(0, len(r.Columns)-sparkSteps):] {
		v := medianStep(c, len(r.Processes), &buffer)
		out.series = append(out.series, v)
		if !math.IsNaN(v) {
			clean = append(clean, v)
		}
	}
	if len(clean) > 0 {
		out.p50 = median(clean)
	}
	return out
}

// medianStep is the median step of an iteration over its ranks.
func medianStep(c *store.Column, processes int, buffer *[]float64) float64 {
	values := (*buffer)[:0]
	for p := range min(processes, c.Len()) {
		cell, ok := c.Cell(p)
		if ok && cell.Flags&excluded == 0 && !math.IsNaN(float64(cell.Step)) {
			values = append(values, float64(cell.Step))
		}
	}
	*buffer = values
	if len(values) == 0 {
		return math.NaN()
	}
	return median(values)
}

// median is the nearest rank of values, which it sorts.
func median(values []float64) float64 {
	slices.Sort(values)
	return values[(len(values)-1)/2]
}
