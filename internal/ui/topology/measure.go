package topologyscreen

import (
	"math"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/screen"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
)

// question is what the grid depends on besides the snapshot's version.
type question struct {
	run, filter, role string
	measure           analysis.Measure
}

// answer is the grid of one snapshot.
type answer struct {
	question
	in      *store.Run // nil without a run
	grid    analysis.Grid
	workers []analysis.GridGroup // the ranks of a stage and lane together, by pp, then dp
	scale   scale
	steps   int  // the most clean steps behind any value
	derived bool // some rank's place was computed, not sent
}

// measure lays the ranks of the run in focus out. Not for the event loop.
func measure(d screen.Data, q question) answer {
	a := answer{question: q, in: d.Snapshot.Run(q.run)}
	if a.in == nil {
		return a
	}
	s := analysis.Scope{Run: a.in}
	if d.Filter != nil && !d.Filter.Empty() {
		s.Filter = d.Filter.Bind(a.in)
	}
	a.grid = analysis.Topology(d.Snapshot, s, analysis.GridOptions{Role: q.role, AnyRole: q.role == "", Measure: q.measure})
	a.workers = a.grid.Fold(run.DimTP, run.DimCP)
	a.scale = newScale(a.grid.Low, a.grid.High)
	for i := range a.grid.Cells {
		a.steps = max(a.steps, a.grid.Cells[i].Steps)
		a.derived = a.derived || derived(a.in, &a.grid.Cells[i], a.grid.Sizes)
	}
	return a
}

// derived reports that a cell's place follows from ranks and sizes. Nobody sends
// where there is only one place.
func derived(r *store.Run, c *analysis.GridCell, z run.Sizes) bool {
	if c.Process < 0 {
		return true
	}
	sent := r.Processes[c.Process].ID.Coord
	for _, d := range []run.Dim{run.DimTP, run.DimPP, run.DimDP, run.DimCP} {
		if z.Of(d) > 1 && sent.Of(d) < 0 {
			return true
		}
	}
	return false
}

// scale is what the shades stand for, in seconds.
type scale struct {
	low, high float64 // NaN when there is no value
	unit      draw.Unit
	width     int // cells of the widest number
}

// leastSpread is the smallest share by which the scale's ends differ: a grid that
// shows noise in all shades looks like a finding.
const leastSpread = 0.1

func newScale(low, high float64) scale {
	s := scale{low: low, high: high, unit: draw.UnitFor(0)}
	if math.IsNaN(low) {
		s.width = 1
		return s
	}
	s.high = math.Max(high, low*(1+leastSpread))
	s.unit = draw.UnitFor(s.high * 1e9)
	s.width = max(draw.Width(s.number(s.low)), draw.Width(s.number(s.high)))
	return s
}

// number is seconds in the scale's unit, without it.
func (s scale) number(sec float64) string {
	text := s.unit.Format(sec * 1e9)
	if text == draw.Missing {
		return text
	}
	return text[:len(text)-len(s.unit.Name)]
}

// text is seconds with the unit.
func (s scale) text(sec float64) string { return s.unit.Format(sec * 1e9) }

// level is the shade of a value; ok is false for NaN.
func (s scale) level(sec float64) (int, bool) { return theme.Level(sec, s.low, s.high) }

// bound is where a level begins.
func (s scale) bound(level int) float64 {
	return s.low + (s.high-s.low)*float64(level)/theme.Levels
}
