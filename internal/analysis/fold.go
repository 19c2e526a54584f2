package analysis

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/run"
)

// GridGroup is cells of a grid as one: a worker, a lane, a stage.
type GridGroup struct {
	Coord        run.Coord // run.Unknown along the dimensions in which the cells differ
	Cells        []int     // places in Grid.Cells, in their order
	Seen         int       // ranks of which something was received
	Shown        int       // those of them that the filter lets through
	Value        float64   // median over the ranks shown, in seconds; NaN for none
	Low, High    float64   // smallest and largest of them
	Iteration    int64     // of the rank that is furthest behind
	HasIteration bool
	Age          float64 // seconds since the last iteration of the rank that was silent for longest, NaN when unknown
	Truncated    uint64
}

// Fold puts cells together that differ along the given dimensions only, in the
// order of the grid.
func (g *Grid) Fold(along ...run.Dim) []GridGroup {
	at := map[run.Coord]int{}
	var out []GridGroup
	for i := range g.Cells {
		key := folded(g.Cells[i].Coord, along)
		k, ok := at[key]
		if !ok {
			k = len(out)
			at[key] = k
			out = append(out, GridGroup{Coord: key})
		}
		out[k].Cells = append(out[k].Cells, i)
	}
	for i := range out {
		g.describe(&out[i])
	}
	return out
}

// folded is a coordinate without the given dimensions; experts add no places.
func folded(c run.Coord, along []run.Dim) run.Coord {
	c.EP, c.Derived = run.Unknown, false
	for _, d := range along {
		switch d {
		case run.DimTP:
			c.TP = run.Unknown
		case run.DimCP:
			c.CP = run.Unknown
		case run.DimDP:
			c.DP = run.Unknown
		case run.DimPP:
			c.PP = run.Unknown
		}
	}
	return c
}

func (g *Grid) describe(o *GridGroup) {
	o.Low, o.High, o.Age = math.NaN(), math.NaN(), math.NaN()
	for _, i := range o.Cells {
		c := &g.Cells[i]
		if c.Process < 0 {
			continue
		}
		if o.Seen++; !c.Shown {
			continue
		}
		o.Shown++
		o.Truncated += c.Truncated
		if c.HasIteration && (!o.HasIteration || c.Iteration < o.Iteration) {
			o.Iteration, o.HasIteration = c.Iteration, true
		}
		if !math.IsNaN(c.Value) {
			o.Low, o.High = lower(o.Low, c.Value), higher(o.High, c.Value)
		}
		if !math.IsNaN(c.Age) {
			o.Age = higher(o.Age, c.Age)
		}
	}
	o.Value = g.MedianOf(o.Cells)
}

// MedianOf is the median of the measure over those of the cells that are shown
// and have one, in seconds; NaN for none.
func (g *Grid) MedianOf(cells []int) float64 {
	v := make([]float64, 0, len(cells))
	for _, i := range cells {
		if g.Cells[i].Shown {
			v = known(v, g.Cells[i].Value)
		}
	}
	return median(v)
}
