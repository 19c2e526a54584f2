package store

import "github.com/beamline-hpc/lensview/internal/run"

// Snapshot is everything a reader may look at, at one version. It never
// changes after it was taken; taking one costs well under a millisecond at any
// size, because finished data are shared and live data are copied by the
// writer on its next write.
type Snapshot struct {
	Version  uint64
	Now      int64 // unix ns: the receiver's clock, or for files the last receive or end time
	Clock    Clock
	Live     bool // some run sent something lately: silence must move the screen
	Runs     []*Run
	Accounts [run.SignalCount]run.Account
	Senders  []Sender // by signal traffic, most first
	Memory   Memory
	Receiver run.Receiver
	Notices  []run.Notice

	Recording *run.Recording // of what is received, nil when there is none; set above the store
	Loading   *run.Loading   // of files, nil when all is read; set above the store
}

// Clock says whose clock Snapshot.Now is.
type Clock uint8

// Clocks.
const (
	ReceiverClock Clock = iota
	SenderClock         // a file without receive times: "now" is its latest end time
)

// Run returns the run of that id, or nil.
func (s *Snapshot) Run(id string) *Run {
	for _, r := range s.Runs {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// Sender is the traffic of one peer.
type Sender struct {
	Name     string
	Accounts [run.SignalCount]run.Account
	Requests uint64
	Bytes    uint64
	Last     int64
}

// Memory is the store's budget and use in bytes.
type Memory struct {
	Budget  uint64 // --memory
	Data    uint64 // share left for evictable data
	Used    uint64 // evictable data held now
	Fixed   uint64 // processes, names, columns, sketches, dictionaries, connections up to their part
	Chunks  int
	Sealed  int    // of Chunks: full, cold and packed; the others are hot
	Dropped uint64 // overflow of pending steps, counted

	HotBytes, SealedBytes uint64 // of the chunks, in Used
}

// Run is one training run (or one service without a run id).
type Run struct {
	Index       int
	ID, IDBy    string // id and the rule that gave it, as in run.Identity
	Service     string
	User, Job   string
	WorldSize   int       // largest sent; run.Unknown when none
	Sizes       run.Sizes // first sent; disagreement is a notice
	Attempts    []Attempt // in order of appearance; the last is current
	Processes   []*Process
	Names       []Name // span names by name id
	Chunks      []*Chunk
	Columns     []*Column // sorted by attempt, then iteration
	Stages      []*StageStat
	Metrics     []*Metric
	Cardinality []KeyStat
	Logs        []*LogChunk
	LogLevels   [run.SeverityCount]uint64 // records by severity over the whole run, also those that are no longer held
	Accounts    [run.SignalCount]run.Account
	Truncated   uint64 // spans, over the whole run
	Invalid     uint64
	Errors      uint64
	First, Last int64  // receive times, unix ns
	Start, End  uint64 // earliest start and latest end of sane spans, sender clocks
	Seen        Iterations
	Notices     []run.Notice
	Thresholds  run.Thresholds // by which the analyses judge it; the zero value is the defaults
}

// Iterations is what is known of a run's iterations over its whole life.
type Iterations struct {
	Seen        int   // distinct (attempt, iteration)
	First, Last int64 // as sent; valid when Seen > 0
	Gone        Gone  // those whose columns are no longer kept
}

// Attempt is one start of a run.
type Attempt struct {
	UUID    string // nv.dl.run.uuid, "" when not sent
	Restart int    // slurm.restart_count, run.Unknown when not sent
	First   int64  // receive time
}

// Name is a span name of a run with its meaning.
type Name struct {
	Text  string
	Phase run.Phase
}

// Process is one sending process.
type Process struct {
	Index                        int
	ID                           run.Identity
	Coord                        run.Coord // sent or derived; run.Unknown where neither is possible
	Attempt                      int       // index in Run.Attempts
	Grid                         bool      // stands on the rank grid: sends step spans (or is the only one of its rank)
	Sibling                      bool      // shares role and rank with an overlapping process
	Resource                     []run.Attr
	First, Last                  int64 // receive times of the first and last anything
	LastSpan, LastPoint, LastLog int64 // receive times, 0 when none
	Iteration                    int64 // last finished; valid when HasIteration
	IterationAt                  int64 // its receive time
	HasIteration                 bool
	Spans, Points, Logs          uint64
	Truncated, Invalid, Errors   uint64
	Start, End                   uint64 // sender clock range of sane spans
	LastName                     int    // name id of the last finished span, -1 when none
	Inside                       Inside
	Stuck                        Stuck
	Closed                       uint64 // end (sender clock) of a root span, no step, around all its steps; 0 while there is none
	PointEvery                   int64  // usual ns from one receipt of points to the next, 0 when unknown

	stats []NameStat // sorted by name id
}

// NameStat is the exact statistics of one span name in one process, over its
// whole life. Durations are nanoseconds. Truncated and invalid spans are counted
// beside Count, never inside.
type NameStat struct {
	Name                              int
	Count, Truncated, Invalid, Errors uint64
	Sum                               Sum
	Min, Max                          uint64
}

// StageStat is the durations of one span name on one pipeline stage of a run,
// over its whole life: exact count, sum, min and max, and percentiles that are
// exact while few and within 1 % beyond.
type StageStat struct {
	Stage int // pipeline coordinate, run.Unknown where not known
	NameStat
	quantiles quantiles
}

// Column is one iteration of one attempt, over the processes of a run: seconds
// by class. Read it with Cell.
type Column struct {
	Attempt   int
	Iteration int64
	Base      int64 // unix ns, sender clock, to which Cell.Start is relative
	Arrived   int64 // unix ns, receiver's clock, to which Cell.Arrival is relative
	Seen      int   // processes that finished it
	blocks    []*block
	memo      columnMemo
}

// Cell is one process's share of an iteration: seconds of the step, the union
// of its finest compute spans without garbage collections, of wait, io and other
// spans (0 where it sent none); its start in seconds after Column.Base of the
// sender's clock and its arrival in seconds after Column.Arrived of the
// receiver's clock. Step is NaN when the step was truncated.
type Cell struct {
	Step, Compute, Wait, IO, Other float32
	Start, Arrival                 float32
	Flags                          CellFlags
	Level                          ComputeLevel
	Microbatches                   uint16 // forward (or backward) passes of a microbatch
	gc, lastWait                   share  // of the step
	step                           uint16 // 1 + name id of the step span
}

// CellFlags say why a cell may be excluded from step statistics.
type CellFlags uint8

// The reasons, in the order in which they apply.
const (
	FirstOfAttempt CellFlags = 1 << iota
	HasCheckpoint
	HasEvaluate
	HasGraphCapture
	HasGC
	Skipped
	StepTruncated
	ComputeIsUmbrella // Compute is forward_backward or coarser, not microbatches
)

// Ref names a span of a run for as long as it is retained.
type Ref struct {
	Chunk uint32
	Row   uint16
}
