package analysis

import (
	"math"
	"slices"
)

// Histogram counts durations in buckets whose bounds grow by the same factor.
type Histogram struct {
	Min, Max    float64 // seconds
	Counts      []uint64
	Approximate bool // from a sketch: a duration may stand 1 % off
}

// newHistogram spreads durations, of which there must be some, over at most so
// many buckets. Durations that are all equal make one.
func newHistogram(ns []uint64, buckets int) Histogram {
	h := Histogram{Min: seconds(slices.Min(ns)), Max: seconds(slices.Max(ns))}
	h.make(buckets)
	for _, v := range ns {
		h.Counts[h.Bucket(seconds(v))]++
	}
	return h
}

func histogramOfSketch(s *logHist, buckets int) Histogram {
	h := Histogram{Min: seconds(valueOf(s.low)), Max: seconds(valueOf(s.low + len(s.counts) - 1)), Approximate: true}
	h.make(buckets)
	for i, n := range s.counts {
		h.Counts[h.Bucket(seconds(valueOf(s.low+i)))] += uint64(n)
	}
	return h
}

func (h *Histogram) make(buckets int) {
	if h.Max <= h.Min {
		buckets = 1
	}
	h.Counts = make([]uint64, max(1, buckets))
}

// shortest stands for durations of nothing on a logarithmic scale.
const shortest = 1e-9

// Bucket is the place of a duration in seconds; what lies outside is put into
// the first or last.
func (h *Histogram) Bucket(sec float64) int {
	if len(h.Counts) < 2 {
		return 0
	}
	low, high := math.Log(max(h.Min, shortest)), math.Log(max(h.Max, shortest))
	if !(high > low) {
		return 0
	}
	at := int((math.Log(max(sec, shortest)) - low) / (high - low) * float64(len(h.Counts)))
	return max(0, min(at, len(h.Counts)-1))
}

// Bound is where bucket i begins, in seconds; Bound(len(Counts)) is Max.
func (h *Histogram) Bound(i int) float64 {
	switch {
	case i <= 0:
		return h.Min
	case i >= len(h.Counts):
		return h.Max
	}
	low, high := math.Log(max(h.Min, shortest)), math.Log(max(h.Max, shortest))
	return math.Exp(low + (high-low)*float64(i)/float64(len(h.Counts)))
}
