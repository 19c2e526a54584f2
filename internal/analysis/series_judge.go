package analysis

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/beamline-hpc/lensview/internal/run"
)

// judge applies the rules to the clean points, attempt by attempt.
func (s *StepSeries) judge(limits run.Thresholds) {
	for from := 0; from < len(s.Points); {
		to := from
		for to < len(s.Points) && s.Points[to].Attempt == s.Points[from].Attempt {
			to++
		}
		s.judgeAttempt(s.Points[from:to], &limits)
		from = to
	}
}

func (s *StepSeries) judgeAttempt(points []StepPoint, limits *run.Thresholds) {
	var window, clean []float64
	var at []int // places of the clean points
	for i := range points {
		p := &points[i]
		if p.Excluded == "" && !math.IsNaN(p.Median) {
			clean, at = append(clean, p.Median), append(at, i)
			window = clean[max(0, len(clean)-rollingSteps):]
			s.Clean++
			s.mark(p, window, limits)
		}
		p.Rolling = medianOf(window)
	}
	found := shifts(clean, limits.Shift)
	for i, x := range found {
		x.Attempt, x.Iteration = points[at[x.at]].Attempt, points[at[x.at]].Iteration
		s.Shifts = append(s.Shifts, x.Shift)
		end := min(x.at+rollingSteps, len(clean))
		if i+1 < len(found) {
			end = min(end, found[i+1].at)
		}
		if x.After > x.Before {
			s.judgeAgain(points, at[x.at:end], clean[x.at:end], limits)
		}
	}
}

// judgeAgain judges the first points after an upward shift by the level that they
// stay at, and not by the one that they left.
func (s *StepSeries) judgeAgain(points []StepPoint, at []int, side []float64, limits *run.Thresholds) {
	for _, i := range at {
		if points[i].Spike {
			s.Spikes--
		}
		if points[i].Irregular {
			s.Irregular--
		}
		s.mark(&points[i], side, limits)
	}
}

// mark judges a point by the window that ends with it.
func (s *StepSeries) mark(p *StepPoint, window []float64, limits *run.Thresholds) {
	if len(window) < rollingLeast {
		return
	}
	med := medianOf(window)
	limit := max(med+spikeSigmas*madToSigma*mad(window, med), limits.SpikeRatio*med)
	p.Spike = p.Median > limit
	p.Irregular = p.Median >= limits.IrregularRatio*med
	p.SlowestOddity = !p.Spike && p.Slowest > limit
	if p.Spike {
		s.Spikes++
	}
	if p.Irregular {
		s.Irregular++
	}
}

// medianOf is the median without reordering v.
func medianOf(v []float64) float64 { return median(slices.Clone(v)) }

// mad is the median absolute deviation from med.
func mad(v []float64, med float64) float64 {
	d := make([]float64, len(v))
	for i, x := range v {
		d[i] = math.Abs(x - med)
	}
	return median(d)
}

// inParallel calls f for 0 … n−1 on all processors.
func inParallel(n int, f func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	if workers < 2 {
		for i := range n {
			f(i)
		}
		return
	}
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wg.Wait()
}
