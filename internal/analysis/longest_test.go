package analysis

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestLongestAgainstSorting(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		n, most := dice.IntN(300), dice.IntN(20)
		type item struct {
			ns  uint64
			row int
		}
		var all []item
		l := longest{most: most}
		for row := range n {
			ns := uint64(dice.IntN(40))
			all = append(all, item{ns, row})
			l.add(ns, rowRef{row: row})
		}
		slices.SortStableFunc(all, func(a, b item) int { return int(b.ns) - int(a.ns) })
		got := l.sorted()
		if len(got) != min(n, most) {
			t.Fatalf("%d of %d kept, want %d", len(got), n, min(n, most))
		}
		for i, at := range got {
			if at.row != all[i].row {
				t.Fatalf("place %d of %d holds row %d, want %d", i, most, at.row, all[i].row)
			}
		}
		if most > 0 && cap(l.list) > 4*most+4 {
			t.Fatalf("room for %d to keep %d", cap(l.list), most)
		}
	}
}
