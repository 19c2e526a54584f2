package analysis

import (
	"fmt"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/store"
)

// frontier looks for those who stopped before the others.
type frontier struct {
	view  *view
	stall *Stall
}

// find names suspects of a stall, or of a run that was shut down after one.
func (f *frontier) find() {
	st := f.stall
	switch {
	case len(st.Processes) < 2:
	case st.Stalled:
		f.ofStall()
	case st.ended() && f.stalledBefore():
		f.ofShutdown()
	}
}

// all is the places of all ranks in Stall.Processes: members of the view have the
// same.
func (f *frontier) all() []int {
	out := make([]int, len(f.stall.Processes))
	for i := range out {
		out[i] = i
	}
	return out
}

// ofStall goes by what is known: iterations, then progress inside the next one,
// then who went silent first.
func (f *frontier) ofStall() {
	st := f.stall
	if f.cutOff() {
		st.NoSuspect = "all ranks went silent at once, and what they had not sent by then is lost: no rank singled out"
		return
	}
	lowest := f.lowestIteration()
	if f.minority(lowest) {
		if deeper := f.silentAmong(lowest); f.minority(deeper) && len(deeper) < len(lowest) {
			lowest = deeper
		}
		f.suspect(lowest, f.iterationReason(lowest))
		return
	}
	if behind, reason := f.lowestProgress(lowest); f.minority(behind) {
		if silent := f.silentAmong(behind); len(silent) > 0 && len(silent) < len(behind) {
			behind = silent
		}
		f.markBehind(behind)
		f.suspect(behind, reason)
		return
	}
	if silent := f.silentAmong(f.all()); f.minority(silent) {
		f.suspect(silent, "silent, while others still send")
		return
	}
	st.Together = len(lowest) == len(st.Processes) && f.sameProgress(lowest)
	if st.Together {
		f.markTogether()
		st.NoSuspect = "all ranks stopped at the same place: no rank singled out"
		if f.oneLane() && f.unequal(lowest) {
			st.NoSuspect = "one worker a stage: who waits for whom cannot be told: no rank singled out"
		}
		return
	}
	st.NoSuspect = "most ranks stopped alike: no rank singled out"
}

// leastExport is the usual interval in which spans are exported, ns (OpenTelemetry
// SDK configuration, OTEL_BSP_SCHEDULE_DELAY).
const leastExport = int64(5e9)

// cutOff reports whether all processes, which send metrics as long as they live,
// went silent within an export of each other and of the last spans: they differ by
// what each had not sent yet, not by where they stood.
func (f *frontier) cutOff() bool {
	first, last, spans, window := int64(math.MaxInt64), int64(0), int64(0), leastExport
	for i, s := range f.stall.Processes {
		p := f.process(i)
		if s.State != ProcessSilent || p.LastPoint == 0 {
			return false
		}
		first, last, spans = min(first, p.Last), max(last, p.Last), max(spans, p.LastSpan)
		window = max(window, p.PointEvery)
	}
	return last-first <= window && last-spans <= window
}

// unequal reports whether ranks differ in how many spans they have ended.
func (f *frontier) unequal(at []int) bool {
	return slices.ContainsFunc(at, func(i int) bool {
		return f.stall.Processes[i].SpansEnded != f.stall.Processes[at[0]].SpansEnded
	})
}

// minority reports whether some ranks are few enough to be singled out.
func (f *frontier) minority(at []int) bool {
	return len(at) > 0 && 2*len(at) <= len(f.stall.Processes)
}

// lowestIteration is the ranks that finished the fewest iterations.
func (f *frontier) lowestIteration() (at []int) {
	least := int64(math.MaxInt64)
	for i, s := range f.stall.Processes {
		k := int64(math.MinInt64)
		if s.HasIteration {
			k = s.Iteration
		}
		switch {
		case k < least:
			least, at = k, []int{i}
		case k == least:
			at = append(at, i)
		}
	}
	return at
}

// sameProgress reports whether some ranks are all equally far inside the next
// iteration.
func (f *frontier) sameProgress(among []int) bool {
	for _, lacks := range f.missing(among) {
		if lacks > 0 {
			return false
		}
	}
	return true
}

// silentAmong is those of some ranks of which nothing comes any more, or that
// ended, while of others something does.
func (f *frontier) silentAmong(among []int) (at []int) {
	for _, i := range among {
		if s := f.stall.Processes[i].State; s == ProcessSilent || s == ProcessEnded {
			at = append(at, i)
		}
	}
	return at
}

func (f *frontier) process(i int) *store.Process {
	return f.view.run.Processes[f.view.members[i].process]
}

func (f *frontier) markBehind(at []int) {
	for _, i := range at {
		if s := &f.stall.Processes[i]; s.State == ProcessAliveStuck {
			s.State = ProcessBehind
		}
	}
}

// markTogether is for ranks of which no metrics say that they live.
func (f *frontier) markTogether() {
	for i := range f.stall.Processes {
		if s := &f.stall.Processes[i]; s.State == ProcessAliveStuck && f.process(i).LastPoint == 0 {
			s.State = ProcessFrozenTogether
		}
	}
}

func (f *frontier) iterationReason(at []int) string {
	s := f.stall.Processes[at[0]]
	if !s.HasIteration {
		return fmt.Sprintf("has finished no iteration of this attempt, the others %d", f.stall.Frontier)
	}
	return fmt.Sprintf("has finished iteration %d, the others up to %d", s.Iteration, f.stall.Frontier)
}

func (f *frontier) progressReason(at, among []int) string {
	s := f.stall.Processes[at[0]]
	next := int64(0)
	if s.HasIteration {
		next = s.Iteration + 1
	}
	last := "no span"
	if s.SpansEnded > 0 {
		last = s.LastPhase
	}
	return fmt.Sprintf("in iteration %d it has ended %s (last: %s), %s", next, count(s.SpansEnded, "span"), last, f.further(at, among))
}

// further is who has come further than a suspect: those of its stage, since the
// stages have different numbers of spans, where one of them has ended more.
func (f *frontier) further(at, among []int) string {
	others, stage := "", f.view.members[at[0]].coord.PP
	for _, i := range among {
		if slices.Contains(at, i) {
			continue
		}
		s := f.stall.Processes[i]
		if f.view.layout.Sizes.PP > 1 && f.view.members[i].coord.PP == stage && s.SpansEnded > f.stall.Processes[at[0]].SpansEnded {
			return fmt.Sprintf("others of its stage have ended more (last: %s)", s.LastPhase)
		}
		others = s.LastPhase
	}
	if f.view.layout.Sizes.PP > 1 {
		return fmt.Sprintf("others have ended a larger part (last: %s)", others)
	}
	return fmt.Sprintf("others have ended more (last: %s)", others)
}

// suspect takes ranks in, as the smallest unit that they make.
func (f *frontier) suspect(at []int, reason string) {
	s := Suspect{Unit: f.unitOf(at), Coord: common(f.view.members, at), Hosts: f.view.hostsOf(at), Reason: reason}
	for _, i := range at {
		s.Ranks = append(s.Ranks, f.view.members[i].rank)
	}
	slices.Sort(s.Ranks)
	f.stall.Suspects = append(f.stall.Suspects, s)
}

// unitOf says what some ranks are: those of one worker, lane or host, all of
// them.
func (f *frontier) unitOf(at []int) Unit {
	if len(at) == 1 {
		return UnitRank
	}
	first := f.view.members[at[0]]
	for _, try := range []struct {
		unit Unit
		same func(m member) bool
	}{
		{UnitWorker, func(m member) bool {
			return m.coord.PP >= 0 && m.coord.DP >= 0 && m.coord.PP == first.coord.PP && m.coord.DP == first.coord.DP
		}},
		{UnitLane, func(m member) bool { return m.coord.DP >= 0 && m.coord.DP == first.coord.DP }},
		{UnitHost, func(m member) bool { return m.host != "" && m.host == first.host }},
	} {
		if f.exactly(at, try.same) {
			return try.unit
		}
	}
	return UnitGroup
}

func (f *frontier) exactly(at []int, same func(member) bool) bool {
	n := 0
	for i, m := range f.view.members {
		if same(m) {
			if !slices.Contains(at, i) {
				return false
			}
			n++
		}
	}
	return n == len(at)
}

// stalledBefore reports whether a run was shut down long after its last
// iteration.
func (f *frontier) stalledBefore() bool {
	var iteration, last int64
	for i := range f.stall.Processes {
		p := f.process(i)
		iteration, last = max(iteration, p.IterationAt), max(last, p.LastSpan)
	}
	return iteration > 0 && float64(last-iteration)/1e9 > f.stall.Limit
}

// ofShutdown compares in which span each rank was when it was shut down: the odd
// ones out are suspects.
func (f *frontier) ofShutdown() {
	where := map[string][]int{}
	for i, s := range f.stall.Processes {
		where[s.StuckIn] = append(where[s.StuckIn], i)
	}
	most := ""
	for name, at := range where {
		if n := len(where[most]); len(at) > n || len(at) == n && name < most {
			most = name
		}
	}
	var odd []int
	for name, at := range where {
		if name != most && name != "" {
			odd = append(odd, at...)
		}
	}
	slices.Sort(odd)
	if !f.minority(odd) || 2*len(odd) == len(f.stall.Processes) {
		f.stall.NoSuspect = "shut down after a stall, with all ranks in the same span or no span in the majority"
		return
	}
	f.suspect(odd, fmt.Sprintf("shut down in %s, the others in %s", f.stall.Processes[odd[0]].StuckIn, stuckText(most)))
}

func stuckText(name string) string {
	if name == "" {
		return "no span"
	}
	return name
}
