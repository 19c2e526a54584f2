package runsscreen

import (
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// State is what can be said of a run by looking at when it was heard of. It is
// no verdict: that a run is silent does not tell whether it hangs or has ended.
type State uint8

// The states.
const (
	Unheard   State = iota // no step, no rank: a service, or nothing yet
	Starting               // sends, but no iteration is finished
	Advancing              // iterations are being finished
	Waiting                // sends, but has finished no iteration for long
	Silent                 // sends nothing
	Recorded               // from a file: whole, not moving
)

// String is the word in the header and the table.
func (s State) String() string {
	return [...]string{"receiving", "starting", "advancing", "no step", "silent", "recorded"}[min(s, Recorded)]
}

// Summary is how a run is, at a glance.
type Summary struct {
	State     State
	Iteration int64 // the highest finished one of the current attempt
	HasIter   bool
	Seen      int           // distinct ranks
	World     int           // 0 when it was not sent
	Quiet     time.Duration // since anything was heard
	Stuck     time.Duration // since an iteration was finished
	Truncated uint64
	Errors    uint64
	Warnings  int
}

// The limits of ANALYSES section 3 without its interval: they only colour a word.
const (
	silentAfter = 30 * time.Second
	stuckAfter  = 2 * time.Minute
)

// Summarise looks at every process of a run once.
func Summarise(s *store.Snapshot, r *store.Run) Summary {
	out := Summary{World: max(0, r.WorldSize), Truncated: r.Truncated, Errors: r.Errors,
		Quiet: time.Duration(s.Now - r.Last)}
	var iterationAt int64
	seen := map[int]struct{}{}
	for _, p := range r.Processes {
		if p.ID.Rank >= 0 && !p.ID.Gym {
			seen[p.ID.Rank] = struct{}{}
		}
		if !p.HasIteration || p.Attempt != len(r.Attempts)-1 {
			continue
		}
		out.Iteration, out.HasIter = max(out.Iteration, p.Iteration), true
		iterationAt = max(iterationAt, p.IterationAt)
	}
	out.Seen, out.Stuck = len(seen), time.Duration(s.Now-iterationAt)
	for _, n := range r.Notices {
		if n.Level >= run.Warning {
			out.Warnings++
		}
	}
	out.State = state(s, out)
	return out
}

func state(s *store.Snapshot, sum Summary) State {
	switch {
	case len(s.Receiver.Listeners) == 0 && !s.Live:
		return Recorded
	case sum.Quiet > silentAfter:
		return Silent
	case sum.HasIter && sum.Stuck > stuckAfter:
		return Waiting
	case sum.HasIter:
		return Advancing
	case sum.Seen > 0:
		return Starting
	}
	return Unheard
}
