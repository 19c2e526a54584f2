package analysis

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/beamline-hpc/lensview/internal/run"
	"github.com/beamline-hpc/lensview/internal/store"
)

// Health is how complete and how timely a run's telemetry is, over the last
// iterations of the latest attempt.
type Health struct {
	Iterations int         // that were looked at
	Missing    []RankGap   // ranks that lack iterations which others finished, most first
	Late       []RankDelay // ranks whose steps arrive long after the others', the latest first
	Clocks     []HostClock // by host; nil where a single host or too few steps tell nothing
}

// RankGap is a rank that lacks iterations between its first and last one.
type RankGap struct{ Rank, Missing, Of int }

// RankDelay is how much later than the first rank's a rank's steps arrive,
// seconds, median.
type RankDelay struct {
	Rank  int
	Delay float64
}

// HostClock is how a host's clock differs from the median host's.
type HostClock struct {
	Host     string
	Ranks    int
	Offset   float64 // seconds, positive when it is ahead; median over steps of the start against that of all ranks
	Residual float64 // seconds, median absolute deviation: what the offset cannot explain
}

// The rules of health.
const (
	healthSteps   = 100
	stillArriving = 2 // newest iterations of which more may come
	clockLeast    = 5 // steps from which an offset is told
	lateLeast     = 30.0
	clockTold     = 1.0 // seconds
)

// HealthOf looks at the ranks of the main role that the filter lets through.
func HealthOf(s *store.Snapshot, sc Scope) Health {
	cols := lastOf(sc.Run, healthSteps+stillArriving)
	cols = cols[:max(0, len(cols)-stillArriving)]
	ranks := latestRanks(sc)
	h := Health{Iterations: len(cols)}
	if len(cols) == 0 || len(ranks) < 2 {
		return h
	}
	for _, p := range ranks {
		if g := gapOf(sc.Run, cols, p); g.Missing > 0 {
			h.Missing = append(h.Missing, g)
		}
	}
	slices.SortFunc(h.Missing, func(a, b RankGap) int {
		return cmp.Or(cmp.Compare(b.Missing, a.Missing), cmp.Compare(a.Rank, b.Rank))
	})
	h.Clocks = hostClocks(sc.Run, cols, ranks)
	if s.Clock == store.ReceiverClock {
		h.Late = delays(sc.Run, cols, ranks)
	}
	return h
}

// latestRanks is rankProcesses of the latest attempt.
func latestRanks(sc Scope) []int {
	return slices.DeleteFunc(rankProcesses(sc), func(p int) bool {
		return sc.Run.Processes[p].Attempt != len(sc.Run.Attempts)-1
	})
}

// gapOf counts the iterations between a rank's first and last one that it lacks.
func gapOf(r *store.Run, cols []*store.Column, p int) RankGap {
	g := RankGap{Rank: r.Processes[p].ID.Rank}
	lacks, started := 0, false
	for _, c := range cols {
		if _, ok := c.Cell(p); ok {
			started = true
			g.Missing += lacks
			g.Of += lacks + 1
			lacks = 0
		} else if started {
			lacks++
		}
	}
	return g
}

// delays is the ranks whose steps arrive half a minute or more after the first
// rank's: their spans wait somewhere.
func delays(r *store.Run, cols []*store.Column, ranks []int) []RankDelay {
	late := make([][]float64, len(ranks))
	for _, c := range cols {
		first := math.Inf(1)
		for _, p := range ranks {
			if cell, ok := c.Cell(p); ok {
				first = min(first, float64(cell.Arrival))
			}
		}
		for i, p := range ranks {
			if cell, ok := c.Cell(p); ok {
				late[i] = append(late[i], float64(cell.Arrival)-first)
			}
		}
	}
	var out []RankDelay
	for i, p := range ranks {
		if d := median(late[i]); d >= lateLeast {
			out = append(out, RankDelay{r.Processes[p].ID.Rank, d})
		}
	}
	slices.SortFunc(out, func(a, b RankDelay) int {
		return cmp.Or(cmp.Compare(b.Delay, a.Delay), cmp.Compare(a.Rank, b.Rank))
	})
	return out
}

// hostClocks fits an offset to every host: ranks begin a synchronous step
// together, so the start of its own, against the median of all, is its clock.
func hostClocks(r *store.Run, cols []*store.Column, ranks []int) []HostClock {
	byHost := map[string][]int{}
	for _, p := range ranks {
		byHost[r.Processes[p].ID.Host] = append(byHost[r.Processes[p].ID.Host], p)
	}
	if len(byHost) < 2 {
		return nil
	}
	all := make([]float64, len(cols)) // once, and not for each host: there are thousands
	inParallel(len(cols), func(i int) { all[i] = startOf(cols[i], ranks) })
	var out []HostClock
	for host, of := range byHost {
		off := make([]float64, 0, len(cols))
		for i, c := range cols {
			if v := startOf(c, of) - all[i]; !math.IsNaN(v) {
				off = append(off, v)
			}
		}
		if len(off) >= clockLeast {
			m := medianOf(off)
			out = append(out, HostClock{Host: host, Ranks: len(of), Offset: m, Residual: mad(off, m)})
		}
	}
	slices.SortFunc(out, func(a, b HostClock) int { return cmp.Compare(a.Host, b.Host) })
	return out
}

// startOf is the median start of some ranks, in seconds after the column's base.
func startOf(c *store.Column, ranks []int) float64 {
	v := make([]float64, 0, len(ranks))
	for _, p := range ranks {
		if cell, ok := c.Cell(p); ok {
			v = append(v, float64(cell.Start))
		}
	}
	return median(v)
}

// HealthNotices are what a person should know of the telemetry of a run.
func HealthNotices(s *store.Snapshot, r *store.Run) []run.Notice {
	h := HealthOf(s, Scope{Run: r})
	var out []run.Notice
	if n := len(h.Missing); n > 0 {
		g := h.Missing[0]
		out = append(out, notice(r, "iterations-missing", run.Warning, fmt.Sprintf(
			"rank %d lacks %s of %s iterations that other ranks finished%s", g.Rank, thousands(g.Missing), thousands(g.Of), more(n-1, "rank lacks some", "ranks lack some"))))
	}
	if n := len(h.Late); n > 0 {
		out = append(out, notice(r, "late-data", run.Warning, fmt.Sprintf(
			"the spans of rank %d arrive %.0f s after those of the first rank%s", h.Late[0].Rank, h.Late[0].Delay, more(n-1, "rank is late", "ranks are late"))))
	}
	if c, ok := worstClock(h.Clocks); ok {
		out = append(out, notice(r, "clock-offset", run.Info, fmt.Sprintf(
			"the clock of host %s is %.1f s %s: durations are compared, times between hosts are not", short(c.Host), math.Abs(c.Offset), aheadOrBehind(c.Offset))))
	}
	return out
}

func aheadOrBehind(offset float64) string {
	if offset > 0 {
		return "ahead"
	}
	return "behind"
}

// worstClock is the host that is off most, by a second at least and by more than
// its steps vary.
func worstClock(clocks []HostClock) (worst HostClock, ok bool) {
	for _, c := range clocks {
		if off := math.Abs(c.Offset); off >= clockTold && off > 3*c.Residual && off > math.Abs(worst.Offset) {
			worst, ok = c, true
		}
	}
	return worst, ok
}
