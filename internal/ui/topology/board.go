package topologyscreen

import (
	"strconv"

	"github.com/beamline-hpc/lensview/internal/run"
)

// unit is what a cell is.
type unit uint8

const (
	byRoom unit = iota // ranks where they fit, else workers
	ranks
	workers // the tensor- and context-parallel ranks of a stage and lane, as one
)

// board is the grid as lines of cells: a line for each data-parallel replica, in
// it a block for each pipeline stage. Where a replica is one cell only, lines hold
// several.
type board struct {
	sizes  run.Sizes
	unit   unit
	form   form
	lines  []line
	heads  []head // of the blocks
	cols   int    // cells of a full line
	block  int    // cells of a block
	wrap   int    // replicas in a line; 0: one
	labels int    // cells of the widest label
}

// line is cells by their index among the ranks or workers.
type line struct {
	label  string
	cells  []int
	median float64 // over its ranks
}

// head is over a block: the stage, or in a wrapped line how far its first replica
// is from the line's.
type head struct {
	label  string
	median float64 // of a stage, over its ranks
}

// layOut fits a grid into a width: the roomiest form that fits.
func layOut(a *answer, want unit, width, height int) board {
	z := a.grid.Sizes
	if len(a.grid.Cells) == 0 {
		return board{}
	}
	forms := formsOf(a.scale.width, want)
	for i, f := range forms {
		b := newBoard(z, f, width, a.scale.width)
		fits := b.width(a.scale.width) <= width && (b.wrap == 0 || len(b.lines) <= height)
		if fits || i == len(forms)-1 {
			b.measure(a)
			return b
		}
	}
	return board{}
}

func newBoard(z run.Sizes, f form, width, number int) board {
	b := board{sizes: z, unit: f.unit, form: f, block: 1}
	if f.unit == ranks {
		b.block = z.CP * z.TP
	}
	b.cols = z.PP * b.block
	if b.cols == 1 && z.DP > 1 {
		b.wrapped(width, number)
	}
	if b.block == 1 && f.cell != 2 {
		b.form.blockGap = 0 // the gap is enough, or there is none
	}
	b.list()
	return b
}

// wrapBlock is how many replicas stand together in a wrapped line: as many as
// most hosts have ranks.
const wrapBlock = 8

// wrapped puts as many replicas into a line as fit.
func (b *board) wrapped(width, number int) {
	b.block = min(wrapBlock, b.sizes.DP)
	b.labels = len("dp ") + len(strconv.Itoa(b.sizes.DP-1))
	for b.cols = b.block; b.cols < b.sizes.DP; b.cols += b.block {
		more := *b
		more.cols += b.block
		if more.width(number) > width {
			break
		}
	}
	b.wrap = b.cols
}

// list makes the lines.
func (b *board) list() {
	z := b.sizes
	if b.wrap > 0 {
		for from := 0; from < z.DP; from += b.wrap {
			to := min(z.DP, from+b.wrap)
			l := line{label: "dp " + strconv.Itoa(from)}
			for i := from; i < to; i++ {
				l.cells = append(l.cells, i)
			}
			b.lines = append(b.lines, l)
		}
		for i := 0; i < b.wrap; i += b.block {
			b.heads = append(b.heads, head{label: "+" + strconv.Itoa(i)})
		}
		return
	}
	for dp := range z.DP {
		l := line{label: "dp " + strconv.Itoa(dp), cells: make([]int, 0, b.cols)}
		for pp := range z.PP {
			for i := range b.block {
				l.cells = append(l.cells, (pp*z.DP+dp)*b.block+i)
			}
		}
		b.lines = append(b.lines, l)
	}
	b.labels = len(b.lines[len(b.lines)-1].label)
	for pp := range z.PP {
		b.heads = append(b.heads, head{label: strconv.Itoa(pp)})
	}
}

// measure writes the medians of lines and blocks, which are over ranks whatever a
// cell is.
func (b *board) measure(a *answer) {
	for i := range b.lines {
		b.lines[i].median = a.grid.MedianOf(b.ranksOf(a, b.lines[i].cells))
	}
	for pp := range b.heads {
		if b.wrap > 0 {
			break
		}
		b.heads[pp].median = a.grid.Medians[run.DimPP][pp]
	}
}

func (b *board) ranksOf(a *answer, cells []int) []int {
	if b.unit == ranks {
		return cells
	}
	var out []int
	for _, i := range cells {
		out = append(out, a.workers[i].Cells...)
	}
	return out
}

// find is where a place stands.
func (b *board) find(p place) (line, col int) {
	switch {
	case b.wrap > 0:
		return p.dp / b.wrap, p.dp % b.wrap
	case b.unit == ranks:
		return p.dp, (p.pp*b.sizes.CP+p.cp)*b.sizes.TP + p.tp
	}
	return p.dp, p.pp
}

// place is what stands at a line and column, which are within the board; of a
// worker the rank that was in focus before.
func (b *board) place(line, col int, before place) place {
	cells := b.lines[line].cells
	i := cells[max(0, min(col, len(cells)-1))]
	if b.unit == ranks {
		return placeOf(i, b.sizes)
	}
	return place{tp: before.tp, cp: before.cp, dp: i % b.sizes.DP, pp: i / b.sizes.DP}
}
