package simulate

import (
	"fmt"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
)

// Fault is something wrong with a run. Each kind is one type in this package.
type Fault interface {
	// Kind is the word of the truth file.
	Kind() string
	// check refuses a fault that does not fit the run.
	check(c *Config) error
	// inject adds what the fault does to the model.
	inject(l layout, e *effects)
	// truth says what was injected and what of it the spans can show.
	truth(c *Config) Injected
}

// Kinds of fault.
const (
	KindStraggler = "straggler"
	KindSlowStage = "slow-stage"
	KindSlowLink  = "slow-link"
	KindSlowHost  = "slow-host"
	KindRotating  = "rotating"
	KindHang      = "hang"
	KindFreeze    = "freeze"
	KindSilent    = "silent"
	KindRestart   = "restart"
	KindSkew      = "skew"
	KindSeededIDs = "seeded-ids"
	KindTruncated = "truncated"
	KindSampled   = "sampled"
	KindTopology  = "topology"
	KindExplosion = "cardinality"
)

// Straggler is a rank whose GPU computes slower from an iteration on. Its
// tensor- and context-parallel peers wait for it inside every layer, so the
// whole worker is slow.
type Straggler struct {
	Rank   int
	Factor float64 // on its compute time, above 1
	From   int     // iteration, counted from 0
}

// Kind is KindStraggler.
func (Straggler) Kind() string { return KindStraggler }

func (s Straggler) check(c *Config) error {
	if err := checkFactor(s.Factor); err != nil {
		return err
	}
	return checkPlace(c, s.Rank, s.From)
}

func (s Straggler) inject(l layout, e *effects) {
	at := l.coord(s.Rank)
	e.slow = append(e.slow, slowdown{pp: at.PP, dp: at.DP, from: s.From, factor: s.Factor})
}

func (s Straggler) truth(c *Config) Injected {
	t := placed(c, s.Kind(), s.Rank, s.From)
	t.Factor = s.Factor
	return c.identify().worker(t)
}

// Hang is a rank that stops for ever. The others go on as far as they can
// without it: its own peers to their next collective, its lane to the next
// receive, its stage to the gradient sync, all others to the gradient norm.
type Hang struct {
	Rank      int
	Iteration int // counted from 0
	// Within is the microbatch, counted from 1, whose backward never ends on
	// the whole worker. 0 stops the rank alone, on the host, after it has taken
	// part in all collectives of its last backward.
	Within int
	// Alive lets the rank's exporters go on: only the training thread hangs.
	// Otherwise the process is frozen and what it had not yet sent is lost.
	Alive bool
}

// Kind is KindHang.
func (Hang) Kind() string { return KindHang }

func (h Hang) check(c *Config) error {
	if h.Within < 0 || h.Within > c.Microbatches {
		return fmt.Errorf("microbatch %d: the step has %d, counted from 1", h.Within, c.Microbatches)
	}
	return checkPlace(c, h.Rank, h.Iteration)
}

func (h Hang) inject(l layout, e *effects) {
	at := l.coord(h.Rank)
	e.hang = &stop{rank: h.Rank, pp: at.PP, dp: at.DP, iteration: h.Iteration, within: h.Within, alive: h.Alive}
}

func (h Hang) truth(c *Config) Injected {
	return c.identify().hang(placed(c, h.Kind(), h.Rank, h.Iteration), h)
}

// Explosion is a counter of the gateway service whose attribute user.session.id
// never repeats a value.
type Explosion struct {
	PerSecond float64 // new sessions, default 50
}

// Kind is KindExplosion.
func (Explosion) Kind() string { return KindExplosion }

func (x Explosion) check(*Config) error {
	if !(x.PerSecond >= 0 && x.PerSecond <= 1e6) {
		return fmt.Errorf("%g new sessions a second, must be 0 to 1e6", x.PerSecond)
	}
	return nil
}

func (x Explosion) inject(_ layout, e *effects) { e.sessions += x.rate() }

func (x Explosion) truth(*Config) Injected {
	return Injected{
		Kind: x.Kind(), Rank: run.Unknown, PP: run.Unknown, DP: run.Unknown, Unit: UnitMetric, Shown: []int{},
		Metric: sessionMetric, Key: sessionKey, PerSecond: x.rate(), Tells: TellsKey,
	}
}

func (x Explosion) rate() float64 {
	if x.PerSecond == 0 {
		return 50
	}
	return x.PerSecond
}

// checkPlace refuses a rank or iteration that the run does not have.
func checkPlace(c *Config, rank, iteration int) error {
	if rank < 0 || rank >= c.Ranks() {
		return fmt.Errorf("rank %d: the run has ranks 0 to %d", rank, c.Ranks()-1)
	}
	return checkIteration(c, iteration)
}

// checkIteration refuses an iteration that the run does not have.
func checkIteration(c *Config, iteration int) error {
	if iteration < 0 || c.Iterations > 0 && iteration >= c.Iterations {
		return fmt.Errorf("iteration %d: the run has iterations 0 to %d", iteration, c.Iterations-1)
	}
	return nil
}

// gateway reports whether the service beside the trainers runs.
func (c *Config) gateway() bool {
	return c.Gateway || slices.ContainsFunc(c.Faults, func(f Fault) bool { return f.Kind() == KindExplosion })
}
