package simulate

import "github.com/beamline-hpc/lensview/internal/run"

// Units that spans can tell apart.
const (
	UnitRank   = "rank"
	UnitWorker = "worker" // the coupled ranks of one stage and lane
	UnitLane   = "lane"   // all stages of one replica, or of several
	UnitHost   = "host"   // the ranks of one host
	UnitStage  = "stage"  // the ranks of one pipeline stage
	UnitMetric = "metric"
	UnitNone   = "none" // the telemetry sent cannot show it
)

// What can be told of a fault beside a name.
const (
	TellsUnseen   = "unseen"        // ranks of which nothing ever comes
	TellsSilent   = "silent"        // a rank of which nothing comes any more
	TellsTogether = "together"      // all ranks stopped at the same place
	TellsAttempt  = "attempt"       // a second attempt
	TellsEnded    = "ended"         // the run was shut down
	TellsClocks   = "clock-offset"  // clocks of hosts differ
	TellsIDs      = "shared-ids"    // ranks share span ids
	TellsTopology = "topology"      // the sizes sent do not fit the world
	TellsRotating = "rotating"      // another worker is the longest each step
	TellsKey      = "attribute-key" // the metric attribute that explodes
)

// TruthSchema names the form of a truth file.
const TruthSchema = "lensview.truth/v1"

// Truth is what was simulated, known before any analysis. It is written beside
// the data as JSON.
type Truth struct {
	Schema       string     `json:"schema"`
	Run          string     `json:"run"`
	Seed         uint64     `json:"seed"`
	WorldSize    int        `json:"world_size"`
	TP           int        `json:"tp"`
	CP           int        `json:"cp"`
	PP           int        `json:"pp"`
	DP           int        `json:"dp"`
	Microbatches int        `json:"microbatches"`
	Iterations   int        `json:"iterations"` // 0 is endless
	Detail       string     `json:"detail"`
	Naming       string     `json:"naming"`
	Injected     []Injected `json:"injected"` // empty for a healthy run
}

// Injected is one fault: where it was put, and what of it the telemetry sent
// can show. Iteration is numbered as the spans number it.
type Injected struct {
	Kind      string  `json:"kind"`
	Rank      int     `json:"rank"`
	PP        int     `json:"pp"`
	DP        int     `json:"dp"`
	Host      string  `json:"host,omitempty"`
	Iteration int     `json:"iteration"`
	Factor    float64 `json:"factor,omitempty"`
	Unit      string  `json:"unit"`            // the smallest unit that can be named
	Shown     []int   `json:"shown"`           // its ranks
	Tells     string  `json:"tells,omitempty"` // what else the telemetry must tell
	Faint     bool    `json:"faint,omitempty"` // it shows too little to insist on it: to name it is right, not to is no miss
	Why       string  `json:"why,omitempty"`   // why nothing, or nothing smaller, can be named
	Metric    string  `json:"metric,omitempty"`
	Key       string  `json:"key,omitempty"`
	PerSecond float64 `json:"per_second,omitempty"` // new attribute values
}

// truthOf is the truth of a normalized configuration.
func truthOf(c *Config) Truth {
	t := Truth{
		Schema: TruthSchema, Run: c.RunID, Seed: c.Seed, WorldSize: c.Ranks(),
		TP: c.TP, CP: c.CP, PP: c.PP, DP: c.DP, Microbatches: c.Microbatches, Iterations: c.Iterations,
		Detail: c.Detail.String(), Naming: c.Naming.String(), Injected: []Injected{},
	}
	for _, f := range c.Faults {
		t.Injected = append(t.Injected, f.truth(c))
	}
	return t
}

// placed is the truth of a fault of one rank.
func placed(c *Config, kind string, rank, iteration int) Injected {
	l := c.layout()
	at := l.coord(rank)
	return Injected{
		Kind: kind, Rank: rank, PP: at.PP, DP: at.DP, Host: l.hostName(rank),
		Iteration: c.names().iteration(iteration),
	}
}

// placeless is the truth of a fault of no rank: nobody can be named.
func placeless(c *Config, kind string, iteration int) Injected {
	return Injected{
		Kind: kind, Rank: run.Unknown, PP: run.Unknown, DP: run.Unknown,
		Iteration: c.names().iteration(iteration), Unit: UnitNone, Shown: []int{},
	}
}

// workerUnit is the unit of coupled ranks: the rank when it has no peers.
func workerUnit(l layout) string {
	if l.peers() == 1 {
		return UnitRank
	}
	return UnitWorker
}
