package report

import (
	"cmp"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/analysis"
)

func breakdown(b analysis.Breakdown) []Part {
	if len(b.Rows) == 0 {
		return nil
	}
	out := []Part{}
	for _, r := range b.Rows {
		out = append(out, Part{Class: r.Class, Share: r.Share, Seconds: r.Seconds})
	}
	return out
}

func goodput(g analysis.Goodput) *Goodput {
	if math.IsNaN(g.Share) {
		return nil
	}
	return &Goodput{Share: g.Share, Useful: g.Useful, Elapsed: g.Elapsed, Excluded: g.Excluded, Between: g.Between}
}

// steps is nil without any step.
func steps(s analysis.StepSeries) *Steps {
	if len(s.Points) == 0 {
		return nil
	}
	out := &Steps{Clean: s.Clean, Spikes: s.Spikes, Irregular: s.Irregular, Shifts: []Shift{}, irregularRatio: s.IrregularRatio}
	var medians, slowest []float64
	for i := len(s.Points) - 1; i >= 0 && len(medians) < analysis.DefaultSteps; i-- {
		if p := s.Points[i]; p.Excluded == "" && !math.IsNaN(p.Median) {
			medians, slowest = append(medians, p.Median), append(slowest, p.Slowest)
		}
	}
	out.P50, out.Slowest = middle(medians), middle(slowest)
	for _, x := range s.Shifts {
		out.Shifts = append(out.Shifts, Shift{Iteration: x.Iteration, Before: x.Before, After: x.After, Change: x.Change})
	}
	return out
}

func middle(v []float64) *float64 {
	if len(v) == 0 {
		return nil
	}
	slices.Sort(v)
	return number((v[(len(v)-1)/2] + v[len(v)/2]) / 2)
}

// mostWorst is how many ranks the report tells of one by one.
const mostWorst = 8

// worstRanks is the ranks that stand out: those whose compute is longest against
// their like, else those whose step is longest.
func (b *builder) worstRanks(d analysis.Diagnosis) []Rank {
	type figures struct{ ratio, score float64 }
	like := map[int]figures{}
	for _, w := range d.Stragglers.Workers {
		for _, p := range w.Processes {
			like[p] = figures{w.BusyRatio, w.Score}
		}
	}
	state := map[int]string{}
	for _, p := range d.Stall.Processes {
		state[p.Process] = string(p.State)
	}
	rows := slices.DeleteFunc(analysis.Ranks(b.snapshot, b.scope, 0), func(r analysis.Rank) bool { return !r.Grid || r.Rank < 0 || r.Steps == 0 })
	slices.SortStableFunc(rows, func(x, y analysis.Rank) int {
		fx, fy := like[x.Process], like[y.Process]
		return cmp.Or(descending(fx.ratio, fy.ratio), descending(x.StepP50, y.StepP50), descending(x.Compute, y.Compute))
	})
	out := []Rank{}
	for _, r := range rows[:min(len(rows), mostWorst)] {
		f, ok := like[r.Process]
		if !ok {
			f = figures{math.NaN(), math.NaN()}
		}
		x := Rank{
			Rank: known(r.Rank), Role: text(r.Role), Host: text(r.Host), Coord: coord(r.Coord), State: cmp.Or(state[r.Process], string(analysis.ProcessOK)),
			StepP50: number(r.StepP50), Compute: number(r.Compute), Wait: number(r.Wait),
			Slowdown: number(f.ratio), Score: number(f.score), Truncated: r.Truncated,
		}
		if r.HasIteration {
			x.Iteration = &r.Iteration
		}
		out = append(out, x)
	}
	return out
}

// descending sorts what is not known last.
func descending(a, b float64) int {
	if math.IsNaN(a) || math.IsNaN(b) {
		return cmp.Compare(boolean(math.IsNaN(a)), boolean(math.IsNaN(b)))
	}
	return cmp.Compare(b, a)
}

func boolean(b bool) int {
	if b {
		return 1
	}
	return 0
}

func quantities(qs []analysis.Quantity) []Quantity {
	out := []Quantity{}
	for _, q := range qs {
		x := Quantity{
			ID: q.ID, Name: q.Name, Unit: q.Unit, Of: q.Over, Reading: q.Read.String(), Global: q.Global,
			Points: q.Finite + q.NotFinite, NotFinite: q.NotFinite, Min: number(q.Min), Max: number(q.Max), Total: number(q.Total),
		}
		for _, p := range q.Line {
			if number(p.Value) == nil {
				continue
			}
			if x.First == nil {
				x.First = number(p.Value)
			}
			x.Last = number(p.Value)
		}
		out = append(out, x)
	}
	return out
}
