package stepsscreen

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/beamline-hpc/lensview/internal/analysis"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
)

// row is a rank: the processes that stood for it, one for each start of the run.
// Processes without a rank have a row each.
type row struct {
	rank      int
	processes []int // in the run, by attempt
	stage     int   // run.Unknown where not known
	host      string
	last      spot // finished last; before all others while there is none
}

// rowsOf is the ranks of the main role that the filter lets through, by rank;
// where there are no ranks, the processes.
func rowsOf(sc analysis.Scope) []row {
	role := analysis.MainRole(sc.Run).Role
	at := map[int]int{}
	var out []row
	for i, p := range sc.Run.Processes {
		if !p.Grid || p.ID.Rank == run.Unknown || p.ID.Gym || p.ID.Role != role || !through(sc, i) {
			continue
		}
		k, ok := at[p.ID.Rank]
		if !ok {
			k = len(out)
			at[p.ID.Rank] = k
			out = append(out, row{rank: p.ID.Rank})
		}
		out[k].add(p, i)
	}
	if len(out) == 0 {
		return services(sc)
	}
	slices.SortFunc(out, func(a, b row) int { return cmp.Compare(a.rank, b.rank) })
	return out
}

func through(sc analysis.Scope, p int) bool { return sc.Filter == nil || sc.Filter.Process(p) }

// services is a row for each process that finished an iteration.
func services(sc analysis.Scope) (out []row) {
	for i, p := range sc.Run.Processes {
		if p.HasIteration && through(sc, i) {
			r := row{rank: run.Unknown}
			r.add(p, i)
			out = append(out, r)
		}
	}
	return out
}

func (r *row) add(p *store.Process, i int) {
	r.processes = append(r.processes, i)
	r.stage, r.host = p.Coord.PP, p.ID.Host
	if len(r.processes) == 1 {
		r.last = spot{attempt: -1}
	}
	if s := (spot{p.Attempt, p.Iteration}); p.HasIteration && s.compare(r.last) > 0 {
		r.last = s
	}
}

// cell is the row's cell of a column, and whose it is.
func (r *row) cell(c *store.Column) (cell store.Cell, process int, ok bool) {
	for i := len(r.processes) - 1; i >= 0; i-- {
		if cell, ok = c.Cell(r.processes[i]); ok {
			return cell, r.processes[i], true
		}
	}
	return cell, run.Unknown, false
}

// name is the row in words.
func (r *row) name() string {
	switch {
	case r.rank != run.Unknown:
		return "rank " + strconv.Itoa(r.rank)
	case r.host != "":
		return draw.Clean(r.host)
	}
	return "process " + strconv.Itoa(r.processes[0])
}

// key tells rows apart while others come and go.
func (r *row) key() int {
	if r.rank != run.Unknown {
		return r.rank
	}
	return -2 - r.processes[0]
}
