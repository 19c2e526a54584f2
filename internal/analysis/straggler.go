package analysis

import (
	"github.com/beamline-hpc/lensview/internal/run"
)

// Unit is the smallest thing that the telemetry sent can set apart.
type Unit string

// The units.
const (
	UnitRank       Unit = "rank"
	UnitWorker     Unit = "worker"      // the tensor- and context-parallel ranks of one stage and dp lane
	UnitLane       Unit = "lane"        // all stages of one dp coordinate
	UnitHost       Unit = "host"        // the ranks of a host that has several workers
	UnitTPPosition Unit = "tp_position" // the ranks of one tensor-parallel coordinate
	UnitGroup      Unit = "group"       // none of these
)

// Stragglers is the answer to "who is slow".
type Stragglers struct {
	// Found is nil when the data cannot tell, and empty when all were compared and
	// none is slow.
	Found      []Straggler
	CannotTell []string // what could not be told, and what to do about it
	Steps      int      // clean steps that were compared
	Early      bool     // fewer than the usual 20
	Source     ComputeSource
	Workers    []Worker // all that were compared, by stage and lane; slow or not
	Compared   Unit     // what Workers are: ranks, workers of several ranks, or lanes
}

// ComputeSource says from which spans compute seconds come.
type ComputeSource string

// The sources, fine to coarse.
const (
	FromMicrobatches    ComputeSource = "microbatch"
	FromForwardBackward ComputeSource = "forward_backward"
	FromNamedCompute    ComputeSource = "compute"
	FromWaits           ComputeSource = "step less waits" // approximate: time that nobody spanned counts as compute
	FromNothing         ComputeSource = ""
)

// Signal is a reason for which something is named.
type Signal string

// The signals.
const (
	Magnitude   Signal = "magnitude"
	Persistence Signal = "persistence"
	Arrival     Signal = "arrival"
)

// Straggler is one rank or group that computes longer than its like.
type Straggler struct {
	Unit        Unit
	Ranks       []int
	Processes   []int // in the run
	Role        string
	Hosts       []string
	Coord       run.Coord // run.Unknown along dimensions in which its ranks differ
	BusyRatio   float64   // compute over the median of its cohort
	Z           float64   // modified z-score, NaN in cohorts of fewer than 3
	WaitGap     float64   // (median wait − own wait) / step, NaN when unknown
	Score       float64   // least compute of the cohort over own compute
	WorstIn     float64   // share of the steps in which it was the worst of its cohort
	LastIn      float64   // share of the steps in which it was last to arrive, NaN when clocks cannot tell
	Signals     []Signal
	Level       run.Level // Warning, or Critical from a ratio of 1.20
	Early       bool      // from fewer steps than usual
	Approximate bool
	Note        string // what to do to narrow it down, "" for nothing
}

// Worker is the compared figures of all ranks of one (role, stage, lane), or of
// one rank where the parallel sizes are not known. Seconds are medians over the
// compared steps.
type Worker struct {
	Coord     run.Coord // of the worker: tp and cp run.Unknown where it has several ranks
	Ranks     []int
	Processes []int // in the run
	Steps     int
	Compute   float64
	Wait      float64
	Step      float64
	BusyRatio float64 // NaN when it has no cohort
	Z         float64
	Score     float64
	WaitGap   float64
	WorstIn   float64
	LastIn    float64
}
