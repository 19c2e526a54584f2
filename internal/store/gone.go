package store

import "math/bits"

// Gone counts the columns that left the window of a run: by the first reason in
// the order of CellFlags that any rank gave (place 0 is FirstOfAttempt), then
// those with none, and in the last place those with a garbage collection, however
// short. So an account of all iterations stays exact after their columns went.
type Gone [collectedColumn + 1]int

// The places of the columns without a reason and of those with a collection.
const (
	cleanColumn     = 7
	collectedColumn = 8
)

// Of is how many columns left with this first reason; 0 asks for those with
// none.
func (g Gone) Of(reason CellFlags) int {
	if reason == 0 {
		return g[cleanColumn]
	}
	return g[min(bits.TrailingZeros8(uint8(reason)), cleanColumn)]
}

// Collected is how many columns left in which some rank collected garbage.
func (g Gone) Collected() int { return g[collectedColumn] }

func (g *Gone) add(c *Column) {
	if c.Collected() {
		g[collectedColumn]++
	}
	reasons := c.Reasons()
	if reasons == 0 {
		g[cleanColumn]++
		return
	}
	g[bits.TrailingZeros8(uint8(reasons))]++
}
