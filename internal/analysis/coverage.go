package analysis

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/run"
)

// RankCoverage is how much of a role's ranks an answer rests on. It stands beside
// every answer that compares ranks.
type RankCoverage struct {
	Role        string
	World       int   // run.Unknown when not sent
	Seen        int   // distinct ranks of which something was received
	NeverSeen   []int // ranks below World of which nothing was received
	Compared    int   // ranks whose clean steps could be compared
	Workers     int   // of the layout, 0 when the parallel sizes are not known
	WorkersSeen int   // those with a rank that could be compared
}

// Full reports whether every rank of the world was seen.
func (c RankCoverage) Full() bool { return c.World == run.Unknown || c.Seen >= c.World }

// String is "62 of 64 ranks".
func (c RankCoverage) String() string {
	if c.World == run.Unknown {
		return count(c.Seen, "rank")
	}
	return fmt.Sprintf("%s of %s", thousands(c.Seen), count(c.World, "rank"))
}

// count writes a number with its unit: "1 rank", "3 ranks".
func count(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return thousands(n) + " " + unit
}

// coverage says how many ranks there are and how many of them are compared.
func (v *view) coverage() RankCoverage {
	ps := v.role
	c := RankCoverage{Role: ps.Role, World: ps.World, Seen: ps.Seen, NeverSeen: ps.NeverSeen}
	f := v.frame()
	for i := range v.members {
		if f.stepsOf(i) > 0 {
			c.Compared++
		}
	}
	if v.placed {
		z := v.layout.Sizes
		c.Workers = z.PP * z.DP
		for _, w := range v.units() {
			if w.steps > 0 {
				c.WorkersSeen++
			}
		}
	}
	return c
}

// sampled says that only some ranks of each worker send data, "" otherwise.
func (v *view) sampled() string {
	z := v.layout.Sizes
	peers := z.TP * z.CP
	if !v.placed || peers < 2 || len(v.members) == 0 {
		return ""
	}
	first := v.members[0].coord
	for _, m := range v.members {
		if m.coord.TP != first.TP || m.coord.CP != first.CP {
			return ""
		}
	}
	return fmt.Sprintf("only tp %d of each worker sends data: its %s peers are judged by it", first.TP, thousands(peers-1))
}
