package analysis

import "math"

// logHist is a histogram of durations in nanoseconds with buckets that grow by
// 2 %: a percentile read from it is within 1 % of the true one. It is used only
// where there are too many durations to keep; it can be merged.
type logHist struct {
	low    int // bucket number of counts[0]
	counts []uint32
	n      uint64
}

// ratio is the growth of a bucket: (1+ε)/(1−ε) with ε = 1 %, as in DDSketch
// (Masson et al., VLDB 2019).
const ratio = 1.01 / 0.99

var logRatio = math.Log(ratio) // read only

func bucketOf(ns uint64) int {
	if ns == 0 {
		return -1
	}
	return int(math.Ceil(math.Log(float64(ns)) / logRatio))
}

// valueOf is the middle of a bucket by relative error.
func valueOf(bucket int) uint64 {
	if bucket < 0 {
		return 0
	}
	return uint64(math.Round(math.Pow(ratio, float64(bucket)) * 2 / (1 + ratio)))
}

func (h *logHist) add(ns uint64) { h.addBucket(bucketOf(ns), 1) }

func (h *logHist) addBucket(b int, n uint32) {
	switch {
	case len(h.counts) == 0:
		h.low, h.counts = b, append(h.counts, 0)
	case b < h.low:
		h.counts = append(make([]uint32, h.low-b, h.low-b+len(h.counts)), h.counts...)
		h.low = b
	}
	for b >= h.low+len(h.counts) {
		h.counts = append(h.counts, 0)
	}
	h.counts[b-h.low] += n
	h.n += uint64(n)
}

func (h *logHist) merge(o *logHist) {
	for i, n := range o.counts {
		if n > 0 {
			h.addBucket(o.low+i, n)
		}
	}
}

// percentiles reads the three; the histogram must not be empty.
func (h *logHist) percentiles() percentiles[uint64] {
	return percentiles[uint64]{h.at(50), h.at(95), h.at(99)}
}

func (h *logHist) at(percent int) uint64 {
	rank, seen := uint64(rankOf(percent, int(h.n))), uint64(0)
	for i, n := range h.counts {
		if seen += uint64(n); seen >= rank {
			return valueOf(h.low + i)
		}
	}
	return valueOf(h.low + len(h.counts) - 1)
}
