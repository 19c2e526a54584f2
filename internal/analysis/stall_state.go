package analysis

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// stall says whether the run moves, and where each of its ranks is.
func (v *view) stall() Stall {
	st := Stall{Age: math.NaN(), Interval: v.interval()}
	st.Limit, st.LimitWhy = v.limit(st.Interval)
	st.Processes = make([]Standing, 0, len(v.members)+len(v.role.NeverSeen))
	for i := range v.members {
		st.Processes = append(st.Processes, v.standing(i))
	}
	st.findFrontier()
	complete := v.complete() || v.mostEnded()
	for i := range st.Processes {
		v.judge(&st, &st.Processes[i], complete)
	}
	st.Stalled = v.isStalled(&st)
	f := &frontier{view: v, stall: &st}
	f.find()
	v.addNeverSeen(&st)
	st.Summary = st.summary(v.role)
	return st
}

// standing is what is known of a rank without comparing it.
func (v *view) standing(i int) Standing {
	m := v.members[i]
	p := v.run.Processes[m.process]
	s := Standing{
		Process: m.process, Rank: m.rank, Role: p.ID.Role, Host: m.host,
		Iteration: p.Iteration, HasIteration: p.HasIteration && !v.fromBefore(p),
		Age: age(v.snap, p.First), Quiet: age(v.snap, p.Last),
		Progress: math.NaN(), SpansEnded: p.Inside.Ended, LastPhase: v.phaseText(p.LastName),
	}
	if s.HasIteration {
		s.Age = age(v.snap, p.IterationAt)
	}
	if p.Inside.Usual > 0 {
		s.Progress = min(float64(p.Inside.Ended)/float64(p.Inside.Usual), 1)
	}
	if p.Stuck.Start != 0 {
		s.StuckIn = v.run.Names[p.Stuck.Name].Text
	}
	return s
}

// fromBefore reports whether a process is of an earlier life of the run: it was
// silent before the present attempt began.
func (v *view) fromBefore(p *store.Process) bool {
	at := v.attempt
	return p.Attempt < at && p.Last < v.run.Attempts[at].First
}

// phaseText is the phase of a span name, or the name where it has none.
func (v *view) phaseText(name int) string {
	if name < 0 || name >= len(v.run.Names) {
		return ""
	}
	if n := v.run.Names[name]; n.Phase.Name != "" {
		return n.Phase.Name
	}
	return v.run.Names[name].Text
}

// findFrontier finds the furthest iteration, and how long ago any rank finished
// one.
func (st *Stall) findFrontier() {
	for _, s := range st.Processes {
		if s.HasIteration {
			if !st.HasFrontier || s.Iteration > st.Frontier {
				st.Frontier, st.HasFrontier = s.Iteration, true
			}
			st.Age = lower(st.Age, s.Age)
		}
	}
	for i := range st.Processes {
		if s := &st.Processes[i]; s.HasIteration {
			s.Lag = st.Frontier - s.Iteration
		}
	}
}

// judge gives a rank its state. complete says that what it lacks will not come.
func (v *view) judge(st *Stall, s *Standing, complete bool) {
	p := v.run.Processes[s.Process]
	late := s.Age > st.Limit
	switch {
	case hasEnded(p):
		s.State = ProcessEnded
	case complete && s.Lag > st.onItsWay() && !(late && s.Quiet > silenceLimit(p, &v.limits)):
		s.State = ProcessBehind // what it lacks is not on its way
	case !late:
		s.State = ProcessOK
	case s.Quiet > silenceLimit(p, &v.limits):
		s.State = ProcessSilent
	case s.Lag > 0:
		s.State = ProcessBehind
	default:
		s.State = ProcessAliveStuck
	}
}

// exportDelay is how long, in seconds, a batch of spans usually waits before it is
// exported: what the OpenTelemetry specification sets for the batch processor.
const exportDelay = 5

// onItsWay is how many iterations a rank may lack only because its last batch was
// not exported yet when the file ended.
func (st *Stall) onItsWay() int64 {
	if !(st.Interval > 0) {
		return 1
	}
	return max(1, int64(math.Ceil(exportDelay/st.Interval)))
}

// complete reports whether all that will ever come is there: the source is a
// file, or nothing has come for very long.
func (v *view) complete() bool { return v.snap.Clock == store.SenderClock || !v.snap.Live }

// mostEnded reports whether the run is over for at least half of its ranks: who is
// far behind then does not catch up.
func (v *view) mostEnded() bool {
	n := 0
	for _, m := range v.members {
		if hasEnded(v.run.Processes[m.process]) {
			n++
		}
	}
	return n > 0 && 2*n >= len(v.members)
}

// hasEnded reports whether a process said that it is over: its job's span is
// closed, or the last that came are spans that a shutdown closed.
func hasEnded(p *store.Process) bool {
	return p.Closed != 0 || p.Stuck.Start != 0 && p.Stuck.End+flushSpread >= p.End
}

// flushSpread is how much later than the spans that a shutdown closes it may end
// others, ns.
const flushSpread = uint64(1e9)

// isStalled reports whether no rank has finished an iteration for too long, and
// some rank has not ended.
func (v *view) isStalled(st *Stall) bool {
	if len(st.Processes) == 0 || st.ended() {
		return false
	}
	if !st.HasFrontier {
		return v.hasSteps() && age(v.snap, v.run.First) > st.Limit
	}
	return st.Age > st.Limit
}

// ended reports whether all ranks of which something was received have ended.
func (st *Stall) ended() bool {
	some := false
	for _, s := range st.Processes {
		if s.State != ProcessEnded && s.State != ProcessNeverSeen {
			return false
		}
		some = some || s.State == ProcessEnded
	}
	return some
}

// hasSteps reports whether the run is one that trains: it has sent a step, or
// spans of the kind that steps consist of.
func (v *view) hasSteps() bool {
	return v.run.Seen.Seen > 0 || slices.ContainsFunc(v.run.Names, func(n store.Name) bool {
		return n.Phase.Class == run.Step || n.Phase.Class == run.Compute
	})
}

// addNeverSeen lists the ranks of which nothing was received.
func (v *view) addNeverSeen(st *Stall) {
	if v.opt.Filter != nil {
		return
	}
	for _, rank := range v.role.NeverSeen {
		st.Processes = append(st.Processes, Standing{
			Process: -1, Rank: rank, Role: v.role.Role, State: ProcessNeverSeen,
			Age: math.NaN(), Quiet: math.NaN(), Progress: math.NaN(),
		})
	}
}

// summary is the line that an engineer reads first.
func (st *Stall) summary(ps Presence) string {
	var parts []string
	if ps.World != run.Unknown {
		parts = append(parts, thousands(ps.World)+" expected")
	}
	parts = append(parts, thousands(ps.Seen)+" seen")
	if text := st.behind(); text != "" {
		parts = append(parts, text)
	}
	for _, state := range []ProcessState{ProcessSilent, ProcessAliveStuck, ProcessFrozenTogether, ProcessEnded} {
		if ranks := st.ranks(func(s Standing) bool { return s.State == state }); len(ranks) > 0 {
			parts = append(parts, thousands(len(ranks))+" "+stateText(state))
		}
	}
	if n := len(ps.NeverSeen); n > 0 {
		parts = append(parts, thousands(n)+" never seen")
	}
	return strings.Join(parts, ", ")
}

func stateText(s ProcessState) string {
	return strings.ToLower(strings.ReplaceAll(string(s), "_", " "))
}

// behind tells of the ranks below the frontier: "1 behind (rank 5, 6 steps)".
func (st *Stall) behind() string {
	var most int64
	ranks := st.ranks(func(s Standing) bool {
		late := s.Lag > 0 && s.State != ProcessOK && s.State != ProcessEnded
		if late {
			most = max(most, s.Lag)
		}
		return late || s.State == ProcessBehind
	})
	switch {
	case len(ranks) == 0:
		return ""
	case most == 0:
		return fmt.Sprintf("%s behind (%s, inside the same step)", thousands(len(ranks)), list("rank", ranks))
	case len(ranks) == 1:
		return fmt.Sprintf("1 behind (%s, %s)", list("rank", ranks), count(int(most), "step"))
	}
	return fmt.Sprintf("%s behind (%s, up to %s)", thousands(len(ranks)), list("rank", ranks), count(int(most), "step"))
}

func (st *Stall) ranks(of func(Standing) bool) (out []int) {
	for _, s := range st.Processes {
		if of(s) {
			out = append(out, s.Rank)
		}
	}
	slices.Sort(out)
	return out
}
