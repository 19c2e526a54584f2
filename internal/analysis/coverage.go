package analysis

import (
	"fmt"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
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
	return fmt.Sprintf("%d of %s", c.Seen, count(c.World, "rank"))
}

// count writes a number with its unit: "1 rank", "3 ranks".
func count(n int, unit string) string {
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}

// view is a run as a diagnosis looks at it: one role, one process for each rank.
type view struct {
	snap *store.Snapshot
	run  *store.Run
	opt  DiagnoseOptions
	role Presence
}

func newView(s *store.Snapshot, r *store.Run, opt DiagnoseOptions) *view {
	v := &view{snap: s, run: r, opt: opt, role: Presence{World: r.WorldSize}}
	for i, ps := range Roles(r) {
		if i == 0 || !opt.AnyRole && opt.Role != "" && ps.Role == opt.Role {
			v.role = ps
		}
	}
	return v
}

func (v *view) coverage() RankCoverage {
	ps := v.role
	return RankCoverage{Role: ps.Role, World: ps.World, Seen: ps.Seen, NeverSeen: ps.NeverSeen}
}
