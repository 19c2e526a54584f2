package simulate

import (
	"fmt"
	"time"
)

// MaxRanks is the largest world that can be simulated.
const MaxRanks = 16384

// Config describes a run. Equal configurations give byte-equal streams. Zero
// sizes and durations get the defaults named here; a zero "Every" of a periodic
// event means never.
type Config struct {
	Seed    uint64
	RunID   string    // default "sim-<seed>"
	Service string    // default "megatron-lm"
	User    string    // nemo.user.id, not sent when empty
	Start   time.Time // of the processes; default 2026-01-01T00:00:00Z

	TP, CP, PP, DP int // sizes of the parallel dimensions, default 1; their product is the world size
	RanksPerHost   int // default 8
	Microbatches   int // of one step and lane, default 8

	Step       time.Duration // length of a step of the healthy run, about; default 1 s
	Startup    time.Duration // from the start of the processes to the first step; default 2 steps
	Iterations int           // after which the run shuts down; 0 is endless
	Linger     time.Duration // from a hang to the shutdown, when Iterations > 0; default 1 min

	Naming     Naming
	NewestOnly bool // leave out the older spelling of rank, world size and local rank
	Detail     Detail
	OneTrace   bool          // steps are children of the job span: one trace a rank, instead of one a step
	HostSkew   time.Duration // host clocks are off by up to so much, either way

	ExportEvery time.Duration // of spans and logs, per rank; default 5 s
	MetricEvery time.Duration // default 10 s

	LogEvery        int // iterations between two training lines of the last rank, default 10
	CheckpointEvery int // iterations
	EvalEvery       int // iterations
	GCEvery         int // iterations
	NaNEvery        int // iterations between two steps whose gradient norm is not a number

	Gateway bool // a service without rank beside the trainers, with a well-behaved counter by gen_ai.request.model
	Faults  []Fault
}

// normalize fills in defaults and refuses what cannot be simulated.
func (c Config) normalize() (Config, error) {
	c.fillNames()
	c.fillSizes()
	c.fillTimes()
	if err := c.check(); err != nil {
		return c, err
	}
	return c, nil
}

func (c *Config) fillNames() {
	if c.RunID == "" {
		c.RunID = fmt.Sprintf("sim-%d", c.Seed)
	}
	if c.Service == "" {
		c.Service = "megatron-lm"
	}
	if c.Start.IsZero() {
		c.Start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	}
}

func (c *Config) fillSizes() {
	for _, n := range []*int{&c.TP, &c.CP, &c.PP, &c.DP} {
		orInt(n, 1)
	}
	orInt(&c.RanksPerHost, 8)
	orInt(&c.Microbatches, 8)
	orInt(&c.LogEvery, 10)
}

func (c *Config) fillTimes() {
	orTime(&c.Step, time.Second)
	orTime(&c.Startup, 2*c.Step)
	orTime(&c.Linger, time.Minute)
	orTime(&c.ExportEvery, 5*time.Second)
	orTime(&c.MetricEvery, 10*time.Second)
}

func orInt(n *int, def int) {
	if *n == 0 {
		*n = def
	}
}

func orTime(d *time.Duration, def time.Duration) {
	if *d == 0 {
		*d = def
	}
}

// Ranks is the world size.
func (c Config) Ranks() int { return max(c.TP, 1) * max(c.CP, 1) * max(c.PP, 1) * max(c.DP, 1) }
