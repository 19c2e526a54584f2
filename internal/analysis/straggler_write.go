package analysis

import (
	"cmp"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// write turns what was found and compared into the answer.
func (q *inquiry) write() {
	q.out.Compared = q.compared()
	for _, c := range q.cohorts {
		for _, u := range c.units {
			q.out.Workers = append(q.out.Workers, q.view.worker(u))
		}
	}
	if !q.told && len(q.found) == 0 {
		return
	}
	q.out.Found = []Straggler{}
	for _, f := range q.found {
		q.out.Found = append(q.out.Found, q.view.straggler(f, q.out))
	}
	slices.SortStableFunc(q.out.Found, func(a, b Straggler) int {
		return cmp.Or(cmp.Compare(b.BusyRatio, a.BusyRatio), slices.Compare(a.Ranks, b.Ranks))
	})
}

// compared is what the units are. A worker of one rank is a rank.
func (q *inquiry) compared() Unit {
	switch z := q.view.layout.Sizes; {
	case q.lanes:
		return UnitLane
	case q.view.placed && z.TP*z.CP > 1:
		return UnitWorker
	}
	return UnitRank
}

func (v *view) straggler(f *finding, of *Stragglers) Straggler {
	u := f.unit
	s := Straggler{
		Unit: f.kind, Ranks: v.ranksOf(f), Processes: v.processesOf(f.members), Role: v.role.Role, Hosts: v.hostsOf(f.members),
		Coord: f.coord, BusyRatio: u.ratio, Z: u.z, WaitGap: u.gap, Score: u.score, WorstIn: u.worst, LastIn: u.last,
		Signals: f.signals, Level: run.Warning, Early: of.Early, Approximate: u.source == FromWaits,
	}
	if f.kind == UnitWorker && v.placed && v.layout.Sizes.TP*v.layout.Sizes.CP == 1 || len(f.members) == 1 && f.kind == UnitRank {
		s.Unit, s.Coord = UnitRank, v.members[f.members[0]].coord
	}
	if u.ratio >= v.limits.StragglerCritical {
		s.Level = run.Critical
	}
	s.Note = v.note(&s, u)
	return s
}

// note says what to do to narrow a straggler down.
func (v *view) note(s *Straggler, u *unit) string {
	switch {
	case s.Unit == UnitLane && u.source != FromMicrobatches:
		return "all stages of the lane move together: enable the microbatch group to narrow"
	case s.Unit == UnitWorker && len(s.Ranks) > 1:
		return "its ranks wait for each other in every layer: one of " + list("rank", s.Ranks)
	}
	return ""
}

// ranksOf is the ranks of what was found: of a worker all, also those that send
// nothing, because any of them may be the slow one.
func (v *view) ranksOf(f *finding) []int {
	var out []int
	for _, m := range f.members {
		out = append(out, v.members[m].rank)
	}
	if f.kind == UnitWorker && v.placed {
		out = append(out, v.workerRanks(f.coord)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// workerRanks is the ranks of one stage and lane by the layout.
func (v *view) workerRanks(at run.Coord) (out []int) {
	z := v.layout.Sizes
	for tp := range z.TP {
		for cp := range z.CP {
			if rank, ok := v.layout.Rank(run.Coord{TP: tp, CP: cp, DP: at.DP, PP: at.PP}); ok {
				out = append(out, rank)
			}
		}
	}
	return out
}

func (v *view) processesOf(members []int) []int {
	out := make([]int, len(members))
	for i, m := range members {
		out[i] = v.members[m].process
	}
	slices.Sort(out)
	return out
}

func (v *view) hostsOf(members []int) []string {
	var out []string
	for _, m := range members {
		if h := v.members[m].host; h != "" {
			out = append(out, h)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// common is the coordinates that all of some members share.
func common(all []member, members []int) run.Coord {
	c := all[members[0]].coord
	for _, m := range members[1:] {
		o := all[m].coord
		for _, pair := range [...]struct{ a, b *int }{{&c.TP, &o.TP}, {&c.CP, &o.CP}, {&c.EP, &o.EP}, {&c.DP, &o.DP}, {&c.PP, &o.PP}} {
			if *pair.a != *pair.b {
				*pair.a = run.Unknown
			}
		}
	}
	return c
}

func (v *view) worker(u *unit) Worker {
	w := Worker{
		Coord: common(v.members, u.members), Processes: v.processesOf(u.members), Steps: u.steps,
		Compute: u.compute, Wait: u.wait, Step: u.step, BusyRatio: u.ratio, Z: u.z, Score: u.score, WaitGap: u.gap, WorstIn: u.worst, LastIn: u.last,
	}
	if math.IsNaN(u.compute) {
		w.Steps = 0
	}
	for _, m := range u.members {
		w.Ranks = append(w.Ranks, v.members[m].rank)
	}
	slices.Sort(w.Ranks)
	return w
}
