package analysis

import (
	"math"
	"runtime"
	"slices"
	"sync"

	"github.com/beamline-hpc/lensview/internal/store"
)

// frame is the cells of the compared steps: by step and member, in that order.
// Seconds; NaN where a rank sent no such step.
type frame struct {
	members int
	steps   int
	level   []store.ComputeLevel // finest of each member
	compute []float32            // of the finest spans; 0 where there are none
	wait    []float32
	step    []float32
	start   []float32 // sender clock, after the step's first
	meet    []float32 // start of the step's last wait, on the same clock
	micro   []uint16
	present []int // steps of each member
}

// Bounds of what is compared.
const (
	fewestSteps = 3  // below, nothing is said
	columnsBack = 64 // columns in which the usual number of ranks of a step is looked for
)

// frame reads the last clean steps, once.
func (v *view) frame() *frame {
	if v.framed != nil {
		return v.framed
	}
	n := v.opt.Steps
	if n <= 0 {
		n = DefaultSteps
	}
	columns := v.cleanColumns(n)
	f := newFrame(len(columns), len(v.members))
	inParts(len(v.members), func(from, to int) {
		for s, group := range columns {
			for _, c := range group {
				f.read(s, c, group[0].Base, v.members, from, to)
			}
		}
	})
	v.framed = f
	return f
}

func newFrame(steps, members int) *frame {
	n := steps * members
	f := &frame{
		members: members, steps: steps, level: make([]store.ComputeLevel, members), present: make([]int, members),
		micro: make([]uint16, n),
	}
	all := make([]float32, 5*n)
	for i := range all {
		all[i] = float32(math.NaN())
	}
	f.compute, f.wait, f.step, f.start, f.meet = all[:n], all[n:2*n], all[2*n:3*n], all[3*n:4*n], all[4*n:]
	return f
}

// manyParts is from how many things on a loop over them is shared by the
// processors: at 16,384 ranks it is the difference between a smooth screen and
// one that stutters.
const manyParts = 512

// inParts calls f with parts of 0 … n that cover it, side by side where there are
// many.
func inParts(n int, f func(from, to int)) {
	parts := min(runtime.GOMAXPROCS(0), 4)
	if n < manyParts || parts < 2 {
		f(0, n)
		return
	}
	var wait sync.WaitGroup
	for i := range parts {
		wait.Go(func() { f(i*n/parts, (i+1)*n/parts) })
	}
	wait.Wait()
}

// read takes the cells of a column in, those of the members from … to. Starts are
// relative to base, so that columns of several attempts fit together.
func (f *frame) read(s int, c *store.Column, base int64, members []member, from, to int) {
	shift := float32(float64(c.Base-base) / 1e9)
	for m := from; m < to; m++ {
		cell, ok := c.Cell(members[m].process)
		if !ok || math.IsNaN(float64(cell.Step)) {
			continue
		}
		at := s*f.members + m
		f.compute[at], f.wait[at], f.step[at], f.start[at] = cell.Compute, cell.Wait, cell.Step, cell.Start+shift
		f.micro[at] = cell.Microbatches
		if sec, ok := cell.LastWait(); ok {
			f.meet[at] = f.start[at] + float32(sec)
		}
		f.level[m] = max(f.level[m], cell.Level)
		f.present[m]++
	}
}

func (f *frame) stepsOf(m int) int { return f.present[m] }

// cleanColumns is the last n clean steps, oldest first; the columns of one
// iteration in several attempts go together. Steps that most ranks have not sent
// yet are left out.
func (v *view) cleanColumns(n int) [][]*store.Column {
	clean := v.candidates()
	for _, part := range []float64{.9, .5} {
		if out := complete(clean, n, part); len(out) >= fewestSteps || part == .5 {
			return out
		}
	}
	return nil
}

// candidates is the clean iterations of the members' attempts, newest first.
func (v *view) candidates() [][]*store.Column {
	attempts := map[int]bool{}
	for _, m := range v.members {
		attempts[v.run.Processes[m.process].Attempt] = true
	}
	ordinary := v.gcIsOrdinary()
	byIteration := map[int64]int{}
	var out [][]*store.Column
	for i := len(v.run.Columns) - 1; i >= 0; i-- {
		c := v.run.Columns[i]
		if !attempts[c.Attempt] || !v.within(c.Iteration) {
			continue
		}
		if len(out) >= v.enough() && len(attempts) == 1 {
			break
		}
		if firstReason(c.Reasons(), ordinary) != "" {
			continue
		}
		at, ok := byIteration[c.Iteration]
		if !ok {
			at = len(out)
			byIteration[c.Iteration] = at
			out = append(out, nil)
		}
		out[at] = append(out[at], c)
	}
	if len(attempts) > 1 {
		slices.SortStableFunc(out, func(a, b []*store.Column) int { return int(b[0].Iteration - a[0].Iteration) })
	}
	return out
}

// enough is how many candidates are looked at.
func (v *view) enough() int { return 2*max(v.opt.Steps, DefaultSteps) + columnsBack }

func (v *view) within(iteration int64) bool {
	o := v.opt
	return o.First == 0 && o.Last == 0 || o.First <= iteration && iteration <= o.Last
}

// gcIsOrdinary reports whether at least half of the last iterations have a
// garbage collection, so that it is a part of a usual step.
func (v *view) gcIsOrdinary() bool {
	cols := v.run.Columns
	cols = cols[max(0, len(cols)-v.enough()):]
	n := 0
	for _, c := range cols {
		if c.Collected() {
			n++
		}
	}
	return 2*n >= len(cols)
}

// complete is the newest n of the steps that enough ranks finished, oldest first.
func complete(clean [][]*store.Column, n int, part float64) (out [][]*store.Column) {
	most := 0
	for _, group := range clean[:min(len(clean), columnsBack)] {
		most = max(most, finishedIn(group))
	}
	for _, group := range clean {
		if len(out) < n && float64(finishedIn(group)) >= part*float64(most) {
			out = append(out, group)
		}
	}
	slices.Reverse(out)
	return out
}

func finishedIn(group []*store.Column) (n int) {
	for _, c := range group {
		n += c.Seen
	}
	return n
}
