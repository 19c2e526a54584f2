package analysis

import (
	"slices"
	"strconv"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// doubtUnplaced takes back what was named among ranks whose stage is not known,
// where their difference may be one of pipeline stages.
func (q *inquiry) doubtUnplaced(c *cohort, before int) {
	if c.stage >= 0 || q.lanes || len(q.found) == before {
		return
	}
	if len(q.found)-before == 1 && !q.view.hasPipeline() {
		return
	}
	var ranks []int
	for _, f := range q.found[before:] {
		for _, m := range f.members {
			ranks = append(ranks, q.view.members[m].rank)
		}
	}
	slices.Sort(ranks)
	q.found, q.told = q.found[:before], before > 0
	q.cannot("%s computes longer, which may be a pipeline stage by design: its processes send no parallel sizes", list("rank", ranks))
}

// hasPipeline reports whether ranks pass activations on to each other.
func (v *view) hasPipeline() bool {
	return slices.ContainsFunc(v.run.Names, func(n store.Name) bool { return n.Phase.Name == run.PhaseP2P })
}

// tellLonely tells of cohorts that have nothing to compare with.
func (q *inquiry) tellLonely() {
	if len(q.lonely) == 0 {
		return
	}
	unit := q.lonely[0].unit()
	if len(q.lonely) == len(q.cohorts) && len(q.lonely) > 1 {
		q.cannot("every stage has one %s: nothing to compare it with", unit)
		return
	}
	var names []string
	for _, c := range q.lonely {
		if c.stage < 0 {
			q.cannot("one %s: nothing to compare it with", unit)
			return
		}
		names = append(names, strconv.Itoa(c.stage))
	}
	q.cannot("stage %s: one %s, nothing to compare it with", strings.Join(names, ", "), unit)
}
