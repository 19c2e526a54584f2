package store

import (
	"math"
	"slices"

	"github.com/DataDog/sketches-go/ddsketch"

	"github.com/beamline-hpc/lensview/internal/run"
)

// exactDurations is up to how many durations of one name and stage percentiles
// are exact.
const exactDurations = 1024

// quantiles is a distribution of durations in ns: all of them while few, a
// relative-error sketch beyond.
type quantiles struct {
	exact  []uint64 // append-only; nil once there is a sketch
	sketch *ddsketch.DDSketch
}

// quantile is the q-quantile by nearest rank, never outside st.Min … st.Max.
func (h *quantiles) quantile(q float64, st *NameStat) (ns uint64, exact bool) {
	if st.Count == 0 {
		return 0, true
	}
	rank := nearestRank(q, st.Count)
	if h.sketch == nil {
		sorted := slices.Clone(h.exact)
		slices.Sort(sorted)
		return sorted[rank-1], true
	}
	at := float64(rank-1) / float64(max(st.Count-1, 1)) // the sketch's rank is q·(n−1)
	v, err := h.sketch.GetValueAtQuantile(min(at, 1))
	if err != nil {
		return st.Max, false
	}
	return min(max(uint64(v), st.Min), st.Max), false
}

// nearestRank is ⌈q·n⌉ within 1 … n.
func nearestRank(q float64, n uint64) uint64 {
	r := uint64(math.Ceil(q * float64(n)))
	return min(max(r, 1), n)
}

func mergeStages(stats []*StageStat) StageStat { return StageStat{Stage: run.Unknown} }
