package comparescreen

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/otlp"
	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

var _ = uitest.Flag()

// simulated receives a simulated run up to a time after its start, by a clock that
// follows it; 0 is to its end.
func simulated(t testing.TB, c simulate.Config, until time.Duration) *store.Snapshot {
	t.Helper()
	stream, err := simulate.New(c)
	if err != nil {
		t.Fatal(err)
	}
	start := stream.Config().Start.UnixNano()
	now := start
	s := store.New(store.Config{Budget: 1 << 30, Clock: func() int64 { return now }})
	var b otlp.Batch
	for r, ok := stream.Next(); ok && (until == 0 || r.At <= until); r, ok = stream.Next() {
		now = start + int64(r.At)
		if err := b.Decode(r.Signal, r.Body); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Put(context.Background(), &b, run.Receipt{At: now, Sender: "sim"}); err != nil {
			t.Fatal(err)
		}
	}
	now = max(now, start+int64(until))
	s.Tick(now)
	return s.Snapshot()
}

// config is eight ranks of which every figure is known: tp 1, pp 2, dp 4.
func config(faults ...simulate.Fault) simulate.Config {
	return simulate.Config{Seed: 11, RunID: "llama-70b", User: "ada", TP: 1, PP: 2, DP: 4, Iterations: 60, Microbatches: 4,
		Step: time.Second, ExportEvery: time.Second, MetricEvery: 2 * time.Second, CheckpointEvery: 25, NaNEvery: 20, Faults: faults}
}

// cases are runs with a verdict each. A snapshot never changes, so each is made
// once.
func cases(t testing.TB) map[string]*store.Snapshot {
	t.Helper()
	made.once.Do(func() {
		made.all = map[string]*store.Snapshot{
			"none":   uitest.Snapshot(t),
			"1-rank": uitest.Snapshot(t, uitest.Training{Run: "alone", Ranks: 1, Steps: 6, Slow: -1}),
			"slow":   simulated(t, config(simulate.Straggler{Rank: 5, Factor: 1.5, From: 20}), 50*time.Second),
			"hang":   simulated(t, config(simulate.Hang{Rank: 3, Iteration: 12, Within: 2, Alive: true}), 70*time.Second),
			"1024":   uitest.Snapshot(t, uitest.Training{Run: "large", Ranks: 1024, World: 1040, Steps: 8, Slow: 77}),
		}
	})
	return made.all
}

var made struct {
	once sync.Once
	all  map[string]*store.Snapshot
}

func plain() theme.Theme { return theme.New(theme.Options{ASCII: true}) }

// open is the screen on the first run of a snapshot.
func open(t testing.TB, s *store.Snapshot, filter string) *Model {
	t.Helper()
	m := New(plain())
	m.SetSize(120, 38)
	uitest.Give(t, m, uitest.Data(t, s, filter))
	return m
}
