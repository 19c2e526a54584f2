package analysis

import (
	"fmt"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Medians over ranks show those that wait, not the one that they wait for. So the
// sides are looked at for stragglers too, over the iterations that are compared.

// mostSlowCells bounds what a look for stragglers reads: steps times ranks.
const mostSlowCells = 1 << 21

func slowOf(s Side) Stragglers {
	ranks := max(1, len(s.Scope.Run.Processes))
	v := newView(&store.Snapshot{}, s.Scope.Run, DiagnoseOptions{ // the time of day plays no part in it
		AnyRole: true, Filter: s.Scope.Filter, First: s.First, Last: s.Last,
		Steps: max(DefaultSteps, min(mostCompared, mostSlowCells/ranks)),
	})
	return v.stragglers()
}

// mostSlowTold is how many stragglers of a side are told.
const mostSlowTold = 3

// WhoIsSlow says for whom the flagged waits wait, and who is slow in each side, as
// sentences; none where nothing of it was found or asked for.
func (c *Comparison) WhoIsSlow() []string {
	var out []string
	b, a := c.B.Slow.told(), c.A.Slow.told()
	if grown := c.grownWaits(); len(grown) > 0 {
		if b == "" {
			b = c.B.Slow.untold()
		}
		out = append(out, strings.Join(grown, ", ")+": the median rank waits longer; slow in B: "+b)
	} else if b != "" {
		out = append(out, "slow in B: "+b)
	}
	if a != "" {
		out = append(out, "slow in A: "+a)
	}
	return out
}

// grownWaits is the waits of B that are flagged as longer.
func (c *Comparison) grownWaits() (out []string) {
	for _, d := range c.Phases {
		if d.Class == run.Wait.String() && (d.Level == Moderate || d.Level == Material) && d.Change > 0 {
			out = append(out, d.Name)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (s *Stragglers) told() string {
	var parts []string
	for i := range s.Found {
		if i == mostSlowTold {
			parts = append(parts, "and "+thousands(len(s.Found)-i)+" more")
			break
		}
		parts = append(parts, s.Found[i].Text())
	}
	return strings.Join(parts, "; ")
}

// untold is why nobody is named.
func (s *Stragglers) untold() string {
	if s.Found == nil && len(s.CannotTell) > 0 {
		return "cannot tell: " + s.CannotTell[0]
	}
	return fmt.Sprintf("nobody is named among %s", count(len(s.Workers), string(s.Compared)))
}
