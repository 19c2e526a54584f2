package analysis

import (
	"context"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Table is the duration statistics of spans by nested groups.
type Table struct {
	By       []string // the dimensions of the levels
	All      Stats
	Groups   []*Group
	Coverage Coverage
	ShareOf  ShareOf
}

// Group is the spans that share the values of its dimension and of those above.
type Group struct {
	By     string // dimension
	Value  string
	Known  bool // false: it was not sent
	Stats  Stats
	Groups []*Group
}

// ShareOf says what Stats.Share is a part of.
type ShareOf string

// The denominators of shares. Truncated spans are part of neither.
const (
	ShareOfSteps  ShareOf = "step time"        // of the processes of the group
	ShareOfListed ShareOf = "all listed spans" // where no step spans were sent
)

// Coverage says what statistics stand on.
type Coverage struct {
	WholeRun    bool   // counts, sums and extremes are of everything ever received
	Percentiles bool   // so are the percentiles
	Retained    uint64 // spans that can still be looked at
	Received    uint64 // spans kept or evicted since the beginning
}

// Durations groups the spans of the scopes by the dimensions, the first
// outermost; without the dimension "name" the names are the innermost level.
//
// Where no span must be looked at to tell whether it belongs (no filter on
// spans, no attribute of spans as a dimension) counts, sums and extremes are
// exact over the whole life of the runs; percentiles come from the whole run
// too where groups are made of whole pipeline stages, else from the retained
// spans. Otherwise everything comes from the retained spans. See
// Table.Coverage.
//
// Percentiles of retained spans are exact up to maxExact spans and within 1 %
// beyond. The error is the context's: a screen may drop a question.
func Durations(ctx context.Context, scopes []Scope, by []string) (Table, error) {
	q := newQuestion(scopes, by)
	if q.wholeRun {
		q.addRollUps()
	}
	if !q.sketches {
		if err := q.scan(ctx); err != nil {
			return Table{}, err
		}
	}
	return q.table(), nil
}

// question is one call of Durations.
type question struct {
	*grouper
	scopes   []Scope
	cursors  []*cursor
	wholeRun bool // roll-ups give the counts
	sketches bool // the stages' sketches give the percentiles
	taken    collection
	coverage Coverage
}

func newQuestion(scopes []Scope, by []string) *question {
	q := &question{grouper: newGrouper(withName(by)), scopes: scopes, wholeRun: true}
	for _, s := range scopes {
		c := q.cursor(s.Run)
		q.cursors = append(q.cursors, c)
		q.wholeRun = q.wholeRun && !c.perSpan && s.sure()
		q.coverage.Retained += s.retained()
		q.coverage.Received += s.Run.Accounts[run.Traces].Kept + s.Run.Accounts[run.Traces].Evicted
	}
	q.sketches = q.wholeRun && q.byStage() && q.filterByStage()
	q.coverage.WholeRun = q.wholeRun || q.coverage.Retained == q.coverage.Received
	q.coverage.Percentiles = q.sketches || q.coverage.Retained == q.coverage.Received
	return q
}

func withName(by []string) []string {
	for _, d := range by {
		if d == "name" {
			return by
		}
	}
	return append(append([]string(nil), by...), "name")
}

// byStage reports whether every group is made of whole stages and names.
func (q *question) byStage() bool {
	for _, d := range q.dims {
		if d.name != "run" && d.name != "pp" && d.ofName == nil {
			return false
		}
	}
	return true
}

// filterByStage reports whether the filter treats all processes of a stage that
// sent a name alike.
func (q *question) filterByStage() bool {
	type key struct{ stage, name int }
	for _, s := range q.scopes {
		if s.Filter == nil {
			continue
		}
		said := map[key]bool{}
		for i, p := range s.Run.Processes {
			for _, st := range p.Stats() {
				k := key{p.Coord.PP, st.Name}
				match, _ := s.pair(i, st.Name)
				if before, ok := said[k]; ok && before != match {
					return false
				}
				said[k] = match
			}
		}
	}
	return true
}

// addRollUps adds what is known of each process and name over the whole run.
func (q *question) addRollUps() {
	for k, s := range q.scopes {
		matched := map[[2]int]int32{} // (stage, name) → leaf
		for i, p := range s.Run.Processes {
			listed := false
			for _, st := range p.Stats() {
				if match, _ := s.pair(i, st.Name); match {
					listed = true
					leaf := q.cursors[k].pair(i, st.Name)
					q.nodes[leaf].add(fromStat(st))
					matched[[2]int{p.Coord.PP, st.Name}] = leaf
				}
			}
			if listed {
				q.addSteps(q.cursors[k], i, stepSeconds(s.Run, p))
			}
		}
		if q.sketches {
			q.addStages(s.Run, matched)
		}
	}
}

func (q *question) addStages(r *store.Run, leaves map[[2]int]int32) {
	for _, st := range r.Stages {
		if leaf, ok := leaves[[2]int{st.Stage, st.Name}]; ok {
			q.nodes[leaf].stages = append(q.nodes[leaf].stages, st)
		}
	}
}

func fromStat(st store.NameStat) counts {
	return counts{
		n: st.Count, truncated: st.Truncated, invalid: st.Invalid, errors: st.Errors,
		sum: st.Sum, min: st.Min, max: st.Max,
	}
}
