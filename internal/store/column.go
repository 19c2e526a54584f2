package store

import "math"

// cellBlock is how many processes' cells are copied together when a column
// that a snapshot holds changes.
const cellBlock = 64

// block is the cells of neighbouring processes. A cell without a Start is
// missing.
type block struct {
	cells [cellBlock]Cell
	gen   uint64
}

// Cell is the cell of process p; ok is false when p has not sent this iteration.
func (c *Column) Cell(p int) (cell Cell, ok bool) {
	b := p / cellBlock
	if b >= len(c.blocks) || c.blocks[b] == nil {
		return Cell{}, false
	}
	cell = c.blocks[b].cells[p%cellBlock]
	return cell, !math.IsNaN(float64(cell.Start))
}

// Len is one more than the largest process index that Cell may know.
func (c *Column) Len() int { return len(c.blocks) * cellBlock }
