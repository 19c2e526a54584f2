package uitest

import (
	"sync"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/simulate/simtest"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Small is eight ranks of which every figure is known: tp 1, pp 2, dp 4.
func Small(faults ...simulate.Fault) simulate.Config {
	return simulate.Config{Seed: 11, RunID: "llama-70b", User: "ada", TP: 1, PP: 2, DP: 4, Iterations: 60, Microbatches: 4,
		Step: time.Second, ExportEvery: time.Second, MetricEvery: 2 * time.Second, CheckpointEvery: 25, NaNEvery: 20, Faults: faults}
}

// Simulated receives a simulated run up to a time after its start; 0 is to its
// end.
func Simulated(t testing.TB, c simulate.Config, until time.Duration) *store.Snapshot {
	t.Helper()
	return simtest.New(t, c, store.Config{Budget: 1 << 30}).Until(until)
}

// Verdicts are snapshots that lead to a verdict each. A snapshot never changes, so
// each is made once.
type Verdicts struct {
	once sync.Once
	all  map[string]*store.Snapshot
}

// ByName is the snapshots by name.
func (v *Verdicts) ByName(t testing.TB) map[string]*store.Snapshot {
	t.Helper()
	v.once.Do(func() {
		v.all = map[string]*store.Snapshot{
			"none":     Snapshot(t),
			"1-rank":   Snapshot(t, Training{Run: "alone", Ranks: 1, Steps: 6, Slow: -1}),
			"steady":   Simulated(t, Small(), 50*time.Second),
			"slow":     Simulated(t, Small(simulate.Straggler{Rank: 5, Factor: 1.5, From: 20}), 50*time.Second),
			"hang":     Simulated(t, Small(simulate.Hang{Rank: 3, Iteration: 12, Within: 2, Alive: true}), 70*time.Second),
			"1024":     Snapshot(t, Training{Run: "large", Ranks: 1024, World: 1040, Steps: 8, Slow: 77}),
			"starting": Snapshot(t, Training{Run: "early", Ranks: 4, Steps: 0}),
		}
	})
	return v.all
}
