package simulate

import "time"

// Demo is the run that the demo shows: 64 ranks (tp 2, pp 4, dp 8) with steps
// of about one second, a slow rank from iteration 20 on, a rank that hangs in
// iteration 180, a metric attribute that explodes from the beginning, and
// checkpoints and evaluations in between. The seed chooses the ranks.
func Demo(seed uint64) Config {
	c := Config{
		Seed: seed, RunID: "demo", User: "demo", TP: 2, PP: 4, DP: 8,
		Microbatches: 8, Step: time.Second, Startup: time.Second,
		ExportEvery: time.Second, MetricEvery: 2 * time.Second, LogEvery: 5,
		CheckpointEvery: 40, EvalEvery: 60, GCEvery: 25, NaNEvery: 35,
	}
	d := newDice()
	d.seat(seed, roomDemo, 0, 0)
	slow := d.IntN(c.Ranks())
	hung := (slow + 1 + d.IntN(c.Ranks()-1)) % c.Ranks()
	c.Faults = []Fault{
		Straggler{Rank: slow, Factor: 1.5, From: 20},
		Hang{Rank: hung, Iteration: 180},
		Explosion{PerSecond: 20},
	}
	return c
}
