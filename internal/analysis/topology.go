package analysis

import (
	"fmt"
	"math"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// GridCell is one place of the grid: a rank, seen or not.
type GridCell struct {
	Coord        run.Coord
	Rank         int     // run.Unknown when no rank can be worked out for the place
	Process      int     // in the run, −1 when nothing was received from it
	Shown        bool    // the filter lets it through
	Value        float64 // the measure in seconds, NaN when unknown
	Steps        int     // clean steps behind Value
	Iteration    int64
	HasIteration bool
	Age          float64 // seconds since it finished its last iteration, NaN before the first
	Truncated    uint64
}

// Grid is the tp × pp × dp grid of one role of a run: Cells by pp, then dp, cp,
// tp. Without sizes there are no cells and Problems says why.
type Grid struct {
	Role     string
	Roles    []string // all roles that have ranks, the one with most first
	Sizes    run.Sizes
	World    int
	Seen     int
	Order    string // the order of ranks from which coordinates derive
	Derived  bool   // coordinates follow from ranks and sizes; they were not sent
	Inferred bool   // so does the context-parallel size
	Measure  Measure
	Steps    int // of how many last clean steps Value is the median, at most
	Cells    []GridCell
	Medians  [run.DimCount][]float64 // by coordinate along a dimension: median over its ranks, NaN for none
	Low      float64                 // smallest and largest Value shown, NaN for none
	High     float64
	Problems []string
}

// GridOptions say what a grid shows.
type GridOptions struct {
	Role    string // "" with AnyRole for the role with most ranks
	AnyRole bool
	Measure Measure
	Steps   int // 0 is DefaultSteps
	Order   run.Order
}

// Topology lays the ranks of a run out along its parallel dimensions. A rank
// stands where its coordinates say, sent or derived; ranks that were not seen
// stand where the order of ranks puts them, as long as those seen agree with it.
func Topology(s *store.Snapshot, sc Scope, opt GridOptions) Grid {
	r := sc.Run
	g := Grid{Measure: opt.Measure, Steps: opt.Steps, Low: math.NaN(), High: math.NaN(), World: r.WorldSize}
	if g.Steps <= 0 {
		g.Steps = DefaultSteps
	}
	ps := g.pick(r, opt)
	g.Problems = problems(r, ps)
	layout, agreed := g.layout(r, ps, opt.Order)
	if !g.makeCells() {
		return g
	}
	if agreed {
		g.placeRanks(layout)
	}
	g.placeProcesses(r, ps)
	c := newCells(r, g.Steps)
	for i := range g.Cells {
		g.fill(s, sc, c, &g.Cells[i])
	}
	g.summarize()
	return g
}

// pick finds the role to show.
func (g *Grid) pick(r *store.Run, opt GridOptions) Presence {
	ps := Presence{World: r.WorldSize}
	for i, p := range Roles(r) {
		g.Roles = append(g.Roles, p.Role)
		if i == 0 || !opt.AnyRole && p.Role == opt.Role {
			ps = p
		}
	}
	g.Role, g.Seen = ps.Role, ps.Seen
	if ps.World != run.Unknown {
		g.World = ps.World
	}
	return ps
}

// maxCells bounds a grid; a larger world is a producer's mistake.
const maxCells = 1 << 20

// makeCells makes an empty cell for every place.
func (g *Grid) makeCells() bool {
	z := g.Sizes
	n := 1
	for _, size := range []int{z.PP, z.DP, z.CP, z.TP} {
		if n *= max(size, 0); n > maxCells {
			g.Problems = append(g.Problems, "the sizes make a grid of more than a million ranks")
			return false
		}
	}
	g.Cells = make([]GridCell, n)
	for i := range g.Cells {
		g.Cells[i] = GridCell{Rank: run.Unknown, Process: -1, Value: math.NaN(), Age: math.NaN()}
		g.Cells[i].Coord = run.Coord{
			TP: i % z.TP, CP: i / z.TP % z.CP, DP: i / (z.TP * z.CP) % z.DP, PP: i / (z.TP * z.CP * z.DP),
			EP: run.Unknown, Derived: true,
		}
	}
	return n > 0
}

// at is the cell of a place, nil outside of the grid.
func (g *Grid) at(c run.Coord) *GridCell {
	z := g.Sizes
	cp := max(c.CP, 0)
	if c.TP < 0 || c.DP < 0 || c.PP < 0 || c.TP >= z.TP || cp >= z.CP || c.DP >= z.DP || c.PP >= z.PP {
		return nil
	}
	return &g.Cells[((c.PP*z.DP+c.DP)*z.CP+cp)*z.TP+c.TP]
}

// placeRanks numbers the places by the order of ranks.
func (g *Grid) placeRanks(l run.Layout) {
	for i := range g.Cells {
		if rank, ok := l.Rank(g.Cells[i].Coord); ok {
			g.Cells[i].Rank = rank
			g.Cells[i].Coord, _ = l.Coord(rank)
		}
	}
}

// placeProcesses puts the ranks that were seen where their coordinates say.
func (g *Grid) placeProcesses(r *store.Run, ps Presence) {
	for _, i := range ps.processes() {
		p := r.Processes[i]
		cell := g.at(p.Coord)
		switch {
		case cell == nil:
			g.Problems = append(g.Problems, fmt.Sprintf("rank %d has no place in the grid", p.ID.Rank))
		case cell.Process >= 0:
			g.Problems = append(g.Problems, fmt.Sprintf("ranks %d and %d have the same coordinates", cell.Rank, p.ID.Rank))
		default:
			cell.Rank, cell.Process, cell.Coord = p.ID.Rank, i, p.Coord
			g.Derived = g.Derived || p.Coord.Derived
		}
	}
}

// fill writes what is known of the rank at a cell.
func (g *Grid) fill(s *store.Snapshot, sc Scope, c *cells, cell *GridCell) {
	if cell.Process < 0 {
		cell.Shown = sc.Filter == nil
		return
	}
	p := sc.Run.Processes[cell.Process]
	cell.Shown = sc.process(cell.Process)
	cell.Iteration, cell.HasIteration, cell.Truncated = p.Iteration, p.HasIteration, p.Truncated
	cell.Age = stepAge(s, p)
	cell.Value, cell.Steps = c.median(cell.Process, g.Measure), len(c.byProc[cell.Process])
}

// summarize works out the medians of rows, columns and so on, and the range.
func (g *Grid) summarize() {
	for d := range run.DimCount {
		byCoord := make([][]float64, max(g.Sizes.Of(d), 0))
		for _, c := range g.Cells {
			if at := c.Coord.Of(d); c.Shown && at >= 0 && at < len(byCoord) {
				byCoord[at] = known(byCoord[at], c.Value)
			}
		}
		g.Medians[d] = make([]float64, len(byCoord))
		for i, v := range byCoord {
			g.Medians[d][i] = median(v)
		}
	}
	for _, c := range g.Cells {
		if c.Shown && !math.IsNaN(c.Value) {
			g.Low, g.High = lower(g.Low, c.Value), higher(g.High, c.Value)
		}
	}
}

func lower(a, b float64) float64 {
	if math.IsNaN(a) || b < a {
		return b
	}
	return a
}

func higher(a, b float64) float64 {
	if math.IsNaN(a) || b > a {
		return b
	}
	return a
}
