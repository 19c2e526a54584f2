package ranksscreen

import (
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// rank is one process as a row: durations in seconds, NaN where there is none.
type rank struct {
	run                     *store.Run
	process                 *store.Process
	p50, p95, compute, wait float64
	steps                   int  // clean steps the durations are of
	umbrella                bool // compute is forward_backward or coarser
	earlier                 bool // a newer attempt of the same rank is there
}

// window is how many of the newest iterations the durations are of: enough for
// a p95, little enough to answer within a tick at 16,384 ranks.
const window = 128

// excluded is why a cell is no clean step: the reasons of the analyses, without
// a garbage collection, which every run has.
const excluded = store.FirstOfAttempt | store.HasCheckpoint | store.HasEvaluate |
	store.HasGraphCapture | store.Skipped | store.StepTruncated

// measure is all processes of a run that the filter lets through.
func measure(r *store.Run, f *query.Filter) []rank {
	m := f.Bind(r)
	columns := newest(r.Columns)
	last := lastAttempts(r)
	out := make([]rank, 0, len(r.Processes))
	var b buffers
	for i, p := range r.Processes {
		if !m.Process(i) {
			continue
		}
		row := rank{run: r, process: p, earlier: p.Attempt < last[placeOf(p)]}
		b.fill(columns, p)
		row.take(&b)
		out = append(out, row)
	}
	return out
}

// newest is the last columns, by attempt and iteration.
func newest(columns []*store.Column) []*store.Column {
	return columns[max(0, len(columns)-window):]
}

// place is what a newer attempt replaces.
type place struct {
	role string
	rank int
}

func placeOf(p *store.Process) place { return place{p.ID.Role, p.ID.Rank} }

func lastAttempts(r *store.Run) map[place]int {
	last := make(map[place]int, len(r.Processes))
	for _, p := range r.Processes {
		at := placeOf(p)
		if p.ID.Rank != run.Unknown && p.Attempt > last[at] {
			last[at] = p.Attempt
		}
	}
	return last
}

// buffers are reused from process to process.
type buffers struct {
	step, compute, wait []float64
	umbrella            bool
}

func (b *buffers) fill(columns []*store.Column, p *store.Process) {
	b.step, b.compute, b.wait, b.umbrella = b.step[:0], b.compute[:0], b.wait[:0], false
	for _, c := range columns {
		cell, ok := c.Cell(p.Index)
		if !ok || c.Attempt != p.Attempt || cell.Flags&excluded != 0 || math.IsNaN(float64(cell.Step)) {
			continue
		}
		b.step = append(b.step, float64(cell.Step))
		b.compute = append(b.compute, float64(cell.Compute))
		b.wait = append(b.wait, float64(cell.Wait))
		b.umbrella = b.umbrella || cell.Flags&store.ComputeIsUmbrella != 0
	}
}

func (r *rank) take(b *buffers) {
	r.steps, r.umbrella = len(b.step), b.umbrella
	r.p50, r.p95 = quantile(b.step, 0.50), quantile(b.step, 0.95)
	r.compute, r.wait = quantile(b.compute, 0.50), quantile(b.wait, 0.50)
}

// quantile is the nearest rank of values, which it sorts; NaN of none.
func quantile(values []float64, q float64) float64 {
	if len(values) == 0 {
		return math.NaN()
	}
	slices.Sort(values)
	return values[max(0, int(math.Ceil(q*float64(len(values))))-1)]
}
