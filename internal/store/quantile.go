package store

import (
	"math"
	"slices"

	"github.com/DataDog/sketches-go/ddsketch"
	"github.com/DataDog/sketches-go/ddsketch/mapping"
	sketchstore "github.com/DataDog/sketches-go/ddsketch/store"
)

// exactDurations is up to how many durations of one name and stage percentiles
// are exact.
const exactDurations = 1024

// The sketch: DDSketch (Masson, Rim, Lee 2019) with cubic interpolation. 2,048
// bins of 1 % span 17 decades, more than from a nanosecond to a year.
const (
	sketchAccuracy = 0.01
	sketchBins     = 2048
)

// quantiles is a distribution of durations in ns: all of them while few, a
// relative-error sketch beyond.
type quantiles struct {
	exact  []uint64 // append-only; nil once there is a sketch
	sketch *ddsketch.DDSketch
}

func newSketch() *ddsketch.DDSketch {
	m, err := mapping.NewCubicallyInterpolatedMapping(sketchAccuracy)
	if err != nil {
		panic("store: sketch mapping: " + err.Error()) // the accuracy is a constant
	}
	return ddsketch.NewDDSketch(m, sketchstore.NewCollapsingLowestDenseStore(sketchBins), sketchstore.NewCollapsingLowestDenseStore(1))
}

// add takes one duration in.
func (h *quantiles) add(ns uint64) {
	if h.sketch == nil {
		if len(h.exact) < exactDurations {
			h.exact = append(h.exact, ns)
			return
		}
		h.toSketch()
	}
	sketchAdd(h.sketch, ns)
}

// sketchAdd cannot fail: a sane duration is far below what the mapping holds.
func sketchAdd(s *ddsketch.DDSketch, ns uint64) { _ = s.Add(float64(ns)) }

func (h *quantiles) toSketch() {
	h.sketch = newSketch()
	for _, ns := range h.exact {
		sketchAdd(h.sketch, ns)
	}
	h.exact = nil
}

// clone is a copy for the writer to go on with. Exact values are append-only and
// shared.
func (h quantiles) clone() quantiles {
	if h.sketch != nil {
		h.sketch = h.sketch.Copy()
	}
	return h
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
	v := uint64(math.Round(valueAtRank(h.sketch, rank)))
	return min(max(v, st.Min), st.Max), false
}

// valueAtRank is the value of the rank-th duration, counted from 1.
func valueAtRank(s *ddsketch.DDSketch, rank uint64) float64 {
	zeros := s.GetZeroCount()
	if float64(rank) <= zeros {
		return 0
	}
	return s.Value(s.GetPositiveValueStore().KeyAtRank(float64(rank-1) - zeros))
}

// nearestRank is ⌈q·n⌉ within 1 … n.
func nearestRank(q float64, n uint64) uint64 {
	r := math.Ceil(q * float64(n))
	if !(r >= 1) { // NaN too
		return 1
	}
	return min(uint64(r), n)
}

// mergeQuantiles is the distribution of several; exact when all of them are.
func mergeQuantiles(stats []*StageStat) quantiles {
	var out quantiles
	for _, s := range stats {
		if s.quantiles.sketch != nil && out.sketch == nil {
			out.sketch = newSketch()
		}
	}
	for _, s := range stats {
		out.merge(&s.quantiles)
	}
	return out
}

func (h *quantiles) merge(o *quantiles) {
	switch {
	case o.sketch != nil:
		_ = h.sketch.MergeWith(o.sketch) // fails only for another mapping
	case h.sketch == nil:
		h.exact = append(h.exact, o.exact...)
	default:
		for _, ns := range o.exact {
			sketchAdd(h.sketch, ns)
		}
	}
}

// size is an estimate of the bytes held.
func (h *quantiles) size() uint64 {
	if h.sketch == nil {
		return uint64(8 * cap(h.exact))
	}
	return 6 << 10
}
