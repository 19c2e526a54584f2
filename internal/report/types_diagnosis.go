package report

// Stall is where the ranks are. Ranks that are well are left out of Processes.
type Stall struct {
	Stalled   bool       `json:"stalled"`
	Frontier  *int64     `json:"frontier"` // last iteration that any rank finished
	Together  bool       `json:"together"` // no rank is singled out: all stand at the same place
	Age       *float64   `json:"age"`      // since any rank finished an iteration
	Limit     *float64   `json:"limit"`    // beyond which that is a stall
	LimitWhy  string     `json:"limit_why"`
	Summary   string     `json:"summary"`
	Processes []Standing `json:"processes"`
	Suspects  []Suspect  `json:"suspects"` // who stopped first, most suspect first
	NoSuspect *string    `json:"no_suspect"`
}

// Standing is where one rank is.
type Standing struct {
	Rank      *int     `json:"rank"`
	Role      *string  `json:"role"`
	Host      *string  `json:"host"`
	State     string   `json:"state"`
	Iteration *int64   `json:"iteration"`
	Age       *float64 `json:"age"`
	LastPhase *string  `json:"last_phase"`
	StuckIn   *string  `json:"stuck_in"` // deepest span that was closed by force at shutdown
}

// Suspect is a rank or group that stopped before the others.
type Suspect struct {
	Unit   string   `json:"unit"`
	Ranks  []int    `json:"ranks"`
	Hosts  []string `json:"hosts"`
	Coord  *Coord   `json:"coord"`
	Reason string   `json:"reason"`
}

// Straggler is one rank or group that computes longer than its like.
type Straggler struct {
	Unit        string   `json:"unit"` // rank, worker, lane, host, tp_position or group
	Ranks       []int    `json:"ranks"`
	Role        *string  `json:"role"`
	Hosts       []string `json:"hosts"`
	Coord       *Coord   `json:"coord"`
	BusyRatio   *float64 `json:"busy_ratio"`
	Z           *float64 `json:"z"`
	WaitGap     *float64 `json:"wait_gap"`
	Score       *float64 `json:"score"`
	Signals     []string `json:"signals"`
	WorstIn     *float64 `json:"worst_in"`
	Level       string   `json:"level"`
	Early       bool     `json:"early"`
	Approximate bool     `json:"approximate"`
	Note        *string  `json:"note"` // what to do to narrow it down
}

// WhatIf is how much faster steps would be with equal compute, and whose time
// that is.
type WhatIf struct {
	Slowdown    *float64 `json:"slowdown"`
	WorkerShare *float64 `json:"worker_share"`
	StageShare  *float64 `json:"stage_share"`
	Cause       string   `json:"cause"`
	Worker      *Worker  `json:"worker"`
	Approximate bool     `json:"approximate"`
}

// Worker names a worker by its place.
type Worker struct {
	PP *int `json:"pp"`
	DP *int `json:"dp"`
}

// Bubble is the idle share of the pipeline.
type Bubble struct {
	ExpectedShare *float64 `json:"expected_share"`
	ObservedShare *float64 `json:"observed_share"`
	Stages        int      `json:"stages"`
	Microbatches  int      `json:"microbatches"`
}

// Part is a class of the usual step: exclusive time, so that the shares add up to
// 1. Dark is what no span covers.
type Part struct {
	Class   string  `json:"class"`
	Share   float64 `json:"share"`
	Seconds float64 `json:"seconds"`
}

// Steps is the step series: seconds of the median and the slowest rank.
type Steps struct {
	Clean     int      `json:"clean"`
	P50       *float64 `json:"p50"` // of the median rank over the last 20 clean steps
	Slowest   *float64 `json:"slowest"`
	Spikes    int      `json:"spikes"`
	Irregular int      `json:"irregular"`
	Shifts    []Shift  `json:"shifts"`

	irregularRatio float64 // of the usual step, from which one is irregular
}

// Shift is a change of the step time that lasted.
type Shift struct {
	Iteration int64   `json:"iteration"`
	Before    float64 `json:"before"`
	After     float64 `json:"after"`
	Change    float64 `json:"change"`
}

// Goodput is the part of the time that went into steps that count.
type Goodput struct {
	Share    float64            `json:"share"`
	Useful   float64            `json:"useful"`
	Elapsed  float64            `json:"elapsed"`
	Excluded map[string]float64 `json:"excluded"`
	Between  float64            `json:"between"`
}

// Rank is one of the ranks that stand out: the slowest first.
type Rank struct {
	Rank      *int     `json:"rank"`
	Role      *string  `json:"role"`
	Host      *string  `json:"host"`
	Coord     *Coord   `json:"coord"`
	State     string   `json:"state"`
	Iteration *int64   `json:"iteration"`
	StepP50   *float64 `json:"step_p50"`
	Compute   *float64 `json:"compute"`
	Wait      *float64 `json:"wait"`
	Slowdown  *float64 `json:"slowdown"` // compute over the median of its like
	Score     *float64 `json:"score"`
	Truncated uint64   `json:"truncated"`
}

// Quantity is one quantity of the training, whatever name it was sent under.
type Quantity struct {
	ID        string   `json:"id"`
	Name      string   `json:"name"` // the metric or span event that it was read from
	Unit      string   `json:"unit"`
	Of        string   `json:"of"` // "rank 7", "median of 8 ranks"
	Reading   string   `json:"reading"`
	Global    bool     `json:"global"` // every rank sends the world's value
	Points    int      `json:"points"`
	NotFinite int      `json:"not_finite"`
	First     *float64 `json:"first"`
	Last      *float64 `json:"last"`
	Min       *float64 `json:"min"`
	Max       *float64 `json:"max"`
	Total     *float64 `json:"total"` // of counters
}

// Convention is a convention that the telemetry breaks.
type Convention struct {
	Code  string `json:"code"`
	Level string `json:"level"`
	Name  string `json:"name"`
	Text  string `json:"text"`
}
