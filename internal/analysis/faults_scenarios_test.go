package analysis

import (
	"math/rand/v2"
	"time"

	"github.com/beamline-hpc/lensview/internal/simulate"
)

// scenario is a fault, or several, put into runs of any size by a seed.
type scenario struct {
	name string
	put  func(c *simulate.Config, r *rand.Rand)
	// until is for how long the run is watched; 0 is to its end.
	until time.Duration
}

// watched is long enough for a run that stops in iteration 12 to count as
// stalled, and for a rank that is silent since iteration 8 as silent.
const watched = 55 * time.Second

// layoutOf is a run of so many ranks. Large ones have fewer microbatches: what
// is compared does not depend on it.
func layoutOf(ranks int, seed uint64) simulate.Config {
	c := simulate.Config{
		Seed: seed, RunID: "sim", Iterations: 26, Step: time.Second, RanksPerHost: 8, Microbatches: 4,
		ExportEvery: 5 * time.Second, MetricEvery: 10 * time.Second,
	}
	switch {
	case ranks == 1024:
		c.TP, c.PP, c.DP, c.Microbatches = 4, 4, 64, 2
	case ranks == 64:
		c.TP, c.PP, c.DP = 2, 4, 8
	case seed%2 == 0:
		c.DP, c.RanksPerHost = 8, 2
	default:
		c.PP, c.DP, c.RanksPerHost = 2, 4, 2
	}
	return c
}

// staged is a run with pipeline stages.
func staged(c *simulate.Config) {
	if c.PP < 2 {
		c.PP, c.DP = 2, c.DP/2
	}
	c.Microbatches = max(c.Microbatches, 4)
}

func add(c *simulate.Config, f ...simulate.Fault) { c.Faults = append(c.Faults, f...) }

// slowRank is one that computes 1.25 to 2 times as long from one of the first
// iterations on.
func slowRank(c *simulate.Config, r *rand.Rand) simulate.Straggler {
	s := simulate.Straggler{Rank: r.IntN(c.Ranks()), Factor: 1.25 + .75*r.Float64(), From: r.IntN(6)}
	add(c, s)
	return s
}

// hungRank is one that stops in iteration 12. The run goes on to be watched.
func hungRank(c *simulate.Config, r *rand.Rand, h simulate.Hang) {
	c.Iterations = 0
	h.Rank, h.Iteration = r.IntN(c.Ranks()), 12
	add(c, h)
}

func slowScenarios() []scenario {
	return []scenario{
		{name: "slow rank", put: func(c *simulate.Config, r *rand.Rand) { slowRank(c, r) }},
		{name: "slow rank, forward_backward only", put: func(c *simulate.Config, r *rand.Rand) {
			c.Detail = simulate.ForwardBackward
			slowRank(c, r)
		}},
		{name: "slow rank, steps only", put: func(c *simulate.Config, r *rand.Rand) {
			c.Detail = simulate.StepOnly
			slowRank(c, r)
		}},
		{name: "slow rank, sampled ranks", put: func(c *simulate.Config, r *rand.Rand) {
			slowRank(c, r)
			add(c, simulate.Sampled{Every: map[int]int{8: 2, 64: 4, 1024: 8}[c.Ranks()]})
		}},
		{name: "slow rank, its exporter silent", put: func(c *simulate.Config, r *rand.Rand) {
			add(c, simulate.Silent{Rank: slowRank(c, r).Rank})
		}},
		{name: "slow rank, skewed clocks and seeded ids", put: func(c *simulate.Config, r *rand.Rand) {
			slowRank(c, r)
			add(c, simulate.Skew{By: 5 * time.Minute}, simulate.SeededIDs{})
		}},
		{name: "slow rank, restarted", put: func(c *simulate.Config, r *rand.Rand) {
			slowRank(c, r)
			add(c, simulate.Restart{Rank: r.IntN(c.Ranks()), Iteration: 6, Back: 2, Down: 5 * time.Second})
		}},
		{name: "slow rank, mis-set topology", put: func(c *simulate.Config, r *rand.Rand) {
			slowRank(c, r)
			add(c, simulate.Topology{TP: 3})
		}},
		{name: "slow host", put: func(c *simulate.Config, r *rand.Rand) {
			add(c, simulate.SlowHost{Host: r.IntN(c.Ranks() / c.RanksPerHost), Factor: 1.25 + .75*r.Float64(), From: r.IntN(6)})
		}},
		{name: "slow last stage", put: func(c *simulate.Config, _ *rand.Rand) {
			staged(c)
			c.Microbatches = 8
			add(c, simulate.SlowStage{Stage: c.PP - 1, Factor: 2})
		}},
		{name: "slow other stage", put: func(c *simulate.Config, r *rand.Rand) {
			staged(c)
			add(c, simulate.SlowStage{Stage: r.IntN(c.PP - 1), Factor: 1.3 + r.Float64()})
		}},
		{name: "slow link", put: func(c *simulate.Config, r *rand.Rand) {
			staged(c)
			add(c, simulate.SlowLink{Stage: r.IntN(c.PP - 1), Lane: r.IntN(c.DP), Delay: time.Duration(30+r.IntN(50)) * time.Millisecond})
		}},
		{name: "slow link, forward_backward only", put: func(c *simulate.Config, r *rand.Rand) {
			staged(c)
			c.Detail = simulate.ForwardBackward
			add(c, simulate.SlowLink{Stage: r.IntN(c.PP - 1), Lane: r.IntN(c.DP), Delay: time.Duration(60+r.IntN(50)) * time.Millisecond})
		}},
		{name: "rotating imbalance", put: func(c *simulate.Config, r *rand.Rand) {
			add(c, simulate.Rotating{Factor: 1.4 + r.Float64()})
		}},
	}
}

func stopScenarios() []scenario {
	return []scenario{
		{name: "hang, process frozen", until: watched, put: func(c *simulate.Config, r *rand.Rand) { hungRank(c, r, simulate.Hang{}) }},
		{name: "hang on the host, exporter alive", until: watched, put: func(c *simulate.Config, r *rand.Rand) {
			hungRank(c, r, simulate.Hang{Alive: true})
		}},
		{name: "hang in a microbatch, exporter alive", until: watched, put: func(c *simulate.Config, r *rand.Rand) {
			hungRank(c, r, simulate.Hang{Alive: true, Within: 1 + r.IntN(c.Microbatches)})
		}},
		{name: "hang in a microbatch, forward_backward only", until: watched, put: func(c *simulate.Config, r *rand.Rand) {
			c.Detail = simulate.ForwardBackward
			hungRank(c, r, simulate.Hang{Alive: true, Within: 1 + r.IntN(c.Microbatches)})
		}},
		{name: "hang, exporter alive, steps only", until: watched, put: func(c *simulate.Config, r *rand.Rand) {
			c.Detail = simulate.StepOnly
			hungRank(c, r, simulate.Hang{Alive: true})
		}},
		{name: "freeze together", until: watched, put: func(c *simulate.Config, r *rand.Rand) {
			c.Iterations = 0
			add(c, simulate.Freeze{Iteration: 12, Alive: r.IntN(2) == 0})
		}},
	}
}

func otherScenarios() []scenario {
	return []scenario{
		{name: "silent exporter", until: watched, put: func(c *simulate.Config, r *rand.Rand) {
			c.Iterations = 0
			add(c, simulate.Silent{Rank: r.IntN(c.Ranks()), From: 8 * r.IntN(2)})
		}},
		{name: "restart on another host", put: func(c *simulate.Config, r *rand.Rand) {
			add(c, simulate.Restart{Rank: r.IntN(c.Ranks()), Iteration: 8 + r.IntN(8), Back: r.IntN(4), Down: 5 * time.Second})
		}},
		{name: "clock skew", put: func(c *simulate.Config, _ *rand.Rand) { add(c, simulate.Skew{By: 5 * time.Minute}) }},
		{name: "seeded ids", put: func(c *simulate.Config, _ *rand.Rand) { add(c, simulate.SeededIDs{}) }},
		{name: "truncated exit", put: func(c *simulate.Config, r *rand.Rand) { add(c, simulate.Truncated{Iteration: 15 + r.IntN(8)}) }},
		{name: "sampled ranks", put: func(c *simulate.Config, _ *rand.Rand) {
			add(c, simulate.Sampled{Every: map[int]int{8: 2, 64: 4, 1024: 8}[c.Ranks()]})
		}},
		{name: "mis-set topology", put: func(c *simulate.Config, _ *rand.Rand) { add(c, simulate.Topology{TP: 3}) }},
		{name: "cardinality explosion", put: func(c *simulate.Config, _ *rand.Rand) { add(c, simulate.Explosion{PerSecond: 20}) }},
	}
}

// healthyScenarios are runs of which nobody may be named.
func healthyScenarios() []scenario {
	return []scenario{
		{name: "healthy", put: func(*simulate.Config, *rand.Rand) {}},
		{name: "healthy, still running", until: 24 * time.Second, put: func(c *simulate.Config, _ *rand.Rand) { c.Iterations = 0 }},
		{name: "healthy, forward_backward only", put: func(c *simulate.Config, _ *rand.Rand) { c.Detail = simulate.ForwardBackward }},
		{name: "healthy, checkpoints, evaluations, collections", put: func(c *simulate.Config, _ *rand.Rand) {
			c.CheckpointEvery, c.EvalEvery, c.GCEvery, c.NaNEvery, c.HostSkew = 9, 12, 5, 11, time.Second
		}},
		{name: "healthy, older names, one trace a rank", put: func(c *simulate.Config, _ *rand.Rand) { c.Naming, c.OneTrace = simulate.Older, true }},
	}
}
