package analysis

import "github.com/beamline-hpc/lensview/internal/run"

// ProcessState is what a process is doing, in the report's words.
type ProcessState string

// The states.
const (
	ProcessOK             ProcessState = "OK"
	ProcessSilent         ProcessState = "SILENT"          // neither spans nor metrics for too long
	ProcessAliveStuck     ProcessState = "ALIVE_STUCK"     // something comes, mostly metrics, but no iteration
	ProcessBehind         ProcessState = "BEHIND"          // below the frontier, and late
	ProcessFrozenTogether ProcessState = "FROZEN_TOGETHER" // stalled at the same place as all others, and no metrics tell more
	ProcessEnded          ProcessState = "ENDED"
	ProcessNeverSeen      ProcessState = "NEVER_SEEN" // a rank below the world size of which nothing was received
)

// Stall is the answer to "is it moving; if not, who stopped first". Times are
// seconds of the snapshot's clock.
type Stall struct {
	Stalled     bool
	Together    bool  // stalled, and all ranks stand at the same place: no rank is singled out
	Frontier    int64 // last iteration that any rank finished; valid when HasFrontier
	HasFrontier bool
	Age         float64 // since the last finished iteration of any rank, NaN when there was none
	Interval    float64 // usual time from one iteration to the next, NaN when unknown
	Limit       float64 // beyond which Age is called a stall
	LimitWhy    string  // how the limit came about
	Summary     string  // "8 expected, 7 seen, 1 behind (rank 5, 6 steps), 1 never seen"
	Processes   []Standing
	Suspects    []Suspect // who stopped first, most suspect first; only of a stall or an end
	NoSuspect   string    // why a stall has no suspect
}

// Standing is where one rank is.
type Standing struct {
	Process      int // in the run, −1 when nothing was received from the rank
	Rank         int
	Role, Host   string
	State        ProcessState
	Iteration    int64 // last finished; valid when HasIteration
	HasIteration bool
	Lag          int64   // iterations below the frontier
	Age          float64 // since the last finished iteration, else since the first anything; NaN when unknown
	Quiet        float64 // since the last anything, NaN when unknown
	Progress     float64 // share of a usual step's spans that have ended in the next iteration, NaN when unknown
	SpansEnded   int     // spans of the next iteration that have ended
	LastPhase    string  // phase (or name) of the last finished span, "" when none
	StuckIn      string  // name of the deepest span that was closed by force at shutdown, "" when none
}

// Suspect is a rank or group that stopped before the others.
type Suspect struct {
	Unit   Unit
	Ranks  []int
	Hosts  []string
	Coord  run.Coord // run.Unknown along dimensions in which its ranks differ
	Reason string    // "still in iteration 11 before forward_backward, which all others have ended"
}
