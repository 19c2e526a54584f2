package analysis

import "math"

// BucketCount is N values in (Low, High]; open ends are infinite.
type BucketCount struct {
	Low, High float64
	N         uint64
}

// Buckets is the distribution's buckets that hold something, from low to high,
// narrowed by the smallest and largest value where those were sent. It is empty
// when nothing can be told but the figures.
func (d *Distribution) Buckets() []BucketCount {
	if d == nil {
		return nil
	}
	out := make([]BucketCount, 0, len(d.buckets))
	for _, b := range d.buckets {
		low, high := d.bound(b)
		out = append(out, BucketCount{low, high, b.n})
	}
	return out
}

// BucketAt is the bucket's place among others, counted from 0, that a value falls
// into; −1 when it lies in none.
func BucketAt(buckets []BucketCount, v float64) int {
	for i, b := range buckets {
		if v > b.Low && v <= b.High || v == b.Low && b.Low == b.High {
			return i
		}
	}
	if len(buckets) > 0 && v == buckets[0].Low && !math.IsInf(v, 0) {
		return 0
	}
	return -1
}
