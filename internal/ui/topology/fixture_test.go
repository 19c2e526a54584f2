package topologyscreen

import (
	"github.com/beamline-hpc/lensview/internal/simulate/simtest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/simulate"
	"github.com/beamline-hpc/lensview/internal/store"
	"github.com/beamline-hpc/lensview/internal/ui/draw"
	"github.com/beamline-hpc/lensview/internal/ui/theme"
	"github.com/beamline-hpc/lensview/internal/ui/uitest"
)

var _ = uitest.Flag()

// simulated puts what a simulated run sends into a store; ranks that skip says
// are left out.
func simulated(t testing.TB, c simulate.Config, skip func(rank int) bool) *store.Snapshot {
	t.Helper()
	f := simtest.New(t, c, store.Config{})
	f.Keep = func(r simulate.Request) bool { return r.Signal == run.Traces && (skip == nil || !skip(r.Rank)) }
	return f.End()
}

func config(tp, cp, pp, dp int) simulate.Config {
	return simulate.Config{Seed: 11, RunID: "llama-70b", TP: tp, CP: cp, PP: pp, DP: dp, Iterations: 4, Microbatches: 4,
		Detail: simulate.ForwardBackward, ExportEvery: time.Second}
}

// ofRanks is a simulated run of 1, 8 or 1,024 ranks; of none an empty store.
func ofRanks(t testing.TB, ranks int) *store.Snapshot {
	t.Helper()
	switch ranks {
	case 1:
		return simulated(t, config(1, 1, 1, 1), nil)
	case 8:
		return simulated(t, config(2, 1, 2, 2), nil)
	case 1024:
		thousand.once.Do(func() { thousand.snapshot = simulated(t, config(8, 1, 8, 16), nil) })
		return thousand.snapshot
	}
	return uitest.Snapshot(t)
}

// thousand is made once: a snapshot never changes.
var thousand struct {
	once     sync.Once
	snapshot *store.Snapshot
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

// text is the view in ASCII without blanks at the ends.
func text(m *Model) string {
	lines := strings.Split(draw.ASCII(m.View()), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n")
}
