package store

import "math/bits"

// Gone counts the columns that left the window of a run: by the first reason in
// the order of CellFlags that any rank gave (place 0 is FirstOfAttempt), and in
// the last place those with none. So an account of all iterations stays exact
// after their columns went.
type Gone [cleanColumn + 1]int

// cleanColumn is the place of the columns without a reason.
const cleanColumn = 7

// Of is how many columns left with this first reason; 0 asks for those with
// none.
func (g Gone) Of(reason CellFlags) int {
	if reason == 0 {
		return g[cleanColumn]
	}
	return g[min(bits.TrailingZeros8(uint8(reason)), cleanColumn)]
}

func (g *Gone) add(c *Column) {
	reasons := c.Reasons()
	if reasons == 0 {
		g[cleanColumn]++
		return
	}
	g[bits.TrailingZeros8(uint8(reasons))]++
}

// Reasons is every reason to exclude the iteration that any rank gave:
// ComputeIsUmbrella is none.
func (c *Column) Reasons() CellFlags {
	var all CellFlags
	for _, b := range c.blocks {
		if b == nil {
			continue
		}
		for i := range b.cells {
			if !isMissing(b.cells[i]) {
				all |= b.cells[i].Flags
			}
		}
	}
	return all &^ ComputeIsUmbrella
}
