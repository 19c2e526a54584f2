package analysis

import (
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Presence is which ranks of one role have been seen.
type Presence struct {
	Role      string
	World     int   // run.Unknown when not sent
	Seen      int   // distinct ranks
	NeverSeen []int // ranks below World of which nothing was received
	Duplicate []int // ranks that more than one process of the latest attempt claims
	grid      map[int]int
}

// Roles counts the processes that stand on a rank grid, by role; the role with
// most ranks first.
func Roles(r *store.Run) []Presence {
	byRole := map[string]*Presence{}
	var roles []string
	for i, p := range r.Processes {
		if !onGrid(p) {
			continue
		}
		ps := byRole[p.ID.Role]
		if ps == nil {
			ps = &Presence{Role: p.ID.Role, World: run.Unknown, grid: map[int]int{}}
			byRole[p.ID.Role] = ps
			roles = append(roles, p.ID.Role)
		}
		ps.add(r, i, p)
	}
	out := make([]Presence, 0, len(roles))
	for _, role := range roles {
		byRole[role].close()
		out = append(out, *byRole[role])
	}
	slices.SortStableFunc(out, func(a, b Presence) int { return b.Seen - a.Seen })
	return out
}

// MainRole is the presence of the role with most ranks; without any rank its
// Seen is 0 and World is what the run says.
func MainRole(r *store.Run) Presence {
	if roles := Roles(r); len(roles) > 0 {
		return roles[0]
	}
	return Presence{World: r.WorldSize}
}

// onGrid reports whether a process has a rank that can be counted.
func onGrid(p *store.Process) bool {
	return p.Grid && p.ID.Rank != run.Unknown && !p.ID.Gym
}

// Process is the process that stands for a rank of the role: the one of the
// latest attempt.
func (ps Presence) Process(rank int) (process int, ok bool) {
	process, ok = ps.grid[rank]
	return process, ok
}

// processes lists the processes that stand for the ranks, by rank.
func (ps Presence) processes() []int {
	ranks := make([]int, 0, len(ps.grid))
	for rank := range ps.grid {
		ranks = append(ranks, rank)
	}
	slices.Sort(ranks)
	for i, rank := range ranks {
		ranks[i] = ps.grid[rank]
	}
	return ranks
}

func (ps *Presence) add(r *store.Run, i int, p *store.Process) {
	ps.World = max(ps.World, p.ID.WorldSize)
	before, taken := ps.grid[p.ID.Rank]
	if taken {
		o := r.Processes[before]
		if o.Attempt == p.Attempt && o.Last >= p.First && p.Last >= o.First && !slices.Contains(ps.Duplicate, p.ID.Rank) {
			ps.Duplicate = append(ps.Duplicate, p.ID.Rank)
		}
		if o.Attempt > p.Attempt || o.Attempt == p.Attempt && o.Last > p.Last {
			return
		}
	}
	ps.grid[p.ID.Rank] = i
}

func (ps *Presence) close() {
	ps.Seen = len(ps.grid)
	slices.Sort(ps.Duplicate)
	for rank := range max(ps.World, 0) {
		if _, ok := ps.grid[rank]; !ok {
			ps.NeverSeen = append(ps.NeverSeen, rank)
		}
	}
}
