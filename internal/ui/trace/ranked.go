package tracescreen

import (
	"cmp"
	"slices"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/query"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// ranked lists the processes of a run that the filter lets through, in the order
// in which one goes from rank to rank.
func ranked(r *store.Run, m *query.Matcher) []int {
	var out []int
	for i := range r.Processes {
		if m.Process(i) && m.Spans(i) {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return compareProcesses(r.Processes[a], r.Processes[b]) })
	return out
}

func compareProcesses(p, q *store.Process) int {
	return cmp.Or(
		cmp.Compare(p.ID.Role, q.ID.Role), cmp.Compare(uint(p.ID.Rank), uint(q.ID.Rank)), // unknown is the largest
		cmp.Compare(p.Attempt, q.Attempt), cmp.Compare(p.ID.Host, q.ID.Host), cmp.Compare(p.Index, q.Index))
}

// choose is the process to show when nobody said which: the lowest rank of the
// main role that has finished a step, else of what is there the first.
func choose(r *store.Run, among []int) int {
	role, last := analysis.MainRole(r).Role, len(r.Attempts)-1
	for _, accept := range []func(*store.Process) bool{
		func(p *store.Process) bool {
			return p.Grid && p.HasIteration && p.ID.Role == role && p.Attempt == last
		},
		func(p *store.Process) bool { return p.Grid && p.HasIteration },
		func(p *store.Process) bool { return p.Spans > 0 },
		func(*store.Process) bool { return true },
	} {
		for _, i := range among {
			if accept(r.Processes[i]) {
				return i
			}
		}
	}
	return run.Unknown
}

// beside lists the processes that stand beside p, in order, p among them.
func beside(r *store.Run, p int, which peers, among []int) []int {
	if which == alone {
		return []int{p}
	}
	me := r.Processes[p]
	var out []int
	for _, i := range among {
		o := r.Processes[i]
		if i == p || o.Grid && o.ID.Role == me.ID.Role && o.Attempt == me.Attempt && alike(me.Coord, o.Coord, which) {
			out = append(out, i)
		}
	}
	if !slices.Contains(out, p) {
		out = append(out, p)
		slices.SortStableFunc(out, func(a, b int) int { return compareProcesses(r.Processes[a], r.Processes[b]) })
	}
	return out
}

// alike reports whether two ranks differ at most along the dimension of a kind of
// peers.
func alike(a, b run.Coord, which peers) bool {
	switch which {
	case tpPeers:
		a.TP, b.TP = 0, 0
	case ppPeers:
		a.PP, b.PP = 0, 0
	case dpPeers:
		a.DP, b.DP = 0, 0
	default:
		return true
	}
	known := a.TP >= 0 && a.PP >= 0 && a.DP >= 0
	return known && a.TP == b.TP && a.PP == b.PP && a.DP == b.DP && a.CP == b.CP
}

// around is at most n of a list, with the one that matters among them.
func around(list []int, at, n int) []int {
	if len(list) <= n {
		return list
	}
	i := slices.Index(list, at)
	from := max(0, min(i-n/2, len(list)-n))
	return list[from : from+n]
}
